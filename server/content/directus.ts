import { join } from 'node:path'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { longTexts, type Collection, type LongTextCollection } from '#shared/content.ts'
import { createDirectusAssets, type DirectusAssets } from './directus-assets.ts'
import { createDirectusClient, type Reply } from './directus-client.ts'
import { isRefusal, type Refusal } from './directus-replies.ts'
import { createFieldSets } from './directus-fields.ts'
import type { Reader, StoredRow } from './reader.ts'
import { createSnapshots, usualPace, type Fetched, type Load, type Pace } from './snapshots.ts'
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
/** Rows looked at to learn which fields there are. */
const sample = 20

/** A reader over a Directus. */
export type DirectusReader = Reader & {
  /** Whether the service refused a collection when it was last asked for it. */
  refused(collection: Collection): boolean
  hasAsset: DirectusAssets['has']
}

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
  clock,
  changed,
  pace: hurried,
}: {
  url: string
  token: string | null
  dataDir: string
  log: Logger
  clock: () => number
  changed: () => void
  pace?: Partial<Pace>
}): DirectusReader {
  const pace = { ...usualPace, ...hurried }
  const client = createDirectusClient({ url, token, log })
  const fieldSets = createFieldSets({ relearn: pace.relearn, log })
  const refusedOnes = new Set<Collection>()

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

  /** All rows of a collection with some fields. @throws a refusal when one of them is unknown */
  async function loadFields(
    collection: Collection,
    fields: string,
    tag: string | null | undefined,
    left: () => number,
  ): Promise<Fetched> {
    const query = { fields, limit: '-1', meta: 'filter_count' }
    const first = await list(collection, query, left(), tag)
    if (first === 'unchanged') return first
    const rows = [...first.rows]
    // A service with QUERY_LIMIT_MAX answers -1 with its maximum; the count tells.
    for (
      let page = 2;
      first.rows.length > 0 && rows.length < first.count && page <= mostPages;
      page += 1
    ) {
      const limit = String(first.rows.length)
      const next = await list(collection, { ...query, limit, page: String(page) }, left())
      if (next === 'unchanged' || next.rows.length === 0) break
      rows.push(...next.rows)
    }
    return { value: rows, tag: rows.length > first.rows.length ? null : first.tag }
  }

  /** All rows of a collection, whatever fields it turns out to have. */
  async function loadRows(
    collection: Collection,
    known: Parameters<Load>[1],
    patience: number,
  ): Promise<Fetched> {
    const until = performance.now() + patience
    const left = () => Math.max(until - performance.now(), 100)
    // One unknown field fails the whole request; then the next list asks for less.
    const first = async (lists: readonly string[]): Promise<Fetched | Refusal> => {
      let refusal: Refusal | null = null
      for (const fields of lists) {
        try {
          const found = await loadFields(collection, fields, known?.tag, left)
          fieldSets.worked(collection, fields)
          refusedOnes.delete(collection)
          return found
        } catch (err) {
          if (!isRefusal(err)) throw err
          log.debug({ collection, fields, err }, 'content fields refused')
          refusal = err
        }
      }
      return refusal!
    }

    const usual = await first(fieldSets.candidates(collection))
    if (!isRefusal(usual)) return usual
    try {
      const some = await list(collection, { fields: '*', limit: String(sample) }, left())
      const rows = some === 'unchanged' ? [] : some.rows
      const lists = fieldSets.discover(collection, rows)
      if (lists.length === 0) return { value: [], tag: null }
      const found = await first([...lists, '*'])
      if (!isRefusal(found)) return found
      throw found
    } catch (err) {
      if (!isRefusal(err)) throw err
      refusedOnes.add(collection)
      if (optional.has(collection) && !(known?.value as StoredRow[] | undefined)?.length) {
        return { value: [], tag: null }
      }
      throw unavailable(err.refused, { cause: err.cause })
    }
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
    clock,
    pace,
    changed() {
      // Whoever changes content may have changed its fields.
      fieldSets.renew()
      changed()
    },
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
    fresh: pace.fresh,
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
    hasAsset: assets.has,
    assetVersion: async () => null,
    outage: snapshots.outage,
    examine: () => snapshots.reload('services'),
    refused: (collection) => refusedOnes.has(collection),
    async close() {
      client.close()
      await snapshots.close()
    },
  }
}

type List = { rows: StoredRow[]; count: number; tag: string | null }

const listBody = z.object({
  data: z.union([z.array(z.record(z.string(), z.unknown())), z.record(z.string(), z.unknown())]),
  meta: z.optional(z.object({ filter_count: z.optional(z.coerce.number()) })),
})

/** The rows of a reply; a singleton is a list of one. Throws on anything that is no such reply. */
function parse({ status, body, tag }: Reply): List | 'unchanged' {
  if (status === 304) return 'unchanged'
  const { data, meta } = listBody.parse(JSON.parse(body.toString()))
  const rows = Array.isArray(data) ? data : [data]
  return { rows, count: meta?.filter_count ?? rows.length, tag }
}
