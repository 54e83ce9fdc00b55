import { setTimeout as delay } from 'node:timers/promises'
import { unavailable } from '../unavailable.ts'
import { isBroken, isRefusal, pauseOf, worded } from './request.ts'

/** What a request is for. When many wait, lists go first, then long texts, then files. */
export type Urgency = 'list' | 'text' | 'file'

/** Everything that is asked of a Directus: one limit and one back-off for all of it. */
export type Traffic = {
  /**
   * Tries until it works, is refused for good, or no time is left. Waits for its turn; while the
   * service fails, one request at a time finds out whether it still does.
   * @param options `retryFor` milliseconds for which a failed try is followed by another;
   *   `attempt` gets the milliseconds in which its reply has to begin
   * @throws a refusal, or failure `unavailable` that names the path
   */
  persist<Value>(
    path: string,
    options: { urgency: Urgency; retryFor: number; tries?: number },
    attempt: (begin: number) => Promise<Value>,
  ): Promise<Value>
  /** Whether the service failed a moment ago, so waiting for it is no use. */
  isFailing(): boolean
}

type Waiting = { until: number; start: () => void; giveUp: () => void }

const urgencies: readonly Urgency[] = ['list', 'text', 'file']

/** Requests under way at a time, files included; those have their own limit below this one. */
const parallel = 8
/** The first and the longest pause after a failure, in milliseconds. */
const pauses = { first: 100, longest: 3_000 }
/** How long a failure says something about the next try, in milliseconds. */
const failureHolds = 5_000
/** How often a reply that is broken by itself, such as a 500, is asked for. */
const brokenTries = 3

/** Creates traffic without known failures. @param closing ends the waiting */
export function createTraffic(closing: AbortSignal): Traffic {
  const queues = new Map<Urgency, Waiting[]>(urgencies.map((urgency) => [urgency, []]))
  let running = 0
  let failures = 0
  let failedAt = -Infinity
  let openAt = -Infinity
  /** Until when the service has asked to be left alone; what was under way then doesn't end it. */
  let leftUntil = -Infinity
  let lastFailure: unknown = null
  /** Keeps the process alive while someone waits: a command must not end before its answer. */
  let opening: NodeJS.Timeout | undefined
  closing.addEventListener('abort', () => clearTimeout(opening), { once: true })

  function next(): void {
    clearTimeout(opening)
    const now = performance.now()
    if ((failures > 0 || leftUntil > now) && !closing.aborted) {
      // Those whose time is over are told at once; the service may not come back soon.
      for (const queue of queues.values()) {
        for (const each of queue.filter(({ until }) => until <= now)) each.giveUp()
      }
      const opensAt = Math.max(openAt, leftUntil)
      if (opensAt > now) {
        opening = setTimeout(next, opensAt - now)
        return
      }
    }
    while (running < (failures > 0 ? 1 : parallel)) {
      const queue = urgencies.map((each) => queues.get(each)!).find(({ length }) => length > 0)
      if (!queue) return
      running += 1
      queue.shift()!.start()
    }
  }

  /** Resolves when it is the turn of a request. @throws the last failure when its time is over */
  function turn(urgency: Urgency, until: number): Promise<void> {
    const queue = queues.get(urgency)!
    return new Promise((resolve, reject) => {
      const late = setTimeout(next, Math.max(until - performance.now(), 0) + 1)
      const leave = () => {
        clearTimeout(late)
        closing.removeEventListener('abort', waiting.giveUp)
        const at = queue.indexOf(waiting)
        if (at >= 0) queue.splice(at, 1)
      }
      const waiting: Waiting = {
        until,
        start() {
          leave()
          resolve()
        },
        giveUp() {
          leave()
          reject((lastFailure as Error | null) ?? unavailable(503))
        },
      }
      if (closing.aborted) return waiting.giveUp()
      closing.addEventListener('abort', waiting.giveUp, { once: true })
      queue.push(waiting)
      next()
    })
  }

  function works(): void {
    failures = 0
    failedAt = -Infinity
  }

  /** @param began when the failed request did: those that were under way together fail as one */
  function fails(err: unknown, began: number): void {
    lastFailure = err
    const now = performance.now()
    leftUntil = Math.max(leftUntil, now + pauseOf(err))
    if (began < failedAt && failures > 0) return
    failures += 1
    failedAt = now
    const pause = Math.min(pauses.first * 2 ** (failures - 1), pauses.longest)
    openAt = now + pause * (0.75 + Math.random() / 2)
  }

  return {
    async persist(path, { urgency, retryFor, tries: max = Infinity }, attempt) {
      const until = performance.now() + retryFor
      for (let tries = 1; ; tries += 1) {
        await turn(urgency, until).catch((err: unknown) => {
          throw worded(err, path)
        })
        const began = performance.now()
        try {
          const value = await attempt(retryFor)
          works()
          return value
        } catch (err) {
          if (isRefusal(err)) {
            works()
            throw err
          }
          // One broken reply says nothing about the others.
          const broken = isBroken(err)
          if (!broken && !closing.aborted) fails(err, began)
          const over = performance.now() > until - 50
          if (over || closing.aborted || tries >= (broken ? brokenTries : max)) {
            throw worded(err, path)
          }
          if (broken) await delay(pauses.first * 2 ** tries)
        } finally {
          running -= 1
          next()
        }
      }
    },
    isFailing: () => performance.now() < Math.max(failedAt + failureHolds, leftUntil),
  }
}
