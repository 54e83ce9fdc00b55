import { dayMs, minuteMs } from '#shared/durations.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { MailStore } from '../mail/store.ts'

/** The kinds of mails that have a ticket as their reference. */
export const ticketMailKinds = ['confirmation', 'notice'] as const

/** How many confirmations one mailbox gets, so that the form cannot be used to flood it. */
const confirmations = { aDay: 3, apart: 10 * minuteMs } as const

/**
 * Queues the two mails of a ticket: the notice to staff, and the confirmation unless its mailbox
 * has had enough of them.
 */
export function queueTicketMails(
  tx: Transaction,
  mails: Pick<MailStore, 'enqueue' | 'queuedTo'>,
  { ticketId, email }: { ticketId: string; email: string },
  now: number,
): void {
  const queued = (ms: number) => mails.queuedTo(email, 'confirmation', now - ms)
  if (queued(confirmations.apart) === 0 && queued(dayMs) < confirmations.aDay) {
    mails.enqueue(tx, 'confirmation', { key: ticketId, reference: ticketId, recipient: email })
  }
  mails.enqueue(tx, 'notice', { key: ticketId, reference: ticketId })
}
