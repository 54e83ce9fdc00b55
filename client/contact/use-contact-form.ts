import {
  useEffect,
  useEffectEvent,
  useReducer,
  useRef,
  useSyncExternalStore,
  type RefObject,
  type SubmitEvent,
} from 'react'
import { useIdentity } from '../site/identity.ts'
import { askAgain, restoreMessage, showFirstError } from './form-fields.ts'
import { reduceForm, statusLines, untouched } from './form-state.ts'
import { delivery, forget, onOutbox, refusedMessage } from './outbox.ts'
import { useQuestion } from './question.ts'
import { sendForm } from './send-form.ts'

/** What a form may be given. */
export type ContactFormOptions = {
  /** Fills in the subject. */
  subject?: string | undefined
  /** Called when the thank-you popup closes by itself. */
  onDone?: (() => void) | undefined
}

/** What the contact form does. */
export function useContactForm({ subject, onDone }: ContactFormOptions) {
  const form = useRef<HTMLFormElement>(null)
  useSubject(form, subject)
  /** The ticket of a refused message that stands in the form again. */
  const refusedTicket = useRef<string | null>(null)
  const [state, dispatch] = useReducer(reduceForm, untouched)
  const { question, wasAsked, drawQuestion } = useQuestion()
  const agency = useIdentity()
  const whereItIs = useDelivery(state.ticketId)

  const send = async () => {
    if (!form.current || state.phase === 'sending') return
    await sendForm({
      form: form.current,
      question,
      agency,
      attempt: state.attempt + 1,
      dispatch,
      onKept() {
        if (refusedTicket.current) forget(refusedTicket.current)
        refusedTicket.current = null
      },
      onRefused: (ticketId) => void (refusedTicket.current = ticketId),
      drawQuestion,
    })
  }
  const sendNow = useEffectEvent(send)
  useEffect(() => {
    if (question && state.phase === 'waiting') void sendNow()
  }, [question, state.phase])

  useEffect(() => {
    // The browser's own bubbles are for visitors without scripts.
    if (form.current) form.current.noValidate = true
  }, [])

  useEffect(() => {
    if (state.complaints > 0 && form.current) showFirstError(form.current)
  }, [state.complaints])

  const giveBack = useEffectEvent((ticketId?: string) => {
    const message = refusedMessage(ticketId)
    if (!message?.refused || !form.current) return
    if (!restoreMessage(form.current, message.record)) return
    refusedTicket.current = message.record['Ticket ID']
    dispatch({ type: 'given-back', refusal: message.refused })
  })
  // What an earlier visit wrote and the server refused; and what it refuses after the thanks.
  useEffect(() => giveBack(), [])
  useEffect(() => {
    if (whereItIs === 'refused' && state.ticketId) giveBack(state.ticketId)
  }, [whereItIs, state.ticketId])

  return {
    form,
    state,
    question,
    wasAsked,
    lines: statusLines(state, whereItIs, agency.email),
    isWaiting: whereItIs === 'waiting',
    onSubmit(event: SubmitEvent<HTMLFormElement>) {
      event.preventDefault()
      void send()
    },
    onTyped: (field: string) => dispatch({ type: 'typed', field }),
    closePopup(byItself: boolean) {
      dispatch({ type: 'popup-closed' })
      if (state.popup === 'thanks') {
        if (byItself) onDone?.()
        return
      }
      if (form.current) askAgain(form.current)
      drawQuestion()
    },
  }
}

/** Fills in the subject. */
function useSubject(form: RefObject<HTMLFormElement | null>, subject = '') {
  const last = useRef(subject)
  useEffect(() => {
    const control = form.current?.elements.namedItem('subject')
    if (!subject || !(control instanceof HTMLInputElement)) return
    // What the visitor has written stays.
    if (!control.value || control.value === last.current) control.value = subject
    last.current = subject
  }, [form, subject])
}

/** Where the message of a ticket stands, as the outbox has it. */
function useDelivery(ticketId: string | null) {
  return useSyncExternalStore(
    onOutbox,
    () => (ticketId ? delivery(ticketId) : null),
    () => null,
  )
}
