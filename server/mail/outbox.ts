import { minuteMs } from '#shared/dates/durations.ts'
import { waitAtMost } from '../concurrency/timeout.ts'
import { createDelivery, leaseMs, type DeliveryDeps } from './delivery.ts'
import { maxConnections } from './transport.ts'

/** Works through the queued emails. */
export type Outbox = {
  /** Starts to send, and to look for emails that other processes queued. Twice is harmless. */
  start(): void
  /**
   * Sends no further email and waits a few seconds for those on their way. One that the mail server
   * holds for longer is given up, and due again a little later.
   */
  stop(): Promise<void>
  /** Looks at once; called after something was queued. Does nothing while stopped. */
  wake(): void
  /** How many emails wait or have failed, and since when (milliseconds) the oldest waits. */
  counts(): { queued: number; failed: number; oldest: number | null }
  /**
   * For how many milliseconds an email has been waiting that should have left; 0 for none. Emails that no
   * one has tried yet don't wait while others go out, nor did they while no server ran.
   */
  stuckFor(): number
}

/** Milliseconds after which an email that should have left is a trouble to tell of. */
export const stuckAfter = 10 * minuteMs

/** Emails on their way at the same time, but for those that a mail server is slow to answer. */
const maxWorkers = 2

/** Milliseconds after which an email no longer holds up those behind it. */
const slowMs = 30_000

/**
 * Milliseconds for which emails in bulk wait where the mail server takes fewer in a time, is away or
 * refuses us: they would use up what it takes, and someone's confirmation would be put off like them.
 */
const pauseMs = minuteMs

/** Milliseconds that a stop waits for emails on their way. */
const stopTimeout = 4_000

/** Milliseconds that it then takes at most to note which of them were given up. */
const givenUpTimeout = 1_000

/**
 * Makes the outbox. An email is taken with a lease that is renewed while it is on its way, so two
 * processes never send the same one; a process that dies between the server's yes and our mark
 * is the only way to a repeat, and that carries the same Message-ID.
 * @param pollMs milliseconds between two looks
 */
export function createOutbox({
  pollMs = 1000,
  ...deps
}: DeliveryDeps & { pollMs?: number }): Outbox {
  const { mails, mailer, commit, clock, log } = deps
  const busy = new Map<number, Promise<void>>()
  let timer: ReturnType<typeof setInterval> | null = null
  let active = 0
  let pausedAt = Number.NEGATIVE_INFINITY
  /** When it last began anything. */
  let movedAt = Number.NEGATIVE_INFINITY
  const running = () => timer !== null

  const onTrouble = () => void (pausedAt = clock())
  const deliver = createDelivery({ ...deps, retryMs: pollMs, isRunning: running, onTrouble })

  const worker = async () => {
    while (running() && mails.isDue()) {
      const bulk = Math.abs(clock() - pausedAt) >= pauseMs
      const mail = await commit((tx) => mails.lease(tx, leaseMs, [...busy.keys()], { bulk }))
      if (!mail) return
      movedAt = clock()
      const delivery = deliver(mail).finally(() => busy.delete(mail.id))
      busy.set(mail.id, delivery)
      await waitAtMost(delivery, slowMs)
      if (!busy.has(mail.id)) continue
      onTrouble()
      if (busy.size > maxConnections - maxWorkers) await delivery
      else delivery.catch((err: unknown) => log.error({ err }, 'mail status not saved'))
    }
  }

  const pump = () => {
    while (running() && active < maxWorkers) {
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
      movedAt = clock()
      pump()
    },
    async stop() {
      if (timer === null) return
      clearInterval(timer)
      timer = null
      await waitAtMost(Promise.all(busy.values()), stopTimeout)
      if (busy.size === 0) return
      // A mail server that says nothing would hold up the end of the process until that is killed.
      mailer.close()
      await waitAtMost(Promise.all(busy.values()), givenUpTimeout)
    },
    wake: pump,
    counts: mails.counts,
    stuckFor() {
      const now = clock()
      const { untried, tried } = mails.unsentSince()
      // A time to come is of a clock that was set back.
      const waits = untried === null ? now : movedAt > now ? untried : Math.max(untried, movedAt)
      return Math.max(0, now - Math.min(waits, tried ?? now))
    },
  }
}
