import * as z from 'zod/mini'
import { contactLimits } from './contact-limits.ts'
import { ticketStatuses, type TicketStatus } from './contact.ts'
import { longestStaffName } from './desk-things.ts'
import { endpoint, json } from './endpoint.ts'
import { optionalLine, submissionKey } from './fields.ts'
import { isLongerThan, plainLines } from './text.ts'

/** What was written after a ticket's first message. */
export type TicketMessageView = {
  author: 'staff' | 'visitor'
  name: string
  text: string
  /** ISO 8601. */
  at: string
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
  /** `delivery` says in words how far a reply's email has come; null for what the visitor wrote. */
  messages: (TicketMessageView & { delivery: { text: string; failed: boolean } | null })[]
  history: { at: string; text: string }[]
  /** Who looks at it; null for whoever came by the link in a mail. */
  actor: string | null
}

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

const writtenText = (message: string) =>
  z.pipe(
    z.pipe(z.string(message), z.transform(plainLines)),
    z.string().check(
      z.minLength(1, message),
      z.refine(
        (text) => !isLongerThan(text, contactLimits.messageMost),
        `Please use at most ${contactLimits.messageMost} characters`,
      ),
    ),
  )

/** What every act of staff says: which ticket, the state that was shown, and a name where nobody is signed in. */
const base = {
  ticket: z.string(),
  state: z.string().check(z.maxLength(20)),
  name: optionalLine(longestStaffName),
}

const staffAct = z.discriminatedUnion('act', [
  z.object({
    ...base,
    act: z.literal('reply'),
    key: submissionKey,
    text: writtenText('Please write a reply'),
  }),
  z.object({ ...base, act: z.literal('note'), text: writtenText('Please write a note') }),
  z.object({ ...base, act: z.literal('assign'), assignee: optionalLine(longestStaffName) }),
  z.object({
    ...base,
    act: z.literal('status'),
    status: z.enum(ticketStatuses, 'Please choose a status'),
  }),
])

/** What staff do with a ticket. */
export type StaffTicketAct = z.output<typeof staffAct>

/** A ticket for staff: by its number with a desk code, or by the token of the link in their mail. */
export const getStaffTicket = endpoint({
  method: 'GET',
  path: '/api/desk/tickets/:ticket',
  input: z.object({ ticket: z.string() }),
  output: json<StaffTicketView>(),
})

/** Answers, assigns or notes, or sets a status; 409 when the ticket has changed since it was shown. */
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
