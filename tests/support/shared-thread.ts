import { failure } from '#shared/failures.ts'
import {
  createWorkerThread,
  type CreateThread,
  type WorkerThread,
} from '#server/concurrency/worker-thread.ts'

/** Milliseconds for a task, where its feature names none: what a visitor waits for may be drawn too late. */
const patience = 120_000

const threads = new Map<string, WorkerThread<unknown, unknown>>()

/**
 * Makes threads that the sites of a process share, one after the other: a thread that draws documents
 * takes a third of a second to begin, which is more than most tests (decision 25). It ends by itself.
 */
export const sharedThread: CreateThread = <Task, Result>(
  options: Parameters<CreateThread>[0],
): WorkerThread<Task, Result> => {
  const script = String(options.script)
  const thread =
    threads.get(script) ?? createWorkerThread<unknown, unknown>({ timeoutMs: patience, ...options })
  threads.set(script, thread)
  const closing = Promise.withResolvers<never>()
  closing.promise.catch(() => {})
  return {
    run: (task) => Promise.race([thread.run(task) as Promise<Result>, closing.promise]),
    // What a site still waits for, it gives up, as with a thread of its own.
    close: async () => closing.reject(failure('unavailable')),
  }
}
