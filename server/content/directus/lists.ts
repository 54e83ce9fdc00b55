import * as z from 'zod/mini'
import type { StoredRow } from '../collection.ts'
import { eachInTurns } from '../../concurrency/in-turns.ts'
import type { DirectusClient, Reply } from './client.ts'
import { parseLongJson } from './long-json.ts'
import type { Fetched } from './snapshots.ts'
import type { Urgency } from './traffic.ts'

/** Some rows of a collection; `count` is how many there are in all. */
export type List = { rows: StoredRow[]; count: number; tag: string | null }

/** Lists of a Directus, by its `/items` and `/files`. */
export type Lists = {
  /**
   * One reply.
   * @param path of the list, such as `/items/news`
   * @param options `tag` asks for what has changed since alone; `urgency` is that of lists unless given
   */
  page(
    path: string,
    query: Record<string, string>,
    options: { retryFor: number; tag?: string | null; urgency?: Urgency },
  ): Promise<List | 'unchanged'>
  /**
   * All rows of a list with some fields.
   * @param left the milliseconds that are left
   * @throws a refusal when one of the fields is unknown
   */
  all(
    path: string,
    fields: string,
    tag: string | null | undefined,
    left: () => number,
  ): Promise<Fetched>
}

/** Longest run of pages, should the service cap its lists. */
const maxPages = 100
/** How often a list is read that changes between its pages. */
const maxReadings = 3

const listBody = z.object({
  data: z.union([z.custom<unknown[]>(Array.isArray), z.record(z.string(), z.unknown())]),
  meta: z.optional(z.object({ filter_count: z.optional(z.coerce.number()) })),
})

/** The path of a list with its query. */
export const listPath = (path: string, query: Record<string, string>): string =>
  `${path}?${new URLSearchParams(query).toString()}`

export function createLists(client: Pick<DirectusClient, 'get'>): Lists {
  const page: Lists['page'] = (path, query, { retryFor, tag, urgency = 'list' }) =>
    client.get(listPath(path, query), { urgency, retryFor, tag, accept: parse })

  /**
   * The rows of a first page and of those after it: a service with QUERY_LIMIT_MAX answers -1 with its
   * maximum, and the count tells.
   */
  async function following(
    first: List,
    path: string,
    query: Record<string, string>,
    left: () => number,
  ): Promise<{ rows: StoredRow[]; read: number; hasMoved: boolean }> {
    const rows = [...first.rows]
    const known = new Set(rows.map(({ id }) => id))
    const limit = String(rows.length)
    let read = rows.length
    let hasMoved = false
    for (let number = 2; read > 0 && read < first.count && number <= maxPages; number += 1) {
      const next = await page(path, { ...query, limit, page: String(number) }, { retryFor: left() })
      if (next === 'unchanged' || next.rows.length === 0) break
      read += next.rows.length
      hasMoved ||= next.count !== first.count
      // A row that is added meanwhile moves another one to the page after: it comes twice.
      for (const row of next.rows) {
        if (row.id !== undefined && known.has(row.id)) continue
        known.add(row.id)
        rows.push(row)
      }
    }
    return { rows, read, hasMoved }
  }

  return {
    page,
    async all(path, fields, tag, left) {
      const query = { fields, limit: '-1', meta: 'filter_count' }
      for (let tries = 1; ; tries += 1) {
        const first = await page(path, query, { retryFor: left(), tag })
        if (first === 'unchanged') return first
        const { rows, read, hasMoved } = await following(first, path, query, left)
        // A row that goes meanwhile pulls another one to a page that has been read.
        if (hasMoved && tries < maxReadings) continue
        return { value: rows, tag: read > first.rows.length ? null : first.tag }
      }
    },
  }
}

/** The rows of a reply; a singleton is a list of one. Throws on anything that is no such reply. */
async function parse({ status, body, tag }: Reply): Promise<List | 'unchanged'> {
  if (status === 304) return 'unchanged'
  const { data, meta } = listBody.parse(await parseLongJson(body))
  const rows: StoredRow[] = []
  await eachInTurns(Array.isArray(data) ? data : [data], (row) => {
    if (!isRow(row))
      throw new TypeError('A list of the content service holds something other than rows.')
    rows.push(row)
  })
  return { rows, count: meta?.filter_count ?? rows.length, tag }
}

const isRow = (value: unknown): value is StoredRow =>
  value instanceof Object && !Array.isArray(value)
