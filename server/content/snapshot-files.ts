import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'

/** An answer as it is kept: `hash` tells it from another one, `tag` asks whether it still holds. */
export type Held = { value: unknown; tag: string | null; hash: string }

/** Answers of the content service on disk, a file each. */
export type SnapshotFiles = {
  /** What is kept under a key; null for nothing, for what cannot be read, and of another service. */
  read(key: string): Promise<Held | null>
  /** Keeps an answer in the background; a disk that fails costs a line in the log. */
  write(key: string, held: Held): void
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

  async function keep(key: string, { value, tag }: Held): Promise<void> {
    const path = fileOf(key)
    try {
      await mkdir(dirname(path), { recursive: true })
      const half = `${path}.${process.pid}.tmp`
      await writeFile(half, JSON.stringify({ origin, tag, value }))
      await rename(half, path)
    } catch (err) {
      log.warn({ content: key, err }, 'content not saved')
    }
  }

  return {
    async read(key) {
      const file = await readFile(fileOf(key), 'utf8').catch(() => null)
      if (file === null) return null
      try {
        const kept = JSON.parse(file) as { origin: string; tag: string | null; value: unknown }
        return kept.origin === origin
          ? { value: kept.value, tag: kept.tag, hash: hashOf(kept.value) }
          : null
      } catch (err) {
        log.warn({ content: key, err }, 'kept content not readable; fetched again')
        return null
      }
    },
    write(key, held) {
      const write = keep(key, held).finally(() => writes.delete(write))
      writes.add(write)
    },
    async settled() {
      await Promise.all(writes)
    },
  }
}

/** Tells one answer from another. */
export const hashOf = (value: unknown): string =>
  createHash('sha1')
    .update(JSON.stringify(value) ?? '')
    .digest('base64')
