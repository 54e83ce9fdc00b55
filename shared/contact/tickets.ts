import * as z from 'zod/mini'
import { contactLimits } from './contact-form.ts'
import { ticketStatuses, type TicketStatus } from './contact.ts'
import { maxStaffNameLength } from '../desk/things.ts'
import { endpoint, json } from '../endpoint.ts'
import { optionalLine, submissionKey, tooLong } from '../forms/fields.ts'
import { isLongerThan, plainLines } from '../text/text.ts'

/** What can be attached to a reply. */
export const replyFileLimits = { maxFiles: 10, maxBytes: 10 * 1024 * 1024 } as const

/** From so many messages after the first on, a page leads past the conversation to its end. */
export const longConversation = 3

/** A file of a reply: its number, and its name with its size, such as `plan.pdf (2.1 MB)`. */
export type ReplyFileView = { id: number; name: string }

/**
 * Where a file of a ticket's replies is.
 * @param page of the ticket, for staff or for its visitor
 */
export const replyFilePath = (page: string, id: number | string): string => `${page}/files/${id}`

/** What was written after a ticket's first message. */
export type TicketMessageView = {
  author: 'staff' | 'visitor'
  name: string
  text: string
  /** ISO 8601. */
  at: string
  /** Attached to a reply. */
  files: ReplyFileView[]
}

/** A ticket as staff see it. */
export type StaffTicketView = {
  ticketId: string
  status: TicketStatus
  /** What a form says it showed; another one means that someone changed the ticket. */
  state: string
  name: string
  email: string
  subject: string
  message: string
  /** ISO 8601, like the other times. */
  receivedAt: string
  dueAt: string
  isLate: boolean
  assignee: string | null
  messages: StaffTicketMessage[]
  history: { at: string; text: string }[]
  /** The status that undoing the last entry of the history gives it again; null where that can't be undone. */
  undoTo: TicketStatus | null
  /** Who looks at it; null on a page that the link in an email opened. */
  actor: string | null
  /** Texts for a reply, by title. */
  blocks: TextBlockView[]
  /** Files that wait for a reply, by the key of its form. */
  waiting: (ReplyFileView & { key: string })[]
}

/** A later message as staff see it. */
export type StaffTicketMessage = TicketMessageView & {
  /** How far a reply's email has come, in words; null for what the visitor wrote. */
  delivery: { text: string; failed: boolean } | null
  /** The email that it came as; null for what was written on a page. */
  email: {
    /** With what it quotes; null where that is nothing more. */
    text: string | null
    /** Whether even this isn't the end of it. */
    isCut: boolean
    /** Files that stay in the mailbox, such as `plan.pdf (2.1 MB)`. */
    attachments: string[]
  } | null
}

/** A text for a reply, with what is known of the ticket filled in. */
export type TextBlockView = { id: string; title: string; text: string }

/** A ticket as its visitor sees it. */
export type VisitorTicketView = {
  ticketId: string
  state: { label: string; tone: 'open' | 'done' }
  receivedAt: string
  /** By when we reply; null once we have. */
  dueAt: string | null
  /** What was written; null until the visitor says that it's theirs, since anyone can write under an address. */
  written: { subject: string; message: string } | null
  messages: TicketMessageView[]
}

/**
 * Text of several lines that must be there.
 * @param message said when it is missing
 * @param max characters, as people count them
 */
export const writtenText = (message: string, max: number = contactLimits.maxMessage) =>
  z.pipe(
    z.pipe(z.string(message), z.transform(plainLines)),
    z.string().check(
      z.minLength(1, message),
      z.refine((text) => !isLongerThan(text, max), tooLong(max)),
    ),
  )

/** What every act of staff says: which ticket, the state that was shown, and a name where no one is signed in. */
const base = {
  ticket: z.string(),
  state: z.string().check(z.maxLength(20)),
  name: optionalLine(maxStaffNameLength),
}

const staffAct = z.discriminatedUnion('act', [
  z.object({
    ...base,
    act: z.literal('reply'),
    key: submissionKey,
    text: writtenText('Please write a reply'),
    /** Numbers of files that came with the same key and are not to be attached. */
    leaveOut: z._default(z.array(z.number()).check(z.maxLength(replyFileLimits.maxFiles)), []),
  }),
  z.object({ ...base, act: z.literal('note'), text: writtenText('Please write a note') }),
  z.object({ ...base, act: z.literal('assign'), assignee: optionalLine(maxStaffNameLength) }),
  z.object({
    ...base,
    act: z.literal('status'),
    status: z.enum(ticketStatuses, 'Please choose a status'),
  }),
  z.object({ ...base, act: z.literal('undo') }),
])

/** What staff do with a ticket. */
export type StaffTicketAct = z.output<typeof staffAct>

/** A ticket for staff: by its number with a desk code, or by the token of the link in their email. */
export const getStaffTicket = endpoint({
  method: 'GET',
  path: '/api/desk/tickets/:ticket',
  input: z.object({ ticket: z.string() }),
  output: json<StaffTicketView>(),
})

/** Answers, assigns or notes, sets a status or takes it back; 409 when the ticket has changed since it was shown. */
export const changeTicket = endpoint({
  method: 'POST',
  path: '/api/desk/tickets/:ticket',
  input: staffAct,
  output: json<{ success: true }>(),
})

/** The visitor's own page of a ticket. */
export const getTicket = endpoint({
  method: 'GET',
  path: '/api/ticket/:token',
  input: z.object({ token: z.string() }),
  output: json<VisitorTicketView>(),
})

/** Says that what was written under this address is the visitor's own. */
export const claimTicket = endpoint({
  method: 'POST',
  path: '/api/ticket/:token/claim',
  input: z.object({ token: z.string() }),
  output: json<{ success: true }>(),
})

/** Adds something to a ticket. */
export const addToTicket = endpoint({
  method: 'POST',
  path: '/api/ticket/:token',
  input: z.object({
    token: z.string(),
    key: submissionKey,
    text: writtenText('Please write what you’d like to add'),
  }),
  output: json<{ success: true }>(() => 201),
})
