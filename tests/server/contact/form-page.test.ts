import { expect, test } from 'vitest'
import { settled } from '../../support/enquiry.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite, type Site } from '../../support/site.ts'

const filled = {
  name: 'Aino Virtanen',
  email: 'aino@example.com',
  subject: 'Race weekend',
  message: 'We need two photographers.\r\nFrom Friday.',
  captcha: '7',
  website: '',
  csrfToken: '',
  x: '3',
  y: '4',
}

const post = (
  site: Site,
  changes: Record<string, string> = {},
  headers: Record<string, string> = {},
) =>
  site.post('/contactwindow', new URLSearchParams({ ...filled, ...changes }).toString(), {
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Cookie: '',
      'X-CSRF-TOKEN': '',
      ...headers,
    },
  })

const tickets = (site: Site) => [...site.context.features.contact.tickets.list()]

test('a form without scripts is answered with the thank-you text and the ticket number', async () => {
  await using site = await startSite()
  const reply = await post(site)
  expect(reply.status).toBe(200)
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(reply.headers['content-security-policy']).not.toContain('unsafe-inline')
  const [ticket, ...more] = tickets(site)
  expect(more).toEqual([])
  expect(ticket).toMatchObject({
    name: 'Aino Virtanen',
    message: 'We need two photographers.\nFrom Friday.',
  })
  expect(reply.text).toContain(
    `Thank you for your message! We take it very seriously. We will reply to you by the next working day at the latest. Your ticket number: ${ticket?.ticketId}.`,
  )
  await settled(site)
  expect(mailFiles(site.dataDir)).toHaveLength(2)
})

test('reloading the answer makes no second ticket', async () => {
  await using site = await startSite({ sending: false })
  const first = await post(site)
  const second = await post(site)
  expect(second.text).toBe(first.text)
  expect(tickets(site)).toHaveLength(1)
})

test('a ticket number in the form is used, and drawn anew when another message has it', async () => {
  await using site = await startSite({ sending: false })
  await post(site, { ticket: 'abc123' })
  const reply = await post(site, { ticket: 'abc123', message: 'Something else.' })
  expect(reply.status).toBe(200)
  const [first, second] = tickets(site)
  expect(first?.ticketId).toBe('abc123')
  expect(second?.ticketId).toMatch(/^[a-z0-9]{6}$/)
  expect(reply.text).toContain(second!.ticketId)
})

test.each([
  ['name', { name: ' ' }, 'Name is required'],
  ['email', { email: 'aino' }, 'Please enter a valid email address'],
  ['subject', { subject: '' }, 'Subject is required'],
  ['message', { message: 'Hi' }, 'Message is required (min 5 characters)'],
  ['captcha', { captcha: '' }, 'Please answer the verification question'],
] as [string, Record<string, string>, string][])(
  'a wrong %s brings the form back with its message and what was written',
  async (field, changes, message) => {
    await using site = await startSite({ sending: false })
    const entries = { ...filled, ...changes }
    const reply = await post(site, changes)
    expect(reply.status).toBe(400)
    expect(reply.text).toContain(`<span class="wrong" id="${field}-wrong">${message}</span>`)
    if (field !== 'message')
      expect(reply.text).toContain('We need two photographers.\nFrom Friday.')
    if (field !== 'name') expect(reply.text).toContain(`value="${entries.name}"`)
    expect(reply.text).toMatch(/Verification: What is \d+ \+ \d+\?/)
    expect(tickets(site)).toEqual([])
  },
)

test.each([
  ['a wrong sum', { captcha: '8' }],
  ['a filled honeypot', { website: 'https://spam.example' }],
  ['operands out of range', { x: '0', y: '7' }],
  ['no operands', { x: '', y: '' }],
  ['words for a sum', { captcha: 'seven' }],
] as [string, Record<string, string>][])('%s is a failed verification', async (_, changes) => {
  await using site = await startSite({ sending: false })
  const reply = await post(site, changes)
  expect(reply.status).toBe(400)
  expect(reply.text).toContain('Verification Failed')
  expect(reply.text).toContain(
    'Please check your answer to the verification question and try again.',
  )
  expect(tickets(site)).toEqual([])
})

test('the form that comes back can be sent as it stands, and carries a proof', async () => {
  await using site = await startSite({ sending: false })
  const { text } = await post(site, { captcha: '8' })
  const hidden = Object.fromEntries(
    Array.from(text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g), ([, name, value]) => [
      name!,
      value!,
    ]),
  )
  site.clock.advance(3000)
  const sum = String(Number(hidden.x) + Number(hidden.y))
  expect((await post(site, { ...hidden, captcha: sum })).status).toBe(200)
  expect(tickets(site)[0]?.proven).toBe(true)
})

test('form input is shown again as text', async () => {
  await using site = await startSite({ sending: false })
  const evil = '"><script>alert(1)</script></textarea>'
  const { text } = await post(site, { name: evil, message: evil, captcha: '' })
  expect(text).not.toContain('<script>alert')
  expect(text.match(/&lt;script&gt;/g)).toHaveLength(2)
})

test('a form on a foreign page is refused', async () => {
  await using site = await startSite({ sending: false })
  expect((await post(site, {}, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
  expect(
    (await post(site, {}, { Origin: 'https://evil.example', 'Sec-Fetch-Site': '' })).status,
  ).toBe(403)
  expect(tickets(site)).toEqual([])
})

test('the longest message in any script is taken', async () => {
  await using site = await startSite({ sending: false })
  const long = { name: '𐌰'.repeat(120), subject: '賽'.repeat(200), message: '🏁'.repeat(10_000) }
  expect((await post(site, long)).status).toBe(200)
  expect(tickets(site)).toMatchObject([long])
})

test('a form with more than that is refused with a page', async () => {
  await using site = await startSite({ sending: false })
  const reply = await post(site, { message: 'a'.repeat(140_000) })
  expect(reply.status).toBe(413)
  expect(reply.text).toContain('Your message wasn’t sent')
})
