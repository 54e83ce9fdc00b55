import { ipKeyGenerator, rateLimit, type AugmentedRequest, type Store } from 'express-rate-limit'
import type { RequestHandler } from 'express'
import { failure } from '#shared/failures.ts'
import { isSafe } from './guards.ts'
import { requestContextOf } from './request-context.ts'
import { createWindows } from './windows.ts'

/** The numbers of a limit. */
type Limit = {
  /** Length of the window in seconds. */
  seconds: number
  /** Requests let through in it, per client address. */
  most: number
  /** Requests that were refused for another reason do not count. */
  onlySuccessful?: boolean
  /** Requests that only read do not count (RFC 9110, 9.2.1). */
  onlyUnsafe?: boolean
}

/** The limits that all features share, by name; the numbers are per client address (IPv6: per /56). */
const shared = {
  /** Everything under /api that changes something. */
  write: { seconds: 60, most: 600, onlyUnsafe: true },
  /** Pages that are rendered for one visitor; those in the cache do not count. */
  pages: { seconds: 60, most: 600 },
  /** Reading through the API; pages in the browser do it on every navigation. */
  read: { seconds: 60, most: 1200 },
  /** Image sizes that are not on disk yet cost a core for a moment. */
  assets: { seconds: 60, most: 1200 },
} satisfies Record<string, Limit>

/** A limit that a feature brings along. */
export type RateLimit = Limit & {
  /** Routes with the same name share the limit. */
  name: string
}

/** The names of the limits that all features share. */
export type LimitName = keyof typeof shared

/** Express middleware that lets an address through so many times, and the same for what is no request. */
export type RateLimiter = RequestHandler & {
  /**
   * Counts once.
   * @param address of the client; empty for what the server does by itself, which has no limit
   * @throws failure `too-many` beyond the limit
   */
  count(address: string): Promise<void>
}

/** Gives the middleware of a limit: a shared one by its name, or one that a feature brings along. */
export type GetLimit = (rule: LimitName | RateLimit) => RateLimiter

/**
 * Makes limits as they are asked for, the same one for the same name. Each app has its own, so that
 * tests do not disturb each other.
 * @param options `limited: false` lets everything through, for benchmarks
 * @returns the function; it throws where one name comes with other numbers than before
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
  a.most === b.most &&
  (a.onlySuccessful ?? false) === (b.onlySuccessful ?? false) &&
  (a.onlyUnsafe ?? false) === (b.onlyUnsafe ?? false)

const unlimited = (): RateLimiter =>
  Object.assign(((_request, _response, next) => next()) satisfies RequestHandler, {
    count: async () => {},
  })

function createLimit({
  seconds,
  most,
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
    limit: most,
    store,
    standardHeaders: false,
    legacyHeaders: false,
    skipFailedRequests: onlySuccessful,
    skip: ({ method }) => onlyUnsafe && isSafe(method),
    keyGenerator: (_, response) => keyOf(requestContextOf(response).address),
    // What a proxy may say is settled by TRUST_PROXY; a header from another client is ignored.
    validate: { xForwardedForHeader: false, trustProxy: false, forwardedHeader: false },
    handler(request, _response, next) {
      next(tooMany((request as AugmentedRequest)['rateLimit']?.resetTime))
    },
  })
  return Object.assign(middleware, {
    async count(address: string) {
      if (address === '') return
      const { totalHits, resetTime } = await store.increment(keyOf(address))
      if (totalHits > most) throw tooMany(resetTime)
    },
  })
}

/** The counts of a limit, as express-rate-limit asks for them. */
function windowStore(
  windowMs: number,
): Pick<Store, 'increment' | 'decrement' | 'resetKey' | 'localKeys'> {
  const windows = createWindows({ ms: windowMs, clock: Date.now })
  return {
    increment(key) {
      const { count, endsAt } = windows.add(key)
      return { totalHits: count, resetTime: new Date(endsAt) }
    },
    decrement: windows.subtract,
    resetKey: windows.forget,
    localKeys: true,
  }
}
