import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Collection } from '../collections.ts'
import { brokenAt } from './json-position.ts'
import type { Outage } from './reader.ts'
import type { StoredRow } from './stored-row.ts'

/** A collection as its file has it; `digest` tells one content from another, no rows are broken ones. */
export type Loaded = { digest: string; rows: readonly StoredRow[] | null }

/** The files of collections. */
export type CollectionFiles = {
  /** Reads a file; a broken one leaves what was read before. */
  load(collection: Collection, before?: Loaded): Promise<Loaded>
  /** The file that has been broken for longest; null while all is well. */
  outage(): Outage | null
}

/** The name of a collection's file. */
export const fileOf = (collection: Collection) => `${collection}.json`

/** Tells one text from another. */
export const digestOf = (text: string | null) =>
  text === null ? 'absent' : createHash('sha1').update(text).digest('base64')

/** Makes the reading of collections. */
export function createCollectionFiles({
  dir,
  log,
  clock,
}: {
  dir: string
  log: Pick<Logger, 'error'>
  clock: () => number
}): CollectionFiles {
  /** Files that cannot be read, and since when. */
  const broken = new Map<Collection, Outage>()

  async function load(collection: Collection, before?: Loaded): Promise<Loaded> {
    const path = join(dir, fileOf(collection))
    let source = ''
    try {
      source = await readFile(path, 'utf8')
      const digest = digestOf(source)
      if (before?.digest === digest) {
        broken.delete(collection)
        return before
      }
      const parsed: unknown = JSON.parse(source)
      if (!(parsed instanceof Object)) throw new SyntaxError('The file holds no array of rows.')
      broken.delete(collection)
      return { digest, rows: Array.isArray(parsed) ? parsed : [parsed as StoredRow] }
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === 'ENOENT') {
        broken.delete(collection)
        return { digest: 'absent', rows: [] }
      }
      const problem = (err as Error).message
      const place = err instanceof SyntaxError ? brokenAt(source) : null
      log.error(
        { file: path, ...place, problem },
        before?.rows
          ? 'content file is broken; its last good content stays'
          : 'content file is broken',
      )
      broken.set(collection, {
        since: broken.get(collection)?.since ?? clock(),
        // Not the engine's own words, which quote the file.
        why: place
          ? `${collection}.json is broken at line ${place.line}, column ${place.column}`
          : `${collection}.json cannot be read`,
      })
      return before?.rows ? before : { digest: 'broken', rows: null }
    }
  }

  return {
    load,
    outage: () => [...broken.values()].toSorted((a, b) => a.since - b.since)[0] ?? null,
  }
}
