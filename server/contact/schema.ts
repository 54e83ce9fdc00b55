import * as z from 'zod/mini'
import type { ContactMessage, TicketStatus } from '#shared/contact/contact.ts'
import {
  blob,
  defineTable,
  filled,
  flag,
  integer,
  json,
  made,
  nullable,
  text,
  textOf,
  type Column,
  type RowOf,
} from '../db/table.ts'

/** What the visitor wrote: a column for each field of the form. */
const message = {
  name: text(),
  email: text(),
  subject: text(),
  message: text(),
} satisfies { [Field in keyof ContactMessage]: Column<ContactMessage[Field]> }

/** What anyone needs to know of a ticket. Times are milliseconds of the epoch. */
export const ticketShape = {
  ticketId: text(),
  status: textOf<TicketStatus>(),
  ...message,
  /** The ISO timestamp that the visitor's browser sent. */
  date: text('sent_at'),
  receivedAt: integer(),
  /** By when the visitor was promised a reply. */
  dueAt: integer(),
  /** Whether the call carried a form proof of ours. */
  proven: flag(),
}

/** A kept message. */
export type Ticket = RowOf<{ shape: typeof ticketShape }>

/** Which tickets to list: received from (inclusive) and before, with a status. */
export type TicketFilter = { from?: number; before?: number; status?: TicketStatus }

/** Which tickets to find: see {@link TicketFilter}, of an address, with words, and how many at most. */
export type TicketSearch = TicketFilter & {
  email?: string | undefined
  search?: readonly string[]
  limit?: number
}

/** The tickets, with what only their own rules read. */
export const tickets = defineTable('tickets', {
  ...ticketShape,
  /** Tells a repeated call from a clash of ticket ids. */
  contentHash: text(),
  /** Keyed hash of the sender's network. */
  network: text(),
  /** When it became known that the sender owns the address; null while it is not. */
  verifiedAt: nullable(integer()),
  /** What links to it are signed over. */
  secret: filled(text()),
  /** The staff member it's assigned to. */
  assignee: made(nullable(text())),
  /** Counts the changes, for compare-and-swap. */
  sequence: made(integer()),
  /** Since when it is closed or spam. */
  closedAt: made(nullable(integer())),
})

const { secret, assignee, sequence, closedAt, verifiedAt } = tickets.shape

/** Columns of a ticket that only its pages and acts need. */
export const ticketCareShape = { secret, assignee, sequence, closedAt, verifiedAt }

/** See {@link ticketCareShape}. */
export type TicketCare = RowOf<{ shape: typeof ticketCareShape }>

/** What was written after a ticket's first message. */
export const ticketMessages = defineTable('ticket_messages', {
  id: made(integer()),
  ticketId: text(),
  author: textOf<'staff' | 'visitor'>(),
  /** Who of staff wrote it, or the visitor's name. */
  name: text(),
  text: text(),
  at: integer(),
  /** Sending the same form twice is one message. */
  key: text(),
})

/** A later message of a ticket. */
export type TicketMessage = RowOf<typeof ticketMessages>

/** What is known of a file that staff attach to a reply. */
export const replyFileShape = {
  id: made(integer()),
  ticketId: text(),
  /** The key of the form, and so of the reply. */
  key: text(),
  /** The reply, once it is written. */
  message: nullable(integer()),
  name: text(),
  /** Bytes. */
  size: integer(),
  /** SHA-256. */
  digest: text(),
  at: integer(),
}

/** See {@link replyFileShape}. */
export type ReplyFile = RowOf<{ shape: typeof replyFileShape }>

/** The files that staff attach to replies, with what is in them. */
export const replyFiles = defineTable('reply_files', { ...replyFileShape, content: blob() })

/** A file that came with an email; it stays in the mailbox. */
const attachment = z.object({ name: z.string(), bytes: z.number() })

/** See {@link attachment}. */
export type InboundAttachment = z.output<typeof attachment>

/** The email that a visitor's message came as. */
export const ticketMessageEmails = defineTable('ticket_message_emails', {
  /** The id of the message. */
  message: integer(),
  /** With what it quotes. */
  text: text(),
  /** Whether the email goes on. */
  isCut: flag(),
  attachments: json<InboundAttachment[]>(z.array(attachment)),
})

/** See {@link ticketMessageEmails}. */
export type TicketMessageEmail = RowOf<typeof ticketMessageEmails>

/**
 * Why an email waits for staff: its sender isn't the ticket's, it only names a ticket, it's from someone
 * with a ticket and answers none, the ticket has had too many, it's too large, or it can't be read.
 */
export type WaitingReason = 'sender' | 'named' | 'known' | 'limit' | 'large' | 'unreadable'

/** Emails that wait unread in the mailbox of IMAP_URL for staff. */
export const waitingEmails = defineTable('waiting_emails', {
  id: made(integer()),
  /** The address at its server, with its UIDVALIDITY. */
  mailbox: text(),
  uid: integer(),
  /** Null where it isn't one address. */
  sender: nullable(text()),
  subject: text(),
  receivedAt: integer(),
  reason: textOf<WaitingReason>(),
  /** The ticket that it seems to be about. */
  ticketId: nullable(text()),
})

/** See {@link waitingEmails}. */
export type WaitingEmail = RowOf<typeof waitingEmails>

/** How far a mailbox has been read. */
export const inboundMailboxes = defineTable('inbound_mailboxes', {
  mailbox: text(),
  passedUid: integer(),
})

/** Texts that staff put into replies. */
export const textBlocks = defineTable('text_blocks', {
  id: made(integer()),
  title: text(),
  text: text(),
})

/** A text that staff put into replies, with `{name}` and `{ticket}` as they were entered. */
export type TextBlock = RowOf<typeof textBlocks>

/** What a call comes to: it waits, its ticket was found, its text was delivered, or neither. */
export type CallOutcome = 'waiting' | 'matched' | 'delivered' | 'unmatched' | 'held'

/** What finds the ticket of a call, and what staff read when there is none. */
export const callData = z.object({
  /** Six-character words of a confirmation, one of which is its ticket number. */
  candidates: z.optional(z.array(z.string())),
  to: z.optional(z.string()),
  subject: z.optional(z.string()),
  htmlContent: z.optional(z.string()),
  replyTo: z.optional(z.nullable(z.string())),
})

/** See {@link callData}. */
export type CallData = z.output<typeof callData>

/** What is remembered of the calls of POST /api/send-email. */
export const mailCalls = defineTable('mail_calls', {
  id: made(integer()),
  kind: textOf<'notice' | 'confirmation'>(),
  /** The ticket that the call names, once it is known. */
  ticketId: nullable(text()),
  /** The same call again is the same call. */
  digest: text(),
  /** Keyed hash of the sender's network. */
  network: text(),
  receivedAt: integer(),
  outcome: textOf<CallOutcome>(),
  /** Kept only while it may be needed. */
  data: nullable(json<CallData>(callData)),
  /** Size of the data. */
  bytes: integer(),
})

/** A remembered call. */
export type RememberedCall = RowOf<typeof mailCalls>
