import {
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  utimes,
  writeFile,
  readdir,
} from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'

/** An LRU cache of files on disk, bounded in bytes and number. */
type DiskCache = {
  get(name: string): Promise<Buffer | null>
  /** The path of a cached file; counts as use. */
  path(name: string): Promise<string | null>
  /** Caches bytes. @returns false if that failed, such as on a full disk */
  put(name: string, bytes: Buffer): Promise<boolean>
  /**
   * Caches a file that is written as a stream.
   * @param write gets a path to write to, and returns the name to cache it under
   * @throws what `write` throws, and when the disk cannot be written or has no room for a cache
   */
  store(write: (path: string) => Promise<string>): Promise<void>
  /** The cached name with this stem (up to its first `~`); counts as use. */
  find(stem: string): Promise<string | null>
  remove(name: string): Promise<void>
}

/**
 * Free bytes that a cache leaves to what can't be made again: orders and messages are refused once the
 * disk is full, and pictures alone would fill it to the last byte.
 */
const leftBytes = 100 * 1024 * 1024

const freeBytesAt = async (dir: string): Promise<number> => {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}

/** Minimum milliseconds between updates of a file's time, which is its last use after a restart. */
const touchMs = 60 * 60_000

/**
 * Opens a cache on disk; the folder is created with the first file.
 * @param options `maxBytes` over all files; `maxFiles`, of which each costs 25 bytes of memory from
 *   the first use on. Names are file names: letters, digits, `.~_-`. `leaves` says how many free bytes
 *   are for others, `freeBytes` how many a directory has
 */
export function createDiskCache({
  dir,
  maxBytes,
  maxFiles,
  leaves = leftBytes,
  freeBytes = freeBytesAt,
  log,
}: {
  dir: string
  maxBytes: number
  maxFiles: number
  leaves?: number
  freeBytes?: (dir: string) => Promise<number>
  log: Pick<Logger, 'warn'>
}): DiskCache {
  const index = createCacheIndex({ maxBytes, maxFiles })
  let listing: Promise<void> | null = null
  const ready = () => (listing ??= enterListed(dir, index))
  const hasRoom = async () => leaves === 0 || (await freeBytes(dir)) >= leaves
  const cache: OpenCache = { dir, index, ready, hasRoom }
  return { ...cacheReading(cache), ...cacheWriting(cache, log) }
}

type OpenCache = {
  dir: string
  index: ReturnType<typeof createCacheIndex>
  /** Resolves once the files of earlier processes are listed. */
  ready(): Promise<void>
  /** Whether more is free than what is left to others; the directory has to be there. */
  hasRoom(): Promise<boolean>
}

async function enterListed(dir: string, index: OpenCache['index']): Promise<void> {
  for (const { name, size, usedAt } of await listCache(dir)) {
    index.set(name, { size, touchedAt: usedAt })
  }
}

/** Finds and removes cached files. */
function cacheReading({
  dir,
  index,
  ready,
}: OpenCache): Pick<DiskCache, 'get' | 'path' | 'find' | 'remove'> {
  async function remove(name: string): Promise<void> {
    await ready()
    index.delete(name)
    await rm(join(dir, name), { force: true }).catch(() => {})
  }

  function use(name: string): void {
    const file = index.use(name)
    const now = Date.now()
    if (!file || now - file.touchedAt <= touchMs) return
    file.touchedAt = now
    void utimes(join(dir, name), new Date(now), new Date(now)).catch(() => {})
  }

  async function path(name: string): Promise<string | null> {
    await ready()
    const file = index.peek(name)
    if (!file) return null
    const found = await stat(join(dir, name)).catch(() => null)
    // Truncated by a crash, or removed by hand.
    if (found?.size !== file.size) {
      await remove(name)
      return null
    }
    use(name)
    return join(dir, name)
  }

  return {
    remove,
    path,
    async find(stem) {
      await ready()
      const name = index.nameOf(stem)
      if (name === undefined) return null
      use(name)
      return name
    },
    async get(name) {
      const file = await path(name)
      return file === null ? null : readFile(file).catch(() => null)
    },
  }
}

/** Adds files, each written to a temporary name and renamed once complete. */
function cacheWriting(
  { dir, index, ready, hasRoom }: OpenCache,
  log: Pick<Logger, 'warn'>,
): Pick<DiskCache, 'put' | 'store'> {
  let halves = 0
  let toldOfRoom = false

  async function enter(name: string, size: number): Promise<void> {
    index.set(name, { size, touchedAt: Date.now() })
    for (const evicted of index.takeEvicted()) {
      // It may have been cached again.
      if (!index.peek(evicted)) await rm(join(dir, evicted), { force: true }).catch(() => {})
    }
  }

  async function halfPath(): Promise<string> {
    await mkdir(dir, { recursive: true })
    halves += 1
    return join(dir, `${process.pid}-${halves}${unfinished}`)
  }

  return {
    async put(name, bytes) {
      let half: string | null = null
      try {
        await ready()
        half = await halfPath()
        if (!(await hasRoom())) {
          if (!toldOfRoom) log.warn({ dir }, 'disk nearly full: pictures are no longer cached')
          toldOfRoom = true
          return false
        }
        toldOfRoom = false
        await writeFile(half, bytes)
        await rename(half, join(dir, name))
      } catch (err) {
        // Each would take what is left of a full disk, uncounted, until the next start.
        if (half !== null) await rm(half, { force: true }).catch(() => {})
        log.warn({ err, name }, 'cache not written')
        return false
      }
      await enter(name, bytes.length)
      return true
    },
    async store(write) {
      await ready()
      const half = await halfPath()
      if (!(await hasRoom())) {
        throw Object.assign(new Error(`ENOSPC: ${dir} leaves the rest of its disk to others`), {
          code: 'ENOSPC',
        })
      }
      try {
        const name = await write(half)
        const { size } = await stat(half)
        await rename(half, join(dir, name))
        await enter(name, size)
      } catch (err) {
        await rm(half, { force: true }).catch(() => {})
        throw err
      }
    },
  }
}

/** A file of a cache, in bytes and milliseconds of the epoch. */
type IndexedFile = {
  size: number
  /** When its time on disk was last updated. */
  touchedAt: number
}

/** Files by name, and names by the stem before the first `~`. */
type CacheIndex = {
  /** Adds a file as most recently used. */
  set(name: string, file: IndexedFile): void
  /** Returns a file and counts it as used. */
  use(name: string): IndexedFile | undefined
  /** Returns a file. */
  peek(name: string): IndexedFile | undefined
  nameOf(stem: string): string | undefined
  delete(name: string): void
  /** The names evicted since the last call, unless added again. */
  takeEvicted(): string[]
}

const stemOf = (name: string) => name.split('~', 1)[0]!

function createCacheIndex({
  maxBytes,
  maxFiles,
}: {
  maxBytes: number
  maxFiles: number
}): CacheIndex {
  const names = new Map<string, string>()
  const evicted = new Set<string>()
  const forget = (name: string) => {
    if (names.get(stemOf(name)) === name) names.delete(stemOf(name))
  }
  let opened: LRUCache<string, IndexedFile> | null = null
  // Made with the first use: it has room for all files from then on, which takes longer than a command.
  const files = () =>
    (opened ??= new LRUCache<string, IndexedFile>({
      max: maxFiles,
      maxSize: maxBytes,
      sizeCalculation: ({ size }) => Math.max(1, size),
      dispose(_file, name, reason) {
        if (reason !== 'evict') return
        forget(name)
        evicted.add(name)
      },
    }))
  return {
    set(name, file) {
      files().set(name, file)
      if (files().has(name)) names.set(stemOf(name), name)
      // Larger than the whole cache.
      else evicted.add(name)
    },
    use: (name) => files().get(name),
    peek: (name) => files().peek(name),
    nameOf: (stem) => names.get(stem),
    delete(name) {
      files().delete(name)
      forget(name)
    },
    takeEvicted() {
      const gone = [...evicted].filter((name) => !files().has(name))
      evicted.clear()
      return gone
    },
  }
}

/** Suffix of files being written. */
const unfinished = '.tmp'

/** Milliseconds after which an unfinished file must be left over from a crash. */
const unfinishedMs = 60 * 60_000

/** A file of an earlier process. */
type ListedFile = { name: string; size: number; usedAt: number }

/** The files in a cache's directory, least recently used first; removes leftovers of crashes. */
async function listCache(dir: string): Promise<ListedFile[]> {
  const found: ListedFile[] = []
  for (const name of await readdir(dir).catch(() => [])) {
    const file = await stat(join(dir, name)).catch(() => null)
    if (!file?.isFile()) continue
    if (!name.endsWith(unfinished)) found.push({ name, size: file.size, usedAt: file.mtimeMs })
    // A newer one may be another process's.
    else if (Date.now() - file.mtimeMs > unfinishedMs) await rm(join(dir, name), { force: true })
  }
  return found.toSorted((a, b) => a.usedAt - b.usedAt)
}
