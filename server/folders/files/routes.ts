import { join, parse } from 'node:path'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'
import type { GetLimit } from '../../http/limits/limits.ts'
import { isKnown } from '../../http/replies/known-version.ts'
import { requestContextOf } from '../../http/request-context.ts'
import { hasBytes, sendRanged, readRange } from '../../transfers/ranged.ts'
import type { Transfers } from '../../transfers/transfers.ts'
import { sandboxPolicy } from '../../http/security-headers.ts'
import type { Downloads } from './downloads.ts'
import { isPassive } from '../../transfers/file-kinds.ts'
import type { Originals } from './originals.ts'
import { fileLimit } from '../limits.ts'
import { FolderRefusal, type createReplies } from '../access/refusals.ts'
import { isGranted, ruleOf, type Rights, type FileUse } from '../access/rights.ts'
import type { FolderStore } from '../store.ts'
import type { Platform } from '../../feature.ts'
import type { Folders } from '../folders.ts'
import type { PreviewKind, Previews } from './previews.ts'
import type { Folder, StoredFile } from '../schema.ts'

/** The name of a file without what no header can carry or leads elsewhere; the rest, browsers know. */
export const savedName = (name: string) => name.replaceAll(/[\u0000-\u001f\u007f/\\:]/g, '_')

/**
 * Checks whether a visitor may have a file at an address.
 * @returns what it takes from the folder's number of downloads
 * @throws FolderRefusal when his rights do not open it
 */
export function demand(way: FileUse, file: Pick<StoredFile, 'kind' | 'type'>, rights: Rights) {
  // Proofs have no originals for anyone, and a code may have web sizes alone.
  if (!isGranted(way, file, rights)) throw new FolderRefusal(rights.web ? 'originals' : 'scope')
  return ruleOf(way, file).takes
}

/** The file that an address names. @throws FolderRefusal when the folder has none with this id */
export function fileOf(store: FolderStore, folder: Folder, request: Request): StoredFile {
  const { file } = request.params
  const found = /^\d{1,15}$/.test(String(file)) ? store.file(folder.id, Number(file)) : null
  if (!found) throw new FolderRefusal('file')
  return found
}

/** The files of a folder: `/files/{id}` to keep, `/view/{id}` to see films and hear sounds in place. */
export function fileRoutes(
  {
    store,
    originals,
    downloads,
    transfers,
    inFolder,
  }: {
    store: FolderStore
    originals: Originals
    downloads: Downloads
    transfers: Transfers
    inFolder: ReturnType<typeof createReplies>['inFolder']
  },
  limit: GetLimit,
): Router {
  const send = (way: 'file' | 'view') =>
    inFolder(async (folder, request, response, rights, stillHas) => {
      const file = fileOf(store, folder, request)
      const takes = demand(way, file, rights)
      const requestContext = requestContextOf(response)
      const isHead = request.method === 'HEAD'
      const transfer = isHead ? null : transfers.begin(requestContext.address, response)
      if (!isHead && !transfer) throw new FolderRefusal('busy', 15)
      try {
        const original = await originals.find(folder, file)
        if (!original) throw new FolderRefusal('file')
        if (original.withheld) throw new FolderRefusal('held')
        const { size, mtime, etag } = original
        const range = readRange(request, size, etag)
        if (!isHead && hasBytes(range)) {
          await downloads(
            folder,
            { what: { file: file.id }, takes, name: file.name },
            requestContext,
          )
        }
        const isShown = way === 'view' && isPassive(file.kind, file.type)
        if (!isShown) response.attachment(savedName(file.name))
        response.setHeader('Content-Type', file.type)
        response.setHeader('Content-Security-Policy', sandboxPolicy)
        response.setHeader('Last-Modified', new Date(mtime).toUTCString())
        const mayGoOn = () => stillHas((now) => isGranted(way, file, now))
        const sent = { size, etag, range, transfer, mayGoOn }
        await sendRanged(request, response, sent, original.open)
      } finally {
        transfer?.end()
      }
    })

  const router = Router({ strict: true })
  router.get('/s/:id/files/:file', limit(fileLimit), send('file'))
  router.get('/s/:id/view/:file', limit(fileLimit), send('view'))
  return router
}

/** Milliseconds after which a connection that takes nothing of a preview is cut. */
const silenceMs = 25_000

/** Pictures to look at: `/thumb/{id}`, `/cover/{id}`, and `/web/{id}`, which `?save` gives to keep. */
export function previewRoutes(
  { brand }: Pick<Platform, 'brand'>,
  limit: GetLimit,
  {
    folders: { store, root },
    previews,
    downloads,
    inFolder,
  }: {
    folders: Pick<Folders, 'store' | 'root'>
    previews: Previews
    downloads: Downloads
    inFolder: ReturnType<typeof createReplies>['inFolder']
  },
): Router {
  const send = (kind: PreviewKind) =>
    inFolder(async (folder, request, response, rights) => {
      const file = fileOf(store, folder, request)
      const isSaved = kind === 'web' && request.query.save !== undefined
      const takes = demand(isSaved ? 'save' : kind, file, rights)
      const watermark = folder.watermark ? (await brand()).name : null
      const found = await previews(join(root, folder.directory), file, { kind, watermark })
      if (!found) throw new FolderRefusal('file')
      if (isKnown(request, found.etag)) {
        response.status(304).setHeader('ETag', found.etag).end()
        return
      }
      let bytes = await found.cached()
      if (!bytes) {
        await within(limit('assets'), request, response)
        bytes = await found.make(ipKeyGenerator(requestContextOf(response).address, 56))
      }
      const taken = { what: { file: file.id }, takes, name: file.name }
      if (request.method !== 'HEAD') await downloads(folder, taken, requestContextOf(response))
      response.setHeader('ETag', found.etag)
      response.setHeader('Content-Security-Policy', sandboxPolicy)
      if (isSaved) {
        response.attachment(`${parse(savedName(file.name)).name}-2048.jpg`)
      }
      response.setHeader('Content-Type', found.type)
      response.setHeader('Content-Length', bytes.length)
      response.setTimeout(silenceMs, () => response.destroy())
      response.end(request.method === 'HEAD' ? undefined : bytes)
    })

  const router = Router({ strict: true })
  router.get('/s/:id/thumb/:file', limit(fileLimit), send('thumb'))
  router.get('/s/:id/cover/:file', limit(fileLimit), send('cover'))
  router.get('/s/:id/web/:file', limit(fileLimit), send('web'))
  return router
}

/** Runs a limit in the middle of an answer. */
function within(limiter: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void limiter(request, response, (error?: unknown) => (error ? reject(error) : resolve()))
  })
}
