import type { DeskGroup, DeskLine } from '#shared/desk-lines.ts'
import { paths } from '#shared/paths.ts'
import { deskGroup, isoOf } from '../../desk-source.ts'
import type { WaitingEmail, WaitingReason } from '../schema.ts'
import type { InboundStore } from './store.ts'

/** Why an email isn't in a ticket by itself, for staff. */
export const waitingReasons: Readonly<Record<WaitingReason, string>> = {
  sender: 'not from the ticket’s address',
  named: 'names a ticket, but isn’t a reply to our emails',
  known: 'from someone with a ticket, but isn’t a reply',
  limit: 'this ticket has had too many messages',
  large: 'larger than 10 MB',
  unreadable: 'we couldn’t read it',
}

/** Emails that wait in the mailbox, on the desk's first page. */
export const waitingGroup = (store: Pick<InboundStore, 'waiting'>): DeskGroup[] =>
  deskGroup('Emails to read in your mailbox', store.waiting(), {
    line: waitingLine,
    command: 'pitlane tickets emails',
  })

/** An email that waits in the mailbox; its line leads to the ticket that it seems to be about. */
export const waitingLine = ({
  sender,
  subject,
  reason,
  receivedAt,
  ticketId,
}: WaitingEmail): DeskLine => ({
  label: 'Email',
  title: subject || '(no subject)',
  detail: [sender ?? 'sender unclear', ticketId, waitingReasons[reason], 'open in your mailbox']
    .filter(Boolean)
    .join(' · '),
  urgent: false,
  at: isoOf(receivedAt),
  href: ticketId === null ? null : paths.deskTicket(ticketId),
})
