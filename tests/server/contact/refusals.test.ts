import { expect, test } from 'vitest'
import { enquiry, saveEnquiry } from '../../support/enquiry.ts'
import { startSite, type Site } from '../../support/site.ts'

const save = '/api/save-contact-form'
const required = 'Message is required (min 5 characters)'
const email = 'Please enter a valid email address'

const rules: [string, Record<string, unknown>, Record<string, string>][] = [
  ['no name', { Name: undefined }, { Name: 'Name is required' }],
  ['an empty name', { Name: '' }, { Name: 'Name is required' }],
  ['a name of spaces', { Name: '   ' }, { Name: 'Name is required' }],
  ['a name that is a number', { Name: 5 }, { Name: 'Name is required' }],
  ['a name that is null', { Name: null }, { Name: 'Name is required' }],
  ['a name that is a list', { Name: ['a'] }, { Name: 'Name is required' }],
  [
    'a name of 121 letters',
    { Name: 'a'.repeat(121) },
    { Name: 'Please use at most 120 characters' },
  ],
  ['no e-mail', { Email: undefined }, { Email: email }],
  ['an e-mail without @', { Email: 'aino.example.com' }, { Email: email }],
  ['an e-mail without a domain', { Email: 'aino@' }, { Email: email }],
  ['an e-mail with a space', { Email: 'ai no@example.com' }, { Email: email }],
  ['an e-mail with a line break', { Email: 'a@example.com\nBcc: b@example.com' }, { Email: email }],
  ['two e-mails', { Email: 'a@example.com,b@example.com' }, { Email: email }],
  ['an e-mail with a name', { Email: 'A <a@example.com>' }, { Email: email }],
  ['an e-mail of 300 letters', { Email: `${'a'.repeat(288)}@example.com` }, { Email: email }],
  ['no subject', { Subject: '' }, { Subject: 'Subject is required' }],
  ['no message', { Message: undefined }, { Message: required }],
  ['a message of four letters', { Message: 'Hi!!' }, { Message: required }],
  ['a message of four letters and spaces', { Message: '  Hi!!  ' }, { Message: required }],
  [
    'a message of 10 001 letters',
    { Message: 'a'.repeat(10_001) },
    { Message: 'Please use at most 10,000 characters' },
  ],
  ['no ticket id', { 'Ticket ID': undefined }, { 'Ticket ID': 'A ticket ID is needed' }],
  [
    'a ticket id of five',
    { 'Ticket ID': 'abc12' },
    { 'Ticket ID': 'A ticket ID is 6 lowercase letters and digits' },
  ],
  [
    'a ticket id in capitals',
    { 'Ticket ID': 'ABC123' },
    { 'Ticket ID': 'A ticket ID is 6 lowercase letters and digits' },
  ],
  [
    'a ticket id with a line break',
    { 'Ticket ID': 'abc123\n' },
    { 'Ticket ID': 'A ticket ID is 6 lowercase letters and digits' },
  ],
  ['a date in words', { Date: 'yesterday' }, { Date: 'Date must be an ISO timestamp' }],
  ['no date', { Date: undefined }, { Date: 'Date must be an ISO timestamp' }],
]

test.each(rules)('%s is refused with its message', async (_, changes, errors) => {
  await using site = await startSite({ sending: false })
  const reply = await saveEnquiry(site, changes)
  expect(reply.status).toBe(400)
  expect(reply.json).toMatchObject({ success: false, errors })
  expect([...site.context.features.contact.tickets.list()]).toEqual([])
})

test('all errors of a message are answered at once', async () => {
  await using site = await startSite({ sending: false })
  const reply = await site.post(save, {})
  expect(Object.keys(reply.json?.errors as object)).toEqual([
    'Name',
    'Email',
    'Subject',
    'Message',
    'Ticket ID',
    'Date',
  ])
})

test('line breaks in name and subject become spaces', async () => {
  await using site = await startSite({ sending: false })
  await saveEnquiry(site, {
    Name: 'Aino\r\nBcc: x@example.com',
    Subject: 'Race\u2028\u0000weekend',
  })
  expect(site.context.features.contact.tickets.find('abc123')).toMatchObject({
    name: 'Aino Bcc: x@example.com',
    subject: 'Race weekend',
  })
})

const bodies: [string, unknown, Record<string, string>, number][] = [
  ['broken JSON', '{"Name":', {}, 400],
  ['a list', [enquiry()], {}, 400],
  ['null', 'null', {}, 400],
  ['a text', '"hello"', {}, 400],
  ['nothing', '', {}, 400],
  ['a form', 'Name=a', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
  ['plain text', JSON.stringify(enquiry()), { 'Content-Type': 'text/plain' }, 415],
  ['no type', JSON.stringify(enquiry()), { 'Content-Type': '' }, 415],
  ['130 kB', enquiry({ Extra: 'a'.repeat(130 * 1024) }), {}, 413],
]

test.each(bodies)('a body that is %s is refused', async (_, body, headers, status) => {
  await using site = await startSite({ sending: false })
  const reply = await site.post(save, body, { headers })
  expect(reply.status).toBe(status)
  expect(reply.json).toMatchObject({ success: false, message: expect.any(String) })
})

test('prototype keys in the body are ignored', async () => {
  await using site = await startSite({ sending: false })
  const body = JSON.stringify(enquiry()).replace(
    '{',
    '{"__proto__":{"Name":"x"},"status":"closed",',
  )
  expect((await site.post(save, body)).status).toBe(201)
  expect(site.context.features.contact.tickets.find('abc123')?.status).toBe('new')
})

const other = 'f'.repeat(32)
const csrf: [string, (site: Site) => Record<string, string>, number][] = [
  ['a matching pair', () => ({}), 201],
  ['no header', () => ({ 'X-CSRF-TOKEN': '' }), 403],
  ['no cookie', () => ({ Cookie: '' }), 403],
  ['neither', () => ({ Cookie: '', 'X-CSRF-TOKEN': '' }), 403],
  ['another value in the header', () => ({ 'X-CSRF-TOKEN': other }), 403],
  ['a short value', () => ({ Cookie: 'X-CSRF-TOKEN=abc', 'X-CSRF-TOKEN': 'abc' }), 403],
  ['an empty value', () => ({ Cookie: 'X-CSRF-TOKEN=', 'X-CSRF-TOKEN': ' ' }), 403],
  [
    'no hex value',
    () => ({ Cookie: `X-CSRF-TOKEN=${'z'.repeat(32)}`, 'X-CSRF-TOKEN': 'z'.repeat(32) }),
    403,
  ],
  ['a foreign origin', () => ({ Origin: 'https://evil.example', 'Sec-Fetch-Site': '' }), 403],
  ['the origin "null"', () => ({ Origin: 'null', 'Sec-Fetch-Site': '' }), 403],
  ['a cross-site fetch', () => ({ 'Sec-Fetch-Site': 'cross-site' }), 403],
  ['a same-site fetch', () => ({ 'Sec-Fetch-Site': 'same-site' }), 403],
  ['our origin alone', ({ url }) => ({ Origin: url, 'Sec-Fetch-Site': '' }), 201],
  ['no browser at all', () => ({ Origin: '', 'Sec-Fetch-Site': '' }), 201],
]

test.each(csrf)('a call with %s', async (_, headers, status) => {
  await using site = await startSite({ sending: false })
  const reply = await site.post(save, enquiry(), { headers: headers(site) })
  expect(reply.status).toBe(status)
  expect(reply.headers['set-cookie']).toBeUndefined()
  if (status === 403) expect(reply.json).toMatchObject({ success: false, code: 'forbidden' })
})

test('a flood is answered 429, and other networks are not', async () => {
  await using site = await startSite({ sending: false })
  const flood = (n: number) =>
    saveEnquiry(site, { 'Ticket ID': n.toString(36).padStart(6, '0') }, { from: '127.0.0.2' })
  for (let n = 0; n < 30; n += 1) expect((await flood(n)).status).toBe(201)
  const refused = await flood(30)
  expect(refused.status).toBe(429)
  expect(refused.json).toMatchObject({ success: false, code: 'too-many' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await saveEnquiry(site, {}, { from: '127.0.0.3' })).status).toBe(201)
})

test.for([
  {
    form: 'an address with a port',
    trust: '1',
    from: (n: number) => `198.51.100.${n}:${4000 + n}`,
  },
  { form: 'IPv6 with a port', trust: '1', from: (n: number) => `[2001:db8:${n}::1]:443` },
  { form: 'IPv6 in brackets', trust: '1', from: (n: number) => `[2001:db8:${n}::1]` },
  {
    form: 'one behind a proxy with a port',
    trust: '127.0.0.1,10.0.0.0/8',
    from: (n: number) => `198.51.100.${n}, 10.0.0.7:80`,
  },
])('visitors whom a proxy names as $form have a limit each', async ({ trust, from }) => {
  await using site = await startSite({ sending: false, env: { TRUST_PROXY: trust } })
  for (let n = 1; n <= 7; n += 1) {
    await site.post(save, enquiry({ 'Ticket ID': `aaaaa${n}` }), {
      headers: { 'X-Forwarded-For': from(n) },
    })
  }
  expect(site.context.features.contact.tickets.quarantined()).toBe(0)
})

test('a header cannot pretend to be another client', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 7; n += 1) {
    await site.post(save, enquiry({ 'Ticket ID': `aaaaa${n}` }), {
      headers: { 'X-Forwarded-For': `10.0.0.${n}` },
    })
  }
  expect(site.context.features.contact.tickets.quarantined()).toBe(2)
})
