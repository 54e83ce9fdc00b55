import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { createCacheIndex } from './disk-cache-index.ts'
import { listCache, unfinished } from './disk-cache-listing.ts'

/** Files that can be made again, bounded in bytes and number, the ones unused for longest leaving first. */
export type DiskCache = {
  get(name: string): Promise<Buffer | null>
  /** The path of a kept file; asking for it counts as use. */
  path(name: string): Promise<string | null>
  /** Keeps bytes. @returns false when they cannot be kept: a full disk only costs the keeping */
  put(name: string, bytes: Buffer): Promise<boolean>
  /**
   * Keeps a file that is written bit by bit.
   * @param write gets a path to write to, and gives the name to keep it under
   * @throws what `write` throws, and when the disk cannot be written
   */
  store(write: (path: string) => Promise<string>): Promise<void>
  /** The kept name that begins so, up to its first `~`; asking for it counts as use. */
  find(stem: string): Promise<string | null>
  remove(name: string): Promise<void>
}

/** A file's time on disk, which tells its last use after a restart, is renewed so often at most. */
const touchMs = 60 * 60_000

/**
 * Opens a cache on disk; the folder is made with the first file.
 * @param options `mostBytes` over all files; `mostFiles`, of which each costs 25 bytes of memory even
 *   before it is there. Names are file names: letters, digits, `.~_-`.
 */
export function createDiskCache({
  dir,
  mostBytes,
  mostFiles,
  log,
}: {
  dir: string
  mostBytes: number
  mostFiles: number
  log: Pick<Logger, 'warn'>
}): DiskCache {
  const index = createCacheIndex({ mostBytes, mostFiles })
  let listing: Promise<void> | null = null
  const ready = () => (listing ??= enterListed(dir, index))
  const cache: OpenCache = { dir, index, ready }
  return { ...cacheReading(cache), ...cacheWriting(cache, log) }
}

/** A cache as its reading and its writing share it. */
type OpenCache = {
  dir: string
  index: ReturnType<typeof createCacheIndex>
  /** Resolves once it is known what an earlier process kept. */
  ready(): Promise<void>
}

async function enterListed(dir: string, index: OpenCache['index']): Promise<void> {
  for (const { name, size, usedAt } of await listCache(dir)) {
    index.set(name, { size, touchedAt: usedAt })
  }
}

/** Makes what finds kept files, and drops them. */
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

  /** Counts a use of a kept file. */
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
    // Cut short by a crash, or taken away by hand.
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

/** Makes what keeps files: each is written beside its place and appears there whole. */
function cacheWriting(
  { dir, index, ready }: OpenCache,
  log: Pick<Logger, 'warn'>,
): Pick<DiskCache, 'put' | 'store'> {
  let halves = 0

  async function enter(name: string, size: number): Promise<void> {
    index.set(name, { size, touchedAt: Date.now() })
    for (const evicted of index.takeEvicted()) {
      // It may have been kept anew meanwhile.
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
      try {
        await ready()
        const half = await halfPath()
        await writeFile(half, bytes)
        await rename(half, join(dir, name))
      } catch (err) {
        log.warn({ err, name }, 'cache not written')
        return false
      }
      await enter(name, bytes.length)
      return true
    },
    async store(write) {
      await ready()
      const half = await halfPath()
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
