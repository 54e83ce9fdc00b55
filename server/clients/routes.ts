import express, { Router, type Request, type RequestHandler, type Response } from 'express'
import { authenticateClient, getPanel, getSession } from '#shared/clients.ts'
import { isFailure } from '#shared/failures.ts'
import { entriesOf } from '#shared/form.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/result.ts'
import { codeMessages, destination } from '#shared/secret-code.ts'
import type { Http, Platform } from '../feature.ts'
import { onlyMethods } from '../http/endpoints.ts'
import { requestContextOf } from '../http/request-context.ts'
import type { Clients } from './clients.ts'
import { fileRoutes } from './file-routes.ts'
import { panelFor } from './panel.ts'
import { createSignIn, factsOf, type SignIn } from './sign-in.ts'

/** Secret codes, right or wrong; wrong ones are slowed down long before, by the answer itself. */
const codes = { name: 'codes', seconds: 60, most: 60 }

/** Signing in and out, the session, panels and their files. */
export function clientRoutes(platform: Platform, http: Http, clients: Clients): void {
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

  endpoints.serve(getSession, reading, (_, requestContext) => {
    const session = clients.sessionIn(requestContext)
    return session ? { signedIn: true as const, ...factsOf(session) } : { signedIn: false as const }
  })

  endpoints.serve(getPanel, reading, async ({ panel }, requestContext) => {
    const session = clients.sessionIn(requestContext)
    const isOwn = panel === undefined || panel === session?.panel
    return { panel: session && isOwn ? await panelFor(platform, clients, session) : null }
  })

  mount(formRoutes(signIn, limit(codes)))
  mount(fileRoutes(platform, http, clients))
}

/** Signing in and out by plain forms, and signing out by a call with any body or none. */
function formRoutes({ signIn, signOut }: SignIn, limit: RequestHandler): Router {
  const router = Router()
  const form = express.urlencoded({ extended: false, limit: 8 * 1024, parameterLimit: 10 })

  router.post(paths.clientZone(), limit, form, async (request: Request, response: Response) => {
    const { secretCode = '', name = '', next } = entriesOf(request.body as object | undefined)
    const wanted = destination(next)
    response.setHeader('Cache-Control', 'no-store')
    try {
      const { panel } = await signIn(secretCode, name, requestContextOf(response))
      response.redirect(303, toResult(wanted ?? paths.panel(panel)))
    } catch (error) {
      if (!isFailure(error) || !(error.failure in problems)) throw error
      const problem = problems[error.failure as keyof typeof problems]
      response.redirect(303, `${wanted ?? paths.clientZone()}?problem=${problem}#secret-code`)
    }
  })

  router.post('/api/logout', async (request: Request, response: Response) => {
    await signOut(requestContextOf(response))
    response.setHeader('Cache-Control', 'no-store')
    if (request.is('application/x-www-form-urlencoded')) response.redirect(303, paths.home())
    else response.json({ success: true })
  })
  router.all('/api/logout', onlyMethods(['POST']))
  return router
}

/** How the address of the form says what went wrong. */
const problems = { invalid: 'short', 'signed-out': 'wrong', 'too-many': 'wait' } as const
