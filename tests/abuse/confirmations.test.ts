import { expect, test } from 'vitest'
import { answered, enquiry, settled } from '../support/enquiry.ts'
import { mailFiles } from '../support/mail-files.ts'
import { runCli } from '../support/run-cli.ts'
import { createClock, startSite, type Site } from '../support/site.ts'

const minute = 60_000
const hour = 60 * minute

const id = (n: number) => n.toString(36).padStart(6, '0')

/** Saves a message with a good proof, from its own address where not said. */
const save = (
  site: Site,
  n: number,
  changes: Record<string, unknown> = {},
  { from = `127.0.1.${n + 1}`, proof = answered(site.context) } = {},
) =>
  site.post('/api/save-contact-form', enquiry({ 'Ticket ID': id(n), ...changes }), {
    from,
    headers: { 'X-Form-Proof': proof },
  })

const mailsTo = (site: Site, to: string) =>
  mailFiles(site.dataDir).filter((mail) => mail.to.toLowerCase() === to.toLowerCase())

const kinds = (site: Site, kind: string) =>
  site.context.mails.list().filter((mail) => mail.kind === kind)

const statuses = (site: Site) =>
  Array.from(site.context.features.contact.tickets.list(), ({ status }) => status)

test('a stranger gets one confirmation in ten minutes and three a day, whatever proofs come', async () => {
  await using site = await startSite()
  for (let n = 0; n < 40; n += 1) {
    expect((await save(site, n, { Email: 'victim@example.com' })).status).toBe(201)
    if (n % 10 === 9) await settled(site)
    site.clock.advance(4 * minute)
  }
  await settled(site)
  expect(mailsTo(site, 'victim@example.com')).toHaveLength(3)
  // No one's message is lost: each is a ticket, and staff hear of each.
  expect(statuses(site)).toEqual(Array.from({ length: 40 }, () => 'new'))
  site.clock.advance(hour)
  await settled(site)
  // Three in an hour one by one, the others in its summary.
  const toStaff = mailsTo(site, 'staff@localhost')
  expect(toStaff.length).toBeLessThanOrEqual(4 * 4)
  for (const { ticketId } of site.context.features.contact.tickets.list()) {
    expect(
      toStaff.filter(({ text }) => text.includes(`[Ticket: ${ticketId}]`)).length +
        toStaff.filter(({ subject }) => subject.includes(`[Ticket: ${ticketId}]`)).length,
    ).toBeGreaterThan(0)
  }
  site.clock.advance(24 * hour)
  await save(site, 40, { Email: 'victim@example.com' })
  await settled(site)
  expect(mailsTo(site, 'victim@example.com')).toHaveLength(4)
})

test('without shares, as in a load test, each message is confirmed', async () => {
  await using site = await startSite({ env: { SHARES: 'off' }, sending: false })
  for (let n = 0; n < 5; n += 1) await save(site, n, { Email: 'victim@example.com' })
  expect(kinds(site, 'confirmation')).toHaveLength(5)
})

test('a mailbox is one mailbox, however its address is spelt', async () => {
  await using site = await startSite({ sending: false })
  const spellings = [
    'Victim@gmail.com',
    'vic.tim@GMAIL.com',
    'victim+shop@gmail.com',
    'v.i.c.t.i.m+1@googlemail.com',
  ]
  for (const [n, Email] of spellings.entries()) await save(site, n, { Email })
  expect(kinds(site, 'confirmation')).toHaveLength(1)
  expect(kinds(site, 'notice')).toHaveLength(4)
  // Elsewhere a dot is a letter like any other.
  await save(site, 10, { Email: 'aino.virtanen@example.com' })
  await save(site, 11, { Email: 'ainovirtanen@example.com' })
  expect(kinds(site, 'confirmation')).toHaveLength(3)
})

test('a proof alone is none: without its answer, or with a wrong one, the strict limits count', async () => {
  await using site = await startSite({ sending: false })
  const from = '127.0.0.9'
  for (let n = 0; n < 12; n += 1) {
    const { json } = await site.get('/api/form-proof')
    site.clock.advance(5000)
    const wrong = Number(json?.x) + Number(json?.y) + 1
    const proof = n % 2 ? String(json?.proof) : `${String(json?.proof)}.${wrong}`
    await save(site, n, { Email: `a${n}@example.com` }, { from, proof })
  }
  expect(statuses(site)).toEqual(
    Array.from({ length: 12 }, (_, n) => (n < 5 ? 'new' : 'quarantined')),
  )
  expect(kinds(site, 'confirmation')).toHaveLength(5)
})

test.each([
  ['a web address', 'https://spam.example'],
  ['a number', 1],
  ['a list', ['x']],
])(
  'a honeypot with %s in it puts the message aside, proof or not, and nobody is told',
  async (_, website) => {
    await using site = await startSite({ sending: false })
    const trapped = await save(site, 0, { website })
    const plain = await save(site, 1, { website: '' })
    expect(trapped.status).toBe(201)
    expect(trapped.json).toEqual({ success: true, ticketId: id(0), status: 'saved' })
    expect(Object.keys(trapped.headers)).toEqual(Object.keys(plain.headers))
    expect(statuses(site)).toEqual(['quarantined', 'new'])
    expect(site.context.features.contact.tickets.find(id(0))?.message).toBe(enquiry().Message)
    expect(site.context.mails.of('ticket', id(0))).toEqual([])
  },
)

const adverts: [string, Record<string, string>, string][] = [
  ['no link', {}, 'new'],
  ['the address of a team', { Message: 'We are https://team.example and need photos.' }, 'new'],
  ['two links', { Message: 'Buy at https://a.example or http://b.example now' }, 'quarantined'],
  ['a link in its subject', { Subject: 'WWW.CASINO.EXAMPLE' }, 'quarantined'],
  ['a link for a name', { Name: 'https://casino.example' }, 'quarantined'],
  ['markup', { Message: 'See [url=https://a.example]here[/url]' }, 'quarantined'],
]

test.each(adverts)(
  'without a proof a message with %s is kept as it should be',
  async (_, changes, status) => {
    await using site = await startSite({ sending: false })
    expect((await save(site, 0, changes, { proof: '' })).status).toBe(201)
    expect(statuses(site)).toEqual([status])
    // Someone who has solved the sum may write what he likes.
    await save(site, 1, changes)
    expect(statuses(site)[1]).toBe('new')
  },
)

test('the 31st message of a network in ten minutes is answered 429 with Retry-After', async () => {
  await using site = await startSite({ sending: false })
  const from = '127.0.0.7'
  for (let n = 0; n < 30; n += 1) {
    expect((await save(site, n, { Email: `a${n}@example.com` }, { from })).status).toBe(201)
  }
  const refused = await save(site, 30, {}, { from })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await save(site, 31)).status).toBe(201)
})

test('a ticket that staff take out of quarantine does not lift the limit of its mailbox', async () => {
  // The command line has the clock of the machine.
  await using site = await startSite({ sending: false, clock: createClock(Date.now()) })
  await save(site, 0)
  await save(site, 1, { website: 'x' })
  expect((await runCli(['tickets', 'set', id(1), 'open'], site)).code).toBe(0)
  expect(kinds(site, 'notice')).toHaveLength(2)
  expect(kinds(site, 'confirmation')).toHaveLength(1)
})
