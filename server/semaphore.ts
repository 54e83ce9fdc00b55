import { failure } from '#shared/failures.ts'

/** Lets a few tasks run at once and some wait. */
export type Semaphore = <Value>(task: () => Promise<Value>) => Promise<Value>

/**
 * Makes a semaphore.
 * @param options how many tasks run at once, and how many may wait for their turn, in the order in
 *   which they came; one more is turned away with failure `unavailable`
 */
export function createSemaphore({
  parallel,
  waiting,
}: {
  parallel: number
  waiting: number
}): Semaphore {
  let running = 0
  const queue: (() => void)[] = []
  return async (task) => {
    if (running >= parallel) {
      if (queue.length >= waiting) throw failure('unavailable', { retryAfter: 2 })
      await new Promise<void>((resolve) => queue.push(resolve))
    } else running += 1
    try {
      return await task()
    } finally {
      // The place goes to the next in line without being given back in between.
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}
