import { createHash } from 'node:crypto'
import express, { Router, type Request, type Response } from 'express'
import { folderLimits } from '#shared/folder-numbers.ts'
import { paths } from '#shared/paths.ts'
import type { Context } from '../context.ts'
import { requestContextOf } from '../http/request-context.ts'
import type { Downloads } from './downloads.ts'
import { sandboxed, silence } from './file-routes.ts'
import { sendRanged, wantedRange } from './ranged.ts'
import type { Pickers } from './pickers.ts'
import { FolderRefusal, type createReplies } from './replies.ts'
import { createSlots } from './slots.ts'
import type { Folder, StoredFile } from './store.ts'
import { createZips } from './zips.ts'

/** ZIPs that are sent at the same time, in all and to one client address. */
const atOnce = { most: 8, each: 3 }

/** How long the address of a selection is valid, so that a long download can be resumed. */
const selectionLasts = 24 * 3_600_000

/**
 * ZIPs of a folder: `GET /zip` of everything, `POST /zip` of a selection, which leads to an address
 * of its own, so that browsers can resume it.
 */
export function zipRoutes(
  {
    folders,
    keys,
    clock,
    commit,
    log,
  }: Pick<Context, 'folders' | 'keys' | 'clock' | 'commit' | 'log'>,
  pickers: Pickers,
  downloads: Downloads,
  { inFolder }: ReturnType<typeof createReplies>,
): Router {
  const { store, picks, root } = folders
  const zips = createZips({ root, store, commit, log })
  const slot = createSlots(atOnce)

  const send = async (
    folder: Folder,
    { files, digest, name }: { files: readonly StoredFile[]; digest: string; name: string },
    request: Request,
    response: Response,
  ) => {
    const requestContext = requestContextOf(response)
    const release = request.method === 'HEAD' ? () => {} : slot(requestContext.address)
    if (!release) throw new FolderRefusal('busy', 15)
    try {
      const { size, etag, open } = await zips(folder, files)
      const wanted = wantedRange(request, size, etag)
      if (request.method === 'GET' && wanted.kind !== 'beyond') {
        await downloads(folder, { zip: digest }, `${name}.zip`, requestContext)
      }
      response.attachment(`${name}.zip`)
      response.setHeader('Content-Type', 'application/zip')
      response.setHeader('Content-Security-Policy', sandboxed)
      response.setTimeout(silence, () => response.destroy())
      await sendRanged(request, response, { size, etag, wanted }, open)
    } finally {
      release()
    }
  }

  const signed = ({ key }: Folder, digest: string, until: string) => `${key}.${digest}.${until}`

  const everything = inFolder((folder, request, response, { originals }) => {
    if (!originals) throw new FolderRefusal('scope')
    const files = store.files(folder.id)
    if (files.length === 0) throw new FolderRefusal('file')
    return send(folder, { files, digest: 'all', name: zipName(folder) }, request, response)
  })

  const selection = inFolder((folder, request, response, { originals }) => {
    if (!originals) throw new FolderRefusal('scope')
    const [digest = '', until = '', hash = ''] = String(request.params.token).split('.')
    const ids =
      keys.matches('folder-zip', signed(folder, digest, until), hash) &&
      parseInt(until, 36) > clock()
        ? store.selection(folder.id, digest)
        : null
    const files = ids && store.some(folder.id, ids)
    if (!files || files.length === 0) throw new FolderRefusal('selection')
    const name = `${zipName(folder)} (${files.length})`
    return send(folder, { files, digest, name }, request, response)
  })

  const choose = inFolder(async (folder, request, response, { originals }) => {
    if (!originals) throw new FolderRefusal('scope')
    const ids = chosen(request.body)
    if (ids.length > folderLimits.selectionMost) throw new FolderRefusal('too-large')
    const wanted =
      ids.length === 0 && wantsFavourites(request.body)
        ? picks.hearts(
            picks.of(folder.id, pickers.find(folder, requestContextOf(response)))?.id ?? 0,
          )
        : ids
    const files = store.some(folder.id, wanted).map(({ id }) => id)
    if (files.length === 0) throw new FolderRefusal('malformed')
    const digest = createHash('sha256').update(files.join()).digest('hex').slice(0, 32)
    // On the hour, so that the same choice has the same address for a while.
    const end = Math.ceil((clock() + selectionLasts) / 3_600_000) * 3_600_000
    await commit((tx) => store.keepSelection(tx, folder.id, digest, files, end))
    const until = end.toString(36)
    const hash = keys.hash('folder-zip', signed(folder, digest, until))
    const token = [digest, until, hash].join('.')
    response.redirect(303, `${paths.folderZip(String(request.params.id))}/${token}`)
  })

  const router = Router({ strict: true })
  router.get('/s/:id/zip', everything)
  router.get('/s/:id/zip/:token', selection)
  router.post(
    '/s/:id/zip',
    express.urlencoded({ extended: false, limit: 256 * 1024, parameterLimit: 5000 }),
    choose,
  )
  return router
}

/** The ids that a form sends: one field for each, or all of them in one. */
function chosen(body: unknown): number[] {
  const { file, files } = (body ?? {}) as Record<string, unknown>
  const texts = [file, files].flat().filter((text) => typeof text === 'string')
  const ids = texts.flatMap((text) => text.split(',')).filter((text) => /^\d{1,15}$/.test(text))
  return [...new Set(ids.map(Number))]
}

const wantsFavourites = (body: unknown) => body instanceof Object && 'favourites' in body

/** The title as the name of a file. */
const zipName = ({ title }: Folder) =>
  title
    .replaceAll(/[\u0000-\u001f\u007f<>:"/\\|?*]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 120) || 'Files'
