import { join, parse } from 'node:path'
import { ipKeyGenerator } from 'express-rate-limit'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { Context } from '../context.ts'
import type { Limits } from '../http/limits.ts'
import { requestContextOf } from '../http/request-context.ts'
import type { Downloads } from './downloads.ts'
import { demand, fileOf, sandboxed, savedName } from './file-routes.ts'
import type { PreviewKind } from './pixels.ts'
import { createPreviews } from './previews.ts'
import { FolderRefusal, type createReplies } from './replies.ts'

/** Milliseconds after which a connection that takes nothing of a preview is cut. */
const silence = 60_000

/** Pictures to look at: `/thumb/{id}`, and `/web/{id}`, which `?save` gives to keep. */
export function previewRoutes(
  { config, folders, log }: Pick<Context, 'config' | 'folders' | 'log'>,
  limits: Pick<Limits, 'assets' | 'folderFiles'>,
  downloads: Downloads,
  { inFolder }: ReturnType<typeof createReplies>,
): Router {
  const { store, root } = folders
  const preview = createPreviews({ dir: join(config.dataDir, 'cache/folders'), log })

  const send = (kind: PreviewKind) =>
    inFolder(async (folder, request, response, rights) => {
      const file = fileOf(store, folder, request)
      const isSaved = kind === 'web' && request.query.save !== undefined
      const takes = demand(isSaved ? 'save' : kind, file, rights)
      const found = await preview(join(root, folder.directory), file, kind)
      if (!found) throw new FolderRefusal('file')
      let bytes = await found.cached()
      if (!bytes) {
        await within(limits.assets, request, response)
        bytes = await found.make(ipKeyGenerator(requestContextOf(response).address, 56))
      }
      const taken = { what: { file: file.id }, takes, name: file.name }
      if (request.method !== 'HEAD') await downloads(folder, taken, requestContextOf(response))
      response.setHeader('ETag', found.etag)
      response.setHeader('Content-Security-Policy', sandboxed)
      if (isSaved) {
        response.attachment(`${parse(savedName(file.name)).name}-2048.jpg`)
      }
      response.setHeader('Content-Type', found.type)
      response.setHeader('Content-Length', bytes.length)
      response.setTimeout(silence, () => response.destroy())
      response.end(request.method === 'HEAD' ? undefined : bytes)
    })

  const router = Router({ strict: true })
  router.get('/s/:id/thumb/:file', limits.folderFiles, send('thumb'))
  router.get('/s/:id/web/:file', limits.folderFiles, send('web'))
  return router
}

/** Runs a limit in the middle of an answer. */
function within(limit: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void limit(request, response, (error?: unknown) => (error ? reject(error) : resolve()))
  })
}
