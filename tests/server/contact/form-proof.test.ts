import { expect, test } from 'vitest'
import { caughtUp, enquiry, saveEnquiry, settled } from '../../support/enquiry.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite, type Site } from '../../support/site.ts'

const hour = 3_600_000
const id = (n: number) => n.toString(36).padStart(6, '0')

const bare = (
  site: Site,
  n: number,
  changes: Record<string, unknown> = {},
  proof = '',
  from = '127.0.0.1',
) =>
  site.post(
    '/api/save-contact-form',
    enquiry({ 'Ticket ID': id(n), Email: `a${n}@example.com`, ...changes }),
    {
      from,
      headers: { 'X-Form-Proof': proof },
    },
  )

/** A proof with its answer, when a person has had the time to fill in the form. */
const proofOf = async (site: Site) => {
  const { json } = await site.get('/api/form-proof')
  site.clock.advance(3000)
  return `${String(json?.proof)}.${Number(json?.x) + Number(json?.y)}`
}

const statuses = (site: Site) =>
  Array.from(site.context.features.contact.tickets.list(), ({ status }) => status)

test('a proof comes with two operands from 1 to 10 and its end', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 30; n += 1) {
    const { json, headers } = await site.get('/api/form-proof')
    expect(headers['cache-control']).toBe('no-store')
    for (const operand of [json?.x, json?.y]) {
      expect(operand).toBeOneOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    }
    expect(json).toEqual({
      x: json?.x,
      y: json?.y,
      proof: expect.any(String),
      expiresAt: '2026-11-21T00:00:00.000Z',
    })
  }
})

test('without a proof five an hour are taken, and further ones are kept quietly', async () => {
  await using site = await startSite()
  const replies = []
  for (let n = 0; n < 7; n += 1) replies.push(await bare(site, n))
  expect(statuses(site)).toEqual(['new', 'new', 'new', 'new', 'new', 'quarantined', 'quarantined'])
  // Nothing in the reply tells a sender that he has been found out.
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
  expect(replies[6]?.json).toEqual({ success: true, ticketId: id(6), status: 'saved' })
  expect(Object.keys(replies[6]!.headers)).toEqual(Object.keys(replies[0]!.headers))
  await settled(site)
  // The staff's digest of the day may have come between, and of five notices two wait for a summary.
  const sent = site.context.mails
    .list()
    .filter(({ kind }) => kind === 'notice' || kind === 'confirmation')
  expect(sent).toHaveLength(10)
})

test('the hour passes', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 5; n += 1) await bare(site, n)
  site.clock.advance(hour + 1)
  await bare(site, 5)
  expect(statuses(site)).not.toContain('quarantined')
})

test('another client is not affected', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 6; n += 1) await bare(site, n)
  await bare(site, 6, {}, '', '127.0.0.2')
  expect(site.context.features.contact.tickets.find(id(6))?.status).toBe('new')
})

test('calls with a proof are not counted and never go into quarantine', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 8; n += 1) await bare(site, n, {}, await proofOf(site))
  for (let n = 8; n < 13; n += 1) await bare(site, n)
  await bare(site, 13, {}, await proofOf(site))
  expect(statuses(site)).toEqual(Array.from({ length: 14 }, () => 'new'))
})

test('a proof counts once', async () => {
  await using site = await startSite({ sending: false })
  const proof = await proofOf(site)
  for (let n = 0; n < 7; n += 1) await bare(site, n, {}, proof)
  expect(statuses(site)).toEqual(['new', 'new', 'new', 'new', 'new', 'new', 'quarantined'])
  expect(site.context.features.contact.tickets.find(id(0))?.proven).toBe(true)
  expect(site.context.features.contact.tickets.find(id(1))?.proven).toBe(false)
})

test('a repeat may bring the same proof', async () => {
  await using site = await startSite({ sending: false })
  const proof = await proofOf(site)
  await bare(site, 0, {}, proof)
  expect((await bare(site, 0, {}, proof)).json).toMatchObject({ status: 'repeat' })
})

test('a clash does not use the proof up', async () => {
  await using site = await startSite({ sending: false })
  await saveEnquiry(site)
  const proof = await proofOf(site)
  await bare(site, 0, { 'Ticket ID': 'abc123' }, proof)
  await bare(site, 1, {}, proof)
  expect(site.context.features.contact.tickets.find(id(1))?.proven).toBe(true)
})

test.each([
  ['made up', () => 'a.b.c.7'],
  ['empty', () => '...'],
  ['with another end', (proof: string) => proof.replace(/\.[^.]+\./, '.zzzzzzzz.')],
  ['with another name', (proof: string) => `x${proof}`],
  ['with a part more', (proof: string) => `${proof}.x`],
  ['of great length', () => 'a.'.repeat(2000)],
  ['without an answer', (proof: string) => proof.replace(/\.\d+$/, '')],
  ['with an empty answer', (proof: string) => proof.replace(/\d+$/, '')],
  ['with a wrong answer', (proof: string) => proof.replace(/\d+$/, (sum) => `${Number(sum) + 1}`)],
  ['with an answer in words', (proof: string) => proof.replace(/\d+$/, 'seven')],
])('a proof that is %s is none', async (_, forge) => {
  await using site = await startSite({ sending: false })
  expect((await bare(site, 0, {}, forge(await proofOf(site)))).status).toBe(201)
  expect(site.context.features.contact.tickets.find(id(0))?.proven).toBe(false)
})

test('a proof that comes back within three seconds is none, and the message is taken', async () => {
  await using site = await startSite({ sending: false })
  const { json } = await site.get('/api/form-proof')
  const header = `${String(json?.proof)}.${Number(json?.x) + Number(json?.y)}`
  site.clock.advance(2999)
  expect((await bare(site, 0, {}, header)).status).toBe(201)
  site.clock.advance(1)
  expect((await bare(site, 1, {}, header)).status).toBe(201)
  expect(site.context.features.contact.tickets.find(id(0))).toMatchObject({
    proven: false,
    status: 'new',
  })
  expect(site.context.features.contact.tickets.find(id(1))).toMatchObject({
    proven: true,
    status: 'new',
  })
})

test('a proof ends after twelve hours', async () => {
  await using site = await startSite({ sending: false })
  const proof = await proofOf(site)
  site.clock.advance(12 * hour - 3000)
  await bare(site, 0, {}, proof)
  expect(site.context.features.contact.tickets.find(id(0))?.proven).toBe(false)
})

test('more than twenty a day without a proof for one address are kept quietly', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 22; n += 1) {
    const Email = n % 2 ? 'victim@example.com' : 'Victim@Example.com'
    await bare(site, n, { Email }, '', `127.0.0.${n + 1}`)
  }
  expect(statuses(site).slice(18)).toEqual(['new', 'new', 'quarantined', 'quarantined'])
})

test('staff hear of the quarantine once a day', async () => {
  await using site = await startSite({ env: { DIGEST_DAYS: 'all' } })
  for (let n = 0; n < 6; n += 1) await bare(site, n)
  const digests = () => site.context.mails.list().filter(({ kind }) => kind === 'staffDigest')
  site.clock.advance(24 * hour)
  await expect.poll(digests).toHaveLength(1)
  site.clock.advance(hour)
  await caughtUp(site)
  expect(digests()).toHaveLength(1)
  const [mail] = mailFiles(site.dataDir).filter(({ file }) => file.includes('staffDigest'))
  expect(mail?.to).toBe('staff@localhost')
  expect(mail?.text).toContain('Tickets in quarantine (1)')
})
