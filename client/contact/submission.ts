import {
  confirmationSubject,
  contactRecord,
  noticeSubject,
  sendEmail,
  type ContactRecord,
  type MailCall,
} from '#shared/contact.ts'
import { send } from '../api.ts'
import { logError } from '../site/log.ts'
import { ripe } from '../site/sum.ts'
import { forget, keep, postpone, refuse, renumber, sendWaiting } from './outbox.ts'
import type { Question } from './question.ts'
import { save } from './save.ts'
import { tokenHeaders } from './security-token.ts'
import { drawTicketId } from './ticket-id.ts'
import type { Refusal } from './unsent.ts'

/** What a visitor writes into the form. */
export type Entries = { name: string; email: string; subject: string; message: string }

/** Who gets the notice. */
export type Agency = { brand: string; email: string }

const mostClashes = 3

/**
 * The record of a message under a new ticket id, or what is wrong by field.
 */
export function check(
  entries: Entries,
): { record: ContactRecord; errors: null } | { record: null; errors: Partial<Entries> } {
  const parsed = contactRecord.safeParse({
    Name: entries.name,
    Email: entries.email,
    Subject: entries.subject,
    Message: entries.message,
    'Ticket ID': drawTicketId(),
    Date: new Date().toISOString(),
  })
  if (parsed.success) return { record: parsed.data, errors: null }
  const errors: Record<string, string> = {}
  for (const { path, message } of parsed.error.issues) {
    errors[String(path[0]).toLowerCase()] ??= message
  }
  return { record: null, errors }
}

/** Where a message is, and under which ticket id, when its own attempt is over. */
export type Submitted =
  | { is: 'saved' | 'waiting'; ticketId: string }
  | { is: 'refused'; ticketId: string; refusal: Refusal }

/**
 * Fires the three sends in parallel. It never fails: what could not be saved
 * stays in the outbox and is sent again, or waits there for its writer. A number that is taken
 * makes all three start over.
 * @param question that was answered
 */
export async function submit(
  record: ContactRecord,
  question: Question,
  agency: Agency,
): Promise<Submitted> {
  keep(record)
  const proof = question.proof === null ? null : await ripe(question, question.x + question.y)
  let current = record
  for (let clashes = 0; ; clashes += 1) {
    const ticketId = current['Ticket ID']
    const [outcome] = await Promise.all([
      save(current, proof),
      announce(confirmation(current, agency)),
      announce(notice(current, agency)),
    ])
    if (outcome.is === 'clash' && clashes < mostClashes) {
      current = renumber(current)
      continue
    }
    if (outcome.is === 'saved') {
      forget(ticketId)
      return { is: 'saved', ticketId }
    }
    if (outcome.is === 'refused') {
      refuse(ticketId, outcome.refusal)
      return { is: 'refused', ticketId, refusal: outcome.refusal }
    }
    postpone(ticketId, outcome.is === 'failed' ? outcome.wait : 0)
    void sendWaiting()
    return { is: 'waiting', ticketId }
  }
}

/** One of the mail calls; its reply is not read, its failure only logged. */
async function announce(mail: MailCall): Promise<void> {
  await send(sendEmail, mail, tokenHeaders()).catch(logError)
}

/** While the settings cannot be read the server, which knows its own staff, is all that is known. */
const sender = ({ brand, email }: Agency) => ({
  email: email || `office@${location.hostname}`,
  name: brand,
})

const confirmation = (record: ContactRecord, agency: Agency): MailCall => ({
  sender: sender(agency),
  to: [{ email: record.Email, name: record.Name }],
  subject: confirmationSubject,
  htmlContent: `<p>Dear ${escape(record.Name)},</p><p>Thank you for your enquiry. We will reply to you by the next working day at the latest.</p><p>Your ticket number: <strong>${record['Ticket ID']}</strong></p><p>${escape(agency.brand)}</p>`,
})

const notice = (record: ContactRecord, agency: Agency): MailCall => ({
  sender: sender(agency),
  to: [sender(agency)],
  replyTo: { email: record.Email, name: record.Name },
  subject: noticeSubject(record.Name, record['Ticket ID']),
  htmlContent: `<p><strong>${escape(record.Name)}</strong> (${escape(record.Email)}) wrote:</p><h2>${escape(record.Subject)}</h2><p>${escape(record.Message).replaceAll('\n', '<br>')}</p><p>Ticket: ${record['Ticket ID']}</p>`,
})

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => entities[character]!)
