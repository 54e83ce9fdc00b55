import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { digestOf } from './collection-files.ts'

/** The files of long texts. */
export type TextFiles = {
  /** Reads a text; null where it cannot be read. */
  read(path: string): Promise<string | null>
  /** Whether a text has been read. */
  has(path: string): boolean
  /** The texts that have been read. */
  paths(): Iterable<string>
}

/** Makes the reading of texts. @param changed called when one is not what it was when last read */
export function createTextFiles({
  dir,
  log,
  changed,
}: {
  dir: string
  log: Pick<Logger, 'warn'>
  changed: () => void
}): TextFiles {
  /** What a text was when it was last read, by its path. */
  const digests = new Map<string, string>()
  return {
    has: (path) => digests.has(path),
    paths: () => digests.keys(),
    async read(path) {
      const text = await readFile(join(dir, path), 'utf8').catch((err: unknown) => {
        log.warn({ file: path, err }, 'content text not readable')
        return null
      })
      const before = digests.get(path)
      const digest = digestOf(text)
      digests.delete(path)
      digests.set(path, digest)
      if (before !== undefined && before !== digest) changed()
      return text
    },
  }
}
