import type { ClientFeature } from '../../clients/feature.ts'
import type { Platform } from '../../feature.ts'
import type { RequestContext } from '../../http/request-context.ts'
import type { Downloaded } from '../counts.ts'
import type { Folders } from '../folders.ts'
import { FolderRefusal } from '../access/refusals.ts'
import type { AccessRule } from '../access/rights.ts'
import type { Folder } from '../schema.ts'

/**
 * Counts what an address takes before its bytes leave, and writes a download down for a client who
 * is signed in. Where nothing is limited, a database that is busy holds up no download.
 * @param name of what is downloaded, as the client knows it
 * @throws FolderRefusal when no download is left
 */
export type Downloads = (
  folder: Folder,
  taken: { what: Downloaded; takes: AccessRule['takes']; name: string },
  requestContext: RequestContext,
) => Promise<void>

export function createDownloads(
  { commit, log }: Pick<Platform, 'commit' | 'log'>,
  { counts }: Pick<Folders, 'counts'>,
  clients: Pick<ClientFeature, 'audit' | 'sessionIn'>,
): Downloads {
  return async (folder, { what, takes, name }, requestContext) => {
    const isLimited = folder.maxDownloads !== null
    if (takes === 'nothing' || (takes === 'play' && !isLimited)) return
    const session = clients.sessionIn(requestContext)
    const counting = commit((tx) => {
      const result = counts.download(tx, folder, { what, takes }, requestContext)
      if (result === 'counted' && session) {
        const { clientId, codeId, who } = session
        const detail = `Downloaded ${name} from ${folder.title}`
        clients.audit(tx, { clientId, codeId, who, kind: 'download', detail })
      }
      return result
    })
    if (isLimited) {
      if ((await counting) === 'none') throw new FolderRefusal('limit')
      return
    }
    counting.catch((err: unknown) => log.error({ err }, 'download not counted'))
  }
}
