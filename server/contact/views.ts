import type {
  ReplyFileView,
  StaffTicketMessage,
  StaffTicketView,
  VisitorTicketView,
} from '#shared/contact/tickets.ts'
import { isoOf } from '../contributions/desk-source.ts'
import type { Platform } from '../feature.ts'
import { entryText } from '../timeline/timeline.ts'
import { undoOf } from './acts.ts'
import { stateOf } from './conversation-acts.ts'
import type { TicketStaff } from './links.ts'
import { sizeOf } from './inbound/email.ts'
import type { InboundStore } from './inbound/store.ts'
import { ticketStates } from './panel-block.ts'
import { fileInWords, type ReplyFiles } from './reply-files.ts'
import type { ReplyFile, Ticket, TicketMessage } from './schema.ts'
import type { TicketStore } from './store.ts'
import type { TextBlocks } from './text-blocks.ts'

/** What the pages of a ticket show. */
export type TicketViews = ReturnType<typeof createTicketViews>

/** Creates the views of a ticket for staff and for its visitor. */
export function createTicketViews(
  { clock, mails, timeline }: Pick<Platform, 'clock' | 'mails' | 'timeline'>,
  {
    tickets,
    inbound,
    blocks,
    files,
  }: {
    tickets: Pick<TicketStore, 'care' | 'messages'>
    inbound: Pick<InboundStore, 'emailOf'>
    blocks: Pick<TextBlocks, 'filledFor'>
    files: Pick<ReplyFiles, 'ofMessage' | 'waiting'>
  },
) {
  const fileView = (file: ReplyFile): ReplyFileView => ({ id: file.id, name: fileInWords(file) })

  const messageView = ({ id, author, name, text, at }: TicketMessage) => ({
    author,
    name,
    text,
    at: isoOf(at),
    files: files.ofMessage(id).map(fileView),
  })

  /** The email that a message came as. */
  const emailView = ({ id, text }: TicketMessage): StaffTicketMessage['email'] => {
    const email = inbound.emailOf(id)
    return (
      email && {
        text: email.text === text ? null : email.text,
        isCut: email.isCut,
        attachments: email.attachments.map(sizeOf),
      }
    )
  }

  /** How far the email of each reply has come, by the number of the reply. */
  const deliveries = (ticketId: string): ReadonlyMap<number, { text: string; failed: boolean }> =>
    new Map(
      mails
        .of('ticket', ticketId)
        .filter(({ kind }) => kind === 'ticketReply')
        .map(({ data, status, lastReply }) => {
          const { message } = JSON.parse(data ?? '{}') as { message: number }
          const failed = status === 'failed' || status === 'dropped'
          const text = failed
            ? `Not delivered: ${lastReply ?? 'no reply from the mail server'}`
            : status === 'sent'
              ? 'Sent'
              : // A first attempt that is still being made has no reply, and hasn't failed.
                lastReply === null
                ? 'On its way'
                : `Not sent yet, we’ll try again: ${lastReply}`
          return [message, { text, failed }] as const
        }),
    )

  return {
    /** A ticket with everything known about it. */
    staff({ ticket, name: actor }: TicketStaff): StaffTicketView {
      const { ticketId, status, name, email, subject, message, receivedAt, dueAt } = ticket
      const care = tickets.care(ticketId)
      const delivered = deliveries(ticketId)
      const entries = timeline.of('ticket', ticketId)
      return {
        ticketId,
        status,
        state: stateOf(care),
        name,
        email,
        subject,
        message,
        receivedAt: isoOf(receivedAt),
        dueAt: isoOf(dueAt),
        isLate: (status === 'new' || status === 'open') && dueAt < clock(),
        assignee: care.assignee,
        messages: tickets.messages(ticketId).map((each) => ({
          ...messageView(each),
          delivery: delivered.get(each.id) ?? null,
          email: emailView(each),
        })),
        history: entries.map((entry) => ({ at: isoOf(entry.at), text: entryText(entry) })),
        undoTo: undoOf(ticket, entries.at(-1)).status,
        actor,
        blocks: blocks.filledFor(ticket),
        waiting: files.waiting(ticketId).map((file) => ({ ...fileView(file), key: file.key })),
      }
    },

    /** A ticket for the owner of its mailbox; the message only once it was claimed or answered. */
    visitor({ ticketId, status, subject, message, receivedAt, dueAt }: Ticket): VisitorTicketView {
      const isOwn = tickets.care(ticketId).verifiedAt !== null
      return {
        ticketId,
        state: ticketStates[status] ?? { label: 'Received', tone: 'open' },
        receivedAt: isoOf(receivedAt),
        dueAt: status === 'new' || status === 'open' ? isoOf(dueAt) : null,
        written: isOwn ? { subject, message } : null,
        messages: tickets.messages(ticketId).map(messageView),
      }
    },
  }
}
