import { failure } from '#shared/failures.ts'

/**
 * Runs a task when its client's turn comes.
 * @param client whose turn it is, such as a client address
 * @param signal takes the task out of the line while it waits
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
  let running = 0
  let count = 0
  /** Lines of clients; the client that comes first is the next. */
  const lines = new Map<string, Entry[]>()

  function next(): void {
    const [first] = lines
    if (!first || running >= parallel) return
    const [client, line] = first
    const entry = line.shift()!
    lines.delete(client)
    if (line.length > 0) lines.set(client, line)
    count -= 1
    running += 1
    entry.start()
  }

  function leave(client: string, entry: Entry): void {
    const line = lines.get(client)
    const at = line?.indexOf(entry) ?? -1
    if (!line || at < 0) return
    line.splice(at, 1)
    count -= 1
    if (line.length === 0) lines.delete(client)
  }

  /** In a full queue the longest line gives way to a shorter one. */
  function makeRoom(own: number): void {
    const busy = () => failure('unavailable', { retryAfter: 2 })
    if (count < waiting) return
    const [client, line] = [...lines].reduce((a, b) => (b[1].length > a[1].length ? b : a))
    if (line.length <= own + 1) throw busy()
    const last = line.at(-1)!
    leave(client, last)
    last.refuse(busy())
  }

  function turn(client: string, signal: AbortSignal | undefined): Promise<void> {
    const line = lines.get(client) ?? []
    if (line.length >= each) throw failure('too-many', { retryAfter: 5 })
    makeRoom(line.length)
    return new Promise((resolve, reject) => {
      const gone = () => {
        leave(client, entry)
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
      line.push(entry)
      lines.set(client, line)
      count += 1
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
