import { ipKeyGenerator } from 'express-rate-limit'
import express, { Router, type Request, type Response } from 'express'
import { folderLimits } from '#shared/folders/folder-numbers.ts'
import { paths } from '#shared/paths.ts'
import { allowMethods } from '../../http/methods.ts'
import type { GetLimit } from '../../http/limits/limits.ts'
import { requestContextOf } from '../../http/request-context.ts'
import { hasBytes, sendRanged, readRange } from '../../transfers/ranged.ts'
import type { Transfers } from '../../transfers/transfers.ts'
import type { Downloads } from '../files/downloads.ts'
import { sandboxPolicy } from '../../http/security-headers.ts'
import { demand } from '../files/routes.ts'
import type { Originals } from '../files/originals.ts'
import type { WebSizes } from '../files/web-sizes.ts'
import type { FavouriteVisitors } from '../favourites/visitors.ts'
import type { Favourites } from '../favourites/store.ts'
import { fileLimit, type FolderQuotas } from '../limits.ts'
import { FolderRefusal, type createReplies, type FolderHandler } from '../access/refusals.ts'
import { isGranted, type Rights, type AccessRule } from '../access/rights.ts'
import type { Selections } from './selections.ts'
import type { FolderStore } from '../store.ts'
import { createZips, type ZipSize } from './zips.ts'
import type { Folder, StoredFile } from '../schema.ts'

/** What a ZIP is made of; `digest` tells it from others in the counts. */
type ZipRequest = {
  files: readonly StoredFile[]
  size: ZipSize
  /** Which files may leave as they were delivered: of those that have no web size not all of them. */
  mayHave: (file: StoredFile) => boolean
  digest: string
  name: string
  /** Whether who began to read it still may. */
  mayGoOn: () => boolean
}

/** What makes and sends ZIPs. */
type Sending = {
  originals: Originals
  webSizes: WebSizes
  downloads: Downloads
  transfers: Transfers
}

/** What a choice of files is kept with. */
type Choosing = {
  store: FolderStore
  favourites: Favourites
  visitors: FavouriteVisitors
  selections: Selections
  quotas: FolderQuotas
}

/**
 * ZIPs of a folder: `GET /zip` of everything, `POST /zip` of a selection, which leads to an address
 * of its own, so browsers can resume it. With `size=web` their pictures are in web size.
 */
export function zipRoutes(
  {
    inFolder,
    ...parts
  }: Sending & Choosing & { inFolder: ReturnType<typeof createReplies>['inFolder'] },
  limit: GetLimit,
): Router {
  const { store, selections } = parts
  const send = createSendZip(parts)

  const everything = inFolder((folder, request, response, rights, stillHas) => {
    const size = sizeOf(request.query)
    const takes = demandZip(rights, size)
    const files = store.files(folder.id)
    if (files.length === 0) throw new FolderRefusal('file')
    const mayHave = mayHaveIn(files, rights)
    const zip = { files, size, mayHave, digest: 'all', name: zipName(folder), takes }
    return send(folder, { ...zip, mayGoOn: goesOn(size, stillHas) }, request, response)
  })

  const selection = inFolder((folder, request, response, rights, stillHas) => {
    const size = sizeOf(request.query)
    const takes = demandZip(rights, size)
    const { ids, digest } = selections.read(folder, String(request.params.token))
    const files = store.some(folder.id, ids)
    if (files.length === 0) throw new FolderRefusal('selection')
    const name = `${zipName(folder)} (${files.length})`
    const mayHave = mayHaveIn(files, rights)
    const zip = { files, size, mayHave, digest, name, takes }
    return send(folder, { ...zip, mayGoOn: goesOn(size, stillHas) }, request, response)
  })

  const router = Router({ strict: true })
  router.get('/s/:id/zip', limit(fileLimit), everything)
  router.get('/s/:id/zip/:token', limit(fileLimit), selection)
  router.post(
    '/s/:id/zip',
    limit(fileLimit),
    express.urlencoded({ extended: false, limit: 256 * 1024, parameterLimit: 5000 }),
    inFolder(chooseFiles(parts)),
  )
  router.all('/s/:id/zip', allowMethods(['GET', 'POST']))
  return router
}

/** Creates the function that counts and sends a ZIP, whole or from where a browser resumes. */
function createSendZip({ originals, webSizes, downloads, transfers }: Sending) {
  const zips = createZips(originals, webSizes)
  return async (
    folder: Folder,
    {
      files,
      size: zipSize,
      mayHave,
      digest,
      name,
      takes,
      mayGoOn,
    }: ZipRequest & Pick<AccessRule, 'takes'>,
    request: Request,
    response: Response,
  ) => {
    const requestContext = requestContextOf(response)
    const isHead = request.method === 'HEAD'
    const fileName = `${name}${zipSize === 'web' ? ' web size' : ''}.zip`
    const transfer = isHead ? null : transfers.begin(requestContext.address, response)
    if (!isHead && !transfer) throw new FolderRefusal('busy', 15)
    try {
      const client = ipKeyGenerator(requestContext.address, 56)
      const { size, etag, open } = await zips(client, folder, { files, size: zipSize, mayHave })
      const range = readRange(request, size, etag)
      if (!isHead && hasBytes(range)) {
        const zip = zipSize === 'web' ? `web:${digest}` : digest
        await downloads(folder, { what: { zip }, takes, name: fileName }, requestContext)
      }
      response.attachment(fileName)
      response.setHeader('Content-Type', 'application/zip')
      response.setHeader('Content-Security-Policy', sandboxPolicy)
      await sendRanged(request, response, { size, etag, range, transfer, mayGoOn }, open)
    } finally {
      transfer?.end()
    }
  }
}

/** Keeps the files that a form names, or the favourites, and leads to the ZIP of them. */
const chooseFiles =
  ({ store, favourites, visitors, selections, quotas }: Choosing): FolderHandler =>
  async (folder, request, response, rights) => {
    const size = sizeOf(request.body)
    demandZip(rights, size)
    const requestContext = requestContextOf(response)
    const ids = chosen(request.body)
    if (ids.length > folderLimits.maxSelection) throw new FolderRefusal('too-large')
    const marked = () =>
      favourites.fileIds(favourites.find(folder.id, visitors.find(folder, requestContext)))
    const wanted = ids.length === 0 && wantsFavourites(request.body) ? marked() : ids
    const files = store.some(folder.id, wanted).map(({ id }) => id)
    if (files.length === 0) throw new FolderRefusal('malformed')
    const known = selections.tokenOf(folder, files)
    if (!known.isKept) quotas.take('selection', folder, requestContext)
    await selections.keep(folder, files)
    const address = `${paths.folderZip(String(request.params.id))}/${known.token}`
    response.redirect(303, size === 'web' ? `${address}?size=web` : address)
  }

/** A ZIP asks for the same right, whatever is in it. */
const anyFile = { kind: 'document', type: '' } as const
const useOf = (size: ZipSize) => (size === 'web' ? 'web-zip' : 'zip')
const demandZip = (rights: Rights, size: ZipSize) => demand(useOf(size), anyFile, rights)

const goesOn = (size: ZipSize, stillHas: Parameters<FolderHandler>[4]) => () =>
  stillHas((rights) => isGranted(useOf(size), anyFile, rights))

/**
 * Which files may leave in a ZIP as they were delivered.
 * @throws FolderRefusal where none of them can be in it: photos that have no web size, without the right
 *   to originals
 */
function mayHaveIn(files: readonly StoredFile[], rights: Rights) {
  const mayHave = (file: StoredFile) => isGranted('file', file, rights)
  if (!files.some((file) => file.kind === 'image' || mayHave(file))) {
    throw new FolderRefusal('originals')
  }
  return mayHave
}

/** The size that a form or an address asks for. */
const sizeOf = (fields: unknown): ZipSize =>
  // Parsed addresses and forms have no prototype.
  (fields as { size?: unknown } | undefined)?.size === 'web' ? 'web' : 'originals'

/** The ids that a form sends: one field for each, or all of them in one. */
function chosen(body: unknown): number[] {
  const { file, files } = (body ?? {}) as Record<string, unknown>
  const texts = [file, files].flat().filter((text) => typeof text === 'string')
  const ids = texts.flatMap((text) => text.split(',')).filter((text) => /^\d{1,15}$/.test(text))
  return [...new Set(ids.map(Number))]
}

const wantsFavourites = (body: unknown) => body instanceof Object && 'favourites' in body

/** The title as the name of a file; half a character can't be in a header. */
const zipName = ({ title }: Folder) =>
  Array.from(
    title
      .replaceAll(/[\u0000-\u001f\u007f<>:"/\\|?*]+/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
    .slice(0, 120)
    .join('') || 'Files'
