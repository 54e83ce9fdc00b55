import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { longTextOf, type LongTextCollection } from '../../collections.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import type { StoredRow } from '../collection.ts'
import { unavailable } from '../unavailable.ts'
import { listPath, type List, type Lists } from './lists.ts'
import type { Outages } from './outages.ts'
import { isRefusal, type Refusal } from './request.ts'
import { createTextCache, type TextCache } from './text-cache.ts'
import type { Timing } from './timing.ts'

/** Long texts of a Directus, each read again when its row has changed, and forgotten with it. */
export type DirectusTexts = {
  /** Takes the rows of a collection as they are listed now. */
  follow(collection: LongTextCollection, rows: readonly StoredRow[]): void
  /**
   * The text of a listed row: as it was read last while a newer one is on its way; null for none.
   * @throws failure `unavailable` when there has never been one and it cannot be had in time
   */
  read(collection: LongTextCollection, id: unknown): Promise<string | null>
  /** Stops the asking. */
  close(): void
}

/** Rows asked for at once, and how long their address may become; a Directus takes 16 kB. */
const batch = { rows: 100, address: 12_000 }
/** How long the changes of a long run are collected before pages hear of them, in milliseconds. */
const notifyEvery = 2_000

/** A collection with its texts. */
type Shelf = {
  readonly collection: LongTextCollection
  readonly cache: TextCache
  /** Rows as they are listed, by id: the id as the service has it, and the state of the row. */
  listed: ReadonlyMap<string, { id: unknown; stamp: string }>
  rows: readonly StoredRow[]
  /** Whether rows say when they were changed; if not, only reading their texts again tells. */
  isDated: boolean
  /** Listed rows whose texts are to be read; in use from the first reader on. */
  due: Set<string>
  inUse: boolean
  /** Readers that wait for a text. */
  wanted: Map<string, PromiseWithResolvers<string | null>>
  /** States of rows for which the service gave no answer, though it lists them. */
  unanswered: Map<string, string>
  /** What makes a request smaller, after one was too large. */
  max: number
  running: boolean
  failures: number
  /** Times on the clock of `performance.now`: of the next try, and of the next look at undated texts. */
  dueAt: number
  lookAt: number
  /** Until when the service counts as having no such texts for us. */
  withheldUntil: number
  /** Whether a reader went without a text that was to be had. */
  missed: boolean
}

/**
 * Makes the reading of long texts. Rows come from lists; which texts have to be read follows from
 * them alone: those of rows whose `date_updated` is another one than when the text was read. Where
 * rows have no such field, all texts in use are read again about once a minute. Texts are asked for
 * in batches, those first that someone waits for.
 * @param options `changed` called when a text differs from what was shown
 */
export function createDirectusTexts({
  lists,
  dir,
  outages,
  changed,
  timing,
  log,
}: {
  lists: Pick<Lists, 'page'>
  dir: string
  outages: Pick<Outages, 'failed' | 'succeeded' | 'current'>
  changed: () => void
  timing: Timing
  log: Pick<Logger, 'info' | 'warn' | 'debug'>
}): DirectusTexts {
  const shelves = new Map<LongTextCollection, Shelf>()
  /** ETags of batches, by their addresses. */
  const tags = new LRUCache<string, string>({ max: 500 })
  const closing = new AbortController()
  const { signal: closed } = closing

  function shelfOf(collection: LongTextCollection): Shelf {
    let shelf = shelves.get(collection)
    if (!shelf) {
      shelf = createShelf(collection, createTextCache({ dir: join(dir, collection), log }), timing)
      shelves.set(collection, shelf)
    }
    return shelf
  }

  /** Works out which texts have to be read, and forgets those of rows that are gone. */
  function settle(shelf: Shelf): void {
    const { listed, cache, unanswered } = shelf
    shelf.due = new Set()
    for (const [id, { stamp }] of listed) {
      if (!cache.isCurrent(id, stamp) && unanswered.get(id) !== stamp) shelf.due.add(id)
    }
    for (const id of unanswered.keys()) if (!listed.has(id)) unanswered.delete(id)
    for (const [id, { resolve }] of shelf.wanted) if (!listed.has(id)) resolve(null)
    void cache.keepOnly(listed.keys())
  }

  /** The rows of the next batch: those that someone waits for, then the others in their order. */
  function nextBatch({ wanted, due, listed, max }: Shelf): string[] {
    const ids: string[] = []
    let length = 0
    for (const id of new Set([...wanted.keys(), ...due])) {
      const row = listed.get(id)
      if (!row) continue
      length += encodeURIComponent(`${JSON.stringify(row.id)},`).length
      if (ids.length >= max || (ids.length > 0 && length > batch.address)) break
      ids.push(id)
    }
    return ids
  }

  /** Asks for a batch. @returns 'unchanged' if the cache is up to date */
  async function ask(shelf: Shelf, ids: readonly string[]): Promise<List | 'unchanged'> {
    const { collection, listed, cache } = shelf
    const path = `/items/${collection}`
    const query = {
      fields: `id,${longTextOf(collection)}`,
      filter: JSON.stringify({ id: { _in: ids.map((id) => listed.get(id)!.id) } }),
      limit: String(ids.length),
    }
    const address = listPath(path, query)
    const known = await Promise.all(ids.map((id) => cache.read(id)))
    const tag = known.every((text) => text !== undefined) ? tags.get(address) : null
    const reply = await lists.page(path, query, { retryFor: timing.timeout, tag, urgency: 'text' })
    if (reply !== 'unchanged' && reply.tag) tags.set(address, reply.tag)
    return reply
  }

  /** Keeps what a batch brought. @returns whether a text is another one than was shown */
  async function keep(
    shelf: Shelf,
    ids: readonly string[],
    reply: List | 'unchanged',
    asOf: Shelf['listed'],
  ) {
    const { collection, cache, wanted, unanswered } = shelf
    const field = longTextOf(collection)!
    const found = new Map<string, string | null>()
    if (reply !== 'unchanged') {
      for (const row of reply.rows) {
        if (!ids.includes(String(row.id))) continue
        found.set(String(row.id), typeof row[field] === 'string' ? row[field] : null)
      }
    }
    let isDifferent = false
    for (const id of ids) {
      const { stamp } = asOf.get(id)!
      const before = await cache.read(id)
      const text = reply === 'unchanged' ? (before ?? null) : found.get(id)
      if (text === undefined) {
        // A service with QUERY_LIMIT_MAX gives less than was asked for; what is left comes next.
        if (found.size > 0) continue
        unanswered.set(id, stamp)
      } else {
        isDifferent ||= before !== undefined && before !== text
        if (before !== text || !cache.isCurrent(id, stamp)) await cache.write(id, stamp, text)
      }
      // It may have changed again meanwhile.
      if (shelf.listed.get(id)?.stamp === stamp) shelf.due.delete(id)
      wanted.get(id)?.resolve(text ?? null)
      wanted.delete(id)
    }
    return isDifferent
  }

  /** Reads what is due of a collection, batch by batch. */
  async function work(shelf: Shelf): Promise<void> {
    let mustNotify = false
    let notifiedAt = performance.now()
    const notify = () => {
      mustNotify = false
      notifiedAt = performance.now()
      changed()
    }
    try {
      await shelf.cache.ready
      for (let ids = nextBatch(shelf); ids.length > 0 && !closed.aborted; ids = nextBatch(shelf)) {
        const asOf = shelf.listed
        let reply: List | 'unchanged'
        try {
          reply = await ask(shelf, ids)
        } catch (err) {
          if (!isRefusal(err)) throw err
          if (!refused(shelf, ids, err)) break
          continue
        }
        const isDifferent = await keep(shelf, ids, reply, asOf)
        shelf.withheldUntil = -Infinity
        mustNotify ||= isDifferent || shelf.missed
        shelf.missed = false
        if (shelf.failures > 0) log.info({ content: keyOf(shelf) }, 'content service is back')
        shelf.failures = 0
        outages.succeeded(keyOf(shelf))
        if (mustNotify && performance.now() - notifiedAt > notifyEvery) notify()
      }
    } catch (err) {
      failed(shelf, err as Error)
    } finally {
      shelf.running = false
      if (mustNotify && !closed.aborted) notify()
    }
  }

  /** Takes a no for a batch. @returns whether to go on with smaller ones */
  function refused(
    shelf: Shelf,
    ids: readonly string[],
    { refused: status, cause }: Refusal,
  ): boolean {
    const { collection, wanted } = shelf
    if ((status === 413 || status === 431) && ids.length > 1) {
      shelf.max = Math.ceil(ids.length / 2)
      return true
    }
    shelf.withheldUntil = performance.now() + timing.relearn
    log[shelf.failures === 0 ? 'warn' : 'debug'](
      { collection, field: longTextOf(collection), refused: status, cause },
      'content service refuses long texts, keeping the last ones',
    )
    shelf.failures += 1
    void tellOfRefusal(shelf)
    for (const { resolve } of wanted.values()) resolve(null)
    wanted.clear()
    return false
  }

  /** A field that has never been there is none of the service's failures. */
  async function tellOfRefusal(shelf: Shelf): Promise<void> {
    const { collection } = shelf
    if (!(await isAnyKept(shelf))) return
    outages.failed(
      keyOf(shelf),
      `${collection}: the field ${longTextOf(collection)} is gone or hidden; showing its last texts`,
    )
  }

  async function settleOnceReady(shelf: Shelf): Promise<void> {
    await shelf.cache.ready
    settle(shelf)
    if (shelf.dueAt <= performance.now()) look()
  }

  function failed(shelf: Shelf, err: Error): void {
    if (closed.aborted) return
    shelf.failures += 1
    shelf.dueAt = performance.now() + Math.min(timing.pause, 1_000 * 2 ** (shelf.failures - 1))
    shelf.missed ||= shelf.wanted.size > 0
    outages.failed(keyOf(shelf), 'explanation' in err ? String(err.explanation) : err.message)
    log[shelf.failures === 1 ? 'warn' : 'debug'](
      { content: keyOf(shelf), failures: shelf.failures, waiting: shelf.due.size, err },
      'content service failed',
    )
    for (const { reject } of shelf.wanted.values()) reject(err)
    shelf.wanted.clear()
  }

  function start(shelf: Shelf): void {
    if (shelf.running || closed.aborted) return
    shelf.running = true
    void work(shelf)
  }

  /** Loads what is due. */
  function look(): void {
    const now = performance.now()
    for (const shelf of shelves.values()) {
      if (!shelf.inUse || shelf.running || shelf.withheldUntil > now) continue
      if (!shelf.isDated && shelf.lookAt <= now) {
        shelf.lookAt = now + 2 * timing.fresh
        for (const id of shelf.listed.keys()) shelf.due.add(id)
      }
      if (shelf.due.size > 0 && shelf.dueAt <= now) start(shelf)
    }
  }

  const timer = setInterval(look, timing.tick).unref()

  return {
    follow(collection, rows) {
      const shelf = shelfOf(collection)
      if (shelf.rows === rows) return
      shelf.rows = rows
      shelf.listed = new Map(
        rows.map((row) => [String(row.id), { id: row.id, stamp: stampOf(row) }]),
      )
      shelf.isDated = rows.length === 0 || rows.some((row) => 'date_updated' in row)
      if (shelf.inUse) void settleOnceReady(shelf)
    },
    async read(collection, given) {
      const shelf = shelfOf(collection)
      const id = String(given)
      await shelf.cache.ready
      if (!shelf.inUse) {
        shelf.inUse = true
        shelf.lookAt = performance.now() + 2 * timing.fresh
        settle(shelf)
      }
      const cache = await shelf.cache.read(id)
      if (!shelf.listed.has(id)) return cache ?? null
      if (cache !== undefined) {
        if (shelf.due.has(id) && shelf.dueAt <= performance.now()) look()
        return cache
      }
      const isGiven = shelf.unanswered.get(id) !== shelf.listed.get(id)!.stamp
      if (!isGiven || shelf.withheldUntil > performance.now() || closed.aborted) return null
      return want(shelf, id)
    },
    close() {
      closing.abort()
      clearInterval(timer)
      for (const { wanted } of shelves.values()) {
        for (const { reject } of wanted.values()) reject(unavailable(503))
        wanted.clear()
      }
    },
  }

  /** Asks for a text that hasn’t been read yet, ahead of all others. */
  function want(shelf: Shelf, id: string): Promise<string | null> {
    let waiting = shelf.wanted.get(id)
    if (!waiting) {
      waiting = Promise.withResolvers<string | null>()
      // A reader that has timed out must not leave an unhandled rejection behind.
      waiting.promise.catch(() => {})
      shelf.wanted.set(id, waiting)
    }
    start(shelf)
    const slow = shelf.failures > 0 || outages.current() !== null
    const wait = slow ? timing.failingTimeout : timing.timeout
    return withTimeout(waiting.promise, wait, () => {
      shelf.missed = true
      return unavailable(504, { cause: new Error(`${id} didn’t arrive within ${wait} ms`) })
    })
  }
}

function createShelf(collection: LongTextCollection, cache: TextCache, timing: Timing): Shelf {
  return {
    collection,
    cache,
    listed: new Map(),
    rows: [],
    isDated: true,
    due: new Set(),
    inUse: false,
    wanted: new Map(),
    unanswered: new Map(),
    max: batch.rows,
    running: false,
    failures: 0,
    dueAt: 0,
    lookAt: performance.now() + 2 * timing.fresh,
    withheldUntil: -Infinity,
    missed: false,
  }
}

/** Under which name the texts of a collection fail. */
const keyOf = ({ collection }: Shelf) => `texts of ${collection}`

async function isAnyKept({ cache, listed }: Shelf): Promise<boolean> {
  for (const id of listed.keys()) if (typeof (await cache.read(id)) === 'string') return true
  return false
}

/**
 * The state of a row: when it was changed. A row that never was has no such date, and one of the same
 * id may have taken its place; then all that is listed of it counts.
 */
function stampOf(row: StoredRow): string {
  const { date_updated: changed } = row
  if (typeof changed === 'string' && changed !== '') return changed
  return createHash('sha1').update(JSON.stringify(row)).digest('base64')
}
