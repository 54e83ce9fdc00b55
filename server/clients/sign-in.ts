import type { SessionFacts } from '#shared/clients.ts'
import { failure } from '#shared/failures.ts'
import { codeMessages, shortestCode, type Scope } from '#shared/secret-code.ts'
import { oneLine } from '#shared/text.ts'
import type { Platform } from '../feature.ts'
import { createAttempts } from '../http/attempts.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Clients } from './clients.ts'
import { sessionCookie, type ClientSession } from './sessions.ts'

/** Longer texts are no codes; they are not even hashed. */
const longestCode = 200

/** Signing in and out. */
export type SignIn = ReturnType<typeof createSignIn>

/** Makes the acts of signing in and out, for JSON and for forms alike. */
export function createSignIn(
  { commit, clock, config, log }: Pick<Platform, 'commit' | 'clock' | 'config' | 'log'>,
  clients: Clients,
) {
  const cookieName = sessionCookie(config)
  const secure = config.siteUrl.startsWith('https:')
  const setCookie = (requestContext: RequestContext, value: string, maxAge: number) =>
    requestContext.setCookie(cookieName, value, {
      httpOnly: true,
      sameSite: 'lax',
      secure,
      path: '/',
      maxAge,
    })
  const attempts = createAttempts({
    secrets: 'codes',
    clock,
    alert: (failures) =>
      log.error({ failures, alert: true }, 'many wrong secret codes within an hour'),
  })

  return {
    /**
     * Uses a secret code: a new session, whose cookie goes with the reply, in place of the
     * browser's old one.
     * @param name of the person, empty when not said
     * @throws invalid for too short a code; signed-out, always the same, for any that is not good;
     *   too-many while the address has to wait
     */
    async signIn(
      typed: string,
      name: string,
      requestContext: RequestContext,
    ): Promise<SessionFacts> {
      const code = typed.trim()
      const who = nameOf(name)
      if (Array.from(code).length < shortestCode) {
        throw failure('invalid', {
          message: codeMessages.short,
          errors: { secretCode: codeMessages.short },
        })
      }
      const forgive = attempts.begin(requestContext.address)
      const now = clock()
      const before = requestContext.cookies[cookieName]
      const begun = await commit((tx) => {
        const used = code.length > longestCode ? null : clients.codes.use(tx, code)
        if (!used) return null
        clients.audit(tx, {
          clientId: used.clientId,
          codeId: used.id,
          who,
          kind: 'sign-in',
          detail: used.label ? `Signed in with “${used.label}”` : 'Signed in',
        })
        return clients.sessions.begin(tx, used.id, {
          who,
          before: typeof before === 'string' ? before : undefined,
          now,
        })
      }).catch((error: unknown) => {
        // A database that is busy says nothing about the code.
        forgive()
        throw error
      })
      if (!begun) {
        attempts.failed()
        log.info({ id: requestContext.id }, 'wrong secret code')
        throw failure('signed-out', { message: codeMessages.wrong })
      }
      forgive()
      const session = clients.sessionOf(begun.cookie, now)!
      setCookie(requestContext, begun.cookie, begun.expiresAt - now)
      log.info(
        { id: requestContext.id, clientId: session.clientId, codeId: session.codeId },
        'signed in',
      )
      return factsOf(session)
    },

    /** Ends the browser's session, if it has one. */
    async signOut(requestContext: RequestContext): Promise<void> {
      const session = clients.sessionIn(requestContext)
      const cookie = requestContext.cookies[cookieName]
      if (typeof cookie === 'string') {
        await commit((tx) => {
          clients.sessions.end(tx, cookie)
          if (!session) return
          const { clientId, codeId, who } = session
          clients.audit(tx, { clientId, codeId, who, kind: 'sign-out', detail: 'Signed out' })
        })
      }
      setCookie(requestContext, '', 0)
    },
  }
}

/** One line of at most 80 characters, or null. */
const nameOf = (text: string) => oneLine(text).slice(0, 80) || null

/** What the browser may know of a session. */
export function factsOf({ name, panel, scopes, expiresAt }: ClientSession): SessionFacts {
  return {
    name,
    panel,
    scopes: Array.from<Scope>(scopes),
    expiresAt: new Date(expiresAt).toISOString(),
  }
}
