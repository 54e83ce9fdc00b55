import type { Dispatch } from 'react'
import { contactLimits } from '#shared/contact-limits.ts'
import { contactMessages } from '#shared/contact-texts.ts'
import { track } from '../analytics/track.ts'
import { logError } from '../site/log.ts'
import { checksIn, entriesIn, fillField, restoreMessage } from './form-fields.ts'
import type { FormAction } from './form-state.ts'
import { delivery, forget, onOutbox, refusedMessage } from './outbox.ts'
import type { Question } from './question.ts'
import { securityToken } from './security-token.ts'
import { check, submit, type Agency, type Submitted } from './submission.ts'
import type { deliveryOf } from './unsent.ts'

export { Outcome } from './outcome.tsx'
export { statusLines } from './status-lines.ts'

/** What sending needs to know of a form, and whom it tells. */
export type Sending = {
  form: HTMLFormElement
  question: Question | null
  agency: Agency
  /** The number of this attempt. */
  attempt: number
  dispatch: Dispatch<FormAction>
  /** The ticket of a refused message that stands in the form again, while there is one. */
  refusedTicket: { current: string | null }
  drawQuestion: () => void
}

/** Checks what stands in the form, and sends it or says what is wrong. */
export async function sendForm(sending: Sending): Promise<void> {
  const { form, question, dispatch } = sending
  const { record, errors } = check(entriesIn(form))
  const { answer, honeypot } = checksIn(form)
  const isUnanswered = question && !answer
  if (!record || isUnanswered) {
    const captcha = isUnanswered ? { captcha: contactMessages.captcha } : {}
    dispatch({ type: 'complained', errors: { ...errors, ...captcha } })
  } else if (!question) {
    dispatch({ type: 'pressed-early' })
  } else if (honeypot || Number(answer) !== question.x + question.y) {
    dispatch({ type: 'answered-wrong' })
  } else {
    await sendRecord(record, question, sending)
  }
}

async function sendRecord(
  record: Parameters<typeof submit>[0],
  question: Question,
  sending: Sending,
) {
  const { form, agency, attempt, dispatch, refusedTicket } = sending
  fillField(form, 'csrfToken', securityToken())
  dispatch({ type: 'sending' })
  const lock = delay(contactLimits.submitLockMs)
  void lock.then(() => dispatch({ type: 'unlocked', attempt }))
  const unknown: Submitted = { is: 'waiting', ticketId: record['Ticket ID'] }
  const sent = submit(record, question, agency).catch((error: unknown) => {
    logError(error)
    return unknown
  })
  // It is in the outbox by now, so what it takes the place of may go.
  if (refusedTicket.current) forget(refusedTicket.current)
  refusedTicket.current = null
  // A slow server does not keep the visitor waiting: what is not saved by then waits in the outbox.
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
 * Follows where the message of a ticket stands.
 * @param tell called at once and with every change
 * @returns what ends it
 */
export function followDelivery(
  ticketId: string,
  tell: (delivery: ReturnType<typeof deliveryOf>) => void,
): () => void {
  const look = () => tell(delivery(ticketId))
  look()
  return onOutbox(look)
}

/**
 * Puts a refused message back into the form: the one of a ticket, or the oldest of an earlier visit.
 * @returns its ticket and why it was refused; null when there is none, or no room for it
 */
export function giveBack(form: HTMLFormElement, ticketId?: string) {
  const message = refusedMessage(ticketId)
  if (!message?.refused || !restoreMessage(form, message.record)) return null
  return { ticketId: message.record['Ticket ID'], refusal: message.refused }
}

const delay = (milliseconds: number) =>
  new Promise<void>((resolve) => void setTimeout(resolve, milliseconds))
