import { ipKeyGenerator, MemoryStore, rateLimit } from 'express-rate-limit'
import type { RequestHandler } from 'express'
import { failure } from '#shared/failures.ts'
import { requestContextOf } from './request-context.ts'

type Limit = {
  /** Length of the window in seconds. */
  seconds: number
  /** Requests let through in it, per client address. */
  most: number
  /** Requests that were refused for another reason do not count. */
  onlySuccessful?: boolean
}

/** Every limit of the site, by name; the numbers are per client address (IPv6: per /56). */
const limits = {
  /** Everything under /api that changes something. */
  write: { seconds: 60, most: 600 },
  /** Tickets, beyond which a sender is told to wait. */
  save: { seconds: 600, most: 120, onlySuccessful: true },
  /** The mail calls: two for each ticket. */
  mail: { seconds: 600, most: 300 },
  /** Form proofs. */
  proof: { seconds: 600, most: 240 },
  /** Reading through the API; pages in the browser do it on every navigation. */
  read: { seconds: 60, most: 1200 },
  /** Image sizes that are not on disk yet cost a core for a moment. */
  assets: { seconds: 60, most: 1200 },
  /** The newsletter's forms and links. */
  subscribe: { seconds: 600, most: 60 },
  /** Unsubscribing, which one mail provider may do for many people at once. */
  leave: { seconds: 60, most: 600 },
  /** Decisions about cookies. */
  consent: { seconds: 600, most: 30 },
  /** Counts of pages, one for each that is opened. */
  collect: { seconds: 60, most: 240 },
  /** Making and changing short links. */
  links: { seconds: 60, most: 120 },
  /** Secret codes, right or wrong; wrong ones are slowed down long before, by the answer itself. */
  codes: { seconds: 60, most: 60 },
  /** Passwords of shared folders. */
  folderPassword: { seconds: 600, most: 30 },
} satisfies Record<string, Limit>

/** The names of {@link createLimits}. */
export type LimitName = keyof typeof limits

/** One middleware per named limit, each with a memory of its own. */
export type Limits = Readonly<Record<LimitName, RequestHandler>>

/**
 * Makes the named limits. Each app has its own, so that tests do not disturb each other.
 */
export function createLimits({ limited = true }: { limited?: boolean } = {}): Limits {
  return Object.fromEntries(
    Object.entries(limits).map(([name, limit]) => [name, limited ? createLimit(limit) : pass]),
  ) as Record<LimitName, RequestHandler>
}

const pass: RequestHandler = (_request, _response, next) => next()

function createLimit({ seconds, most, onlySuccessful = false }: Limit): RequestHandler {
  return rateLimit({
    windowMs: seconds * 1000,
    limit: most,
    store: new MemoryStore(),
    standardHeaders: false,
    legacyHeaders: false,
    skipFailedRequests: onlySuccessful,
    keyGenerator: (_, response) => ipKeyGenerator(requestContextOf(response).address, 56),
    // What a proxy may say is settled by TRUST_PROXY; a header from anybody else is ignored.
    validate: { xForwardedForHeader: false, trustProxy: false, forwardedHeader: false },
    handler(request, _response, next) {
      const { resetTime } = (request as unknown as { rateLimit: { resetTime?: Date } }).rateLimit
      const wait = resetTime ? Math.ceil((resetTime.getTime() - Date.now()) / 1000) : seconds
      next(failure('too-many', { retryAfter: Math.max(1, wait) }))
    },
  })
}
