import { join, parse } from 'node:path'
import { ipKeyGenerator } from 'express-rate-limit'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { Platform } from '../feature.ts'
import type { GetLimit } from '../http/limits.ts'
import { requestContextOf } from '../http/request-context.ts'
import type { Downloads } from './downloads.ts'
import { demand, fileOf, sandboxed, savedName } from './file-routes.ts'
import type { Folders } from './folders.ts'
import type { PreviewKind } from './pixels.ts'
import { createPreviews } from './previews.ts'
import { fileLimit } from './rate-limits.ts'
import { FolderRefusal, type createReplies } from './replies.ts'

/** Milliseconds after which a connection that takes nothing of a preview is cut. */
const silenceMs = 25_000

/** Pictures to look at: `/thumb/{id}`, and `/web/{id}`, which `?save` gives to keep. */
export function previewRoutes(
  { config, log }: Pick<Platform, 'config' | 'log'>,
  limit: GetLimit,
  {
    folders: { store, root },
    downloads,
    inFolder,
  }: {
    folders: Pick<Folders, 'store' | 'root'>
    downloads: Downloads
    inFolder: ReturnType<typeof createReplies>['inFolder']
  },
): Router {
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
        await within(limit('assets'), request, response)
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
      response.setTimeout(silenceMs, () => response.destroy())
      response.end(request.method === 'HEAD' ? undefined : bytes)
    })

  const router = Router({ strict: true })
  router.get('/s/:id/thumb/:file', limit(fileLimit), send('thumb'))
  router.get('/s/:id/web/:file', limit(fileLimit), send('web'))
  return router
}

/** Runs a limit in the middle of an answer. */
function within(limiter: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void limiter(request, response, (error?: unknown) => (error ? reject(error) : resolve()))
  })
}
