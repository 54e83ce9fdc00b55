import type { Dispatch } from 'react'
import {
  checkContact,
  confirmationSubject,
  messageIn,
  noticeSubject,
  sendEmail,
  type ContactField,
  type ContactRecord,
  type MailCall,
} from '#shared/contact/contact.ts'
import { contactLimits, contactMessages } from '#shared/contact/contact-form.ts'
import type { Entries } from '#shared/forms/form.ts'
import { track } from '../analytics/track.ts'
import { send } from '../api.ts'
import { entriesIn } from '../forms/use-form.ts'
import { waitUntilProofIsValid } from '../forms/sum.ts'
import { logError } from '../site/log.ts'
import { securityToken, tokenHeaders } from '../site/security-token.ts'
import type { FormAction, Question } from './form-state.ts'
import {
  delivery,
  drawTicketId,
  forget,
  keep,
  maxDuplicates,
  onUnsent,
  postpone,
  refuse,
  refusedMessage,
  renumber,
  save,
  sendWaiting,
  type Delivery,
  type Refusal,
} from './saving.ts'

export { Outcome, statusLines } from './outcome.tsx'

/** Who gets the notice. */
type Agency = { brand: string; email: string }

/** What sending needs from a form, and where it reports to. */
export type Sending = {
  form: HTMLFormElement
  question: Question | null
  agency: Agency
  /** The number of this attempt. */
  attempt: number
  dispatch: Dispatch<FormAction>
  /** The ticket of a refused message that is in the form again, while there is one. */
  refusedTicket: { current: string | null }
  drawQuestion: () => void
}

/** Checks what is in the form, and sends it or says what is wrong. */
export async function sendForm(sending: Sending): Promise<void> {
  const { form, question, dispatch } = sending
  const entries = entriesIn(form)
  const answer = entries.captcha?.trim() ?? ''
  const { value: record, errors } = checkContact(
    entries,
    { ticketId: drawTicketId(), date: new Date().toISOString() },
    { captcha: question && !answer ? contactMessages.captcha : null },
  )
  if (errors) {
    dispatch({ type: 'complained', errors })
  } else if (!question) {
    dispatch({ type: 'pressed-early' })
  } else if (entries.website || Number(answer) !== question.x + question.y) {
    dispatch({ type: 'answered-wrong' })
    askAgain(sending)
  } else {
    await sendRecord(record, question, sending)
  }
}

/**
 * Draws another question, which has to be answered. The honeypot is emptied: it may have been the browser
 * or an extension that filled it in, and no one can see it to do so.
 */
function askAgain({ form, drawQuestion }: Sending) {
  fillForm(form, { captcha: '', website: '' })
  drawQuestion()
}

async function sendRecord(record: ContactRecord, question: Question, sending: Sending) {
  const { form, agency, attempt, dispatch, refusedTicket } = sending
  fillForm(form, { csrfToken: securityToken() })
  dispatch({ type: 'sending' })
  const lock = delay(contactLimits.submitLockMs)
  void lock.then(() => dispatch({ type: 'unlocked', attempt }))
  const unknown: Submitted = { is: 'waiting', ticketId: record['Ticket ID'] }
  const sent = submit(record, question, agency).catch((error: unknown) => {
    logError(error)
    return unknown
  })
  // It's stored now, so the message it replaces can go.
  if (refusedTicket.current) forget(refusedTicket.current)
  refusedTicket.current = null
  // A slow server does not keep the visitor waiting: what is not saved by then waits.
  const first = await Promise.race([sent, lock.then(() => unknown)])
  if (first.is === 'refused') {
    refusedTicket.current = first.ticketId
    return dispatch({ type: 'refused', refusal: first.refusal })
  }
  const { ticketId } = first
  dispatch({ type: 'thanked', ticketId, delivery: delivery(ticketId) })
  form.reset()
  sending.drawQuestion()
  const last = await sent
  if (last.is === 'saved') track('contact_sent')
  if (last.ticketId !== ticketId) dispatch({ type: 'renumbered', ticketId: last.ticketId })
}

/**
 * Follows what became of the message of a ticket.
 * @param onChange called at once and with every change
 * @returns what ends it
 */
export function followDelivery(
  ticketId: string,
  onChange: (delivery: Delivery | null) => void,
): () => void {
  const look = () => onChange(delivery(ticketId))
  look()
  return onUnsent(look)
}

/**
 * Puts a refused message back into the form: the one of a ticket, or the oldest of an earlier visit.
 * @returns its ticket and why it was refused; null when there is none, or no room for it
 */
export function restoreRefused(form: HTMLFormElement, ticketId?: string) {
  const message = refusedMessage(ticketId)
  if (!message?.refused || !restore(form, message.record)) return null
  return { ticketId: message.record['Ticket ID'], refusal: message.refused }
}

/** Fills in the fields of a form; unknown names are ignored. */
function fillForm(form: HTMLFormElement, entries: Entries): void {
  for (const [name, value] of Object.entries(entries)) {
    const control = form.elements.namedItem(name)
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
      control.value = value
    }
  }
}

/** Puts a message back into a form that has none. @returns whether the form shows it now */
function restore(form: HTMLFormElement, record: ContactRecord): boolean {
  const { message } = entriesIn(form)
  const written = messageIn(record)
  if (message && message.trim() !== written.message) return false
  fillForm(form, { ...written, message: message || written.message })
  return true
}

const delay = (milliseconds: number) =>
  new Promise<void>((resolve) => void setTimeout(resolve, milliseconds))

/** The delivery state and ticket ID of a message after its first attempt. */
type Submitted =
  | { is: 'saved' | 'waiting'; ticketId: string }
  | { is: 'refused'; ticketId: string; refusal: Refusal }

/**
 * Fires the three sends in parallel. Never fails: an unsaved message is stored and retried, or waits
 * for its writer. If the ID is taken, all three start over.
 * @param question that was answered
 */
async function submit(
  record: ContactRecord,
  question: Question,
  agency: Agency,
): Promise<Submitted> {
  keep(record)
  const proof =
    question.proof === null ? null : await waitUntilProofIsValid(question, question.x + question.y)
  let current = record
  for (let duplicates = 0; ; duplicates += 1) {
    const ticketId = current['Ticket ID']
    const [outcome] = await Promise.all([
      save(current, proof),
      announce(confirmation(current, agency)),
      announce(notice(current, agency)),
    ])
    if (outcome.is === 'duplicate' && duplicates < maxDuplicates) {
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

/** One of the email calls; its reply is not read, its failure only logged. */
async function announce(mail: MailCall): Promise<void> {
  await send(sendEmail, mail, tokenHeaders()).catch(logError)
}

/** While the settings can't be read, only the server knows the staff's address. */
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
  htmlContent: noticeHtml(record),
})

function noticeHtml(record: ContactRecord): string {
  const { name, email, subject, message } = messageIn(record)
  const parts: Record<Exclude<ContactField, 'email'>, string> = {
    name: `<p><strong>${escape(name)}</strong> (${escape(email)}) wrote:</p>`,
    subject: `<h2>${escape(subject)}</h2>`,
    message: `<p>${escape(message).replaceAll('\n', '<br>')}</p>`,
  }
  return `${Object.values(parts).join('')}<p>Ticket: ${record['Ticket ID']}</p>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => entities[character]!)
