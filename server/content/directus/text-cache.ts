import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'

/** Long texts of a collection as they were read last, a file each. */
export type TextCache = {
  /** Resolves once the folder has been looked through. */
  readonly ready: Promise<void>
  /** Whether the cached text of a row is that of its current state. */
  isCurrent(id: string, stamp: string): boolean
  /** Null if the row has no text; undefined if nothing is cached. */
  read(id: string): Promise<string | null | undefined>
  /** Keeps a text; on a disk that takes nothing it stays in memory. */
  write(id: string, stamp: string, text: string | null): Promise<void>
  /** Forgets the texts of all rows but these. */
  keepOnly(ids: Iterable<string>): Promise<void>
}

/** Texts in memory: what is asked for twice is read once. */
const inMemory = { max: 200, maxSize: 8 * 1024 * 1024 }

/**
 * Opens the cached texts of a collection. A file's name has the id and the state of its row, so that
 * listing the folder is enough to know what has to be read again:
 * `<id>~<state>.html`, or `.none` for a row without a text.
 */
export function createTextCache({
  dir,
  log,
}: {
  dir: string
  log: Pick<Logger, 'warn'>
}): TextCache {
  /** Names of files by what stands for the id in them. */
  const names = new Map<string, string>()
  const recent = new LRUCache<string, { text: string | null }>({
    ...inMemory,
    sizeCalculation: ({ text }) => 200 + (text?.length ?? 0),
  })
  /** What the disk would not take. */
  const unsaved = new Map<string, { stamp: string; text: string | null }>()
  let warned = false

  const remove = (name: string) => rm(join(dir, name), { force: true }).catch(() => {})

  async function look(): Promise<void> {
    for (const name of await readdir(dir).catch(() => [])) {
      const at = name.lastIndexOf('~')
      const before = names.get(name.slice(0, Math.max(at, 0)))
      // Two states of one row are what an interrupted write leaves: which is the newer cannot be told.
      if (at < 1 || !/\.(?:html|none)$/.test(name) || before) {
        await remove(name)
        if (before) await remove(before)
        if (at >= 1) names.delete(name.slice(0, at))
      } else names.set(name.slice(0, at), name)
    }
  }

  async function save(key: string, stamp: string, text: string | null): Promise<void> {
    const name = `${key}~${stateOf(stamp)}.${text === null ? 'none' : 'html'}`
    const before = names.get(key)
    const half = join(dir, `${key}.${process.pid}.tmp`)
    await mkdir(dir, { recursive: true })
    await writeFile(half, text ?? '')
    await rename(half, join(dir, name))
    names.set(key, name)
    if (before && before !== name) await remove(before)
  }

  return {
    ready: look(),
    isCurrent(id, stamp) {
      const key = keyOf(id)
      const snapshot = unsaved.get(key)
      if (snapshot) return snapshot.stamp === stamp
      return (
        names
          .get(key)
          ?.slice(key.length + 1)
          .split('.')[0] === stateOf(stamp)
      )
    },
    async read(id) {
      const key = keyOf(id)
      const snapshot = unsaved.get(key) ?? recent.get(key)
      if (snapshot) return snapshot.text
      const name = names.get(key)
      if (name === undefined) return undefined
      try {
        const text = name.endsWith('.none') ? null : await readFile(join(dir, name), 'utf8')
        if (names.get(key) === name) recent.set(key, { text })
        return text
      } catch {
        // Someone has emptied the cache.
        if (names.get(key) === name) names.delete(key)
        return undefined
      }
    },
    async write(id, stamp, text) {
      const key = keyOf(id)
      recent.set(key, { text })
      try {
        await save(key, stamp, text)
        unsaved.delete(key)
      } catch (err) {
        unsaved.set(key, { stamp, text })
        if (!warned) log.warn({ dir, err }, 'cannot save long texts, keeping them in memory')
        warned = true
      }
    },
    async keepOnly(ids) {
      const wanted = new Set([...ids].map(keyOf))
      for (const key of unsaved.keys()) if (!wanted.has(key)) unsaved.delete(key)
      for (const [key, name] of names) {
        if (wanted.has(key)) continue
        names.delete(key)
        recent.delete(key)
        await remove(name)
      }
    },
  }
}

const stateOf = (stamp: string) => hash(stamp).slice(0, 20)

/** What stands for an id in a file's name: itself where that is short enough. */
function keyOf(id: string): string {
  const safe = encodeURIComponent(id)
  return safe.length > 0 && safe.length <= 100 && !safe.startsWith('.') ? safe : `.${hash(id)}`
}

const hash = (text: string) => createHash('sha1').update(text).digest('hex')
