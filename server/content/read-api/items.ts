import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Router, type Request, type Response } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'
import { collections, hasLongText, longTextOf, type Collection } from '../../collections.ts'
import type { Platform } from '../../feature.ts'
import { createFairQueue } from '../../http/limits/fair-queue.ts'
import type { GetLimit } from '../../http/limits/limits.ts'
import { allowMethods } from '../../http/methods.ts'
import { requestContextOf } from '../../http/request-context.ts'
import type { StoredRow } from '../collection.ts'
import { publicFields } from '../published/rows.ts'
import { readFields, readItemsQuery } from './items-query.ts'
import { isKnown } from '../../http/replies/known-version.ts'
import { notPublic, query, refuse, wireErrors } from './wire.ts'

/** One request at a time reads long texts; clients take turns. */
const turns = { parallel: 1, each: 8, waiting: 200 }
/** Rows whose long texts a filter or sort may read. */
const maxTexts = 500

/**
 * `GET /items/{collection}` and `/items/{collection}/{id}`: the visible rows in the wire shape of a
 * Directus (docs/contract.md, Content service), as they are stored. Only fields of the site's own
 * schemas are shown; drafts and scheduled rows never are.
 */
export function itemRoutes(
  { content, clock, log }: Pick<Platform, 'content' | 'clock' | 'log'>,
  limit: GetLimit,
): Router {
  const queue = createFairQueue(turns)
  const { visible, withText, project } = storedRows(content)

  async function list(request: Request<{ collection: string }>, response: Response): Promise<void> {
    const collection = known(request.params.collection)
    const fields = publicFields(collection)
    const long = longTextOf(collection)
    const wanted = readItemsQuery(query(request), {
      publicFields: fields,
      searched: fields.filter((name) => name !== long),
      now: clock(),
    })
    const total = await visible(collection)
    const deciding = long !== null && wanted.decides.has(long)
    if (deciding && total.length > maxTexts) {
      throw refuse(
        'INVALID_QUERY',
        `Invalid query. "${long}" cannot decide about more than ${maxTexts} rows.`,
      )
    }
    const work = async () => {
      const rows = deciding
        ? await Promise.all(total.map((row) => withText(collection, row)))
        : total
      const matching = wanted.sorted(await filtered(rows, wanted.matches))
      const shown = matching.slice(wanted.offset, wanted.offset + wanted.limit)
      const data = await Promise.all(shown.map((row) => project(collection, row, wanted.fields)))
      return { matching, data }
    }
    const heavy = deciding || (long !== null && wanted.fields.includes(long))
    const client = ipKeyGenerator(requestContextOf(response).address, 56)
    const { matching, data } = heavy ? await queue(client, work) : await work()
    const counts = { total_count: total.length, filter_count: matching.length }
    const meta = Object.fromEntries(
      Object.entries(counts).filter(([name]) => wanted.meta.has(name as keyof typeof counts)),
    )
    reply(request, response, wanted.meta.size > 0 ? { meta, data } : { data })
  }

  async function one(
    request: Request<{ collection: string; id: string }>,
    response: Response,
  ): Promise<void> {
    const collection = known(request.params.collection)
    const fields = readFields(query(request), publicFields(collection))
    const row = (await visible(collection)).find(({ id }) => String(id) === request.params.id)
    if (!row) throw notPublic(`this item of collection "${collection}"`)
    reply(request, response, { data: await project(collection, row, fields) })
  }

  const router = Router({ caseSensitive: true })
  router.get('/items/:collection', limit('read'), list)
  router.get('/items/:collection/:id', limit('read'), one)
  router.all(['/items/:collection', '/items/:collection/:id'], allowMethods(['GET']))
  router.use('/items', () => {
    throw refuse('ROUTE_NOT_FOUND', 'Route not found.')
  })
  router.use('/items', wireErrors({ log }))
  return router
}

/** Reads visible rows as they are stored. */
function storedRows(content: Platform['content']) {
  const visible = async (collection: Collection): Promise<readonly StoredRow[]> =>
    (await content.stored(collection)).map(({ stored }) => stored)

  /** A row with its long text in place of a reference to it. */
  async function withText(collection: Collection, row: StoredRow): Promise<StoredRow> {
    return hasLongText(collection)
      ? { ...row, [longTextOf(collection)!]: await content.storedText(collection, row) }
      : row
  }

  async function project(
    collection: Collection,
    row: StoredRow,
    fields: readonly string[],
  ): Promise<StoredRow> {
    const long = longTextOf(collection)
    const whole = long && fields.includes(long) ? await withText(collection, row) : row
    return Object.fromEntries(fields.map((name) => [name, whole[name] ?? null]))
  }

  return { visible, withText, project }
}

function known(name: string): Collection {
  const collection = collections.find((each) => each === name)
  if (!collection) throw notPublic(`collection "${name.slice(0, 40)}"`)
  return collection
}

/** Milliseconds of filtering before yielding to the event loop. */
const sliceMs = 10

/** The rows that match; yields to the event loop in between. */
async function filtered(
  rows: readonly StoredRow[],
  matches: (row: StoredRow) => boolean,
): Promise<StoredRow[]> {
  const found: StoredRow[] = []
  let since = performance.now()
  for (const row of rows) {
    if (matches(row)) found.push(row)
    if (performance.now() - since < sliceMs) continue
    await nextTurn()
    since = performance.now()
  }
  return found
}

function reply(request: Request<Record<string, string>>, response: Response, value: unknown): void {
  const body = JSON.stringify(value)
  const etag = `W/"${createHash('sha1').update(body).digest('base64url')}"`
  response.setHeader('Cache-Control', 'no-cache')
  response.setHeader('ETag', etag)
  if (isKnown(request as Request, etag)) response.status(304).end()
  else response.type('json').send(body)
}
