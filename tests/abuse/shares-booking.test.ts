import { expect, test } from 'vitest'
import { answered } from '../support/enquiry.ts'
import { book, bookingOf, daysOf } from '../support/bookings.ts'
import { contentFiles } from '../support/content-files.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite, type Site } from '../support/site.ts'

const day = (n: number, month = '02') => `2027-${month}-${String(n).padStart(2, '0')}`

const mailsOf = (site: Site, kind: string) =>
  site.context.mails.list().filter((mail) => mail.kind === kind)

const statesOf = (site: Site) =>
  Array.from(site.context.features.bookings.actions.bookings.list(), ({ state }) => state)

const heldDays = async (site: Site, from: string, to: string) =>
  [...(await daysOf(site, from, to)).values()].filter(({ free }) => free < 2).length

/** The link in the email of a request that waited, as a path. */
const linkOf = (site: Site, reference: string) => {
  const claim = site.context.shares.claims.find('booking', reference)!
  return `/booking/confirm/${site.context.shares.linkToken(claim)}`
}

test('fifty mailboxes of one network get six requests, however often the sum is answered', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 36; n += 1) {
    const date = day((n % 20) + 1)
    const reply = await book(
      site,
      { from: date, to: date, email: `a${n}@example.com` },
      `127.5.1.${n + 1}`,
    )
    expect(reply.status).toBe(201)
    if (n < 6)
      expect(reply.json).toMatchObject({ state: 'requested', heldUntil: expect.any(String) })
    else expect(reply.json).toMatchObject({ state: 'requested', heldUntil: null })
  }
  expect(statesOf(site).filter((state) => state === 'requested')).toHaveLength(6)
  expect(mailsOf(site, 'bookingRequested')).toHaveLength(6)
  // Nothing that a stranger sent beyond the limit emails anyone.
  expect(mailsOf(site, 'bookingWaiting')).toEqual([])
  expect(mailsOf(site, 'limitAlarm')).toHaveLength(1)
  // The network has left all that is kept of one; a person elsewhere is served.
  const date = day(25)
  expect((await book(site, { from: date, to: date }, '127.5.1.60')).status).toBe(429)
  const other = await book(site, { from: date, to: date, email: 'real@example.com' }, '127.6.1.1')
  expect(other.json?.heldUntil).toEqual(expect.any(String))
})

test('one mailbox holds three requests, however it is spelt and wherever it comes from', async () => {
  await using site = await startSite({ sending: false })
  const spellings = [
    'aino@gmail.com',
    'A.ino@gmail.com',
    'ai.no+x@googlemail.com',
    'aino+y@gmail.com',
  ]
  for (let n = 0; n < 20; n += 1) {
    const email = spellings[n % spellings.length]!
    const date = day(n + 1, '0' + ((n % 3) + 2))
    expect((await book(site, { from: date, to: date, email }, `127.7.${n}.1`)).status).toBe(201)
  }
  expect(statesOf(site).filter((state) => state === 'requested')).toHaveLength(3)
  const { mails } = site.context
  const toMailbox = mails
    .list()
    .filter(({ kind }) => !kind.endsWith('Staff') && kind !== 'limitAlarm')
  expect(toMailbox).toHaveLength(3)
})

test('a mailbox holds 31 days at most', async () => {
  await using site = await startSite({ sending: false })
  const service = 'videography'
  for (const [n, length] of [20, 12].entries()) {
    const month = `0${n + 2}`
    const changes = { service, from: day(1, month), to: day(length, month) }
    await book(site, changes, `127.7.${n}.2`)
  }
  const claims = site.context.shares.about('aino@example.com')
  // The first is beyond the share in all of its month, so the second is the first to be asked for.
  expect(claims.map(({ units, parked }) => [units, parked])).toEqual([
    [20, 'link'],
    [12, 'link'],
  ])
  for (const { thing } of claims) {
    await site.post(linkOf(site, thing), undefined, { headers: { 'Content-Type': '' } })
  }
  expect(site.context.shares.about('aino@example.com').map(({ parked }) => parked)).toEqual([
    null,
    'staff',
  ])
})

test('fifty strangers from fifty networks hold a third of the days of a month', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 50; n += 1) {
    const date = day((n % 28) + 1)
    const changes = { from: date, to: date, email: `b${n}@example.com` }
    const { status, json } = await book(site, changes, `127.8.${n}.1`)
    expect(status).toBe(201)
    if (json?.heldUntil === null) expect(json.message).toMatch(/link/)
  }
  expect(await heldDays(site, day(1), day(28))).toBe(9)
  // A stranger gets one email at most for what was entered in their name.
  expect(mailsOf(site, 'bookingWaiting').length).toBeGreaterThan(0)
  const waiting = [
    ...site.context.features.bookings.actions.bookings.list({ state: 'quarantined' }),
  ]
  const [first] = waiting
  const link = linkOf(site, first!.reference)
  const page = await site.get(link)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Hold these dates')])
  expect(await heldDays(site, day(1), day(28))).toBe(9)
  const used = await site.post(link, undefined, { headers: { Cookie: '', 'X-CSRF-TOKEN': '' } })
  expect(used.status).toBe(200)
  expect(await heldDays(site, day(1), day(28))).toBe(10)
  // Again is the same.
  expect((await site.post(link, undefined)).status).toBe(200)
  expect(await heldDays(site, day(1), day(28))).toBe(10)
  expect((await site.get(`${link}A`)).status).toBe(404)
  // What no one confirms ends after a day, without a word to strangers.
  site.clock.advance(25 * 3_600_000)
  await site.context.jobs.runDue()
  expect(statesOf(site)).not.toContain('quarantined')
  expect(mailsOf(site, 'bookingExpired')).toEqual([])
  expect((await site.get(linkOf(site, waiting[1]!.reference))).status).toBe(410)
})

test('limits survive a restart and hold for requests at the same time', async () => {
  await using first = await startSite({ sending: false })
  const requests = Array.from({ length: 12 }, (_, n) => {
    const date = day(n + 1, n % 2 ? '02' : '03')
    const body = bookingOf({ from: date, to: date, email: `c${n}@example.com` })
    const headers = { 'X-Form-Proof': answered(first.context) }
    return { body, headers }
  })
  await Promise.all(
    requests.map(({ body, headers }, n) =>
      first.post('/api/bookings', body, { headers, from: `127.9.1.${n + 1}` }),
    ),
  )
  expect(statesOf(first).filter((state) => state === 'requested')).toHaveLength(6)
  await using again = await startSite({
    sending: false,
    dataDir: first.dataDir,
    clock: first.clock,
  })
  const late = await book(
    again,
    { from: day(20), to: day(20), email: 'd@example.com' },
    '127.9.1.99',
  )
  expect([late.status, late.json?.heldUntil]).toEqual([201, null])
})

test('a booking is moved three times a day by its visitor, and never to more days than it may hold', async () => {
  await using site = await startSite({ sending: false })
  const { json } = await book(site, { from: day(1), to: day(1) })
  const token = String(json?.url).split('/').at(-1)!
  const move = (from: string, to: string) =>
    site.post(`/api/bookings/by-link/${token}/move`, { from, to })
  expect((await move(day(1), day(28))).status).toBe(429)
  for (const n of [2, 3, 4]) expect((await move(day(n), day(n))).status).toBe(200)
  const refused = await move(day(5), day(5))
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '86400'])
  expect(mailsOf(site, 'bookingRequested').length).toBeLessThanOrEqual(3)
  // Staff have no limits.
  const { actions } = site.context.features.bookings
  await actions.move(
    String(json?.reference),
    { name: 'mika', isVisitor: false },
    { from: day(9), to: day(9) },
  )
  site.clock.advance(24 * 3_600_000)
  expect((await move(day(5), day(5))).status).toBe(200)
})

test('one stranger gets three mails of a kind a day, also by cancelling', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 10; n += 1) {
    const { json } = await book(site, { from: day(n + 1), to: day(n + 1) }, `127.10.${n}.1`)
    const token = String(json?.url).split('/').at(-1)!
    await site.post(`/api/bookings/by-link/${token}/cancel`, {})
  }
  expect(mailsOf(site, 'bookingRequested')).toHaveLength(3)
  expect(mailsOf(site, 'bookingCancelled')).toHaveLength(3)
})

test('shares are settings, and SHARES=off lifts them loudly', async () => {
  using files = contentFiles({ 'shares.json': { bookings: { network: { requests: 1 } } } })
  await using strict = await startSite({ sending: false, env: { CONTENT_DIR: files.dir } })
  for (const n of [1, 2]) {
    await book(strict, { from: day(n), to: day(n), email: `e${n}@example.com` })
  }
  expect(statesOf(strict)).toEqual(['requested', 'quarantined'])

  await using off = await startSite({ sending: false, env: { SHARES: 'off' } })
  for (let n = 1; n < 20; n += 1) await book(off, { from: day(n), to: day(n) })
  expect(statesOf(off).filter((state) => state === 'requested')).toHaveLength(19)
  expect((await off.get('/api/health')).json).toMatchObject({ status: 'degraded', shares: 'off' })
  const doctor = off.context.contributions().doctor.find(({ check }) => check === 'shares')!
  expect(await doctor.look()).toMatchObject({ state: 'warn' })
  off.context.features.limits.start?.()
  expect(off.logLines().join('\n')).toContain('SHARES=off: NO LIMITS')
  expect((await off.get('/api/health')).text).toContain('SHARES=off: NO LIMITS')
  // So does a doctor that has no such variable, as in another shell.
  await expect
    .poll(async () => (await runCli(['doctor'], off)).out)
    .toMatch(/warn shares: SHARES=off/)
})
