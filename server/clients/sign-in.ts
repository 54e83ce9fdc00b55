import type { SessionFacts } from '#shared/clients/clients.ts'
import { counted } from '#shared/text/counted.ts'
import { failure, type Failure } from '#shared/failures.ts'
import { codeMessages, minCodeLength, type Scope } from '#shared/clients/secret-code.ts'
import { oneLine, plainLine } from '#shared/text/text.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import { clientNetwork } from '../http/connections/client-address.ts'
import { createAttempts } from '../http/limits/attempts.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Clients } from './clients.ts'
import type { Code } from './schema.ts'
import { sessionCookie, type ClientSession, type NewSession } from './sessions.ts'
import { BROWSER_MAP, getParser, OS_MAP } from 'bowser'

/** Longer texts aren't codes; they are not even hashed. */
const maxCodeLength = 200

/** Wrong numbers in a row after a right code from which staff should look. */
const alarmingNumbers = 10

/** Signing in and out. */
export type SignIn = ReturnType<typeof createSignIn>

/** What became of a code or of its number. */
type Begun =
  | { state: 'begun'; cookie: string; expiresAt: number; session: ClientSession }
  | { state: 'challenge'; token: string }
  | { state: 'wrong' }

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

  /** How a session of this browser begins. */
  const newSession = (who: string | null, requestContext: RequestContext): NewSession => ({
    who,
    before: cookies.valueIn(requestContext),
    now: clock(),
    network: clientNetwork(requestContext.address) || null,
    browser: browserName(requestContext.userAgent),
  })

  const welcome = (
    { cookie, expiresAt, session }: Extract<Begun, { state: 'begun' }>,
    now: number,
    requestContext: RequestContext,
  ): SessionFacts => {
    cookies.set(requestContext, cookie, expiresAt - now)
    log.info(
      { id: requestContext.id, clientId: session.clientId, codeId: session.codeId },
      'signed in',
    )
    return factsOf(session)
  }

  return {
    /**
     * Uses a secret code: a new session, whose cookie goes with the reply, in place of the
     * browser's old one.
     * @param name of the person, empty when not said
     * @throws invalid for too short a code; signed-out, always the same, for any that is not good;
     *   totp, with a challenge, for one that asks for a number; too-many while the address has to wait
     */
    async signIn(
      typed: string,
      name: string,
      requestContext: RequestContext,
    ): Promise<SessionFacts> {
      const code = typed.trim()
      const who = nameOf(name)
      if (Array.from(code).length < minCodeLength) throw tooShort()
      const forgive = attempts.begin(requestContext.address)
      const session = newSession(who, requestContext)
      const begun = await commit((tx) => beginSession(tx, clients, code, session)).catch(
        (error: unknown) => {
          // A database that is busy says nothing about the code.
          forgive()
          throw error
        },
      )
      if (begun.state === 'wrong') {
        attempts.failed()
        log.info({ id: requestContext.id }, 'wrong secret code')
        throw failure('signed-out', { message: codeMessages.wrong })
      }
      forgive()
      if (begun.state === 'challenge') throw askForNumber(begun.token, codeMessages.number)
      return welcome(begun, session.now, requestContext)
    },

    /**
     * Answers a challenge with a number of the authenticator app, or with a recovery code.
     * @param challenge the token that came with the right code
     * @throws invalid for what is neither; totp, with the same challenge, for a wrong one; signed-out
     *   once the challenge has ended; too-many while the address or the code's numbers have to wait
     */
    async confirm(
      challenge: string,
      typed: string,
      requestContext: RequestContext,
    ): Promise<SessionFacts> {
      const number = typed.trim().slice(0, maxCodeLength)
      if (number === '') {
        const errors = { number: codeMessages.number }
        throw failure('invalid', { message: codeMessages.number, errors })
      }
      const forgive = attempts.begin(requestContext.address)
      const session = newSession(null, requestContext)
      const answer = await commit((tx) =>
        answerChallenge(tx, clients, { challenge, number, session }),
      ).catch((error: unknown) => {
        forgive()
        throw error
      })
      if (answer.state === 'wrong') {
        attempts.failed()
        const { codeId, wrong, isLast } = answer
        const alert = wrong === alarmingNumbers
        const known = { id: requestContext.id, codeId, wrong }
        if (alert) log.error({ ...known, alert }, 'many wrong numbers after a right secret code')
        else log.info(known, 'wrong number of a second factor')
        throw isLast
          ? failure('signed-out', { message: codeMessages.tooManyNumbers })
          : askForNumber(challenge, codeMessages.wrongNumber)
      }
      forgive()
      if (answer.state === 'begun') return welcome(answer, session.now, requestContext)
      if (answer.state === 'wait') throw tooManyNumbers(answer.seconds)
      if (answer.state === 'unreadable') {
        log.error({ codeId: answer.codeId }, 'the second factor of a code cannot be read')
      }
      throw failure('signed-out', { message: codeMessages.late })
    },

    /**
     * Ends the browser's session, if it has one.
     * @param isEverywhere with every other session of its code
     */
    async signOut(requestContext: RequestContext, isEverywhere = false): Promise<void> {
      const session = clients.sessionIn(requestContext)
      const cookie = cookies.valueIn(requestContext)
      if (cookie !== undefined) {
        await commit((tx) => {
          clients.sessions.end(tx, cookie)
          if (!session) return
          const { clientId, codeId, who } = session
          if (isEverywhere) clients.sessions.endOf(tx, codeId, null)
          const detail = isEverywhere ? 'Signed out everywhere' : 'Signed out'
          clients.audit(tx, { clientId, codeId, who, kind: 'sign-out', detail })
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

/** Uses a code for a session, or for a challenge where it asks for a number. Call inside a transaction. */
function beginSession(tx: Transaction, clients: Clients, code: string, session: NewSession): Begun {
  const used = code.length > maxCodeLength ? null : clients.codes.use(tx, code)
  if (!used) return { state: 'wrong' }
  if (clients.factors.isOn(used.id)) {
    return { state: 'challenge', token: clients.challenges.begin(tx, used.id, session.who) }
  }
  return enter(tx, clients, used, { session, how: '' })
}

/** What became of a challenge. */
type Answer =
  | Extract<Begun, { state: 'begun' }>
  | { state: 'wrong'; codeId: number; wrong: number; isLast: boolean }
  | { state: 'wait'; seconds: number }
  | { state: 'unreadable'; codeId: number }
  | { state: 'ended' }

/** Takes the number for a challenge. Call inside a transaction; what is wrong is written down in it. */
function answerChallenge(
  tx: Transaction,
  clients: Clients,
  { challenge, number, session }: { challenge: string; number: string; session: NewSession },
): Answer {
  const asked = clients.challenges.find(challenge)
  const used = asked && clients.factors.use(tx, asked.codeId, number)
  if (!asked || !used) return { state: 'ended' }
  const { codeId, who } = asked
  if (used.state === 'unreadable') return { state: 'unreadable', codeId }
  if (used.state === 'wait') return used
  if (used.state === 'wrong') {
    const isLast = clients.challenges.fail(tx, asked)
    return { state: 'wrong', codeId, wrong: used.wrong, isLast }
  }
  clients.challenges.end(tx, asked)
  const code = clients.codes.finish(tx, codeId)
  if (!code) return { state: 'ended' }
  const left = `${used.recoveryLeft} ${used.recoveryLeft === 1 ? 'is' : 'are'} left`
  const how = used.isRecovery ? ` and a recovery code; ${left}` : ''
  return enter(tx, clients, code, { session: { ...session, who }, how })
}

/** Begins the session of a code that was used, and writes it down for its client. */
function enter(
  tx: Transaction,
  clients: Clients,
  { id, clientId, label }: Code,
  { session, how }: { session: NewSession; how: string },
) {
  clients.audit(tx, {
    clientId,
    codeId: id,
    who: session.who,
    kind: 'sign-in',
    detail: `Signed in${label ? ` with “${label}”` : how && ' with a code'}${how}`,
  })
  return { state: 'begun' as const, ...clients.sessions.begin(tx, id, session) }
}

const askForNumber = (challenge: string, message: string): Failure =>
  failure('totp', { message, details: { challenge } })

const tooShort = () =>
  failure('invalid', {
    message: codeMessages.short,
    errors: { secretCode: codeMessages.short },
  })

function tooManyNumbers(seconds: number): Failure {
  const minutes = Math.ceil(seconds / 60)
  const wait = seconds < 60 ? counted(seconds, 'second') : counted(minutes, 'minute')
  return failure('too-many', {
    message: `Too many wrong numbers. Please wait ${wait}, or use a recovery code.`,
    retryAfter: seconds,
  })
}

/** One line of at most 80 characters and none of them half, or null. What is open in it is closed after the cut. */
const nameOf = (text: string) => plainLine(Array.from(oneLine(text)).slice(0, 80).join('')) || null

/** What the browser may know of a session. */
export function factsOf({ name, panel, scopes, expiresAt }: ClientSession): SessionFacts {
  return {
    name,
    panel,
    scopes: Array.from<Scope>(scopes),
    expiresAt: new Date(expiresAt).toISOString(),
  }
}

/** Longer names of browsers are not even looked at; real ones have about 150 characters. */
const maxAgentLength = 400

/**
 * A browser in words for people, such as “Firefox on Windows”.
 * @param userAgent the header as it came, empty for none
 * @returns null for what isn't a browser that is known
 */
function browserName(userAgent: string): string | null {
  if (userAgent === '' || userAgent.length > maxAgentLength) return null
  const parsed = getParser(userAgent)
  // Bowser names what it doesn't know after the text, which is the visitor's.
  const known = new Set<string>([...Object.values(BROWSER_MAP), ...Object.values(OS_MAP)])
  const [browser, system] = [parsed.getBrowserName(), parsed.getOSName()]
  if (!known.has(browser)) return null
  return known.has(system) ? `${browser} on ${system}` : browser
}
