import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { longJson, parseLongJson } from './long-json.ts'

/** A saved answer: `hash` tells it from another one, `tag` revalidates it. */
export type Snapshot = { value: unknown; tag: string | null; hash: string }

/** Answers of the content service on disk, a file each. */
export type SnapshotFiles = {
  /** The snapshot of a key; null if there is none, it can't be read, or it came from another service. */
  read(key: string): Promise<Snapshot | null>
  /** Keeps an answer in the background; a disk that fails costs a line in the log. */
  write(key: string, snapshot: Snapshot): void
  /** Resolves when everything so far is written, or could not be. */
  settled(): Promise<void>
}

/** @param options `origin` whose answers they are; those of others are not used */
export function createSnapshotFiles({
  dir,
  origin,
  log,
}: {
  dir: string
  origin: string
  log: Pick<Logger, 'warn'>
}): SnapshotFiles {
  const writes = new Set<Promise<void>>()
  const fileOf = (key: string) => join(dir, `${key}.json`)

  async function keep(key: string, { value, tag }: Snapshot): Promise<void> {
    const path = fileOf(key)
    try {
      await mkdir(dirname(path), { recursive: true })
      const half = `${path}.${process.pid}.tmp`
      await writeFile(half, fileText(origin, tag, value))
      await rename(half, path)
    } catch (err) {
      log.warn({ content: key, err }, 'content not saved')
    }
  }

  return {
    async read(key) {
      const file = await readFile(fileOf(key)).catch(() => null)
      if (file === null) return null
      try {
        const cache = (await parseLongJson(file)) as {
          origin: string
          tag: string | null
          value: unknown
        }
        return cache.origin === origin
          ? { value: cache.value, tag: cache.tag, hash: await hashOf(cache.value) }
          : null
      } catch (err) {
        log.warn({ content: key, err }, 'cached content unreadable, fetching it again')
        return null
      }
    },
    write(key, snapshot) {
      const write = keep(key, snapshot).finally(() => writes.delete(write))
      writes.add(write)
    },
    async settled() {
      await Promise.all(writes)
    },
  }
}

async function* fileText(origin: string, tag: string | null, value: unknown) {
  yield `${JSON.stringify({ origin, tag }).slice(0, -1)},"value":`
  yield* longJson(value)
  yield '}'
}

/** Tells one answer from another. */
export async function hashOf(value: unknown): Promise<string> {
  const hash = createHash('sha1')
  for await (const part of longJson(value)) hash.update(part)
  return hash.digest('base64')
}
