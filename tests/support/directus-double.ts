import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** One way in which a Directus misbehaves. */
type Fault =
  | { kind: 'delay'; ms: number }
  /** Answers once the test says so. */
  | { kind: 'hold'; until: Promise<void> }
  /** Refuses with a status: 503 under pressure, 429 with Retry-After 0 unless given, 401 for a stale token. */
  | { kind: 'status'; status: number; retryAfter?: string }
  /** Answers 200 with errors where its data should be. */
  | { kind: 'errors' }
  /** Answers 200 with JSON as a proxy compresses it. */
  | { kind: 'compressed'; body: Buffer }
  /** Answers 200 with what isn't JSON. */
  | { kind: 'garbage' }
  /** Answers 200 with the right headers and no body, as it does for pictures in the making. */
  | { kind: 'empty' }
  /** Answers a list without rows, as it does while it's being restored. */
  | { kind: 'no-rows' }
  /** Cuts the connection. */
  | { kind: 'reset' }
  /** Never answers. */
  | { kind: 'hang' }
  /** Sends a file in ten pieces with a pause after each. */
  | { kind: 'dribble'; ms: number }
  /** Answers as a proxy does whose Directus is gone. */
  | { kind: 'proxy'; status: number }

type DoubleRow = Record<string, unknown>

/** Rows of a collection; an object alone is a singleton. */
export type DoubleCollections = Record<string, DoubleRow[] | DoubleRow>

/** A file; a private one is only for the token, one that is cut off never comes whole. */
type DoubleFile = {
  type: string
  bytes: Buffer
  modified?: string
  private?: boolean
  cutOff?: boolean
}

/** A Directus on loopback, with the data of a test and its faults. */
export type DirectusDouble = AsyncDisposable & {
  readonly url: string
  /** What it serves; change it at will. */
  readonly collections: DoubleCollections
  readonly assets: Map<string, DoubleFile>
  /** Paths with queries that were asked for, in order. */
  readonly asked: string[]
  /** The same with method and status: `GET /items/news 304`. */
  readonly answered: string[]
  /** How many requests began with a path. */
  hits(path: string): number
  /** The most requests that were under way at the same time since the last call. */
  peak(): number
  /** Plays a fault for paths that begin so, a number of times; for all and for good where not said. */
  fail(fault: Fault, options?: { path?: string; times?: number }): void
  /** Ends every fault. */
  heal(): void
  /** Refuses connections until `up`. */
  down(): Promise<void>
  up(): Promise<void>
}

/**
 * Starts a double of a Directus, true to what was measured of a real one: missing and unknown is
 * 403, one unknown field fails a whole request, drafts are public, many-file fields are junctions,
 * the list limit is 100, an asset's ETag says nothing, an address over 16 kB is 431. Its files as
 * `GET /files` has them are the collection `directus_files`.
 * @param options `token` is the only one that it takes; `queryLimit` caps every list, as
 *   QUERY_LIMIT_MAX does
 */
export async function startDirectus({
  collections = {},
  assets = {},
  token,
  queryLimit = Infinity,
}: {
  collections?: DoubleCollections
  assets?: Record<string, DoubleFile>
  token?: string
  queryLimit?: number
} = {}): Promise<DirectusDouble> {
  const asked: string[] = []
  const answered: string[] = []
  const files = new Map(Object.entries(assets))
  let [underWay, peak] = [0, 0]
  let faults: { fault: Fault; path: string; left: number }[] = []

  const server = createServer((request, response) => void answer(request, response))
  const start = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    asked.push(path)
    underWay += 1
    peak = Math.max(peak, underWay)
    response.once('close', () => (underWay -= 1))
    response.once('finish', () =>
      answered.push(`${request.method} ${path.split('?')[0]} ${response.statusCode}`),
    )
    const found = faults.find((each) => each.left > 0 && path.startsWith(each.path))
    if (found) {
      found.left -= 1
      if (await play(found.fault, request, response)) return
    }
    const pause = found?.fault.kind === 'dribble' ? found.fault.ms : 0
    const given = request.headers.authorization
    if (given !== undefined && given !== `Bearer ${token}`) {
      return refuse(response, 401, 'TOKEN_EXPIRED', 'Token expired.')
    }
    const url = new URL(path, 'http://directus')
    const [, area, name = '', id] = url.pathname.split('/')
    // As Node does with what is longer than a head may be.
    if (path.length > 16_000) return void response.writeHead(431).end()
    if (area === 'items' && id === undefined) return list(name, url.searchParams, request, response)
    if (area === 'files') return list('directus_files', url.searchParams, request, response)
    if (area === 'assets') return file(name, given !== undefined, pause, request, response)
    refuse(response, 404, 'ROUTE_NOT_FOUND', `Route ${path} doesn't exist.`)
  }

  function list(
    name: string,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const stored = collections[name]
    if (!stored) return forbidden(response)
    const all = Array.isArray(stored) ? stored : [stored]
    const known = new Set(['id', ...all.flatMap((row) => Object.keys(row))])
    const fields = (query.get('fields') ?? '*').split(',')
    const unknown = fields.some((field) => {
      const [head = '', deep] = field.split('.')
      return field !== '*' && (!known.has(head) || (deep !== undefined && !isJunction(all, head)))
    })
    if (unknown) return forbidden(response)
    const wanted = Object.entries(
      JSON.parse(query.get('filter') ?? '{}') as Record<string, { _eq?: unknown; _in?: unknown[] }>,
    ).map(([field, { _eq, _in }]) => ({ field, values: new Set((_in ?? [_eq]).map(String)) }))
    const matching = all.filter((row) =>
      wanted.every(({ field, values }) => values.has(String(row[field]))),
    )
    const asksAll = query.get('limit') === '-1'
    const limit = Math.min(asksAll ? Infinity : Number(query.get('limit') ?? 100), queryLimit)
    const from = asksAll ? 0 : (Number(query.get('page') ?? 1) - 1) * limit
    const rows = matching
      .slice(from, limit === Infinity ? undefined : from + limit)
      .map((row) => project(row, fields))
    const body = JSON.stringify({
      ...(query.has('meta') && { meta: { filter_count: matching.length } }),
      data: Array.isArray(stored) ? rows : rows[0],
    })
    const tag = `W/"${createHash('sha1').update(body).digest('base64')}"`
    response.setHeader('ETag', tag)
    response.setHeader('Cache-Control', 'no-cache')
    // As Express does: a client that says no-cache gets everything again.
    const wantsAll = /no-cache/.test(request.headers['cache-control'] ?? '')
    if (request.headers['if-none-match'] === tag && !wantsAll) {
      response.writeHead(304).end()
      return
    }
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' }).end(body)
  }

  async function file(
    id: string,
    known: boolean,
    pause: number,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const found = files.get(id)
    if (!found || (found.private && !known)) return forbidden(response)
    response.writeHead(200, {
      'Content-Type': found.type,
      'Content-Length': found.bytes.length,
      'Cache-Control': 'max-age=2592000',
      'Last-Modified': found.modified ?? 'Sun, 01 Nov 2026 08:00:00 GMT',
      ETag: 'W/"same"',
    })
    if (found.cutOff && request.method !== 'HEAD') {
      response.write(found.bytes.subarray(0, found.bytes.length / 2))
      await delay(50)
      response.destroy()
      return
    }
    const step = pause > 0 ? Math.ceil(found.bytes.length / 10) : found.bytes.length
    for (let at = 0; at < found.bytes.length && request.method !== 'HEAD'; at += step) {
      response.write(found.bytes.subarray(at, at + step))
      if (pause > 0) await delay(pause)
    }
    response.end()
  }

  await start(0)
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    collections,
    assets: files,
    asked,
    answered,
    hits: (path) => asked.filter((each) => each.startsWith(path)).length,
    peak() {
      const max = peak
      peak = underWay
      return max
    },
    fail(fault, { path = '/', times = Infinity } = {}) {
      faults.push({ fault, path, left: times })
    },
    heal() {
      faults = []
    },
    down: stop,
    up: () => start(port),
    async [Symbol.asyncDispose]() {
      if (server.listening) await stop()
    },
  }
}

/** Plays a fault; false when the request goes on to its answer. */
async function play(
  fault: Fault,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { kind } = fault
  if (kind === 'hold') {
    await fault.until
    return false
  }
  if (kind === 'delay') {
    await delay(fault.ms)
    return false
  }
  if (kind === 'status') {
    const pause = fault.retryAfter ?? (fault.status === 429 ? '0' : null)
    if (pause !== null) response.setHeader('Retry-After', pause)
    refuse(response, fault.status, 'SERVICE_UNAVAILABLE', 'Service is unavailable.')
  }
  if (kind === 'errors') {
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ errors: [{ message: 'No', extensions: { code: 'INTERNAL' } }] }))
  }
  if (kind === 'compressed') {
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .end(fault.body)
  }
  if (kind === 'garbage') {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('<html>oops')
  }
  if (kind === 'empty') {
    response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': 0 }).end()
  }
  if (kind === 'no-rows') {
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ meta: { filter_count: 0 }, data: [] }))
  }
  if (kind === 'dribble') return false
  if (kind === 'proxy') {
    response.writeHead(fault.status, { 'Content-Type': 'text/plain' }).end('404 page not found')
  }
  if (kind === 'reset') request.socket.resetAndDestroy()
  return true
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json' })
    .end(JSON.stringify({ errors: [{ message, extensions: { code } }] }))
}

const forbidden = (response: ServerResponse) =>
  refuse(response, 403, 'FORBIDDEN', "You don't have permission to access this.")

const isJunction = (rows: readonly DoubleRow[], field: string) =>
  rows.some((row) => Array.isArray(row[field]) && row[field].some((each) => each instanceof Object))

function project(row: DoubleRow, fields: readonly string[]): DoubleRow {
  const names = fields.includes('*')
    ? Object.keys(row)
    : fields.map((field) => field.split('.')[0]!)
  return Object.fromEntries(
    names.map((name) => {
      const value = row[name] ?? null
      const deep = fields.some((field) => field.startsWith(`${name}.`))
      // Without a nested field a relation gives the ids of its junction rows.
      const isRelation = Array.isArray(value) && value.some((each) => each instanceof Object)
      return [name, isRelation && !deep ? (value as unknown[]).map((_, at) => at + 1) : value]
    }),
  )
}
