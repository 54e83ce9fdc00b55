import { expect, test } from 'vitest'
import { checkContact, contactFieldOf, contactFields, messageIn } from '#shared/contact/contact.ts'
import { enquiry } from '../../support/enquiry.ts'

const stamp = { ticketId: 'abc123', date: '2026-11-20T12:00:00.000Z' }
const entries = {
  name: 'Aino Virtanen',
  email: ' aino@example.com',
  subject: 'Race weekend\nin Imatra',
  message: 'We need two photographers from Friday to Sunday.',
}

test('what stands in the form becomes a record, and the record gives it back', () => {
  const { value, errors } = checkContact(entries, stamp)
  expect(errors).toBeNull()
  expect(value).toEqual(enquiry())
  expect(messageIn(value!)).toEqual({
    ...entries,
    email: 'aino@example.com',
    subject: 'Race weekend in Imatra',
  })
})

test('an address is taken without the marks that copying leaves around and in it', () => {
  for (const copied of [
    '\u202aaino@example.com\u202c',
    'aino@example\u00ad.com\u200b',
    '\ufeffaino@example.com\n',
  ]) {
    expect(checkContact({ ...entries, email: copied }, stamp).value).toEqual(enquiry())
  }
})

test('everything wrong is said at once, by the fields of the form, in their order', () => {
  const { value, errors } = checkContact({ email: 'aino@' }, stamp, { captcha: 'Please answer' })
  expect(value).toBeNull()
  expect(Object.entries(errors!)).toEqual([
    ['name', 'Name is required'],
    ['email', 'Please enter a valid email address'],
    ['subject', 'Subject is required'],
    ['message', 'Message is required (min 5 characters)'],
    ['captcha', 'Please answer'],
  ])
})

test('keys of the record have the names of their fields', () => {
  expect(contactFields).toEqual(['name', 'email', 'subject', 'message'])
  expect(contactFieldOf('Subject')).toBe('subject')
  expect(contactFieldOf('Ticket ID')).toBe('Ticket ID')
})
