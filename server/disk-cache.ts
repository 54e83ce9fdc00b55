import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'

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
const touchEvery = 60 * 60_000

/** By last use, oldest first. */
type Files = Map<string, { size: number; touchedAt: number }>

const stemOf = (name: string) => name.split('~', 1)[0]!

/**
 * Opens a cache on disk; the folder is made with the first file.
 * @param options `ceiling` in bytes over all files, `most` files. Names are file names: letters,
 *   digits, `.~_-`.
 */
export function createDiskCache({
  dir,
  ceiling,
  most = 50_000,
  log,
}: {
  dir: string
  ceiling: number
  most?: number
  log: Pick<Logger, 'warn'>
}): DiskCache {
  let listing: Promise<Files> | null = null
  const byStem = new Map<string, string>()
  let total = 0
  let halves = 0

  async function list(): Promise<Files> {
    const found: { name: string; size: number; at: number }[] = []
    for (const name of await readdir(dir).catch(() => [])) {
      const file = await stat(join(dir, name)).catch(() => null)
      if (!file?.isFile()) continue
      if (name.endsWith('.tmp')) {
        // What a crash left half written; another process may be at a newer one.
        if (Date.now() - file.mtimeMs > touchEvery) await rm(join(dir, name), { force: true })
      } else found.push({ name, size: file.size, at: file.mtimeMs })
    }
    total = found.reduce((sum, { size }) => sum + size, 0)
    for (const { name } of found) byStem.set(stemOf(name), name)
    return new Map(
      found
        .toSorted((a, b) => a.at - b.at)
        .map(({ name, size, at }) => [name, { size, touchedAt: at }]),
    )
  }
  const files = () => (listing ??= list())

  async function remove(name: string): Promise<void> {
    const known = await files()
    total -= known.get(name)?.size ?? 0
    known.delete(name)
    if (byStem.get(stemOf(name)) === name) byStem.delete(stemOf(name))
    await rm(join(dir, name), { force: true }).catch(() => {})
  }

  function use(known: Files, name: string, file: { size: number; touchedAt: number }): void {
    known.delete(name)
    known.set(name, file)
    const now = Date.now()
    if (now - file.touchedAt <= touchEvery) return
    file.touchedAt = now
    void utimes(join(dir, name), new Date(now), new Date(now)).catch(() => {})
  }

  async function enter(name: string, size: number): Promise<void> {
    const known = await files()
    total += size - (known.get(name)?.size ?? 0)
    known.delete(name)
    known.set(name, { size, touchedAt: Date.now() })
    byStem.set(stemOf(name), name)
    for (const oldest of known.keys()) {
      if ((total <= ceiling && known.size <= most) || oldest === name) break
      await remove(oldest)
    }
  }

  async function halfPath(): Promise<string> {
    await mkdir(dir, { recursive: true })
    halves += 1
    return join(dir, `${process.pid}-${halves}.tmp`)
  }

  async function path(name: string): Promise<string | null> {
    const known = await files()
    const file = known.get(name)
    if (!file) return null
    const found = await stat(join(dir, name)).catch(() => null)
    // Cut short by a crash, or taken away by hand.
    if (found?.size !== file.size) {
      await remove(name)
      return null
    }
    use(known, name, file)
    return join(dir, name)
  }

  return {
    remove,
    path,
    async find(stem) {
      const known = await files()
      const name = byStem.get(stem)
      const file = name === undefined ? undefined : known.get(name)
      if (name === undefined || !file) return null
      use(known, name, file)
      return name
    },
    async get(name) {
      const kept = await path(name)
      return kept === null ? null : readFile(kept).catch(() => null)
    },
    async put(name, bytes) {
      try {
        await files()
        const half = await halfPath()
        await writeFile(half, bytes)
        await rename(half, join(dir, name))
      } catch (err) {
        log.warn({ err, name }, 'cache cannot be written')
        return false
      }
      await enter(name, bytes.length)
      return true
    },
    async store(write) {
      await files()
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
