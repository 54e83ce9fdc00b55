import { ipKeyGenerator } from 'express-rate-limit'
import { failure } from '#shared/failures.ts'

/** One queue per client; clients take turns. */
export type ClientQueues<Item> = {
  /** @param client whose queue it goes into, see {@link clientOf} */
  add(client: string, item: Item): void
  /** The first item of the client whose turn it is. */
  first(): Item | undefined
  /** Removes the first item of the client whose turn it is, and moves that client to the end. */
  next(): Item | undefined
  /** Removes an item if it is still waiting. */
  remove(client: string, item: Item): void
  /** Items in all queues. */
  size(): number
  /** Items of one client. */
  sizeOf(client: string): number
  /** The client with the most items, and the last of them; requires an item. */
  longest(): { client: string; length: number; last: Item }
}

/** The client that an address counts as (IPv6: its /56). */
export const clientOf = (address: string): string => ipKeyGenerator(address, 56)

/** Creates empty queues. The first item of one client comes before a flood from another. */
export function createClientQueues<Item>(): ClientQueues<Item> {
  let count = 0
  /** In the order of their turns. */
  const queues = new Map<string, Item[]>()
  return {
    size: () => count,
    sizeOf: (client) => queues.get(client)?.length ?? 0,
    add(client, item) {
      const queue = queues.get(client)
      if (queue) queue.push(item)
      else queues.set(client, [item])
      count += 1
    },
    first() {
      const [first] = queues
      return first?.[1][0]
    },
    next() {
      const [first] = queues
      if (!first) return undefined
      const [client, queue] = first
      const item = queue.shift()!
      queues.delete(client)
      if (queue.length > 0) queues.set(client, queue)
      count -= 1
      return item
    },
    remove(client, item) {
      const queue = queues.get(client)
      const at = queue?.indexOf(item) ?? -1
      if (!queue || at < 0) return
      queue.splice(at, 1)
      count -= 1
      if (queue.length === 0) queues.delete(client)
    },
    longest() {
      const [client, queue] = [...queues].reduce((a, b) => (b[1].length > a[1].length ? b : a))
      return { client, length: queue.length, last: queue.at(-1)! }
    },
  }
}

/**
 * Runs a task when its client's turn comes.
 * @param client whose turn it is, such as a client address
 * @param signal takes the task out of its queue while it waits
 * @throws failure `too-many` when the client has too many tasks waiting, `unavailable` when everyone has
 */
export type FairQueue = <Value>(
  client: string,
  task: () => Promise<Value>,
  signal?: AbortSignal,
) => Promise<Value>

type Entry = { start: () => void; refuse: (err: unknown) => void }

/**
 * Creates a queue in which clients take turns: however many tasks one client has waiting, another
 * client's first task comes next.
 * @param options `parallel` tasks at once; how many may wait for `each` client, and in all
 *   (`waiting`)
 */
export function createFairQueue({
  parallel,
  each,
  waiting,
}: {
  parallel: number
  each: number
  waiting: number
}): FairQueue {
  const queues = createClientQueues<Entry>()
  let running = 0

  function next(): void {
    const entry = running < parallel ? queues.next() : undefined
    if (!entry) return
    running += 1
    entry.start()
  }

  /** When the queue is full, refuses the last task of the client with the most of them. */
  function makeRoom(own: number): void {
    const busy = () => failure('unavailable', { retryAfter: 2 })
    if (queues.size() < waiting) return
    const { client, length, last } = queues.longest()
    if (length <= own + 1) throw busy()
    queues.remove(client, last)
    last.refuse(busy())
  }

  function turn(client: string, signal: AbortSignal | undefined): Promise<void> {
    const own = queues.sizeOf(client)
    if (own >= each) throw failure('too-many', { retryAfter: 5 })
    makeRoom(own)
    return new Promise((resolve, reject) => {
      const gone = () => {
        queues.remove(client, entry)
        reject(signal!.reason as Error)
      }
      const entry: Entry = {
        start: () => {
          signal?.removeEventListener('abort', gone)
          resolve()
        },
        refuse: reject,
      }
      signal?.addEventListener('abort', gone, { once: true })
      queues.add(client, entry)
    })
  }

  return async (client, task, signal) => {
    signal?.throwIfAborted()
    if (running < parallel) running += 1
    else await turn(client, signal)
    try {
      return await task()
    } finally {
      running -= 1
      next()
    }
  }
}
