import { parentPort, Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { failure } from '#shared/failures.ts'

/** A thread for tasks that would block the event loop; it runs them one at a time. */
export type WorkerThread<Task, Result> = {
  /**
   * Runs a task when its turn comes.
   * @throws what the script throws; failure `unavailable` when too many tasks are waiting, one takes too
   *   long, or the server closes; an Error when the thread exits
   */
  run(task: Task): Promise<Result>
  /** Ends the thread and rejects unfinished tasks. */
  close(): Promise<void>
}

/** What the script posts for each task. */
type Reply<Result> = { result: Result } | { error: unknown }

/**
 * Answers the tasks of the thread that this script runs in; called once by every worker script.
 * @param answer does one task; tasks and results must be cloneable
 */
export function answerTasks(answer: (task: never) => Promise<unknown>): void {
  const port = parentPort
  if (!port) throw new Error('This script only runs in a worker thread.')
  port.on('message', (task: unknown) => {
    void answer(task as never)
      .then(
        (result): Reply<unknown> => ({ result }),
        (error: unknown): Reply<unknown> => ({ error }),
      )
      .then((reply) => port.postMessage(reply, []))
  })
}

/**
 * Runs a single task in its own thread, for as long as it takes.
 * @param script path or URL of a module that calls `answerTasks`
 * @throws what the script throws
 */
export async function runInThread<Result>(script: URL | string, task: unknown): Promise<Result> {
  const thread = createWorkerThread<unknown, Result>({ script, timeoutMs: null, megabytes: null })
  try {
    return await thread.run(task)
  } finally {
    await thread.close()
  }
}

/** How many times its processor time a task may take by the clock, as where it's blocked. */
const maxWaits = 6

/** Milliseconds of processor that a thread has used; none for one that has just been started. */
const cpuMs = (of: Worker): Promise<number> =>
  of.cpuUsage().then(
    ({ user, system }) => (user + system) / 1000,
    () => 0,
  )

const tooLate = (timeoutMs: number) =>
  failure('unavailable', {
    message: 'This is taking longer than it should. Please try again in a minute.',
    retryAfter: 60,
    cause: new Error(`A task took ${timeoutMs} ms of processor, or ${maxWaits} times as long.`),
  })

type Entry<Task, Result> = {
  task: Task
  resolve(result: Result): void
  reject(error: unknown): void
}

/** What a thread is made of. */
export type ThreadOptions = {
  /** A module that calls `answerTasks`. */
  script: URL | string
  /**
   * Milliseconds of processor for a task, and {@link maxWaits} times as many by the clock: on a busy machine
   * a task that waits for its turn is in order. Null for as long as it takes.
   */
  timeoutMs?: number | null
  /** Milliseconds without work until it exits. */
  idleMs?: number
  /** Tasks that may wait. */
  maxWaiting?: number
  /** Of heap; null for Node's own limit. */
  megabytes?: number | null
  /** Told of tasks that crashed. */
  log?: Pick<Logger, 'error'>
}

/** Makes a thread; see {@link createWorkerThread}. */
export type CreateThread = <Task, Result>(options: ThreadOptions) => WorkerThread<Task, Result>

/**
 * Creates the thread. It starts with the first task, restarts after a task that crashed or hung it,
 * and exits after a while without work to free its memory.
 */
export function createWorkerThread<Task, Result>({
  script,
  timeoutMs = 10_000,
  idleMs = 30_000,
  maxWaiting = 200,
  megabytes = 128,
  log,
}: ThreadOptions): WorkerThread<Task, Result> {
  const waiting: Entry<Task, Result>[] = []
  let worker: Worker | null = null
  let current: Entry<Task, Result> | null = null
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function start(): Worker {
    const started = new Worker(script, {
      // The server's own flags, such as --watch, must not reach the thread.
      execArgv: [],
      ...(megabytes !== null && {
        resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 8 },
      }),
    })
    started.on('message', (reply: Reply<Result> | object) => {
      if (started !== worker || !current) return
      // Under `node --watch`, as in development, Node names the thread's files on the same port.
      if (!('result' in reply || 'error' in reply)) return
      const { resolve, reject } = current
      if ('result' in reply) resolve(reply.result)
      else reject(reply.error)
      finish()
    })
    started.on('error', (err) => giveUp(started, err))
    started.on('exit', (code) => giveUp(started, new Error(`The thread ended with code ${code}.`)))
    return started
  }

  /** Ends a broken thread; the next task starts a new one. */
  function giveUp(broken: Worker, err: unknown): void {
    if (broken !== worker) return
    worker = null
    void broken.terminate()
    if (current) log?.error({ err, script: String(script) }, 'worker task failed')
    current?.reject(err)
    finish()
  }

  function finish(): void {
    current = null
    clearTimeout(timer)
    next()
  }

  function next(): void {
    if (current || isClosed) return
    const entry = waiting.shift()
    if (!entry) return rest()
    worker ??= start()
    const busy = worker
    current = entry
    busy.ref()
    if (timeoutMs !== null) watch(busy, entry, timeoutMs)
    try {
      busy.postMessage(entry.task, [])
    } catch (error) {
      // A task that can't be cloned; the thread is fine.
      entry.reject(error)
      finish()
    }
  }

  /** Gives a task up that has used its time. */
  function watch(busy: Worker, entry: Entry<Task, Result>, limit: number): void {
    const before = cpuMs(busy)
    const lookAtWork = async () => {
      const used = (await cpuMs(busy)) - (await before)
      if (used >= limit && busy === worker && entry === current) giveUp(busy, tooLate(limit))
    }
    const look = (waits: number) => {
      timer = setTimeout(() => {
        if (waits >= maxWaits) return giveUp(busy, tooLate(limit))
        look(waits + 1)
        void lookAtWork()
      }, limit)
    }
    look(1)
  }

  /** An idle thread doesn't keep the process alive and exits after a while. */
  function rest(): void {
    worker?.unref()
    timer = setTimeout(() => void end(), idleMs).unref()
  }

  async function end(): Promise<void> {
    const ended = worker
    worker = null
    await ended?.terminate()
  }

  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        if (isClosed || waiting.length >= maxWaiting) {
          reject(failure('unavailable', { retryAfter: 5 }))
          return
        }
        if (!current) clearTimeout(timer)
        waiting.push({ task, resolve, reject })
        next()
      }),
    async close() {
      isClosed = true
      clearTimeout(timer)
      for (const entry of [...(current ? [current] : []), ...waiting.splice(0)]) {
        entry.reject(failure('unavailable'))
      }
      current = null
      await end()
    },
  }
}
