import type { Context } from '../context.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Downloaded } from './counts.ts'
import { FolderRefusal } from './replies.ts'
import type { Folder } from './store.ts'

/**
 * Counts a download before it begins, and writes it down for a client who is signed in.
 * @param name of what is downloaded, as the client knows it
 * @throws FolderRefusal when no download is left
 */
export type Downloads = (
  folder: Folder,
  what: Downloaded,
  name: string,
  requestContext: RequestContext,
) => Promise<void>

/** Makes the counter. */
export function createDownloads({
  folders: { counts },
  clients,
  commit,
}: Pick<Context, 'folders' | 'clients' | 'commit'>): Downloads {
  return async (folder, what, name, requestContext) => {
    const { session } = requestContext
    const counted = await commit((tx) => {
      const result = counts.download(tx, folder, what, requestContext)
      if (result === 'counted' && session) {
        const { clientId, codeId, who } = session
        const detail = `Downloaded ${name} from ${folder.title}`
        clients.audit(tx, { clientId, codeId, who, kind: 'download', detail })
      }
      return result
    })
    if (counted === 'none') throw new FolderRefusal('limit')
  }
}
