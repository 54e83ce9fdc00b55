import express, { Router, type Request, type RequestHandler, type Response } from 'express'
import { authenticateClient, confirmSignIn, getPanel, getSession } from '#shared/clients/clients.ts'
import { isFailure, failure } from '#shared/failures.ts'
import { entriesOf } from '#shared/forms/form.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { codeMessages, destination } from '#shared/clients/secret-code.ts'
import type { Http, Platform } from '../feature.ts'
import { allowMethods } from '../http/methods.ts'
import { cookieName, requestContextOf, type RequestContext } from '../http/request-context.ts'
import type { Clients } from './clients.ts'
import { fileRoutes } from './file-routes.ts'
import { panelFor } from './panel.ts'
import { challengeMs } from './second-factor/challenges.ts'
import type { SessionActs } from './session-acts.ts'
import { createSignIn, factsOf, type SignIn } from './sign-in.ts'
import { endSessions, getSessions, type SessionLine } from '#shared/clients/sessions.ts'
import type { ClientSession, ListedSession } from './sessions.ts'

/** Secret codes, right or wrong; wrong ones are slowed down long before, by the answer itself. */
const codes = { name: 'codes', seconds: 60, max: 60 }

/** Signing in and out, the session, panels and their files. */
export function clientRoutes(
  platform: Platform,
  http: Http,
  { clients, sessionActs }: { clients: Clients; sessionActs: SessionActs },
): void {
  const { endpoints, limit, mount } = http
  const signIn = createSignIn(platform, clients)
  const reading = { limit: 'read', access: 'public' } as const

  endpoints.serve(
    authenticateClient,
    { limit: codes, access: 'public' },
    async ({ secretCode, name = '' }, requestContext) => ({
      success: true as const,
      message: codeMessages.right,
      data: await signIn.signIn(secretCode, name, requestContext),
    }),
  )

  const challenges = createChallengeCookie(platform.config)

  endpoints.serve(
    confirmSignIn,
    { limit: codes, access: 'public' },
    async ({ challenge = '', number }, requestContext) => {
      const waiting = challenges.valueIn(requestContext)
      const data = await signIn.confirm(challenge || waiting, number, requestContext)
      if (waiting) challenges.set(requestContext, '')
      return { success: true as const, message: codeMessages.right, data }
    },
  )

  endpoints.serve(getSession, reading, (_, requestContext) => {
    const session = clients.sessionIn(requestContext)
    return session ? { signedIn: true as const, ...factsOf(session) } : { signedIn: false as const }
  })

  endpoints.serve(getPanel, reading, async ({ panel }, requestContext) => {
    const session = clients.sessionIn(requestContext)
    const isOwn = panel === undefined || panel === session?.panel
    return { panel: session && isOwn ? await panelFor(platform, clients, session) : null }
  })

  sessionRoutes(http, { clients, sessionActs })
  mount(formRoutes(signIn, challenges, limit(codes)))
  mount(fileRoutes(platform, http, clients))
}

/**
 * The cookie of a right code that waits for its number: without scripts neither the code nor the
 * challenge is in the page or its address.
 */
function createChallengeCookie(config: Platform['config']) {
  const secure = config.siteUrl.startsWith('https:')
  const name = cookieName('sign_in', { secure })
  const options = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const
  return {
    valueIn({ cookies }: RequestContext): string {
      const value: unknown = cookies[name]
      return typeof value === 'string' ? value : ''
    },
    set: (requestContext: RequestContext, token: string): void =>
      requestContext.setCookie(name, token, { ...options, maxAge: token ? challengeMs : 0 }),
  }
}

/** Signing in and out by plain forms, and signing out by a call with any body or none. */
function formRoutes(
  { signIn, confirm, signOut }: SignIn,
  challenges: ReturnType<typeof createChallengeCookie>,
  limit: RequestHandler,
): Router {
  const router = Router({ caseSensitive: true })
  const form = express.urlencoded({ extended: false, limit: 8 * 1024, parameterLimit: 10 })

  router.post(paths.clientZone(), limit, form, async (request: Request, response: Response) => {
    const sent = entriesOf(request.body as object | undefined)
    const { secretCode = '', name = '', number, next } = sent
    const wanted = destination(next)
    const requestContext = requestContextOf(response)
    const waiting = challenges.valueIn(requestContext)
    response.setHeader('Cache-Control', 'no-store')
    try {
      const { panel } =
        number === undefined
          ? await signIn(secretCode, name, requestContext)
          : await confirm(waiting, number, requestContext)
      if (waiting) challenges.set(requestContext, '')
      response.redirect(303, toResult(wanted ?? paths.panel(panel)))
    } catch (error) {
      if (!isFailure(error) || !(error.failure in problems)) throw error
      const isNumber = number !== undefined
      const problem = (isNumber ? numberProblems : problems)[error.failure as keyof typeof problems]
      const challenge = error.details?.challenge
      if (!isNumber && typeof challenge === 'string') challenges.set(requestContext, challenge)
      else if (error.failure === 'signed-out' && waiting) challenges.set(requestContext, '')
      const page = wanted ?? paths.clientZone()
      const joint = page.includes('?') ? '&' : '?'
      response.redirect(303, `${page}${joint}problem=${problem}#secret-code`)
    }
  })

  router.all(paths.clientZone(), allowMethods(['GET', 'POST']))

  router.post('/api/logout', async (request: Request, response: Response) => {
    await signOut(requestContextOf(response), 'everywhere' in request.query)
    response.setHeader('Cache-Control', 'no-store')
    if (request.is('application/x-www-form-urlencoded')) response.redirect(303, paths.home())
    else response.json({ success: true })
  })
  router.all('/api/logout', allowMethods(['POST']))
  return router
}

/** How the address of the form says what went wrong. */
const problems = {
  invalid: 'short',
  'signed-out': 'wrong',
  totp: 'number',
  'too-many': 'wait',
} as const
const numberProblems: Record<keyof typeof problems, string> = {
  invalid: 'number',
  'signed-out': 'late',
  totp: 'wrong-number',
  'too-many': 'wait-number',
}

/** Sessions at the desk (docs/contract.md, Desk). */
function sessionRoutes(
  { endpoints }: Http,
  { clients, sessionActs }: { clients: Clients; sessionActs: SessionActs },
): void {
  const mine = (requestContext: RequestContext): ClientSession => {
    const session = clients.sessionIn(requestContext)
    if (!session) throw failure('signed-out')
    return session
  }

  endpoints.serve(
    getSessions,
    { limit: 'read', access: 'public', scope: 'desk' },
    (_, requestContext) => {
      const session = mine(requestContext)
      const { own, others } = sessionActs.visibleTo(session)
      const line = lineFor(session)
      return {
        own: own.map(line),
        others: session.scopes.has('ops') ? others.map(line) : null,
      }
    },
  )

  endpoints.serve(
    endSessions,
    { limit: 'read', access: 'csrf', scope: 'desk' },
    async ({ session: which }, requestContext) => {
      const session = mine(requestContext)
      if (which === 'others') {
        return { success: true as const, ended: await sessionActs.endOthers(session) }
      }
      await sessionActs.endVisible(Number(which), session)
      return { success: true as const, ended: 1 }
    },
  )
}

const iso = (at: number) => new Date(at).toISOString()

/** How a session is shown to someone. */
const lineFor =
  (asking: ClientSession) =>
  ({ id, who, label, name, createdAt, seenAt, network, browser }: ListedSession): SessionLine => ({
    id,
    who: who ?? (label || name),
    label,
    since: iso(createdAt),
    lastUsed: iso(seenAt),
    network,
    browser,
    isThis: id === asking.id,
  })
