import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { checkForm, entriesOf, fieldErrors } from '#shared/forms/form.ts'
import { emailAddress, line } from '#shared/forms/fields.ts'

test('a form is read alike from the browser’s FormData and from a body that the server has parsed', () => {
  const sent = new FormData()
  sent.append('name', 'Aino')
  sent.append('message', 'One\r\nTwo')
  sent.append('name', 'Somebody else')
  sent.append('picture', new Blob(['x']))
  const posted = {
    name: ['Aino', 'Somebody else'],
    message: 'One\r\nTwo',
    nested: { a: 'b' },
  }
  const entries = { name: 'Aino', message: 'One\nTwo' }
  expect(entriesOf(sent)).toEqual(entries)
  expect(entriesOf(posted)).toEqual(entries)
  // A request without a body.
  expect(entriesOf(undefined)).toEqual({})
})

const person = z.object({
  Name: line('Please enter your name', 10),
  Car: z.object({
    number: z.string().check(z.regex(/^\d+$/, 'A number'), z.maxLength(2, 'Two digits')),
  }),
})

test('a check gives the valid value, or the first complaint about each field', () => {
  const good = { Name: ' Aino ', Car: { number: '47' } }
  expect(checkForm(person, good)).toEqual({
    value: { Name: 'Aino', Car: { number: '47' } },
    errors: null,
  })
  expect(checkForm(person, { Name: '', Car: { number: 'abc' } })).toEqual({
    value: null,
    errors: { Name: 'Please enter your name', 'Car.number': 'A number' },
  })
  expect(checkForm(person, 'nothing of the kind').errors).toHaveProperty('request')
})

test('complaints that the schema does not know of make a form wrong, too', () => {
  const good = { Name: 'Aino', Car: { number: '47' } }
  expect(checkForm(person, good, { more: { captcha: null, vatId: undefined } }).errors).toBeNull()
  expect(checkForm(person, good, { more: { captcha: 'Please answer' } })).toEqual({
    value: null,
    errors: { captcha: 'Please answer' },
  })
})

test('complaints stand under the names of the form’s fields', () => {
  const issues = [
    { path: ['Name'], message: 'first' },
    { path: ['Name'], message: 'second' },
  ]
  expect(fieldErrors(issues, (key) => key.toLowerCase())).toEqual({ name: 'first' })
})

test('an address with a domain of any letters is taken, and is one with that which a browser makes of it', () => {
  const read = (text: string) => emailAddress.safeParse(text).data
  expect(read('aino@jyväskylä.fi')).toBe('aino@xn--jyvskyl-7wae.fi')
  // Its letters taken apart, and in capitals, with a mark that nobody sees.
  expect(read(' Aino@JYVA\u0308SKYLA\u0308\u00ad.FI')).toBe('Aino@xn--jyvskyl-7wae.fi')
  expect(read('aino@xn--jyvskyl-7wae.fi')).toBe('aino@xn--jyvskyl-7wae.fi')
  for (const wrong of [
    'äino@example.com',
    'aino@ä',
    'aino@ä.fi/x',
    'aino@ä.fi:25',
    'a@b@ä.fi',
    'aino@.ä.fi',
    `aino@${'ä'.repeat(80)}.fi`,
    `a@${'ä.'.repeat(200)}fi`,
  ]) {
    expect([wrong, read(wrong)]).toEqual([wrong, undefined])
  }
})
