import { Router } from 'express'
import { failure } from '#shared/failures.ts'
import { getFolder, markFile, type FolderView } from '#shared/folders.ts'
import type { Context } from '../context.ts'
import type { Endpoints } from '../http/endpoints.ts'
import type { Limits } from '../http/limits.ts'
import { createAccess } from './access.ts'
import { createDownloads } from './downloads.ts'
import { fileRoutes } from './file-routes.ts'
import { formRoutes } from './form-routes.ts'
import { createPickers } from './pickers.ts'
import { createReplies } from './replies.ts'
import { asksFor, createView } from './view.ts'
import { zipRoutes } from './zip-routes.ts'

/**
 * Shared folders (features section 17): the page's data, marks, forms, files and ZIPs. Whatever it
 * is, one function says who may have it; see access.ts.
 */
export function folderRoutes(context: Context, endpoints: Endpoints, limits: Limits): Router {
  const { config, folders, keys, clock, commit, log } = context
  const { store, picks, counts } = folders
  const { panels, codes } = context.clients
  const secure = config.siteUrl.startsWith('https:')
  const access = createAccess({ store, panels, keys, clock, secure })
  const pickers = createPickers({ panels, codes, picks, keys, secure })
  const downloads = createDownloads(context)
  const replies = createReplies(access)
  const view = createView({ folders, access, pickers })

  endpoints.serve(
    getFolder,
    { limit: 'read', access: 'public' },
    (input, requestContext): FolderView => {
      const refused = replies.refusedIn(requestContext)
      if (refused) return refused
      const found = view(input, requestContext)
      const { folder } = found
      if (folder) {
        commit((tx) => counts.view(tx, folder, requestContext), { durable: false }).catch(
          (err: unknown) => {
            log.error({ err }, 'a view could not be counted')
          },
        )
      }
      return found.view
    },
  )

  endpoints.serve(markFile, { limit: 'read', access: 'csrf' }, async (input, requestContext) => {
    const { id, file, heart, comment } = input
    const allowed = access.of(id, requestContext)
    if (allowed.state === 'gone') throw failure('gone')
    if (allowed.state === 'missing') throw failure('missing')
    const { folder } = allowed
    if (allowed.state === 'locked') {
      throw failure('signed-out', { message: asksFor[allowed.by] })
    }
    if (!allowed.rights.select) throw failure('forbidden', { message: noPicks })
    if (!store.file(folder.id, file)) throw failure('missing')
    const visitor = pickers.findOrMake(folder, requestContext)
    const picker = await commit((tx) => picks.mark(tx, folder, visitor, file, { heart, comment }))
    return { success: true as const, picks: picks.summary(folder, picker) }
  })

  // Below /s, so that no error of another address comes here.
  return Router()
    .use(fileRoutes(context, limits, downloads, replies))
    .use(zipRoutes(context, pickers, downloads, replies))
    .use(formRoutes(context, limits, access, pickers, replies))
    .use('/s', replies.failed)
}

const noPicks = 'Your secret code does not open favourites and comments.'
