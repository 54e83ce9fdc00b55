import express, {
  Router,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import type { Call, Endpoint } from '#shared/endpoint.ts'
import { failure } from '#shared/failures.ts'
import type { Scope } from '#shared/secret-code.ts'
import type { LimitName, Limits } from './limits.ts'
import { requireScope, sessionWith } from './scope.ts'
import { visitOf, type Visit } from './visit.ts'

/** The server's function for an endpoint: valid input and the visit, to a plain value or a thrown failure. */
export type Answer<Input, Value> = (input: Input, visit: Visit) => Value | Promise<Value>

/** What stands between a request and its answer. */
export type Rules = {
  limit: LimitName | readonly LimitName[]
  /** `csrf` demands the double-submit token; `public` leaves it at the same-origin check. */
  access: 'public' | 'csrf'
  /** What the visitor's secret code must open; asked before the input is looked at. */
  scope?: Scope
  /** Most bytes of a body; 32 kB where not said. */
  bytes?: number
}

/** The table of endpoints, on its way to become a router. */
export type Endpoints = {
  /** Mounts an answer. */
  serve<Input, Value>(
    endpoint: Endpoint<Input, Value>,
    rules: Rules,
    answer: Answer<Input, Value>,
  ): void
  /** The in-process {@link Call} of a page on the server: same parse, same answer, no HTTP. */
  callFor(visit: Visit): Call
  readonly router: Router
}

/**
 * Makes an empty table. Requests run through it in one order: limit, access, scope, parse, answer, reply.
 * @param limits the named limits
 * @param csrf the middleware behind `access: 'csrf'`
 */
export function createEndpoints({
  limits,
  csrf,
}: {
  limits: Limits
  csrf: RequestHandler
}): Endpoints {
  const router = Router({ caseSensitive: true, strict: true })
  // Keyed by method and path: the renderer is a bundle with endpoint objects of its own.
  const answers = new Map<string, (input: unknown, visit: Visit) => unknown>()
  const key = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

  return {
    router,
    serve(endpoint, rules, answer) {
      const { input: schema, answer: gives } = endpoint
      answers.set(key(endpoint), (input, visit) => {
        if (rules.scope) sessionWith(rules.scope, visit)
        const parsed = schema.safeParse(input)
        if (!parsed.success) throw invalid(parsed.error.issues)
        return answer(parsed.data, visit)
      })
      const reads = endpoint.method === 'GET'
      const handle = async (request: Request, response: Response) => {
        const visit = visitOf(response)
        const parsed = schema.safeParse({
          ...(reads ? request.query : (request.body as object)),
          ...request.params,
        })
        if (!parsed.success) throw invalid(parsed.error.issues)
        const value = await answer(parsed.data, visit)
        response.setHeader('Cache-Control', 'no-store')
        response.status(gives.status(value)).json(value)
      }
      router[endpoint.method.toLowerCase() as 'get' | 'post'](
        endpoint.path,
        ...[rules.limit].flat().map((name) => limits[name]),
        ...(rules.access === 'csrf' ? [csrf] : []),
        ...(rules.scope ? [requireScope(rules.scope)] : []),
        ...(reads ? [] : jsonBody(rules.bytes ?? 32 * 1024)),
        handle,
      )
    },
    callFor: (visit) => async (endpoint, input) => {
      const answer = answers.get(key(endpoint))
      if (!answer) throw new Error(`No answer is mounted for ${key(endpoint)}.`)
      return (await answer(input, visit)) as never
    },
  }
}

/** A JSON object and nothing else; anything else is told apart as 400, 413 or 415. */
function jsonBody(bytes: number): RequestHandler[] {
  return [
    (request: Request, _: Response, next: NextFunction) => {
      next(request.is('application/json') ? undefined : failure('wrong-type'))
    },
    express.json({ limit: bytes, strict: true }),
    (request: Request, _: Response, next: NextFunction) => {
      const isObject = request.body instanceof Object && !Array.isArray(request.body)
      next(
        isObject
          ? undefined
          : failure('malformed', { message: 'The request body must be a JSON object.' }),
      )
    },
  ]
}

/** The first complaint for each field, by the field's name. */
function invalid(issues: readonly { path: readonly PropertyKey[]; message: string }[]) {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues)
    errors[path.map(String).join('.') || 'request'] ??= message
  return failure('invalid', { errors })
}
