import type { Block, BlockView } from '#shared/clients.ts'
import type { ClientSession } from './sessions.ts'
import type { Client } from './store.ts'

/** What a kind of block is loaded for. */
export type BlockOwner = {
  client: Client
  /** Whose panel is shown; its scopes decide what may be offered. */
  session: ClientSession
  /** The block that staff made; null for a kind that every panel has. */
  own: { id: number; data: unknown } | null
}

/** A kind of block. */
export type BlockKind = {
  /** The heading where staff gave none. */
  title: string
  /** `staff`: stands where staff put it; `system`: every panel has it, below those. */
  by: 'staff' | 'system'
  /** What to show; null leaves the block out. */
  load(owner: BlockOwner): Promise<BlockView | null> | BlockView | null
}

/** The kinds of blocks by name; each noun adds its own when the context is built. */
export type BlockKinds = ReturnType<typeof createBlockKinds>

/** Makes an empty table of kinds. */
export function createBlockKinds() {
  const kinds = new Map<string, BlockKind>()
  return {
    /**
     * Adds a kind. System blocks stand in the order in which they were added.
     * @throws when the name is taken
     */
    register(kind: string, definition: BlockKind): void {
      if (kinds.has(kind)) throw new Error(`There are two kinds of blocks named ${kind}.`)
      kinds.set(kind, definition)
    },
    find: (kind: string): BlockKind | undefined => kinds.get(kind),
    names: (by: BlockKind['by']): string[] =>
      Array.from(kinds).flatMap(([name, kind]) => (kind.by === by ? [name] : [])),
  }
}

/** One block of a panel, or null when there is nothing in it. */
export async function loadBlock(
  kinds: BlockKinds,
  kind: string,
  owner: BlockOwner,
  title: string | null = null,
): Promise<Block | null> {
  const definition = kinds.find(kind)
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
