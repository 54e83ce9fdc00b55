import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Commit, Transaction } from '../db/group-commit.ts'
import { waitAtMost } from '../timeout.ts'
import type { Compose } from './compose.ts'
import { sendFailure, type Mailer } from './mailer.ts'
import type { Mail } from './mail.ts'
import type { MailStore } from './store.ts'

/** Works through the queued mails. */
export type Outbox = {
  /** Starts to send, and to look for mails that other processes queued. Twice is harmless. */
  start(): void
  /** Sends no further mail and waits a few seconds for those on their way. */
  stop(): Promise<void>
  /** Looks at once; called after something was queued. Does nothing while stopped. */
  wake(): void
  /** How many mails wait or have failed, and since when (milliseconds) the oldest waits. */
  counts(): { queued: number; failed: number; oldest: number | null }
}

const minute = 60_000

/** Minutes to wait after the first failed attempts; an hour after every further one. */
const retryMinutes = [1, 5, 15] as const

/** With {@link retryMinutes}, the last attempt is made 48 hours after the first. */
const mostAttempts = 51

/** Mails on their way at the same time. */
const mostWorkers = 2

/** Milliseconds after which another process takes over the mail of one that died. */
const leaseMs = 30_000

/** Milliseconds that a stop waits for mails on their way. */
const stopTimeout = 4_000

/**
 * Milliseconds from a failed attempt to the next, or null when it was the last.
 * @param attempts made so far
 */
export function backoff(attempts: number): number | null {
  return attempts >= mostAttempts ? null : (retryMinutes[attempts - 1] ?? 60) * minute
}

/**
 * Makes the outbox. A mail is taken with a lease that is renewed while it is on its way, so two
 * processes never send the same one; a process that dies between the server's yes and our mark
 * is the only way to a repeat, and that carries the same Message-ID.
 * @param pollMs milliseconds between two looks
 */
export function createOutbox({
  mails,
  mailer,
  compose,
  commit,
  clock,
  log,
  pollMs = 1000,
}: {
  mails: MailStore
  mailer: Mailer
  compose: Compose
  commit: Commit
  clock: () => number
  log: Logger
  pollMs?: number
}): Outbox {
  const busy = new Map<number, Promise<void>>()
  let timer: ReturnType<typeof setInterval> | null = null
  let active = 0
  const running = () => timer !== null

  /** Writes down what has become of a mail, however long it takes: otherwise it would go out again. */
  const commitWithRetry = async (work: (tx: Transaction) => void): Promise<void> => {
    for (;;) {
      try {
        return await commit(work)
      } catch (error) {
        if (!running()) throw error
        log.error({ err: error }, 'mail status not saved')
        await delay(pollMs)
      }
    }
  }

  const deliver = async (mail: Mail) => {
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
        const reply = await mailer.send(composed)
        end = (tx) => mails.settle(tx, mail, 'sent', reply.slice(0, 500), recipient)
        log.info(about, 'mail sent')
      }
    } catch (error) {
      // The reply may name the recipient, so only its code is logged.
      const { permanent, reply, code } = sendFailure(error)
      const wait = permanent ? null : backoff(attempts)
      const dueAt = clock() + (wait ?? 0)
      end = (tx) =>
        wait === null
          ? mails.settle(tx, mail, 'failed', reply, recipient)
          : mails.postpone(tx, mail, dueAt, reply, recipient)
      // Not as `code`: the log hides that of a client.
      log.warn({ ...about, why: code, again: wait !== null }, 'mail not sent')
    } finally {
      clearInterval(renewal)
    }
    await commitWithRetry(end)
  }

  const worker = async () => {
    while (running() && mails.isDue()) {
      const mail = await commit((tx) => mails.lease(tx, leaseMs, [...busy.keys()]))
      if (!mail) return
      const delivery = deliver(mail).finally(() => busy.delete(mail.id))
      busy.set(mail.id, delivery)
      await delivery
    }
  }

  const pump = () => {
    while (running() && active < mostWorkers) {
      active += 1
      worker()
        .catch((error: unknown) => log.error({ err: error }, 'queued mails not leased'))
        .finally(() => (active -= 1))
    }
  }

  return {
    start() {
      if (timer !== null) return
      timer = setInterval(pump, pollMs)
      pump()
    },
    async stop() {
      if (timer === null) return
      clearInterval(timer)
      timer = null
      await waitAtMost(Promise.all(busy.values()), stopTimeout)
    },
    wake: pump,
    counts: mails.counts,
  }
}
