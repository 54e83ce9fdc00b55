import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { minuteMs } from '#shared/dates/durations.ts'
import type { Commit, Transaction } from '../db/group-commit.ts'
import type { Compose } from './compose.ts'
import { sendFailure, type Mailer } from './transport.ts'
import type { Mail } from './schema.ts'
import type { MailStore } from './store.ts'
import type { MailTemplate } from './template.ts'

/** Minutes to wait after the first failed attempts; an hour after every further one. */
const retryMinutes = [1, 5, 15] as const

/** Milliseconds to the next attempt at most. */
export const maxRetryMs = 60 * minuteMs

/** With {@link retryMinutes}, the last attempt is made 48 hours after the first. */
const maxAttempts = 51

/**
 * Where the fault is ours, the last attempt is made five days after the first (RFC 5321, 4.5.4.1): a
 * mail server that fails on Friday may be mended on Monday.
 */
const maxAttemptsOfOurs = 123

/** Milliseconds after which another process takes over the email of one that died. */
export const leaseMs = 30_000

/**
 * Milliseconds from a failed attempt to the next, or null when it was the last.
 * @param attempts made so far
 * @param isOurs whether the mail server was away or refused us, rather than put this email off
 */
export function backoff(attempts: number, isOurs: boolean): number | null {
  const most = isOurs ? maxAttemptsOfOurs : maxAttempts
  return attempts >= most ? null : (retryMinutes[attempts - 1] ?? 60) * minuteMs
}

/** What sending emails needs. */
export type DeliveryDeps = {
  mails: MailStore
  mailer: Mailer
  compose: Compose
  templates: () => ReadonlyMap<string, MailTemplate>
  commit: Commit
  clock: () => number
  isClockTrusted: () => boolean
  log: Logger
}

/**
 * Makes the function that composes and sends an email which is leased, renews the lease meanwhile, and
 * saves the outcome.
 * @param options `retryMs` between two tries to save it; `isRunning` false gives them up; `onTrouble`
 *   is called when the mail server is away, refuses us, or takes fewer emails in a time
 */
export function createDelivery({
  mails,
  mailer,
  compose,
  templates,
  commit,
  clock,
  isClockTrusted,
  log,
  retryMs,
  isRunning,
  onTrouble,
}: DeliveryDeps & {
  retryMs: number
  isRunning: () => boolean
  onTrouble: () => void
}): (mail: Mail) => Promise<void> {
  /** Saves the outcome, however long it takes: otherwise the email would go out again. */
  const commitWithRetry = async (work: (tx: Transaction) => void): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await commit(work)
      } catch (error) {
        if (!isRunning()) throw error
        // A disk can be full for hours.
        if (tries === 1) log.error({ err: error }, 'mail status not saved')
        await delay(retryMs)
      }
    }
  }

  return async (mail) => {
    const { id, kind, reference, attempts } = mail
    const about = { mail: id, kind, reference, attempts }
    const renewal = setInterval(() => {
      commit((tx) => mails.renew(tx, mail, leaseMs)).catch(() => {})
    }, leaseMs / 3)
    let recipient: string | null = null
    let end: (tx: Transaction) => void
    try {
      const composed = await compose(mail)
      if ('skip' in composed) {
        end = (tx) => mails.settle(tx, mail, 'dropped', composed.skip)
        log.info({ ...about, why: composed.skip }, 'mail dropped')
      } else {
        recipient = composed.to.address
        const reply = await mailer.send(composed, { isRepeat: attempts > 1 })
        end = (tx) => mails.settle(tx, mail, 'sent', reply.slice(0, 500), recipient)
        log.info(about, 'mail sent')
      }
    } catch (error) {
      // The reply may name the recipient, so only its code is logged.
      const { permanent, isOurs, isRecipients, isTooFast, reply, code } = sendFailure(error)
      if (isOurs || isTooFast) onTrouble()
      const next = permanent ? null : backoff(attempts, isOurs)
      // By a clock that jumps, two days may be a moment: no email is given up for that.
      const wait = permanent || isClockTrusted() ? next : (next ?? maxRetryMs)
      const dueAt = clock() + (wait ?? 0)
      end = (tx) => {
        if (wait === null) mails.settle(tx, mail, 'failed', reply, recipient)
        else mails.postpone(tx, mail, dueAt, reply, recipient)
        if (wait === null && isRecipients) templates().get(kind)?.undeliverable?.(tx, mail, reply)
      }
      // Not as `code`: the log hides that of a client.
      log.warn({ ...about, why: code, again: wait !== null }, 'mail not sent')
    } finally {
      clearInterval(renewal)
    }
    await commitWithRetry(end)
  }
}
