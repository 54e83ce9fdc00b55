import { expect, test } from 'vitest'
import { parseCall } from '#server/contact/mail-calls.ts'
import { caughtUp, enquiry, mailCalls, saveEnquiry, settled } from '../../support/enquiry.ts'
import { growth } from '../../support/growth.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite, type Site } from '../../support/site.ts'

const minutes = (count: number) => count * 60_000

const call = (site: Site, body: unknown, headers: Record<string, string> = {}) =>
  site.post('/api/send-email', body, { headers })

const { confirmation, notice } = mailCalls()

const subjects = (site: Site) => mailFiles(site.dataDir).map(({ subject }) => subject)

const both = [
  'Thank you for your enquiry',
  'New message from website from Aino Virtanen [Ticket: abc123]',
]

const steps = {
  save: (site: Site) => saveEnquiry(site),
  confirmation: (site: Site) => call(site, confirmation),
  notice: (site: Site) => call(site, notice),
}

test.each([
  ['save', 'confirmation', 'notice'],
  ['save', 'notice', 'confirmation'],
  ['confirmation', 'save', 'notice'],
  ['confirmation', 'notice', 'save'],
  ['notice', 'save', 'confirmation'],
  ['notice', 'confirmation', 'save'],
] as const)('%s, %s, %s: each mail goes out once', async (...order) => {
  await using site = await startSite()
  for (const step of order) {
    const { status, json } = await steps[step](site)
    expect(status).toBe(step === 'save' ? 201 : 202)
    expect(json?.success).toBe(true)
  }
  await settled(site)
  site.clock.advance(minutes(11))
  await caughtUp(site)
  expect(subjects(site)).toEqual(both)
  expect(
    site.context.features.contact.calls.ofTicket('abc123').map(({ outcome }) => outcome),
  ).toEqual(['matched', 'matched'])
})

test('the three calls at once: each mail goes out once', async () => {
  await using site = await startSite()
  await Promise.all(Object.values(steps).map((step) => step(site)))
  await settled(site)
  expect(subjects(site)).toEqual(both)
})

test('a notice call without a ticket mails staff alone, after ten minutes', async () => {
  await using site = await startSite()
  expect((await call(site, notice)).json).toEqual({ success: true })
  expect((await call(site, confirmation)).json).toEqual({ success: true })
  site.clock.advance(minutes(9))
  await caughtUp(site)
  expect(mailFiles(site.dataDir)).toEqual([])
  site.clock.advance(minutes(1))
  await expect.poll(() => mailFiles(site.dataDir)).toHaveLength(1)
  const [mail] = mailFiles(site.dataDir)
  expect(mail?.to).toBe('staff@localhost')
  expect(mail?.replyTo).toBe('aino@example.com')
  expect(mail?.subject).toBe(`[Record missing] ${both[1]}`)
  expect(mail?.text).toContain('We need two photographers')
  expect(mail?.text).toContain('Record missing')
  expect(mail?.raw).not.toContain('alert(1)')
  expect(site.logLines().join('')).toContain('mail.unmatched')
})

test('a late notice survives a restart', async () => {
  await using first = await startSite()
  await call(first, notice)
  await first.context.outbox.stop()
  await using second = await startSite({ dataDir: first.dataDir, clock: first.clock })
  second.clock.advance(minutes(10))
  await expect.poll(() => mailFiles(second.dataDir)).toHaveLength(1)
})

test('the same late notice again is passed on once', async () => {
  await using site = await startSite()
  await call(site, notice)
  await call(site, notice)
  site.clock.advance(minutes(10))
  await caughtUp(site)
  await call(site, notice)
  site.clock.advance(minutes(10))
  await caughtUp(site)
  expect(mailFiles(site.dataDir)).toHaveLength(1)
})

test('a flood of late notices is held, so that it does not fill the inbox', async () => {
  await using site = await startSite()
  for (let n = 0; n < 8; n += 1) {
    await call(site, mailCalls(enquiry({ 'Ticket ID': `zzzzz${n}` })).notice)
  }
  site.clock.advance(minutes(10))
  await caughtUp(site)
  // Three one by one; the other two that are delivered come in the summary of the hour.
  expect(mailFiles(site.dataDir)).toHaveLength(3)
  expect(site.context.features.contact.calls.held()).toHaveLength(3)
  site.clock.advance(minutes(60))
  await caughtUp(site)
  expect(subjects(site).filter((subject) => subject.startsWith('2 more'))).toHaveLength(1)
})

test('a notice without any ticket number reaches staff too', async () => {
  await using site = await startSite()
  await call(site, { ...notice, subject: 'New message from website from Aino' })
  site.clock.advance(minutes(10))
  await expect
    .poll(() => subjects(site))
    .toEqual(['[Record missing] New message from website from Aino'])
})

const attacks: [string, Record<string, unknown>, number][] = [
  ['two recipients', { to: [...confirmation.to, { email: 'b@example.com' }] }, 400],
  ['no recipient', { to: [] }, 400],
  ['a recipient that is a text', { to: 'a@example.com' }, 400],
  ['a recipient list in one address', { to: [{ email: 'a@example.com, b@example.com' }] }, 400],
  ['a line break in the subject', { subject: 'Thank you\r\nBcc: b@example.com' }, 400],
  [
    'a line break in a name',
    { to: [{ email: 'a@example.com', name: 'A\nBcc: b@example.com' }] },
    400,
  ],
  [
    'a line break in an address',
    { to: [{ email: 'a@example.com\r\nRCPT TO:<b@example.com>' }] },
    400,
  ],
  ['a line break in the sender', { sender: { email: 'a@example.com', name: 'A\rB' } }, 400],
  ['a reply address that is none', { replyTo: 'nobody' }, 400],
  ['no content', { htmlContent: '' }, 400],
  ['content that is an object', { htmlContent: { $ne: '' } }, 400],
  ['more than 64 kB', { htmlContent: 'a'.repeat(65 * 1024) }, 413],
]

test.each(attacks)('a call with %s is refused', async (_, changes, status) => {
  await using site = await startSite({ sending: false })
  const reply = await call(site, { ...confirmation, ...changes })
  expect(reply.status).toBe(status)
  expect(reply.json).toMatchObject({ success: false })
})

test('mail calls never send their own text to a visitor', async () => {
  await using site = await startSite()
  await saveEnquiry(site)
  await settled(site)
  const before = mailFiles(site.dataDir).length
  const spam = {
    sender: { email: 'ceo@bank.example', name: 'Your bank' },
    htmlContent: '<a href="https://phish.example">abc123</a> Pay now',
  }
  const calls = [
    { ...confirmation, ...spam, to: [{ email: 'victim@example.com' }] },
    { ...confirmation, ...spam },
    { ...confirmation, ...spam, subject: 'Invoice abc123', to: [{ email: 'victim@example.com' }] },
    { ...notice, ...spam, to: [{ email: 'victim@example.com' }] },
    { ...confirmation, ...spam, cc: ['victim@example.com'], bcc: 'victim@example.com' },
  ]
  for (const body of calls) expect((await call(site, body)).status).toBe(202)
  site.clock.advance(minutes(11))
  await caughtUp(site)
  const mails = mailFiles(site.dataDir)
  expect(mails).toHaveLength(before)
  expect(mails.map(({ raw }) => raw).join('')).not.toMatch(/phish|victim|bank\.example/)
})

test('a mail call needs the security token and our origin', async () => {
  await using site = await startSite({ sending: false })
  expect((await call(site, notice, { 'X-CSRF-TOKEN': '' })).status).toBe(403)
  expect((await call(site, notice, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
})

test.each([
  ['tags without an end', (count: number) => '<'.repeat(count)],
  ['words like numbers of tickets', (count: number) => 'abcde1 '.repeat(count / 7)],
])('%s are read in time in proportion to their length', async (_, text) => {
  const [short, long] = [600, 60_000].map((count) => ({
    ...confirmation,
    htmlContent: text(count),
  }))
  const times = await growth(
    () => parseCall(short!),
    () => parseCall(long!),
  )
  expect(times).toBeLessThan(1_500)
})
