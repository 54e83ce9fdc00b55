import type { Dispatch } from 'react'
import { contactLimits, contactMessages } from '#shared/contact.ts'
import { track } from '../analytics/track.ts'
import { logError } from '../site/log.ts'
import { checksIn, entriesIn, fillField } from './form-fields.ts'
import type { FormAction } from './form-state.ts'
import type { Question } from './question.ts'
import { securityToken } from './security-token.ts'
import { check, submit, type Agency, type Submitted } from './submission.ts'

/** What sending needs to know of a form, and whom it tells. */
export type Sending = {
  form: HTMLFormElement
  question: Question | null
  agency: Agency
  /** The number of this attempt. */
  attempt: number
  dispatch: Dispatch<FormAction>
  /** The message was taken over by the outbox; what it replaces may go. */
  onKept: () => void
  /** The server refused it under this ticket id; the form still shows it. */
  onRefused: (ticketId: string) => void
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
  const { form, agency, attempt, dispatch } = sending
  fillField(form, 'csrfToken', securityToken())
  dispatch({ type: 'sending' })
  const lock = delay(contactLimits.submitLockMs)
  void lock.then(() => dispatch({ type: 'unlocked', attempt }))
  const unknown: Submitted = { is: 'waiting', ticketId: record['Ticket ID'] }
  const sent = submit(record, question, agency).catch((error: unknown) => {
    logError(error)
    return unknown
  })
  sending.onKept()
  // A slow server does not keep the visitor waiting: what is not saved by then waits in the outbox.
  const first = await Promise.race([sent, lock.then(() => unknown)])
  if (first.is === 'refused') {
    sending.onRefused(first.ticketId)
    return dispatch({ type: 'refused', refusal: first.refusal })
  }
  dispatch({ type: 'thanked', ticketId: first.ticketId })
  form.reset()
  sending.drawQuestion()
  const last = await sent
  if (last.is === 'saved') track('contact_sent')
  if (last.ticketId !== first.ticketId) dispatch({ type: 'renumbered', ticketId: last.ticketId })
}

const delay = (milliseconds: number) =>
  new Promise<void>((resolve) => void setTimeout(resolve, milliseconds))
