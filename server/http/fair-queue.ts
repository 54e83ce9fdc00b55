import { failure } from '#shared/failures.ts'

/**
 * Runs a task when its client's turn comes.
 * @param client whose turn it is, such as a client address
 * @param signal takes the task out of its queue while it waits
 * @throws failure `too-many` when the client has too many tasks waiting, `unavailable` when everybody has
 */
export type FairQueue = <Value>(
  client: string,
  task: () => Promise<Value>,
  signal?: AbortSignal,
) => Promise<Value>

type Entry = { start: () => void; refuse: (err: unknown) => void }

/**
 * Makes a queue in which clients take turns: however many tasks one of them has waiting, another
 * one's first task comes next. Nothing is held back while there is room.
 * @param options how many tasks run at once; how many may wait for one client, and in all
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
  const queues = createQueues()
  let running = 0

  function next(): void {
    const entry = running < parallel ? queues.next() : undefined
    if (!entry) return
    running += 1
    entry.start()
  }

  /** When too many tasks wait, the last one of the client with most of them is refused. */
  function makeRoom(own: number): void {
    const busy = () => failure('unavailable', { retryAfter: 2 })
    if (queues.size() < waiting) return
    const { client, length, last } = queues.longest()
    if (length <= own + 1) throw busy()
    queues.leave(client, last)
    last.refuse(busy())
  }

  function turn(client: string, signal: AbortSignal | undefined): Promise<void> {
    const own = queues.sizeOf(client)
    if (own >= each) throw failure('too-many', { retryAfter: 5 })
    makeRoom(own)
    return new Promise((resolve, reject) => {
      const gone = () => {
        queues.leave(client, entry)
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

/** Makes the queues of clients; one that is empty is none. */
function createQueues() {
  let count = 0
  /** The client that comes first is the next. */
  const queues = new Map<string, Entry[]>()
  return {
    size: () => count,
    sizeOf: (client: string) => queues.get(client)?.length ?? 0,

    add(client: string, entry: Entry): void {
      const queue = queues.get(client) ?? []
      queue.push(entry)
      queues.set(client, queue)
      count += 1
    },

    /** Takes the first task of the client whose turn it is, who is then the last to have one. */
    next(): Entry | undefined {
      const [first] = queues
      if (!first) return undefined
      const [client, queue] = first
      const entry = queue.shift()!
      queues.delete(client)
      if (queue.length > 0) queues.set(client, queue)
      count -= 1
      return entry
    },

    /** Takes a task out, if it still waits. */
    leave(client: string, entry: Entry): void {
      const queue = queues.get(client)
      const at = queue?.indexOf(entry) ?? -1
      if (!queue || at < 0) return
      queue.splice(at, 1)
      count -= 1
      if (queue.length === 0) queues.delete(client)
    },

    /** The client with most tasks, and the last of them; there has to be one. */
    longest() {
      const [client, queue] = [...queues].reduce((a, b) => (b[1].length > a[1].length ? b : a))
      return { client, length: queue.length, last: queue.at(-1)! }
    },
  }
}
