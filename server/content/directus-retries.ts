import { setTimeout as delay } from 'node:timers/promises'
import { isBroken, isRefusal, worded } from './directus-replies.ts'

/** Asks again after what may pass, and remembers whether it did. */
export type Retries = {
  /**
   * Tries until it works, is refused for good, or no time is left.
   * @param retryFor milliseconds for which a failed try is followed by another
   * @param attempt gets the milliseconds that are left
   * @throws a refusal, or failure `unavailable` that names the path
   */
  persist<Value>(
    path: string,
    retryFor: number,
    attempt: (left: number) => Promise<Value>,
  ): Promise<Value>
  /** Says that a try failed that is not followed by another. */
  failed(): void
  /** Whether the service failed a moment ago, so that waiting for it is no use. */
  isFailing(): boolean
}

/** How long a failure says something about the next try, in milliseconds. */
const failureHolds = 5_000

/** Makes retries that know of no failure. @param closing ends the waiting */
export function createRetries(closing: AbortSignal): Retries {
  let failedAt = -Infinity
  const failed = () => {
    failedAt = performance.now()
  }

  return {
    async persist(path, retryFor, attempt) {
      const until = performance.now() + retryFor
      for (let tries = 0; ; tries += 1) {
        try {
          const value = await attempt(Math.max(until - performance.now(), 100))
          failedAt = -Infinity
          return value
        } catch (err) {
          const wait = Math.min(100 * 2 ** tries, 1_500) * (0.75 + Math.random() / 2)
          const over = performance.now() + wait > until - 50
          if (isRefusal(err)) {
            failedAt = -Infinity
            throw err
          }
          const hopeless = tries >= 2 && isBroken(err)
          if (over || hopeless || closing.aborted) {
            // One broken file says nothing about the others.
            if (!isBroken(err)) failed()
            throw worded(err, path)
          }
          await delay(wait, undefined, { signal: closing, ref: false }).catch(() => {})
        }
      }
    },
    failed,
    isFailing: () => performance.now() - failedAt < failureHolds,
  }
}
