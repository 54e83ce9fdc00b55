import { expect, test } from 'vitest'
import {
  reduceForm,
  untouched,
  type FormAction,
  type FormState,
} from '#client/contact/form-state.ts'
import { statusLines } from '#client/contact/outcome.tsx'

const thanks: FormAction = { type: 'thanked', ticketId: 'abc123', delivery: null }

const after = (...actions: FormAction[]): FormState => actions.reduce(reduceForm, untouched)

test('typing takes the complaint of its own field away, and of no other', () => {
  const wrong = after({
    type: 'complained',
    errors: { name: 'Name is required', subject: 'Subject is required' },
  })
  expect(reduceForm(wrong, { type: 'typed', field: 'name' }).errors).toEqual({
    subject: 'Subject is required',
  })
  expect(reduceForm(wrong, { type: 'typed', field: 'website' })).toBe(wrong)
})

test('the lock of an older attempt does not open a newer one', () => {
  const second = after(
    { type: 'sending' },
    { type: 'refused', refusal: { errors: {} } },
    { type: 'sending' },
  )
  expect(reduceForm(second, { type: 'unlocked', attempt: 1 }).phase).toBe('sending')
  expect(reduceForm(second, { type: 'unlocked', attempt: 2 }).phase).toBe('idle')
})

test('a refusal takes the ticket number and the popup away, whenever it comes', () => {
  const errors = { message: 'Too long' }
  for (const type of ['refused', 'given-back'] as const) {
    const state = after({ type: 'sending' }, thanks, { type, refusal: { errors } })
    expect(state).toMatchObject({
      errors,
      problem: 'refused',
      ticketId: null,
      popup: null,
      phase: 'idle',
    })
  }
})

test('only what answers a press of Send leads to a field', () => {
  const refusal = { errors: {} }
  expect(after({ type: 'complained', errors: {} }).complaints).toBe(1)
  expect(after({ type: 'refused', refusal }, { type: 'refused', refusal }).complaints).toBe(2)
  expect(after({ type: 'given-back', refusal }).complaints).toBe(0)
})

test('sending anew forgets what was wrong and what was said of the message before', () => {
  const again = after(
    thanks,
    { type: 'complained', errors: { name: 'Name is required' } },
    { type: 'sending' },
  )
  expect(again).toMatchObject({ errors: {}, ticketId: null, popup: null, phase: 'sending' })
})

test('a number that was taken is replaced in what the visitor sees', () => {
  const state = after(thanks, { type: 'renumbered', ticketId: 'xyz789' })
  expect(state).toMatchObject({ ticketId: 'xyz789', popup: 'thanks' })
})

const email = 'hello@example.com'

test('the form says what it waits for and what went wrong, with another way where there is one', () => {
  expect(statusLines(untouched, email)).toEqual([])
  expect(statusLines(after({ type: 'pressed-early' }), email)).toEqual([
    'The verification question is on its way. Please answer it to send your message.',
  ])
  const waiting = after(thanks, { type: 'moved', delivery: 'waiting' })
  expect(statusLines(after(thanks), email)).toEqual([])
  expect(statusLines(waiting, email)).toEqual([
    'Not sent yet. We’ll keep trying. You can also email hello@example.com.',
  ])
  expect(statusLines(waiting, '')).toEqual(['Not sent yet. We’ll keep trying.'])
  const refused = (errors: object) => after({ type: 'refused', refusal: { errors } })
  expect(statusLines(refused({}), '')).toEqual([
    'Your message wasn’t sent. Our server rejected it.',
  ])
  expect(statusLines(refused({ message: 'Too long' }), email)).toEqual([
    'Your message wasn’t sent. Please check the highlighted fields. You can also email hello@example.com.',
  ])
  expect(statusLines(after({ type: 'unavailable' }), '')).toEqual([
    'Your message wasn’t sent. Please check your connection and send it again.',
  ])
})
