import { longTextOf, type LongTextCollection } from '../collections.ts'
import type { Lists } from './directus-lists.ts'
import { isRefusal } from './directus-replies.ts'
import type { Fetched, Load } from './snapshot-refresh.ts'
import { unavailable } from './unavailable.ts'

/** Reads the long text of a row; null where the service has none. */
export type LoadText = (
  collection: LongTextCollection,
  id: string,
  known: Parameters<Load>[1],
  retryFor: number,
) => Promise<Fetched>

/** Makes the reading of long texts. What is refused is none, unless there has been one. */
export function createTextLoader(lists: Pick<Lists, 'page'>): LoadText {
  return async (collection, id, known, retryFor) => {
    const field = longTextOf(collection)!
    const query = { fields: `id,${field}`, filter: JSON.stringify({ id: { _eq: id } }), limit: '1' }
    try {
      const reply = await lists.page(collection, query, retryFor, known?.tag)
      if (reply === 'unchanged') return reply
      const text = reply.rows.find((row) => String(row.id) === id)?.[field]
      return { value: typeof text === 'string' ? text : null, tag: reply.tag }
    } catch (err) {
      if (!isRefusal(err)) throw err
      if (typeof known?.value === 'string') throw unavailable(err.refused, { cause: err.cause })
      return { value: null, tag: null }
    }
  }
}
