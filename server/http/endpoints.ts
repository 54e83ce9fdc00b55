import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { Logger } from 'pino'
import type { ApiClient, Endpoint, Issue } from '#shared/endpoint.ts'
import { failure } from '#shared/failures.ts'
import { fieldErrors } from '#shared/forms/form.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import type { GetLimit, LimitName, RateLimit, RateLimiter } from './limits/limits.ts'
import { asFailure, logFailure } from './replies/failures.ts'
import { allowMethods } from './methods.ts'
import { jsonBody } from './request-body.ts'
import {
  requireScope,
  sessionWith,
  requestContextOf,
  type RequestContext,
} from './request-context.ts'

/** Milliseconds that a safe request may take; later it is `unavailable`. */
const readTimeout = 9_000

/** An endpoint's implementation: takes valid input and the request context; returns a value or throws a failure. */
export type Handler<Input, Value> = (
  input: Input,
  requestContext: RequestContext,
) => Value | Promise<Value>

/** What a request must pass before its handler. */
export type Rules = {
  /** A shared limit by name, or the feature's own. */
  limit: LimitName | RateLimit | readonly (LimitName | RateLimit)[]
  /** `csrf` requires the double-submit token; `public` only the same-origin check. */
  access: 'public' | 'csrf'
  /** The scope that the session needs; checked before the input. */
  scope?: string
  /** Maximum body size in bytes; default 32 kB. */
  bytes?: number
}

/** A handler with the scope check and parse of its endpoint. */
type Mounted = {
  limits: readonly RateLimiter[]
  handle(input: unknown, requestContext: RequestContext): unknown
}

/** Prefix of all endpoint paths. */
export const apiPrefix = '/api/'

/** The table of endpoints. */
export type Endpoints = {
  /** Mounts a handler. */
  serve<Input, Value>(
    endpoint: Endpoint<Input, Value>,
    rules: Rules,
    handler: Handler<Input, Value>,
  ): void
  /**
   * The in-process {@link ApiClient} of a page on the server: same parse, same handler, no HTTP. A
   * page counts once against each limit it touches. Rejects only with failures, early enough for a
   * page; any other error's text stays in the log.
   */
  apiFor(requestContext: RequestContext): ApiClient
  readonly router: Router
  /** Middleware that answers OPTIONS, and 405 to other methods; create it once the table is complete. */
  otherMethods(): Router
}

/**
 * Creates an empty table. Requests pass in this order: limit, access, scope, parse, handler, reply.
 * @param csrf the middleware behind `access: 'csrf'`
 */
export function createEndpoints({
  limit,
  csrf,
  log,
}: {
  limit: GetLimit
  csrf: RequestHandler
  log: Logger
}): Endpoints {
  const router = Router({ caseSensitive: true, strict: true })
  // Or Express answers it, with 200 and a text, before what answers for the other methods.
  router.options('/{*path}', (_request, _response, next) => next('router'))
  const mounted = new Map<string, Mounted>()

  return {
    router,
    serve(endpoint, rules, handler) {
      if (!endpoint.path.startsWith(apiPrefix))
        throw new Error(`${endpoint.path} is not in the API.`)
      const limiters = [rules.limit].flat().map(limit)
      mounted.set(keyOf(endpoint), {
        limits: limiters,
        handle(input, requestContext) {
          if (rules.scope) sessionWith(rules.scope, requestContext)
          const parsed = endpoint.input.safeParse(input, inOurWords)
          if (!parsed.success) throw invalid(parsed.error.issues)
          return handler(parsed.data, requestContext)
        },
      })
      router[endpoint.method.toLowerCase() as 'get' | 'post'](
        endpoint.path,
        ...limiters,
        ...(rules.access === 'csrf' ? [csrf] : []),
        ...(rules.scope ? [requireScope(rules.scope)] : []),
        ...(endpoint.method === 'GET' ? [] : jsonBody(rules.bytes ?? 32 * 1024)),
        replyOf(endpoint, handler),
      )
    },
    otherMethods() {
      const methods = new Map<string, string[]>()
      for (const name of mounted.keys()) {
        const [method = '', path = ''] = name.split(' ')
        methods.set(path, [...(methods.get(path) ?? []), method])
      }
      const others = Router({ caseSensitive: true, strict: true })
      for (const [path, known] of methods) others.all(path, allowMethods(known))
      return others
    },
    apiFor: createApi(mounted, log),
  }
}

/** A handler's key; the renderer is a separate bundle with its own endpoint objects. */
const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** The last step of a route: parse, handler, reply. */
function replyOf<Input, Value>(
  { method, input: schema, output }: Endpoint<Input, Value>,
  handler: Handler<Input, Value>,
) {
  const reads = method === 'GET'
  return async (request: Request, response: Response): Promise<void> => {
    const requestContext = requestContextOf(response)
    const parsed = schema.safeParse(
      {
        ...(reads ? request.query : (request.body as object)),
        ...request.params,
      },
      inOurWords,
    )
    if (!parsed.success) throw invalid(parsed.error.issues)
    const answer = (async () => handler(parsed.data, requestContext))()
    const value = await (reads ? withTimeout(answer, readTimeout) : answer)
    response.setHeader('Cache-Control', 'no-store')
    response.status(output.status(value)).json(value)
  }
}

/** Creates {@link Endpoints.apiFor}. */
const createApi =
  (mounted: ReadonlyMap<string, Mounted>, log: Logger): Endpoints['apiFor'] =>
  (requestContext) => {
    const counted = new Map<RateLimiter, Promise<void>>()
    const count = (limiter: RateLimiter) => {
      const known = counted.get(limiter) ?? limiter.count(requestContext.address)
      counted.set(limiter, known)
      return known
    }
    return async <Input, Answer>(endpoint: Endpoint<Input, Answer>, input: Input) => {
      const found = mounted.get(keyOf(endpoint))
      if (!found) throw new Error(`No handler is mounted for ${keyOf(endpoint)}.`)
      try {
        await Promise.all(found.limits.map(count))
        const answer = (async () => found.handle(input, requestContext))()
        // Whatever is mounted under this method and path has the endpoint's types.
        return (await withTimeout(answer, readTimeout)) as Answer
      } catch (thrown) {
        const known = asFailure(thrown)
        if (known.failure === 'broken') logFailure(log, requestContext.id, known)
        throw known
      }
    }
  }

/** The schema library's own words name types of JavaScript, which help no one who calls the site. */
const inOurWords = {
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'This is missing' : 'This isn’t valid',
}

const invalid = (issues: readonly Issue[]) => failure('invalid', { errors: fieldErrors(issues) })
