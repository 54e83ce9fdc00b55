import { expect, test } from 'vitest'
import { book } from '../../support/bookings.ts'
import { saveEnquiry, settled } from '../../support/enquiry.ts'
import { eventually } from '../../support/eventually.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite, type Site } from '../../support/site.ts'

const hour = 3_600_000

const digests = (site: Site) =>
  mailFiles(site.dataDir).filter(({ file }) => file.endsWith('staffDigest.eml'))

/** The addresses of the buttons in an email. */
const buttonsIn = (html: string) =>
  Array.from(html.matchAll(/class="button"\s+href="([^"]+)"/g), ([, url]) => url!)

test('the digest lists the things themselves with a button each, not on a weekend', async () => {
  await using site = await startSite({ sending: false })
  const { mails, jobs, contributions } = site.context
  await saveEnquiry(site, { 'Ticket ID': 'robot1', Subject: 'Prices <now>', website: 'x' })
  const { json } = await book(site)
  const queued = () => mails.list().filter(({ kind }) => kind === 'staffDigest')
  // It is Friday afternoon; the day's digest is made up for.
  await jobs.runDue()
  expect(queued()).toHaveLength(1)
  for (let day = 0; day < 2; day += 1) {
    site.clock.advance(24 * hour)
    await jobs.runDue()
    expect(queued()).toHaveLength(1)
  }
  // Monday, 09:00 in Helsinki.
  site.clock.advance(19 * hour)
  await jobs.runDue()
  expect(queued()).toHaveLength(2)
  const mail = queued()
    .toSorted((a, b) => a.id - b.id)
    .at(-1)!
  const brand = {
    name: 'Apex North Media',
    email: null,
    siteUrl: site.url,
    uidHost: 'localhost',
    imprint: '',
  }
  const rendered = await contributions().mailTemplates.get('staffDigest')!.render(mail, brand)
  if ('skip' in rendered) throw new Error(rendered.skip)
  const { subject, html, text } = rendered.message
  expect(subject).toBe('Waiting for you: Booking requests (1), Tickets in quarantine (1)')
  expect(buttonsIn(html)).toEqual([
    `${site.url}/desk`,
    `${site.url}/desk/bookings/${String(json?.reference)}`,
    `${site.url}/desk/tickets/robot1`,
  ])
  expect(text).toContain('Tickets in quarantine (1)')
  expect(text).toContain('Prices <now>')
  // Each thing is a paragraph of the text part, with its address on a line of its own.
  expect(text).toMatch(/ · quarantined\nOpen http\S+\/desk\/tickets\/robot1\n\n/)
  expect(html).not.toContain('<now>')
  expect(text).toContain('Booking requests (1)')
  expect(text).toContain('on each working day')
})

test('with DIGEST_DAYS=all a Saturday has its digest, and what was settled meanwhile is in none', async () => {
  await using site = await startSite({ env: { DIGEST_DAYS: 'all' } })
  await saveEnquiry(site, { 'Ticket ID': 'robot1', website: 'x' })
  await settled(site)
  site.clock.advance(24 * hour)
  await eventually(() => expect(digests(site)).toHaveLength(1))
  await site.context.commit((tx) => {
    const data = {
      lines: [{ count: 1, what: 'in quarantine', command: 'x', group: 'Tickets in quarantine' }],
    }
    site.context.mails.enqueue(tx, 'staffDigest', {
      key: 'later',
      data,
      dueAt: site.clock() + hour,
    })
  })
  await site.context.features.contact.actions.setStatus('robot1', 'spam', 'mika')
  site.clock.advance(2 * hour)
  await eventually(() =>
    expect(site.context.mails.list('dropped').map(({ lastReply }) => lastReply)).toEqual([
      'nothing left to tell',
    ]),
  )
  expect(digests(site)).toHaveLength(1)
})

test('every line that names a group of the desk names one that there is', async () => {
  await using site = await startSite()
  const { contributions } = site.context
  const named = contributions().features.flatMap(
    ({ digest }) => digest?.().flatMap(({ group }) => group ?? []) ?? [],
  )
  expect(named.toSorted()).toEqual([
    'Booking requests',
    'Booking requests in quarantine',
    'Date changes requested',
    'Emails that failed',
    'Emails to read in your mailbox',
    'Failed refunds',
    'Late invoices',
    'Late replies',
    'Orders on hold',
    'Orders to check',
    'Orders to pack',
    'Overpaid orders',
    'Payments that went back',
    'Refunds to pay',
    'Tickets in quarantine',
    'Withdrawals',
  ])
})

test('an alert about a limit lists what waits, and one of a weekend comes once, on Monday', async () => {
  await using site = await startSite()
  const alarms = () => mailFiles(site.dataDir).filter(({ file }) => file.endsWith('limitAlarm.eml'))
  // Sunday evening, so that what waits still waits on Monday.
  site.clock.advance(54 * hour)
  for (let n = 0; n < 4; n += 1) {
    const day = `2027-03-${String(10 + n)}`
    await book(site, { from: day, to: day }, `127.50.${n}.1`)
  }
  site.clock.advance(2 * hour)
  await book(site, { from: '2027-03-20', to: '2027-03-20' }, '127.51.1.1')
  await settled(site)
  expect(alarms()).toEqual([])
  site.clock.advance(12 * hour)
  await eventually(() => expect(alarms()).toHaveLength(1))
  await settled(site)
  const waiting = [...site.context.features.bookings.actions.bookings.list()]
    .filter(({ state }) => state === 'quarantined')
    .map(({ reference }) => `${site.url}/desk/bookings/${reference}`)
  expect(buttonsIn(alarms()[0]!.html)).toEqual([`${site.url}/desk`, ...waiting])
})

test('an alert about a limit says whether what goes beyond it waits or is turned away', async () => {
  await using site = await startSite()
  const alarm = () =>
    mailFiles(site.dataDir).find(({ subject }) => subject === 'Limit reached: withdrawal')
  const statuses: number[] = []
  for (let n = 0; n < 21; n += 1) {
    const email = `b${n}@example.com`
    const statement = { order: `A-${2222 + n}`, name: 'Aino Virtanen', email, confirm: true }
    const from = `127.52.1.${n + 1}`
    statuses.push((await site.post('/api/shop/withdraw', statement, { from })).status)
  }
  expect([statuses[0], statuses.at(-1)]).toEqual([200, 429])
  await eventually(() => expect(alarm()).toBeDefined())
  expect(alarm()!.text).toContain('turned away for now')
  expect(alarm()!.text).not.toContain('expire')
})

test('each message in a summary keeps its button', async () => {
  await using site = await startSite()
  for (let n = 0; n < 5; n += 1) {
    const ticket = `abc${String(n).padStart(3, '0')}`
    const changes = { 'Ticket ID': ticket, Email: `a${n}@example.com` }
    await saveEnquiry(site, changes, { from: `127.30.${n}.1` })
  }
  await settled(site)
  site.clock.advance(hour)
  const summary = () => mailFiles(site.dataDir).find(({ subject }) => subject.startsWith('2 more'))
  await eventually(() => expect(summary()).toBeDefined())
  const buttons = buttonsIn(summary()!.html)
  expect(buttons).toHaveLength(2)
  for (const url of buttons) expect(url).toContain(`${site.url}/desk/tickets/`)
  // Once, in its button.
  expect(summary()!.html.split(buttons[0]!)).toHaveLength(2)
})
