import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'

/** Files that can be made again, bounded in bytes, the ones unused for longest leaving first. */
export type DiskCache = {
  get(name: string): Promise<Buffer | null>
  /** Keeps bytes; a full disk only costs the keeping. */
  put(name: string, bytes: Buffer): Promise<void>
  /** The first kept name that begins so; asking for it counts as use. */
  find(prefix: string): Promise<string | null>
  remove(name: string): Promise<void>
}

/** A file's time on disk, which tells its last use after a restart, is renewed so often at most. */
const touchEvery = 60 * 60_000

/**
 * Opens a cache on disk; the folder is made with the first file.
 * @param options `ceiling` in bytes over all files. Names are file names: letters, digits, `.~_-`.
 */
export function createDiskCache({
  dir,
  ceiling,
  log,
}: {
  dir: string
  ceiling: number
  log: Pick<Logger, 'warn'>
}): DiskCache {
  /** By last use, oldest first. */
  type Files = Map<string, { size: number; touchedAt: number }>
  let listing: Promise<Files> | null = null
  let total = 0

  async function list(): Promise<Files> {
    const found: { name: string; size: number; at: number }[] = []
    for (const name of await readdir(dir).catch(() => [])) {
      const file = await stat(join(dir, name)).catch(() => null)
      if (file?.isFile() && !name.endsWith('.tmp'))
        found.push({ name, size: file.size, at: file.mtimeMs })
    }
    total = found.reduce((sum, { size }) => sum + size, 0)
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
    await rm(join(dir, name), { force: true }).catch(() => {})
  }

  return {
    remove,
    async find(prefix) {
      const known = await files()
      for (const [name, file] of known) {
        if (!name.startsWith(prefix)) continue
        known.delete(name)
        known.set(name, file)
        return name
      }
      return null
    },
    async get(name) {
      const known = await files()
      const file = known.get(name)
      if (!file) return null
      const bytes = await readFile(join(dir, name)).catch(() => null)
      // Cut short by a crash, or taken away by hand.
      if (bytes?.length !== file.size) {
        await remove(name)
        return null
      }
      known.delete(name)
      known.set(name, file)
      const now = Date.now()
      if (now - file.touchedAt > touchEvery) {
        file.touchedAt = now
        void utimes(join(dir, name), new Date(now), new Date(now)).catch(() => {})
      }
      return bytes
    },
    async put(name, bytes) {
      try {
        await mkdir(dir, { recursive: true })
        const half = join(dir, `${name}.${process.pid}.tmp`)
        await writeFile(half, bytes)
        await rename(half, join(dir, name))
      } catch (err) {
        log.warn({ err, name }, 'cache cannot be written')
        return
      }
      const known = await files()
      total += bytes.length - (known.get(name)?.size ?? 0)
      known.delete(name)
      known.set(name, { size: bytes.length, touchedAt: Date.now() })
      for (const oldest of known.keys()) {
        if (total <= ceiling || oldest === name) break
        await remove(oldest)
      }
    },
  }
}
