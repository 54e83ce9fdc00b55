import type { ContactField } from '#shared/contact/contact.ts'
import type { Delivery, Refusal } from './saving.ts'

/** A sum that was shown; with the server's proof when it came in time, and when that was. */
export type Question = { x: number; y: number } & (
  | { proof: string; cameAt: number }
  | { proof: null }
)

/** Complaints by the name of the field. */
export type Errors = Partial<Record<ContactField | 'captcha', string>>

/** What the contact form shows, apart from what is in its fields. */
export type FormState = {
  errors: Errors
  /**
   * `loading`: pressed, and the code that sends is late. `waiting`: sent before there was a question.
   * `sending`: the button is locked.
   */
  phase: 'idle' | 'loading' | 'waiting' | 'sending'
  /** Counts failed checks; each one moves the focus to the field. */
  complaints: number
  /** How often the form was sent; an old lock does not open a new one. */
  attempt: number
  /**
   * Why the last message was not sent: the server will not take it as it is, or the code that sends
   * it could not be loaded.
   */
  problem: 'refused' | 'unavailable' | null
  /** The number of the last message that the visitor was thanked for. */
  ticketId: string | null
  /** The delivery state of that message; null once the server has it. */
  delivery: Delivery | null
  popup: 'thanks' | 'failed' | null
}

/** What happens to the form. */
export type FormAction =
  | { type: 'typed'; field: string }
  | { type: 'complained'; errors: Errors }
  | { type: 'loading' }
  | { type: 'pressed-early' }
  | { type: 'answered-wrong' }
  | { type: 'sending' }
  | { type: 'unlocked'; attempt: number }
  | { type: 'thanked'; ticketId: string; delivery: Delivery | null }
  | { type: 'moved'; delivery: Delivery | null }
  | { type: 'unavailable' }
  | { type: 'renumbered'; ticketId: string }
  | { type: 'refused'; refusal: Refusal }
  /** A refused message is back in the form, not sent again yet. */
  | { type: 'given-back'; refusal: Refusal }
  | { type: 'popup-closed' }

/** An untouched form. */
export const untouched: FormState = {
  errors: {},
  phase: 'idle',
  complaints: 0,
  attempt: 0,
  problem: null,
  ticketId: null,
  delivery: null,
  popup: null,
}

/** The form after something has happened. */
export function reduceForm(state: FormState, action: FormAction): FormState {
  switch (action.type) {
    case 'typed':
      // An edited field counts as fine until it's sent.
      return action.field in state.errors
        ? { ...state, errors: without(state.errors, action.field) }
        : state
    case 'complained':
      return {
        ...state,
        errors: action.errors,
        phase: 'idle',
        complaints: state.complaints + 1,
      }
    case 'loading':
      return { ...state, phase: 'loading' }
    case 'pressed-early':
      return { ...state, errors: {}, phase: 'waiting' }
    case 'answered-wrong':
      return { ...state, errors: {}, phase: 'idle', popup: 'failed' }
    case 'sending':
      return { ...emptied(state), phase: 'sending', attempt: state.attempt + 1 }
    case 'unlocked':
      return state.phase === 'sending' && state.attempt === action.attempt
        ? { ...state, phase: 'idle' }
        : state
    case 'thanked':
      return {
        ...state,
        ticketId: action.ticketId,
        delivery: action.delivery,
        popup: 'thanks',
      }
    case 'moved':
      return { ...state, delivery: action.delivery }
    case 'unavailable':
      return { ...emptied(state), problem: 'unavailable' }
    case 'renumbered':
      return { ...state, ticketId: action.ticketId }
    case 'refused':
      return {
        ...emptied(state),
        errors: action.refusal.errors,
        problem: 'refused',
        complaints: state.complaints + 1,
      }
    case 'given-back':
      return { ...emptied(state), errors: action.refusal.errors, problem: 'refused' }
    case 'popup-closed':
      break
  }
  return { ...state, popup: null }
}

/** A clean state that keeps the counters. */
const emptied = ({ attempt, complaints }: FormState): FormState => ({
  ...untouched,
  attempt,
  complaints,
})

/** Status lines that work without the lazily loaded code. */
export const linesWithoutCode = ({ problem }: FormState, email: string): string[] =>
  problem ? [notSent('Please check your connection and send it again.', email)] : []

/** Says that a message was not sent. @param email offered as an alternative; empty if unknown */
export const notSent = (reason: string, email: string): string =>
  `Your message wasn’t sent. ${reason}${email && ` You can also email ${email}.`}`

const without = (errors: Errors, field: string): Errors =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => name !== field))
