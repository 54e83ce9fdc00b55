import type { Line } from './line.ts'

/** How long an expression may take over new lines, in milliseconds. */
const budget = 800
/** Characters of a line that an expression sees. */
const longest = 4000

/** What an expression found so far; `problem` says why it finds no more. */
export type Found = { keys: ReadonlySet<string>; problem: string | null }

/** Runs regular expressions over lines as they come. */
export type Matcher = {
  /** The expression and the lines to run it over; lines that it has seen are not asked again. */
  want(source: string, lines: readonly Line[]): void
  close(): void
}

/**
 * Makes a matcher. It works in a worker, which is ended when it takes too long, so that no expression
 * can stop the page.
 * @param report told after every step
 */
export function createMatcher(report: (found: Found) => void): Matcher {
  let source = ''
  let lines: readonly Line[] = []
  let seen = new Set<string>()
  let keys = new Set<string>()
  let given: readonly Line[] = []
  let problem: string | null = null

  const worker = createLimitedWorker({
    onMatched(matched) {
      // What has left the list is forgotten, so that the sets do not grow for ever.
      const present = new Set(lines.map(({ key }) => key))
      seen = new Set([...seen, ...given.map(({ key }) => key)].filter((key) => present.has(key)))
      keys = new Set([...keys, ...matched].filter((key) => present.has(key)))
      report({ keys, problem: null })
      step()
    },
    onFailed(message) {
      problem = message
      report({ keys: new Set(), problem })
    },
  })
  const step = () => {
    if (worker.isBusy() || problem) return
    given = lines.filter(({ key }) => !seen.has(key))
    if (given.length > 0) worker.run(source, given)
  }

  return {
    want(wanted, now) {
      lines = now
      if (wanted !== source) {
        worker.stop()
        source = wanted
        problem = null
        seen = new Set()
        keys = new Set()
      }
      step()
    },
    close: worker.stop,
  }
}

/** Who hears of what a worker did: the keys of the lines that fit, or why there will be none. */
type Listener = { onMatched(keys: readonly string[]): void; onFailed(message: string): void }

/** A worker for one expression at a time, started when it is needed and ended when it takes too long. */
function createLimitedWorker({ onMatched, onFailed }: Listener) {
  let worker: Worker | null = null
  let timer: ReturnType<typeof setTimeout> | null = null

  const stop = () => {
    if (timer) clearTimeout(timer)
    timer = null
    worker?.terminate()
    worker = null
  }
  const fail = (message: string) => {
    stop()
    onFailed(message)
  }
  const start = () => {
    const made = new Worker(new URL('./match-worker.ts', import.meta.url), { type: 'module' })
    made.addEventListener('error', () => fail('This expression could not be run.'))
    made.addEventListener('message', ({ data }: MessageEvent<string[]>) => {
      if (timer) clearTimeout(timer)
      timer = null
      onMatched(data)
    })
    return made
  }

  return {
    isBusy: () => timer !== null,
    run(source: string, lines: readonly Line[]) {
      worker ??= start()
      timer = setTimeout(
        () => fail('This expression takes too long. Try a simpler one, without nested repetition.'),
        budget,
      )
      const job = { source, lines: lines.map(({ key, raw }) => [key, raw.slice(0, longest)]) }
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage(job)
    },
    stop,
  }
}
