import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { Logger } from 'pino'
import type { ApiClient, Endpoint } from '#shared/endpoint.ts'
import { failure } from '#shared/failures.ts'
import { withTimeout } from '../timeout.ts'
import { asFailure, logFailure } from './failures.ts'
import { jsonBody } from './json-body.ts'
import type { GetLimit, LimitName, RateLimit, RateLimiter } from './limits.ts'
import { requireScope, sessionWith } from './scope.ts'
import { requestContextOf, type RequestContext } from './request-context.ts'

/** How long an answer that changes nothing may take, in milliseconds; what is late is `unavailable`. */
const readTimeout = 9_000

/** The server's function for an endpoint: valid input and the request, to a plain value or a thrown failure. */
export type Handler<Input, Value> = (
  input: Input,
  requestContext: RequestContext,
) => Value | Promise<Value>

/** What stands between a request and its handler. */
export type Rules = {
  /** A shared limit by its name, or a limit of the feature. */
  limit: LimitName | RateLimit | readonly (LimitName | RateLimit)[]
  /** `csrf` demands the double-submit token; `public` leaves it at the same-origin check. */
  access: 'public' | 'csrf'
  /** What the session must allow; asked before the input is looked at. */
  scope?: string
  /** Most bytes of a body; 32 kB where not said. */
  bytes?: number
}

/** A handler behind the parse and the scope of its endpoint. */
type Mounted = {
  limits: readonly RateLimiter[]
  handle(input: unknown, requestContext: RequestContext): unknown
}

/** How the path of every endpoint begins. */
export const apiPrefix = '/api/'

/** The table of endpoints, on its way to become a router. */
export type Endpoints = {
  /** Mounts a handler. */
  serve<Input, Value>(
    endpoint: Endpoint<Input, Value>,
    rules: Rules,
    handler: Handler<Input, Value>,
  ): void
  /**
   * The in-process {@link ApiClient} of a page on the server: same parse, same handler, no HTTP. A
   * page counts once against each limit of what it asks. It rejects with failures alone, in time for
   * a page; the text of any other error stays in the log.
   */
  apiFor(requestContext: RequestContext): ApiClient
  readonly router: Router
  /** Refuses methods that an address of the table does not take; made once the table is full. */
  otherMethods(): Router
}

/**
 * Makes an empty table. Requests run through it in one order: limit, access, scope, parse, handler, reply.
 * @param limit gives the limits that rules name
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
          const parsed = endpoint.input.safeParse(input)
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
      for (const [path, known] of methods) others.all(path, onlyMethods(known))
      return others
    },
    apiFor: createApi(mounted, log),
  }
}

/** The key of a mounted handler: the renderer is a bundle with endpoint objects of its own. */
const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** Makes the last handler of a route: parse, handler, reply. */
function replyOf<Input, Value>(
  { method, input: schema, output }: Endpoint<Input, Value>,
  handler: Handler<Input, Value>,
) {
  const reads = method === 'GET'
  return async (request: Request, response: Response): Promise<void> => {
    const requestContext = requestContextOf(response)
    const parsed = schema.safeParse({
      ...(reads ? request.query : (request.body as object)),
      ...request.params,
    })
    if (!parsed.success) throw invalid(parsed.error.issues)
    const answer = (async () => handler(parsed.data, requestContext))()
    const value = await (reads ? withTimeout(answer, readTimeout) : answer)
    response.setHeader('Cache-Control', 'no-store')
    response.status(output.status(value)).json(value)
  }
}

/** Makes {@link Endpoints.apiFor}. */
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
        // What stands under this method and path was mounted for an endpoint of the same types.
        return (await withTimeout(answer, readTimeout)) as Answer
      } catch (thrown) {
        const known = asFailure(thrown)
        if (known.failure === 'broken') logFailure(log, requestContext.id, known)
        throw known
      }
    }
  }

/** Refuses what an address does not take, and says what it takes (RFC 9110, 15.5.6). */
export function onlyMethods(methods: readonly string[]): RequestHandler {
  const allowed = methods
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .toSorted()
  return (request, response, next) => {
    response.setHeader('Allow', allowed.join(', '))
    if (request.method === 'OPTIONS') response.status(204).end()
    else next(failure('wrong-method'))
  }
}

/** The first complaint for each field, by the field's name. */
function invalid(issues: readonly { path: readonly PropertyKey[]; message: string }[]) {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues)
    errors[path.map(String).join('.') || 'request'] ??= message
  return failure('invalid', { errors })
}
