import type { TicketStore } from '../contact/store.ts'
import { daily } from '../daily.ts'
import type { MailCalls } from './calls.ts'
import type { MailStore } from './store.ts'

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
  return daily(clock, (date) => {
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
  })
}
