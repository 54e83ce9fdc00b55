import type { RequestHandler } from 'express'
import { ipKeyGenerator, rateLimit, type AugmentedRequest, type Store } from 'express-rate-limit'
import { failure } from '#shared/failures.ts'
import { isSafe } from '../methods.ts'
import { requestContextOf } from '../request-context.ts'

/** The numbers of a limit. */
type Limit = {
  /** Length of the window in seconds. */
  seconds: number
  /** Requests allowed per window and client address. */
  max: number
  /** Only successful requests count. */
  onlySuccessful?: boolean
  /** Safe methods don't count (RFC 9110, 9.2.1). */
  onlyUnsafe?: boolean
}

/** The limits shared by all features, per client address (IPv6: per /56). */
const shared = {
  /** Everything under /api that changes something. */
  write: { seconds: 60, max: 600, onlyUnsafe: true },
  /** Pages rendered on request; cached ones don't count. */
  pages: { seconds: 60, max: 600 },
  /** API reads; the browser makes some on every navigation. */
  read: { seconds: 60, max: 1200 },
  /** Images that have to be resized first. */
  assets: { seconds: 60, max: 1200 },
} satisfies Record<string, Limit>

/** A limit of a feature's own. */
export type RateLimit = Limit & {
  /** Routes with the same name share the limit. */
  name: string
}

/** The names of the limits that all features share. */
export type LimitName = keyof typeof shared

/** Rate-limiting middleware; `count` does the same outside of requests. */
export type RateLimiter = RequestHandler & {
  /**
   * Counts once.
   * @param address of the client; empty for the server's own work, which has no limit
   * @throws failure `too-many` beyond the limit
   */
  count(address: string): Promise<void>
}

/** Returns the middleware of a shared limit, by name, or of a feature's own limit. */
export type GetLimit = (rule: LimitName | RateLimit) => RateLimiter

/**
 * Creates limits on first use, one per name. Each app has its own, so tests don't affect each
 * other.
 * @param options `limited: false` switches limits off, for benchmarks
 * @returns a function that throws if a name comes with different numbers than before
 */
export function createLimits({ limited = true }: { limited?: boolean } = {}): GetLimit {
  const made = new Map<string, { numbers: Limit; limiter: RateLimiter }>()
  return (rule) => {
    const name = typeof rule === 'string' ? rule : rule.name
    const numbers: Limit = typeof rule === 'string' ? shared[rule] : rule
    const known = made.get(name)
    if (known) {
      if (isSame(known.numbers, numbers)) return known.limiter
      throw new Error(`Two limits are named ${name}.`)
    }
    const limiter = limited ? createLimit(numbers) : unlimited()
    made.set(name, { numbers, limiter })
    return limiter
  }
}

const isSame = (a: Limit, b: Limit): boolean =>
  a.seconds === b.seconds &&
  a.max === b.max &&
  (a.onlySuccessful ?? false) === (b.onlySuccessful ?? false) &&
  (a.onlyUnsafe ?? false) === (b.onlyUnsafe ?? false)

const unlimited = (): RateLimiter =>
  Object.assign(((_request, _response, next) => next()) satisfies RequestHandler, {
    count: async () => {},
  })

function createLimit({
  seconds,
  max,
  onlySuccessful = false,
  onlyUnsafe = false,
}: Limit): RateLimiter {
  const store = windowStore(seconds * 1000)
  const keyOf = (address: string) => ipKeyGenerator(address, 56)
  const tooMany = (resetTime: Date | undefined) => {
    const wait = resetTime ? Math.ceil((resetTime.getTime() - Date.now()) / 1000) : seconds
    return failure('too-many', { retryAfter: Math.max(1, wait) })
  }
  const middleware = rateLimit({
    windowMs: seconds * 1000,
    limit: max,
    store,
    standardHeaders: false,
    legacyHeaders: false,
    skipFailedRequests: onlySuccessful,
    skip: ({ method }) => onlyUnsafe && isSafe(method),
    keyGenerator: (_, response) => keyOf(requestContextOf(response).address),
    validate: {
      // TRUST_PROXY decides which forwarded headers count.
      xForwardedForHeader: false,
      trustProxy: false,
      forwardedHeader: false,
      // All are made as the server starts; looking at the stack doubles what each of them costs.
      creationStack: false,
    },
    handler(request, _response, next) {
      next(tooMany((request as AugmentedRequest)['rateLimit']?.resetTime))
    },
  })
  return Object.assign(middleware, {
    async count(address: string) {
      if (address === '') return
      const { totalHits, resetTime } = await store.increment(keyOf(address))
      if (totalHits > max) throw tooMany(resetTime)
    },
  })
}

/**
 * The counts of a limit, as express-rate-limit asks for them. Windows are measured by a clock that is
 * never set: after a wrong one is put right, they would last for as long as it was ahead.
 */
function windowStore(
  windowMs: number,
): Pick<Store, 'increment' | 'decrement' | 'resetKey' | 'localKeys'> {
  const steady = () => performance.now()
  const windows = createWindows({ ms: windowMs, clock: steady })
  return {
    increment(key) {
      const { count, endsAt } = windows.add(key)
      return { totalHits: count, resetTime: new Date(Date.now() + endsAt - steady()) }
    },
    decrement: windows.subtract,
    resetKey: windows.forget,
    localKeys: true,
  }
}

/** Counts by key, such as a network, in time windows. */
export type Quota = {
  /**
   * Counts one more.
   * @returns 0 within the quota, else the seconds until the next window
   */
  take(key: string | number): number
}

/**
 * @param options `most` in so many `seconds` from the first one on
 */
export function createQuota({
  max,
  seconds,
  clock,
}: {
  max: number
  seconds: number
  clock: () => number
}): Quota {
  const windows = createWindows({ ms: seconds * 1000, clock })
  return {
    take(key) {
      const { count, endsAt } = windows.add(key)
      return count > max ? Math.ceil((endsAt - clock()) / 1000) : 0
    },
  }
}

/** Counts by key in time windows that start with the first count. */
type Windows = {
  /** Counts one more. @returns how many there are in the window, and when it ends */
  add(key: string | number): { count: number; endsAt: number }
  /** Takes one back. */
  subtract(key: string | number): void
  forget(key: string | number): void
}

/** Keys remembered; beyond that, the oldest window is dropped. */
const maxKeys = 20_000

/** Creates the counters. @param options `ms` is the length of a window */
function createWindows({ ms, clock }: { ms: number; clock: () => number }): Windows {
  const windows = new Map<string | number, { count: number; endsAt: number }>()
  return {
    add(key) {
      const now = clock()
      let window = windows.get(key)
      // One from a clock that was ahead and has been put right would last for as long as it was ahead.
      if (window) window.endsAt = Math.min(window.endsAt, now + ms)
      if (!window || window.endsAt <= now) {
        windows.delete(key)
        window = { count: 0, endsAt: now + ms }
        windows.set(key, window)
        const [oldest] = windows.keys()
        if (windows.size > maxKeys && oldest !== undefined) windows.delete(oldest)
      }
      window.count += 1
      return { ...window }
    },
    subtract(key) {
      const window = windows.get(key)
      if (window && window.count > 0) window.count -= 1
    },
    forget: (key) => void windows.delete(key),
  }
}
