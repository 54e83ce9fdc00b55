import { join } from 'node:path'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { Context } from '../context.ts'
import type { Limits } from '../http/limits.ts'
import { requestContextOf } from '../http/request-context.ts'
import { openFile, versionOf } from './disk.ts'
import type { Downloads } from './downloads.ts'
import { isPassive } from './file-kinds.ts'
import type { PreviewKind } from './pixels.ts'
import { createPreviews } from './previews.ts'
import { sendRanged, wantedRange } from './ranged.ts'
import { FolderRefusal, type createReplies } from './replies.ts'
import type { Folder, StoredFile } from './store.ts'
import { zipNames } from './zip-names.ts'

/** Milliseconds after which a download that takes nothing is cut; it can be resumed. */
export const silence = 60_000

/** Whatever a file is, nothing in it runs here. */
export const sandboxed = "sandbox; default-src 'none'; frame-ancestors 'none'"

/**
 * The files of a folder: `/files/{id}` to keep, `/view/{id}` to see films and hear sounds in
 * place, `/thumb/{id}` and `/web/{id}` to see pictures.
 */
export function fileRoutes(
  { config, folders, commit, log }: Pick<Context, 'config' | 'folders' | 'commit' | 'log'>,
  limits: Pick<Limits, 'assets'>,
  downloads: Downloads,
  { inFolder }: ReturnType<typeof createReplies>,
): Router {
  const { store, root } = folders
  const preview = createPreviews({ dir: join(config.dataDir, 'cache/folders'), log })

  const fileOf = (folder: Folder, request: Request): StoredFile => {
    const { file } = request.params
    const found = /^\d{1,15}$/.test(String(file)) ? store.file(folder.id, Number(file)) : null
    if (!found) throw new FolderRefusal('file')
    return found
  }

  /** Sends a file as it is. @param inline shows it where that is safe */
  const send = (inline: boolean) =>
    inFolder(async (folder, request, response, rights) => {
      const file = fileOf(folder, request)
      if (!(file.kind === 'image' ? rights.originals : rights.web || inline)) {
        throw new FolderRefusal('scope')
      }
      const directory = join(root, folder.directory)
      const version = await versionOf(directory, file.path)
      if ((version === null) !== (file.broken === 1)) {
        await commit((tx) => store.markBroken(tx, file.id, version === null))
      }
      if (version === null) throw new FolderRefusal('file')
      const etag = `"${file.id.toString(36)}-${version.mtime.toString(36)}-${version.size.toString(36)}"`
      const wanted = wantedRange(request, version.size, etag)
      const shown = inline && isPassive(file.kind, file.type)
      if (!shown && request.method === 'GET' && wanted.kind !== 'beyond') {
        await downloads(folder, { file: file.id }, file.name, requestContextOf(response))
      }
      if (!shown) response.attachment(savedName(file.name))
      response.setHeader('Content-Type', file.type)
      response.setHeader('Content-Security-Policy', sandboxed)
      response.setHeader('Last-Modified', new Date(version.mtime).toUTCString())
      response.setTimeout(silence, () => response.destroy())
      const about = { size: version.size, etag, wanted }
      await sendRanged(request, response, about, () => openFile(directory, file.path, version))
    })

  const sendPreview = (kind: PreviewKind) =>
    inFolder(async (folder, request, response, { web }) => {
      const file = fileOf(folder, request)
      const saved = request.query.save !== undefined
      if (saved && !web) throw new FolderRefusal('scope')
      const found = await preview(join(root, folder.directory), file, kind)
      if (!found) throw new FolderRefusal('file')
      let bytes = await found.cached()
      if (!bytes) {
        await within(limits.assets, request, response)
        bytes = await found.make()
      }
      response.setHeader('ETag', found.etag)
      response.setHeader('Content-Security-Policy', sandboxed)
      if (saved) {
        response.attachment(`${savedName(file.name).replace(/\.[^.]*$/, '')}-2048.jpg`)
      }
      response.setHeader('Content-Type', found.type)
      response.setHeader('Content-Length', bytes.length)
      response.end(request.method === 'HEAD' ? undefined : bytes)
    })

  const router = Router({ strict: true })
  router.get('/s/:id/files/:file', send(false))
  router.get('/s/:id/view/:file', send(true))
  router.get('/s/:id/thumb/:file', sendPreview('thumb'))
  router.get('/s/:id/web/:file', sendPreview('web'))
  return router
}

/** The name of a file for disks of any kind, as in a ZIP. */
const savedName = (name: string) => zipNames([name])[0]!

/** Runs a limit in the middle of an answer. */
function within(limit: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void limit(request, response, (error?: unknown) => (error ? reject(error) : resolve()))
  })
}
