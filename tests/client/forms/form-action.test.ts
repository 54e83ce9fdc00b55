import { expect, test } from 'vitest'
import { filledIn, refusalOf, wholeNumber } from '#client/forms/form-action.ts'
import { ApiError } from '#client/api.ts'
import { failure } from '#shared/failures.ts'

test('a refusal reads the same from the server’s failure and from the reply that the browser gets', () => {
  const errors = { name: 'Please enter your name' }
  const expected = {
    status: 400,
    code: 'invalid',
    reason: 'Please check the highlighted fields.',
    errors,
  }
  const body = { code: 'invalid', message: expected.reason, errors }
  expect(refusalOf(failure('invalid', { errors }))).toMatchObject(expected)
  expect(refusalOf(new ApiError(400, 'Bad Request', body))).toMatchObject(expected)
})

test('further fields of a reply come with it', () => {
  const nearest = [{ from: '2026-12-01', to: '2026-12-02' }]
  expect(refusalOf(failure('taken', { details: { nearest } })).details).toMatchObject({ nearest })
})

test('a server that broke or could not be reached may have taken the form, and no one says it hasn’t', () => {
  const message =
    'The server didn’t answer, so we can’t tell whether this went through. Your entries are still here. Please try again in a moment: it won’t count twice.'
  for (const thrown of [new TypeError('fetch failed'), failure('broken'), 'a text']) {
    expect(refusalOf(thrown)).toMatchObject({ code: null, message, errors: {} })
  }
})

test('a payment service that’s down is told in the server’s words, which say what was kept', () => {
  const message = 'The payment service isn’t responding. We’ve kept your cart.'
  const expected = { status: 502, code: 'payment-down', message, errors: {} }
  expect(refusalOf(failure('payment-down', { message }))).toMatchObject(expected)
  const body = { code: 'payment-down', message }
  expect(refusalOf(new ApiError(502, 'Bad Gateway', body))).toMatchObject(expected)
})

test('a thing that is missing has no form either', () => {
  const missing = failure('missing')
  expect(() => refusalOf(missing)).toThrow(missing)
})

test('a sentence is shown where no field is to blame', () => {
  const errors = { name: 'Please enter your name' }
  expect(refusalOf(failure('invalid', { errors }))).toMatchObject({ errors, message: null })
  expect(refusalOf(failure('changed', { message: 'It has changed.' }))).toMatchObject({
    errors: {},
    message: 'It has changed.',
    reason: 'It has changed.',
  })
})

test('an optional field that holds nothing but spaces is left out', () => {
  const filled = filledIn({ phone: ' ', company: ' Team Nordic ' })
  expect([filled('phone'), filled('company'), filled('place')]).toEqual([
    undefined,
    'Team Nordic',
    undefined,
  ])
})

test('a whole number is digits alone', () => {
  expect([' 12 ', '0', '', '-1', '1e3', '2.5', undefined].map(wholeNumber)).toEqual([
    12,
    0,
    ...Array.from({ length: 5 }, () => Number.NaN),
  ])
})
