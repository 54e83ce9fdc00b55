import type { Block } from '#shared/clients.ts'
import type { BlockView } from '#shared/panel-block.ts'
import type { BlockOwner, PanelBlock } from '../panel-block.ts'

/**
 * One block of a panel, or null when there is nothing in it or nobody knows its kind.
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
