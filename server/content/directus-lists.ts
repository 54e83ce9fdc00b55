import * as z from 'zod/mini'
import type { DirectusClient, Reply } from './directus-client.ts'
import type { StoredRow } from './stored-row.ts'
import type { Fetched } from './snapshot-refresh.ts'

/** Some rows of a collection; `count` is how many there are in all. */
export type List = { rows: StoredRow[]; count: number; tag: string | null }

/** Lists of a Directus, by its `/items`. */
export type Lists = {
  /** One reply. @param tag asks for what has changed since alone */
  page(
    collection: string,
    query: Record<string, string>,
    retryFor: number,
    tag?: string | null,
  ): Promise<List | 'unchanged'>
  /**
   * All rows of a collection with some fields.
   * @param left the milliseconds that are left
   * @throws a refusal when one of the fields is unknown
   */
  all(
    collection: string,
    fields: string,
    tag: string | null | undefined,
    left: () => number,
  ): Promise<Fetched>
}

/** Longest run of pages, should the service cap its lists. */
const mostPages = 100

const listBody = z.object({
  data: z.union([z.array(z.record(z.string(), z.unknown())), z.record(z.string(), z.unknown())]),
  meta: z.optional(z.object({ filter_count: z.optional(z.coerce.number()) })),
})

/** Makes the reading of lists. */
export function createLists(client: Pick<DirectusClient, 'get'>): Lists {
  const page: Lists['page'] = (collection, query, retryFor, tag) =>
    client.get(`/items/${collection}?${new URLSearchParams(query).toString()}`, {
      retryFor,
      tag,
      accept: parse,
    })

  return {
    page,
    async all(collection, fields, tag, left) {
      const query = { fields, limit: '-1', meta: 'filter_count' }
      const first = await page(collection, query, left(), tag)
      if (first === 'unchanged') return first
      const rows = [...first.rows]
      // A service with QUERY_LIMIT_MAX answers -1 with its maximum; the count tells.
      for (
        let number = 2;
        first.rows.length > 0 && rows.length < first.count && number <= mostPages;
        number += 1
      ) {
        const limit = String(first.rows.length)
        const next = await page(collection, { ...query, limit, page: String(number) }, left())
        if (next === 'unchanged' || next.rows.length === 0) break
        rows.push(...next.rows)
      }
      return { value: rows, tag: rows.length > first.rows.length ? null : first.tag }
    },
  }
}

/** The rows of a reply; a singleton is a list of one. Throws on anything that is no such reply. */
function parse({ status, body, tag }: Reply): List | 'unchanged' {
  if (status === 304) return 'unchanged'
  const { data, meta } = listBody.parse(JSON.parse(body.toString()))
  const rows = Array.isArray(data) ? data : [data]
  return { rows, count: meta?.filter_count ?? rows.length, tag }
}
