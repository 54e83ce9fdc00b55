import { LRUCache } from 'lru-cache'
import { foreignOrigin } from '../addresses.ts'

/** The files and external picture origins that public content names. */
export type References = {
  /** Records the pictures in a place, such as a collection or a text, replacing earlier ones. */
  set(place: string, pictures: Iterable<string>): void
  /** Whether a file is named. */
  has(id: string): boolean
  ids(): ReadonlySet<string>
  /** Origins of external pictures. */
  origins(): readonly string[]
}

/** Places remembered. */
const maxPlaces = 20_000
/** Origins in a policy; its header must stay short. */
const maxOrigins = 20

/** Whether a picture is a file id rather than an address. */
export const isFileId = (picture: string) => /^[\w-]{1,80}$/.test(picture)

export function createReferences(): References {
  const places = new LRUCache<string, readonly string[]>({
    // As a size, since `max` would make room for all of them at once.
    maxSize: maxPlaces,
    sizeCalculation: () => 1,
  })
  let known: { ids: Set<string>; origins: string[] } | null = null

  function collect() {
    const all = new Set([...places.values()].flat())
    const origins = new Set([...all].map(foreignOrigin).filter((origin) => origin !== null))
    return {
      ids: new Set([...all].filter(isFileId)),
      origins: [...origins].toSorted().slice(0, maxOrigins),
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
