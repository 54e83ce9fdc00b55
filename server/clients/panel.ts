import { dayMs } from '#shared/dates/durations.ts'
import type { Block, Panel } from '#shared/clients/clients.ts'
import type { BlockView } from '#shared/clients/panel-block.ts'
import type { Platform } from '../feature.ts'
import type { BlockOwner, PanelBlock } from '../contributions/panel-block.ts'
import type { Clients } from './clients.ts'
import { factsOf } from './sign-in.ts'
import type { ClientSession } from './sessions.ts'
import type { Activity } from './store.ts'

/** How much of what happened a client sees. */
const activityLines = 10

/**
 * A session's own panel. A block that cannot be loaded is left out and logged; the others stay.
 * A code without the scope `view` sees no blocks.
 */
export async function panelFor(
  { contributions, log }: Pick<Platform, 'contributions' | 'log'>,
  clients: Clients,
  session: ClientSession,
): Promise<Panel | null> {
  const { panelBlocks } = contributions()
  const client = clients.find(session.clientId)
  if (!client) return null
  const sees = session.scopes.has('view')

  const load = async (
    kind: string,
    own: BlockOwner['own'],
    title?: string | null,
  ): Promise<Block | null> => {
    try {
      return await loadBlock(panelBlocks, kind, { client, session, own }, title)
    } catch (err) {
      log.error({ err, kind, clientId: client.id }, 'panel block failed')
      return null
    }
  }
  const owned = sees ? clients.panels.list(client.id) : []
  const blocks = sees
    ? await Promise.all([
        ...owned.map(({ id, kind, title, data }) => load(kind, { id, data }, title)),
        ...panelBlocks.filter(({ by }) => by === 'system').map(({ kind }) => load(kind, null)),
      ])
    : []
  const hasGalleries = owned.some(({ kind }) => kind === 'folders')
  return {
    ...factsOf(session),
    ...(hasGalleries && !blocks.some((block) => block?.kind === 'folders') && { isClosed: true }),
    season: client.season,
    blocks: blocks.filter((block) => block !== null),
    activity: sees
      ? clients
          .activity(client.id, activityLines * 4)
          // Further visits of a day are not recorded.
          .filter((line, index, all) => !isRepeat(line, all[index - 1]))
          .slice(0, activityLines)
          .map(({ at, detail, who }) => ({
            at: new Date(at).toISOString(),
            text: who === null ? detail : `${who}: ${detail}`,
          }))
      : [],
  }
}

const isRepeat = (line: Activity, later: Activity | undefined): boolean =>
  line.detail === later?.detail && line.who === later.who && later.at - line.at < dayMs

/**
 * One block of a panel, or null when there is nothing in it or no one knows its kind.
 * @param blocks every kind that features give
 * @param title instead of that of the kind
 */
export async function loadBlock(
  blocks: readonly PanelBlock[],
  kind: string,
  owner: BlockOwner,
  title: string | null = null,
): Promise<Block | null> {
  const definition = blocks.find((block) => block.kind === kind)
  const view = await definition?.load(owner)
  if (!definition || !view || isEmpty(view)) return null
  const id = owner.own ? `${kind}-${owner.own.id}` : kind
  return { id, kind, title: title ?? definition.title, ...view }
}

function isEmpty(view: BlockView): boolean {
  if (view.view === 'text') return view.paragraphs.length === 0
  if (view.view === 'rows') return view.rows.length === 0
  return (view.view === 'tiles' ? view.tiles : view.videos).length === 0
}
