import { failure } from '#shared/failures.ts'
import { getFolder, markFile, type FolderView } from '#shared/folders.ts'
import type { Platform } from '../feature.ts'
import type { Endpoints, Rules } from '../http/endpoints.ts'
import type { FolderAccess } from './access.ts'
import type { Folders } from './folders.ts'
import type { Pickers } from './pickers.ts'
import { markLimit } from './rate-limits.ts'
import type { createReplies } from './replies.ts'
import { asksFor } from './locked-view.ts'
import { createView } from './view.ts'

/** Serves the data of a folder's page, and the marks that scripts of the page set. */
export function serveFolder(
  { commit, log }: Pick<Platform, 'commit' | 'log'>,
  endpoints: Endpoints,
  {
    folders,
    access,
    pickers,
    replies,
  }: {
    folders: Folders
    access: FolderAccess
    pickers: Pickers
    replies: ReturnType<typeof createReplies>
  },
): void {
  const { store, picks, counts } = folders
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
            log.error({ err }, 'view not counted')
          },
        )
      }
      return found.view
    },
  )

  const marking = { limit: ['read', markLimit], access: 'csrf' } satisfies Rules
  endpoints.serve(markFile, marking, async (input, requestContext) => {
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
}

const noPicks = 'Your secret code does not open favourites and comments.'
