import type { SessionFacts } from '#shared/clients.ts'
import { failure } from '#shared/failures.ts'
import { codeMessages, shortestCode, type Scope } from '#shared/secret-code.ts'
import { plainLine } from '#shared/text.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import { createAttempts } from '../http/limits/attempts.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Clients } from './clients.ts'
import { sessionCookie, type ClientSession } from './sessions.ts'

/** Longer texts are no codes; they are not even hashed. */
const longestCode = 200

/** Signing in and out. */
export type SignIn = ReturnType<typeof createSignIn>

/** Signing in and out, for JSON and for forms alike. */
export function createSignIn(
  { commit, clock, config, log }: Pick<Platform, 'commit' | 'clock' | 'config' | 'log'>,
  clients: Clients,
) {
  const cookies = createSessionCookie(config)
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
      if (Array.from(code).length < shortestCode) throw tooShort()
      const forgive = attempts.begin(requestContext.address)
      const now = clock()
      const before = cookies.valueIn(requestContext)
      const begun = await commit((tx) =>
        beginSession(tx, clients, code, { who, before, now }),
      ).catch((error: unknown) => {
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
      cookies.set(requestContext, begun.cookie, begun.expiresAt - now)
      log.info(
        { id: requestContext.id, clientId: session.clientId, codeId: session.codeId },
        'signed in',
      )
      return factsOf(session)
    },

    /** Ends the browser's session, if it has one. */
    async signOut(requestContext: RequestContext): Promise<void> {
      const session = clients.sessionIn(requestContext)
      const cookie = cookies.valueIn(requestContext)
      if (cookie !== undefined) {
        await commit((tx) => {
          clients.sessions.end(tx, cookie)
          if (!session) return
          const { clientId, codeId, who } = session
          clients.audit(tx, { clientId, codeId, who, kind: 'sign-out', detail: 'Signed out' })
        })
      }
      cookies.set(requestContext, '', 0)
    },
  }
}

/** Reads and sets the session cookie. */
function createSessionCookie(config: Platform['config']) {
  const name = sessionCookie(config)
  const secure = config.siteUrl.startsWith('https:')
  return {
    /** What the browser sent; the cookie parser makes objects of cookies that look like JSON. */
    valueIn({ cookies }: RequestContext): string | undefined {
      const value = cookies[name]
      return typeof value === 'string' ? value : undefined
    },
    set(requestContext: RequestContext, value: string, maxAge: number): void {
      requestContext.setCookie(name, value, {
        httpOnly: true,
        sameSite: 'lax',
        secure,
        path: '/',
        maxAge,
      })
    },
  }
}

/** Uses a code for a session. Call inside a transaction. @returns null where the code is not good */
function beginSession(
  tx: Transaction,
  clients: Clients,
  code: string,
  session: Parameters<Clients['sessions']['begin']>[2],
) {
  const used = code.length > longestCode ? null : clients.codes.use(tx, code)
  if (!used) return null
  clients.audit(tx, {
    clientId: used.clientId,
    codeId: used.id,
    who: session.who,
    kind: 'sign-in',
    detail: used.label ? `Signed in with “${used.label}”` : 'Signed in',
  })
  return clients.sessions.begin(tx, used.id, session)
}

const tooShort = () =>
  failure('invalid', {
    message: codeMessages.short,
    errors: { secretCode: codeMessages.short },
  })

/** One line of at most 80 characters, or null. */
const nameOf = (text: string) => plainLine(text).slice(0, 80) || null

/** What the browser may know of a session. */
export function factsOf({ name, panel, scopes, expiresAt }: ClientSession): SessionFacts {
  return {
    name,
    panel,
    scopes: Array.from<Scope>(scopes),
    expiresAt: new Date(expiresAt).toISOString(),
  }
}
