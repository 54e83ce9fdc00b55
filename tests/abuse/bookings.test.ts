import { expect, test } from 'vitest'
import { withBlockedPlaces } from '#server/bookings/days/capacity.ts'
import { book, bookingOf, daysOf } from '../support/bookings.ts'
import { mailFiles } from '../support/mail-files.ts'
import { startSite } from '../support/site.ts'

test('a flood without proofs holds three days at most, and never says so', async () => {
  await using site = await startSite({ sending: false })
  const dates = Array.from({ length: 12 }, (_, n) => `2027-02-${String(n + 10).padStart(2, '0')}`)
  const replies = []
  for (const date of dates) {
    replies.push(await site.post('/api/bookings', bookingOf({ from: date, to: date })))
  }
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(replies.map(({ json }) => json?.state))).toEqual(new Set(['requested']))
  const days = await daysOf(site, '2027-02-10', '2027-02-21')
  expect([...days.values()].filter(({ free }) => free === 1)).toHaveLength(3)
  const mails = site.context.mails.list().filter(({ kind }) => kind.startsWith('booking'))
  expect(mails).toHaveLength(6)
  // One flood locks no one else out.
  const other = await site.post(
    '/api/bookings',
    bookingOf({ from: '2027-03-10', to: '2027-03-10', email: 'other@example.com' }),
    {
      from: '127.9.0.1',
    },
  )
  expect(other.status).toBe(201)
  expect((await daysOf(site, '2027-03-10')).get('2027-03-10')?.free).toBe(1)
})

test('one mailbox gets a limited number of booking mails a day', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 12; n += 1) {
    const date = `2027-02-${String(n + 10).padStart(2, '0')}`
    expect((await book(site, { from: date, to: date }, `127.8.${n}.1`)).status).toBe(201)
  }
  const toVisitor = site.context.mails.list().filter(({ kind }) => kind === 'bookingRequested')
  expect(toVisitor).toHaveLength(3)
})

test('a proof holds one booking', async () => {
  await using site = await startSite({ sending: false })
  const { json } = await site.get('/api/form-proof')
  const { proof, x, y } = json as { proof: string; x: number; y: number }
  site.clock.advance(5000)
  const headers = { 'X-Form-Proof': `${proof}.${x + y}` }
  for (let n = 0; n < 6; n += 1) {
    const date = `2027-02-${String(n + 10).padStart(2, '0')}`
    await site.post(
      '/api/bookings',
      bookingOf({ from: date, to: date, email: `a${n}@example.com` }),
      {
        headers,
      },
    )
  }
  const states = Array.from(
    site.context.features.bookings.actions.bookings.list(),
    ({ state, proven }) => [state, proven],
  )
  expect(states.filter(([, proven]) => proven)).toHaveLength(1)
  expect(states.filter(([state]) => state === 'requested')).toHaveLength(4)
})

test.each([
  ['ten thousand days', { to: '2054-05-27' }, 400, 'to'],
  ['a range turned round', { from: '2027-01-20', to: '2027-01-10' }, 400, 'to'],
  ['the past', { from: '2020-01-01', to: '2020-01-01' }, 400, 'from'],
  ['the far future', { from: '9999-12-31', to: '9999-12-31' }, 400, 'to'],
  ['the thirtieth of February', { from: '2027-02-30' }, 400, 'from'],
  ['a date with a time', { from: '2027-01-20T00:00:00Z' }, 400, 'from'],
  ['a year of five digits', { from: '+12027-01-20' }, 400, 'from'],
  [
    'an hour that the clocks skip',
    { from: '2027-03-28', to: '2027-03-28', start: '03:30' },
    400,
    'start',
  ],
  ['an end before the beginning', { start: '18:00', end: '09:00' }, 400, 'end'],
  ['a service named like a method', { service: 'constructor' }, 400, 'service'],
  ['a prototype for a service', { service: '__proto__' }, 400, 'service'],
  ['an unknown event', { event: 'no-such-event' }, 400, 'event'],
  ['a list for a name', { name: ['a', 'b'] }, 400, 'name'],
  ['terms that are not accepted', { terms: 'true' }, 400, 'terms'],
  ['two mailboxes', { email: 'a@example.com, b@example.com' }, 400, 'email'],
  ['a line end in the mailbox', { email: 'a@example.com\r\nBcc: b@example.com' }, 400, 'email'],
  ['a short key', { key: 'short' }, 400, 'key'],
  ['a name of a book', { name: 'a'.repeat(5000) }, 400, 'name'],
] as [string, Record<string, unknown>, number, string][])(
  '%s is refused at its field and keeps nothing',
  async (_, changes, status, field) => {
    await using site = await startSite({ sending: false })
    const reply = await book(site, changes)
    expect(reply.status).toBe(status)
    expect(Object.keys(reply.json?.errors ?? {})).toContain(field)
    expect([...site.context.features.bookings.actions.bookings.list()]).toEqual([])
  },
)

test("mails about a booking repeat none of the visitor's input", async () => {
  await using site = await startSite()
  const bait = 'Win a car at https://spam.example'
  await book(site, { name: bait, company: bait, message: bait, place: bait })
  await expect.poll(() => site.context.outbox.counts().queued).toBe(0)
  const toVisitor = mailFiles(site.dataDir).filter(({ to }) => to.includes('aino@example.com'))
  expect(toVisitor).toHaveLength(1)
  for (const { text, html, subject, calendar } of toVisitor) {
    expect([text, html, subject, calendar?.ics].join('\n')).not.toContain('spam.example')
  }
})

test('asking how free days are has a bound in days and costs no more for many bookings', async () => {
  await using site = await startSite({ sending: false })
  const ask = (query: string) => site.get(`/api/bookings/availability?${query}`)
  expect((await ask('service=photography&from=2027-01-01&to=2027-04-10')).status).toBe(200)
  expect((await ask('service=photography&from=2027-01-01&to=2027-04-11')).status).toBe(400)
  expect((await ask('service=photography&from=2027-01-02&to=2027-01-01')).status).toBe(400)
  expect((await ask('service=nothing&from=2027-01-01&to=2027-01-02')).status).toBe(400)
  expect((await ask('service=photography&from=0001-01-01&to=0001-01-02')).status).toBeLessThan(500)
})

test('no token of a booking stands in a log line', async () => {
  await using site = await startSite({ sending: false })
  const { json } = await book(site)
  const token = String(json?.url).split('/').at(-1)!
  await site.get(`/booking/${token}`)
  await site.get(`/booking/${token}.ics`)
  await site.get(`/Booking/${token}`)
  await site.get(`/booking//${token}/cancel`)
  await site.get(`/api/bookings/by-link/${token}`)
  await site.get(`/api/bookings/by-staff-link/${token}`)
  await site.get(`/booking/staff/${token}`)
  await site.get(`/booking/confirm/${token}`)
  await site.get(`/booking/feed/${token}.ics`)
  expect(site.logLines().join('\n')).not.toContain(token.slice(0, 12))
})

test('slots that are blocked until further notice cost no more than those of a week', async () => {
  await using site = await startSite({ sending: false })
  const { actions } = site.context.features.bookings
  await actions.block({
    from: '2027-01-05',
    to: '2999-12-31',
    service: 'photography',
    places: 1,
    reason: 'one camera less',
    author: 'mika',
  })
  const [block] = actions.blocks()
  const range = { from: '2027-01-01', to: '2027-01-31' }
  expect(withBlockedPlaces(new Map(), [block!], range).size).toBe(27)
  const days = await daysOf(site, '2027-01-04', '2027-01-05')
  const [before, after] = [days.get('2027-01-04')!, days.get('2027-01-05')!]
  expect(before.free - after.free).toBe(1)
})
