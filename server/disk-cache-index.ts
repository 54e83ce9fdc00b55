import { LRUCache } from 'lru-cache'

/** A file of a cache, in bytes and milliseconds of the epoch. */
export type IndexedFile = {
  size: number
  /** When its time on disk was last set to its use. */
  touchedAt: number
}

/** What a disk cache keeps: files by their names, and their names by the stem before the first `~`. */
export type CacheIndex = {
  /** Enters a file as the one used last. */
  set(name: string, file: IndexedFile): void
  /** A file, counted as used. */
  use(name: string): IndexedFile | undefined
  /** A file, without counting it. */
  peek(name: string): IndexedFile | undefined
  nameOf(stem: string): string | undefined
  delete(name: string): void
  /** The names that have left since it was last asked, and have not come back. */
  takeEvicted(): string[]
}

const stemOf = (name: string) => name.split('~', 1)[0]!

/** Makes an empty index, from which the files unused for longest leave first. */
export function createCacheIndex({
  mostBytes,
  mostFiles,
}: {
  mostBytes: number
  mostFiles: number
}): CacheIndex {
  const names = new Map<string, string>()
  const evicted = new Set<string>()
  const forget = (name: string) => {
    if (names.get(stemOf(name)) === name) names.delete(stemOf(name))
  }
  const files = new LRUCache<string, IndexedFile>({
    max: mostFiles,
    maxSize: mostBytes,
    sizeCalculation: ({ size }) => Math.max(1, size),
    dispose(_file, name, reason) {
      if (reason !== 'evict') return
      forget(name)
      evicted.add(name)
    },
  })
  return {
    set(name, file) {
      files.set(name, file)
      if (files.has(name)) names.set(stemOf(name), name)
      // A file that is larger than all of the cache is not kept.
      else evicted.add(name)
    },
    use: (name) => files.get(name),
    peek: (name) => files.peek(name),
    nameOf: (stem) => names.get(stem),
    delete(name) {
      files.delete(name)
      forget(name)
    },
    takeEvicted() {
      const gone = [...evicted].filter((name) => !files.has(name))
      evicted.clear()
      return gone
    },
  }
}
