import * as z from 'zod/mini'
import { contactLimits, contactMessages } from './contact-form.ts'
import { endpoint, json } from '../endpoint.ts'
import { emailAddress, maxEmailLength, notAnEmail, tooLong } from '../forms/fields.ts'
import { checkForm, type Checked, type Entries } from '../forms/form.ts'
import { isLongerThan, oneLine } from '../text/text.ts'

/**
 * Max bytes of a body with a message in it: a character outside the basic plane takes 12 as a JSON
 * escape (`\\ud83c\\udfc1`) and as much in a posted form (`%F0%9F%8F%81`). The rest is names of fields.
 */
export const contactBodyBytes =
  12 *
    (contactLimits.maxName + maxEmailLength + contactLimits.maxSubject + contactLimits.maxMessage) +
  4096

/** The subject of the email to the visitor (docs/contract.md, Mail). */
export const confirmationSubject = 'Thank you for your enquiry'
/** The subject of the email to staff (docs/contract.md, Mail). */
export const noticeSubject = (name: string, ticketId: string) =>
  `New message from website from ${name} [Ticket: ${ticketId}]`

const atMost = (max: number) => z.refine<string>((value) => !isLongerThan(value, max), tooLong(max))

/** One line of text: line breaks and control characters become spaces, so none reaches an email header. */
const line = (message: string, max: number) =>
  z.pipe(
    z.pipe(z.string(message), z.transform(oneLine)),
    z.string().check(z.minLength(1, message), atMost(max)),
  )

const messageText = z.pipe(
  z.pipe(
    z.string(contactMessages.message),
    // NUL ends strings in too many programs that will read an export.
    z.transform((value: string) => value.replaceAll('\u0000', '').trim()),
  ),
  z
    .string()
    .check(
      z.minLength(contactLimits.minMessage, contactMessages.message),
      atMost(contactLimits.maxMessage),
    ),
)

/** A ticket id: 6 lowercase letters and digits (docs/contract.md, Contact form). */
export const ticketId = z
  .string('A ticket ID is needed')
  .check(z.regex(/^[a-z0-9]{6}$/, 'A ticket ID is 6 lowercase letters and digits'))

/** The life of a ticket; `quarantined` ones are kept without any email until staff look at them. */
export const ticketStatuses = ['new', 'open', 'answered', 'closed', 'spam', 'quarantined'] as const

/** One of {@link ticketStatuses}. */
export type TicketStatus = (typeof ticketStatuses)[number]

/** The saved contact record (docs/contract.md, Contact form). Unknown keys are ignored. */
export const contactRecord = z.object({
  Name: line(contactMessages.name, contactLimits.maxName),
  Email: emailAddress,
  Subject: line(contactMessages.subject, contactLimits.maxSubject),
  Message: messageText,
  'Ticket ID': ticketId,
  Date: z.iso.datetime({ offset: true, error: 'Date must be an ISO timestamp' }),
})

/** A valid contact record. */
export type ContactRecord = z.output<typeof contactRecord>

/** The keys of what a visitor writes; the browser or the server adds the other two. */
type WrittenKey = Exclude<keyof ContactRecord, 'Ticket ID' | 'Date'>

/**
 * What a visitor wrote, by the names of the form's fields. Everything that has to know each field
 * (columns, controls, emails, exports) is typed by this, so a forgotten one is a type error.
 */
export type ContactMessage = { readonly [Key in WrittenKey as Lowercase<Key>]: ContactRecord[Key] }

/** The name of a field of the contact form. */
export type ContactField = keyof ContactMessage

/** The key of each field in the record. */
const recordKeys: { readonly [Key in WrittenKey as Lowercase<Key>]: Key } = {
  name: 'Name',
  email: 'Email',
  subject: 'Subject',
  message: 'Message',
}

/** The names of the fields, in the order of the form. */
export const contactFields = Object.keys(recordKeys) as ContactField[]

/** The form's name of a key of the record; other keys stay as they are. */
export const contactFieldOf = (key: string): string =>
  contactFields.find((field) => recordKeys[field] === key) ?? key

/** What the visitor wrote in a record. */
export const messageIn = (record: ContactRecord): ContactMessage => ({
  name: record.Name,
  email: record.Email,
  subject: record.Subject,
  message: record.Message,
})

/**
 * Checks the contact form.
 * @param entries by the names of the fields
 * @param stamp the number and the ISO time that the record gets
 * @param more see {@link checkForm}
 */
export const checkContact = (
  entries: Entries,
  { ticketId: number, date }: { ticketId: string; date: string },
  more: Readonly<Record<string, string | null | undefined>> = {},
): Checked<ContactRecord> =>
  checkForm(
    contactRecord,
    {
      ...Object.fromEntries(
        contactFields.map((field) => [recordKeys[field], entries[field] ?? '']),
      ),
      'Ticket ID': number,
      Date: date,
    },
    { more, nameOf: contactFieldOf },
  )

/** `saved` the first time, `repeat` for the same ticket with the same content. */
export type SaveReply = { success: true; ticketId: string; status: 'saved' | 'repeat' }

/** Keeps a message and queues its emails. */
export const saveContactForm = endpoint({
  method: 'POST',
  path: '/api/save-contact-form',
  // People do not see the honeypot, so only robots fill it in.
  input: z.object({ ...contactRecord.shape, website: z.optional(z.unknown()) }),
  output: json<SaveReply>(({ status }) => (status === 'saved' ? 201 : 200)),
})

const headerLine = (max: number) =>
  z.string().check(
    z.maxLength(max, tooLong(max)),
    z.refine((value) => !/[\r\n\u0000]/.test(value), 'Line breaks are not allowed here'),
  )

/** An inbox of ours may be at a bare host name, so no dot is asked for here. */
const anyAddress = z
  .string(notAnEmail)
  .check(
    z.maxLength(maxEmailLength, notAnEmail),
    z.regex(/^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d.-]+$/i, notAnEmail),
  )

const mailbox = z.object({ email: anyAddress, name: z.optional(headerLine(2000)) })

/**
 * The e-mail message object (docs/contract.md, Mail). It never becomes an email by itself: the server
 * renders its own from the ticket that the call names.
 */
const mailCall = z.object({
  sender: z.union([mailbox, headerLine(320)], 'A sender is needed'),
  to: z
    .array(mailbox)
    .check(
      z.minLength(1, 'A recipient is needed'),
      z.maxLength(1, 'Only one recipient is allowed'),
    ),
  replyTo: z.optional(z.union([mailbox, anyAddress])),
  subject: headerLine(4000).check(z.minLength(1, 'A subject is needed')),
  htmlContent: z
    .string('The content is needed')
    .check(
      z.minLength(1, 'The content is needed'),
      z.maxLength(64 * 1024, 'The content is too long'),
    ),
})

/** A well-formed email call. */
export type MailCall = z.output<typeof mailCall>

/** Announces one of the two emails of a ticket. */
export const sendEmail = endpoint({
  method: 'POST',
  path: '/api/send-email',
  input: mailCall,
  output: json<{ success: true }>(() => 202),
})
