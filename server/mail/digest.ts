import { helsinki } from '#shared/working-days.ts'
import type { TicketStore } from '../contact/store.ts'
import type { MailCalls } from './calls.ts'
import type { MailStore } from './store.ts'

/** The hour in Helsinki from which the day's digest goes out. */
const hour = '08'

/**
 * Makes the daily chore: once a day, tells staff when messages wait in quarantine or mails have
 * failed, and forgets what has served its time. Several processes may run it; the day is the
 * digest's dedupe key.
 */
export function createDigest({
  tickets,
  mails,
  calls,
  clock,
}: {
  tickets: TicketStore
  mails: MailStore
  calls: MailCalls
  clock: () => number
}): () => void {
  let doneFor = ''
  return () => {
    const { date, time } = helsinki(clock())
    if (date === doneFor || time < hour) return
    doneFor = date
    tickets.forgetProofs()
    tickets.forgetOld()
    mails.forgetOrphans()
    calls.forgetOld()
    const counts = {
      quarantined: tickets.quarantined(),
      failed: mails.counts().failed,
      held: calls.held().length,
    }
    if (Object.values(counts).some((count) => count > 0)) {
      mails.enqueue('staffDigest', { key: `digest-${date}`, data: counts })
    }
  }
}
