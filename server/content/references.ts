import { LRUCache } from 'lru-cache'
import { foreignOrigin } from './addresses.ts'

/** Which files and which foreign picture hosts public content names. */
export type References = {
  /** Says which pictures stand in a place, such as a collection or a text; the former ones are forgotten. */
  set(place: string, pictures: Iterable<string>): void
  /** Whether a file is named. */
  has(id: string): boolean
  ids(): ReadonlySet<string>
  /** Origins of pictures that lie elsewhere, in no order. */
  origins(): readonly string[]
}

/** Texts whose pictures are remembered. */
const mostPlaces = 20_000
/** Origins that a policy may name; its header must stay short. */
const mostOrigins = 20

const isId = (picture: string) => /^[\w-]{1,80}$/.test(picture)

/** Makes an empty memory of what content names. */
export function createReferences(): References {
  const places = new LRUCache<string, readonly string[]>({ max: mostPlaces })
  let known: { ids: Set<string>; origins: string[] } | null = null

  function collect() {
    const all = new Set([...places.values()].flat())
    const origins = new Set([...all].map(foreignOrigin).filter((origin) => origin !== null))
    return {
      ids: new Set([...all].filter(isId)),
      origins: [...origins].toSorted().slice(0, mostOrigins),
    }
  }

  return {
    set(place, pictures) {
      const now = [...new Set(pictures)]
      const before = places.get(place)
      places.set(place, now)
      if (before?.join('\n') !== now.join('\n')) known = null
    },
    has: (id) => (known ??= collect()).ids.has(id),
    ids: () => (known ??= collect()).ids,
    origins: () => (known ??= collect()).origins,
  }
}
