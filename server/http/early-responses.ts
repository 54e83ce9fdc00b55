import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClientAddress } from './connections/client-address.ts'
import { apiPrefix } from './endpoints.ts'
import { isSafe } from './methods.ts'
import { clientOf, createClientQueues, type ClientQueues } from './limits/fair-queue.ts'
import { sendCached, type CachedResponse } from './replies/cached-response.ts'
import type { Listener } from './replies/failures.ts'
import { hasBody } from './request-body.ts'
import type { EarlyLog } from './request-log.ts'

/** Where cached responses are looked for, in this order. */
type Sources = {
  pages: { find(url: string, ifNoneMatch: string | undefined): CachedResponse | undefined }
  files: { find(url: string): CachedResponse | undefined | Promise<CachedResponse | undefined> }
  assets: { find(url: string): CachedResponse | undefined }
}

/**
 * Handles a GET or HEAD without a body ahead of the middleware.
 * @returns whether it did; if not, the request goes on to the middleware
 */
export type EarlyHandler = (
  request: IncomingMessage,
  response: ServerResponse,
) => boolean | Promise<boolean>

/** What a feature needs to reply ahead of the middleware. */
export type EarlyReplies = {
  /** Registers a handler for all addresses with a prefix. */
  take(prefix: string, take: EarlyHandler): void
  /** Common headers of every reply. */
  readonly headers: Readonly<Record<string, string>>
  readonly log: EarlyLog
}

/**
 * Answers ahead of the middleware what needs none of it: features' early handlers, cached pages,
 * files and assets, with the headers that the middleware would set. Everything else goes through it.
 * @param earlyHandlers by path prefix
 * @param inTurn starts the work of a request when there is room for it
 */
export function createEarlyResponses(
  log: EarlyLog,
  { pages, files, assets }: Sources,
  earlyHandlers: ReadonlyMap<string, EarlyHandler>,
  middleware: Listener,
  inTurn: BeginInTurn,
): Listener {
  const handlers = [...earlyHandlers]
  return (request, response) => {
    if (request.url?.startsWith('/') === false) request.url = originForm(request.url)
    const { method = '', url = '/' } = request
    const throughMiddleware = () =>
      inTurn(request, costOf(method, url), () => middleware(request, response))
    // The middleware refuses bodies that no route takes.
    const isPlain = (method === 'GET' || method === 'HEAD') && !hasBody(request)
    if (!isPlain) return throughMiddleware()
    const early = handlers.find(([prefix]) => url.startsWith(prefix))
    if (early) {
      return inTurn(request, costs.fromMemory, () => {
        const taken = early[1](request, response)
        if (taken === true) return undefined
        if (taken === false) return throughMiddleware()
        return taken.then((done) => (done ? undefined : throughMiddleware()))
      })
    }
    const found = pages.find(url, ifNoneMatchOf(request)) ?? files.find(url) ?? assets.find(url)
    const answer = (cached: CachedResponse | undefined) =>
      cached
        ? inTurn(request, costs.fromMemory, () => sendCached(request, response, cached, log))
        : throughMiddleware()
    return found instanceof Promise ? found.then(answer) : answer(found)
  }
}

/** The cost of a request through the middleware; outside the API it is taken for a page. */
const costOf = (method: string, url: string): number => {
  if (!url.startsWith(apiPrefix)) return costs.page
  return isSafe(method) ? costs.read : costs.write
}

/** Path and query of a request target in absolute form (RFC 9112, 3.2.2). */
const originForm = (target: string): string => {
  const url = URL.parse(target)
  return url ? url.pathname + url.search : '/'
}

/**
 * The If-None-Match header of a cache, crawler or feed reader that revalidates its copy. A returning
 * visitor's doesn't count: they may get another variant of the page.
 */
function ifNoneMatchOf({ headers }: IncomingMessage): string | undefined {
  return headers['sec-fetch-dest'] === 'document' ? undefined : headers['if-none-match']
}

/** Milliseconds within one turn of the event loop during which work is started. */
const slice = 5

/** Sum of {@link costs} that one turn of the event loop may start. */
const budget = 200

/**
 * What a request costs the event loop, in units of a reply from memory. A page gets a turn to
 * itself: most of its rendering comes after its start. Writes share one wait for the disk.
 */
const costs = { fromMemory: 1, write: 2, read: 16, page: budget } as const

/**
 * Starts the work of a request: at once if this turn of the event loop has room for it, else when its
 * client's turn comes.
 */
type BeginInTurn = (
  request: IncomingMessage,
  cost: number,
  begin: () => void | Promise<void>,
) => void | Promise<void>

/** Requests of one kind that wait for a turn, and what the present one has begun of them. */
type Lane = { waiting: ClientQueues<{ cost: number; begin: () => void }>; spent: number }

const createLane = (): Lane => ({ waiting: createClientQueues(), spent: 0 })

/**
 * Creates the queue in front of the site. However much arrives at once, on hundreds of connections or
 * pipelined on one, the event loop gets to bodies and timers in between; if requests have to wait,
 * clients take turns. Replies from memory don't wait for what takes a hundred times as long: they come
 * first in each turn, up to half of it. Of writes, and of everything else, each turn begins at least
 * one (docs/decisions/0019-limits-of-connections.md).
 */
export function createTurns(clientAddress: ClientAddress): BeginInTurn {
  const [memory, writes, rest] = [createLane(), createLane(), createLane()]
  const lanes = [memory, writes, rest]
  let began: number | null = null
  let isServing = false

  const endTurn = () => {
    began = null
    for (const lane of lanes) lane.spent = 0
  }

  const hasRoom = (lane: Lane, cost: number): boolean => {
    if (began === null || (lane !== memory && lane.spent === 0)) return true
    if (performance.now() - began >= slice) return false
    const othersWait = writes.waiting.size() > 0 || rest.waiting.size() > 0
    if (lane === memory) return memory.spent < (othersWait ? budget / 2 : budget)
    return memory.spent + writes.spent + rest.spent + cost <= budget
  }

  /** Takes a place in this turn of the event loop if there is room. */
  const takePlace = (lane: Lane, cost: number): boolean => {
    if (!hasRoom(lane, cost)) return false
    if (began === null) {
      began = performance.now()
      setImmediate(endTurn)
    }
    lane.spent += cost
    return true
  }

  /** Begins what comes next of one kind, if this turn has room for it. */
  const beginNext = (lane: Lane): boolean => {
    const first = lane.waiting.first()
    if (!first || !takePlace(lane, first.cost)) return false
    lane.waiting.next()
    first.begin()
    return true
  }

  const serve = async () => {
    isServing = true
    while (lanes.some(({ waiting }) => waiting.size() > 0)) {
      if (lanes.some(beginNext)) await whatItDidAtOnce()
      else await nextTurn()
    }
    isServing = false
  }

  return (request, cost, begin) => {
    const lane = cost === costs.fromMemory ? memory : cost === costs.write ? writes : rest
    const isNext = !isServing || (lane === memory && memory.waiting.size() === 0)
    if (isNext && takePlace(lane, cost)) return begin()
    const { promise, resolve } = Promise.withResolvers<void>()
    lane.waiting.add(clientOf(clientAddress(request)), { cost, begin: resolve })
    if (!isServing) void serve()
    // A closed connection takes no answer.
    return promise.then(() => (request.socket.destroyed ? undefined : begin()))
  }
}

/** Resolves once all pending promise reactions have run: the next tick comes after them. */
const whatItDidAtOnce = () =>
  new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)))
