import { join } from 'node:path'
import type { Logger } from 'pino'
import { longTexts, type Collection, type LongTextCollection } from '#shared/content.ts'
import { createDirectusAssets } from './directus-assets.ts'
import { createDirectusClient, isRefusal, type Reply } from './directus-client.ts'
import { createFieldSets } from './directus-fields.ts'
import type { Reader, StoredRow } from './reader.ts'
import { createSnapshots, type Fetched, type Load, type Pace } from './snapshots.ts'
import { unavailable } from './unavailable.ts'

/** Collections that a Directus may lack; pages do without (docs/contract.md, Content service). */
const optional: ReadonlySet<Collection> = new Set([
  'team',
  'testimonials',
  'settings',
  'media',
  'faq',
  'events',
])

/** Longest run of pages, should the service cap its lists. */
const mostPages = 100

/**
 * Reads content from a Directus, through snapshots: it is asked in the background, never on the
 * path of a page view that could do without. What it refuses as missing is empty, if it may be
 * missing and has never been there.
 */
export function createDirectus({
  url,
  token,
  dataDir,
  log,
  changed,
  pace,
}: {
  url: string
  token: string | null
  dataDir: string
  log: Logger
  changed: () => void
  pace?: Partial<Pace>
}): Reader {
  const client = createDirectusClient({ url, token, log })
  const fieldSets = createFieldSets()

  const list = async (
    collection: string,
    query: Record<string, string>,
    patience: number,
    tag?: string | null,
  ) =>
    client.get(`/items/${collection}?${new URLSearchParams(query).toString()}`, {
      patience,
      tag,
      accept: parse,
    })

  /** All rows of a collection, whatever fields it turns out to have. */
  async function loadRows(
    collection: Collection,
    known: Parameters<Load>[1],
    patience: number,
  ): Promise<Fetched> {
    const until = performance.now() + patience
    const left = () => Math.max(until - performance.now(), 100)
    for (const fields of fieldSets.candidates(collection)) {
      try {
        const query = { fields, limit: '-1', meta: 'filter_count' }
        const first = await list(collection, query, left(), known?.tag)
        if (first === 'unchanged') return first
        const rows = [...first.rows]
        // A service with QUERY_LIMIT_MAX answers -1 with its maximum; the count tells.
        for (
          let page = 2;
          first.rows.length > 0 && rows.length < first.count && page <= mostPages;
          page += 1
        ) {
          const next = await list(
            collection,
            { ...query, limit: String(first.rows.length), page: String(page) },
            left(),
          )
          if (next === 'unchanged' || next.rows.length === 0) break
          rows.push(...next.rows)
        }
        return {
          value: fieldSets.learn(collection, fields, rows),
          tag: rows.length > first.rows.length ? null : first.tag,
        }
      } catch (err) {
        // One unknown field fails the whole request; the next candidate asks for less.
        if (!isRefusal(err)) throw err
        log.debug({ collection, fields, err }, 'content fields refused')
        if (fields !== '*') continue
        if (optional.has(collection) && !(known?.value as StoredRow[] | undefined)?.length) {
          return { value: [], tag: null }
        }
        throw unavailable(err.refused, { cause: err.cause })
      }
    }
    throw unavailable(403)
  }

  async function loadText(
    collection: LongTextCollection,
    id: string,
    known: Parameters<Load>[1],
    patience: number,
  ): Promise<Fetched> {
    const field = longTexts[collection]
    const query = { fields: `id,${field}`, filter: JSON.stringify({ id: { _eq: id } }), limit: '1' }
    try {
      const reply = await list(collection, query, patience, known?.tag)
      if (reply === 'unchanged') return reply
      const text = reply.rows.find((row) => String(row.id) === id)?.[field]
      return { value: typeof text === 'string' ? text : null, tag: reply.tag }
    } catch (err) {
      if (!isRefusal(err)) throw err
      if (typeof known?.value === 'string') throw unavailable(err.refused, { cause: err.cause })
      return { value: null, tag: null }
    }
  }

  const snapshots = createSnapshots({
    dir: join(dataDir, 'cache/content'),
    origin: url,
    log,
    changed,
    pace,
    load(key, known, patience) {
      const [collection = '', id] = key.split('/')
      return id === undefined
        ? loadRows(collection as Collection, known, patience)
        : loadText(collection as LongTextCollection, decodeURIComponent(id), known, patience)
    },
  })
  const assets = createDirectusAssets({
    client,
    dir: join(dataDir, 'cache/originals'),
    origin: url,
    log,
  })

  return {
    rows: async (collection) => (await snapshots.read(collection)) as readonly StoredRow[],
    async text(collection, row) {
      const { id } = row
      const inline = row[longTexts[collection]]
      if (typeof inline === 'string') return inline
      return (await snapshots.read(`${collection}/${encodeURIComponent(String(id))}`)) as
        | string
        | null
    },
    asset: assets.find,
    assetVersion: async () => null,
    async close() {
      client.close()
      await snapshots.close()
    },
  }
}

type List = { rows: StoredRow[]; count: number; tag: string | null }

/** The rows of a reply; a singleton is a list of one. Throws on anything that is no such reply. */
function parse({ status, body, tag }: Reply): List | 'unchanged' {
  if (status === 304) return 'unchanged'
  const reply = JSON.parse(body.toString()) as {
    data?: unknown
    meta?: { filter_count?: unknown }
  } | null
  const data = reply?.data
  if (!(data instanceof Object)) throw new Error('The reply of the content service holds no data.')
  const rows = Array.isArray(data) ? (data as StoredRow[]) : [data as StoredRow]
  return { rows, count: Number(reply?.meta?.filter_count ?? rows.length), tag }
}
