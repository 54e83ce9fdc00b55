import type { Logger } from 'pino'
import { definitionOf, type Collection } from '../collections.ts'
import type { FieldSets } from './directus-fields.ts'
import type { Lists } from './directus-lists.ts'
import { isRefusal, type Refusal } from './directus-replies.ts'
import type { StoredRow } from './stored-row.ts'
import type { Fetched, Load } from './snapshot-refresh.ts'
import { unavailable } from './unavailable.ts'

/** Reads whole collections of a Directus. */
export type RowLoader = {
  /** All rows of a collection, whatever fields it turns out to have. */
  load(collection: Collection, known: Parameters<Load>[1], retryFor: number): Promise<Fetched>
  /** Whether the service refused a collection when it was last asked for it. */
  refused(collection: Collection): boolean
}

/** Rows looked at to learn which fields there are. */
const sampleRows = 20

/**
 * Makes the reading of collections. What is refused as missing is empty, if it may be missing and
 * has never been there.
 */
export function createRowLoader({
  lists,
  fieldSets,
  log,
}: {
  lists: Lists
  fieldSets: FieldSets
  log: Pick<Logger, 'debug'>
}): RowLoader {
  const refused = new Set<Collection>()

  /** The rows with the first of some lists of fields that is not refused, or the last refusal. */
  async function withFirst(
    fieldLists: readonly string[],
    collection: Collection,
    tag: string | null | undefined,
    left: () => number,
  ): Promise<Fetched | Refusal> {
    let refusal: Refusal | null = null
    for (const fields of fieldLists) {
      try {
        const found = await lists.all(collection, fields, tag, left)
        fieldSets.worked(collection, fields)
        refused.delete(collection)
        return found
      } catch (err) {
        if (!isRefusal(err)) throw err
        log.debug({ collection, fields, err }, 'content fields refused')
        refusal = err
      }
    }
    return refusal!
  }

  /** Learns which fields there are, and asks for those. @throws a refusal */
  async function discover(
    collection: Collection,
    tag: string | null | undefined,
    left: () => number,
  ): Promise<Fetched> {
    const some = await lists.page(collection, { fields: '*', limit: String(sampleRows) }, left())
    const rows = some === 'unchanged' ? [] : some.rows
    const fieldLists = fieldSets.discover(collection, rows)
    if (fieldLists.length === 0) return { value: [], tag: null }
    const found = await withFirst([...fieldLists, '*'], collection, tag, left)
    if (isRefusal(found)) throw found
    return found
  }

  return {
    async load(collection, known, retryFor) {
      const until = performance.now() + retryFor
      const left = () => Math.max(until - performance.now(), 100)
      const tag = known?.tag
      // One unknown field fails the whole request; then the next list asks for less.
      const usual = await withFirst(fieldSets.candidates(collection), collection, tag, left)
      if (!isRefusal(usual)) return usual
      try {
        return await discover(collection, tag, left)
      } catch (err) {
        if (!isRefusal(err)) throw err
        refused.add(collection)
        if (
          definitionOf(collection).optional &&
          !(known?.value as StoredRow[] | undefined)?.length
        ) {
          return { value: [], tag: null }
        }
        throw unavailable(err.refused, { cause: err.cause })
      }
    },
    refused: (collection) => refused.has(collection),
  }
}
