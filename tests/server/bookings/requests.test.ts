import { expect, test } from 'vitest'

import { book, bookingOf, daysOf } from '../../support/bookings.ts'
import { season } from '../../support/content-events.ts'
import { settled } from '../../support/enquiry.ts'
import { startSite } from '../../support/site.ts'
import { startSmtp } from '../../support/smtp.ts'

test('a request holds its day, and the same key again is the same request', async () => {
  await using site = await startSite()
  const request = bookingOf()
  const first = await site.post('/api/bookings', request)
  expect(first.status).toBe(201)
  expect(first.json).toMatchObject({ success: true, state: 'requested' })
  expect(first.json?.reference).toMatch(/^[A-Z0-9-]{6,14}$/)
  expect(first.json?.heldUntil).toBe('2026-11-23T12:00:00.000Z')
  expect(String(first.json?.url)).toMatch(new RegExp(`^${site.url}/booking/[\\w-]{22,}$`))
  const again = await site.post('/api/bookings', request)
  expect(again.status).toBe(200)
  expect(again.json?.reference).toBe(first.json?.reference)
  expect(again.json?.url).toBe(first.json?.url)
  const other = await site.post('/api/bookings', { ...request, place: 'Elsewhere' })
  expect([other.status, other.json?.code]).toEqual([409, 'key'])
  const days = await daysOf(site, '2027-01-19', '2027-01-21')
  expect(days.get('2027-01-19')).toMatchObject({ state: 'free', free: 2 })
  expect(days.get('2027-01-20')).toMatchObject({ state: 'limited', free: 1 })
})

test('the last place goes to one of two hundred, the others get the nearest free dates', async () => {
  await using site = await startSite({ sending: false })
  await book(site)
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, index) => book(site, {}, `127.0.${1 + (index % 50)}.1`)),
  )
  const counts = Map.groupBy(replies, ({ status }) => status)
  expect(new Map([...counts].map(([status, { length }]) => [status, length]))).toEqual(
    new Map([
      [201, 1],
      [409, 199],
    ]),
  )
  const [loser] = counts.get(409)!
  expect(loser!.json).toMatchObject({ success: false, code: 'taken' })
  expect((loser!.json as { nearest: unknown[] }).nearest).toContainEqual({
    from: '2027-01-19',
    to: '2027-01-19',
  })
  const days = await daysOf(site, '2027-01-20')
  expect(days.get('2027-01-20')).toMatchObject({ state: 'held', free: 0 })
  // What the losers were told is also what is kept: no one is in the book without a place.
  const { bookings } = site.context.features.bookings.actions
  expect([...bookings.list()].map(({ state }) => state)).toEqual(['requested', 'requested'])
  expect(site.context.mails.list().map(({ kind }) => kind)).toHaveLength(4)
})

test('days that are closed, or blocked between view and post, are named as such', async () => {
  await using site = await startSite({ sending: false })
  const { days } = site.context.features.bookings.actions
  const [from, to] = ['2027-01-20', '2027-01-20']
  expect((await daysOf(site, from)).get(from)).toMatchObject({ state: 'free' })
  const block = { from, to, service: null, reason: 'Camera service', author: 'staff' }
  await site.context.commit((tx) => days.block(tx, block))
  for (const date of [from, '2026-12-25']) {
    const { status, json } = await book(site, { from: date, to: date })
    expect([status, json?.code, json?.message]).toEqual([
      409,
      'taken',
      'We’re closed on some of these dates.',
    ])
    expect((json as { nearest: unknown[] }).nearest).not.toHaveLength(0)
  }
})

test('closed days say why, and keep what staff noted to staff', async () => {
  using content = season(undefined, {
    'booking-rules.json': JSON.stringify({
      services: { photography: {} },
      closedWeekdays: [7],
      blocked: [
        { from: '2027-01-18', to: '2027-01-18', reason: 'Aino has surgery' },
        {
          from: '2027-01-19',
          to: '2027-01-19',
          reason: 'Fair',
          publicReason: 'We’re at the racing fair',
        },
      ],
      seasons: [{ from: '2027-02-01', to: '2027-12-31', opens: '2026-12-01' }],
    }),
  })
  await using site = await startSite({ env: { CONTENT_DIR: content.directory } })
  const reasons = async (from: string, to = from) =>
    [...(await daysOf(site, from, to)).values()].map(({ reason }) => reason)
  expect(await reasons('2027-01-17', '2027-01-20')).toEqual([
    'We don’t work on Sundays',
    'We’re closed on this day',
    'We’re at the racing fair',
    undefined,
  ])
  expect(await reasons('2026-11-19')).toEqual(['This day has passed'])
  expect(await reasons('2026-11-21')).toEqual(['We need 48 hours’ notice'])
  expect(await reasons('2026-12-25')).toEqual(['Christmas Day is a public holiday'])
  expect(await reasons('2027-03-01')).toEqual(['Opens for booking on 1 December 2026'])
  expect(await reasons('2029-01-01')).toEqual(['Bookings are open until 20 May 2028'])
})

test('a range across closed days offers its parts, and others with their weekend in the same place', async () => {
  await using site = await startSite({ sending: false })
  const { json } = await book(site, { from: '2026-12-22', to: '2026-12-28' })
  expect(json).toMatchObject({
    code: 'taken',
    parts: [
      { from: '2026-12-22', to: '2026-12-23' },
      { from: '2026-12-27', to: '2026-12-28' },
    ],
  })
  // A Saturday and Sunday, of which Boxing Day is closed.
  const weekend = await book(site, { from: '2026-12-26', to: '2026-12-27' })
  expect(weekend.json?.nearest).toEqual([
    { from: '2026-12-19', to: '2026-12-20' },
    { from: '2027-01-02', to: '2027-01-03' },
    { from: '2026-12-12', to: '2026-12-13' },
  ])
})

test.each<[string, Record<string, unknown>, string]>([
  ['a day in the past', { from: '2026-11-01', to: '2026-11-01' }, 'from'],
  ['a day before the notice is over', { from: '2026-11-22', to: '2026-11-22' }, 'from'],
  ['a day beyond the horizon', { from: '2029-01-01', to: '2029-01-01' }, 'to'],
  ['a range turned round', { from: '2027-01-21', to: '2027-01-20' }, 'to'],
  ['a range of 10 000 days', { from: '2027-01-20', to: '2054-06-07' }, 'to'],
  ['a day that there is not', { from: '2027-02-29', to: '2027-03-01' }, 'from'],
  ['an unknown service', { service: 'catering' }, 'service'],
  ['an unknown event', { event: 'no-such-event' }, 'event'],
  [
    'a time that the clocks skip',
    { from: '2027-03-28', to: '2027-03-28', start: '03:30' },
    'start',
  ],
  ['an end before the start', { start: '12:00', end: '11:00' }, 'end'],
  ['no consent to the terms', { terms: false }, 'terms'],
  ['no place', { place: '  ' }, 'place'],
  ['an address that is none', { email: 'aino' }, 'email'],
  ['a phone number that is none', { phone: 'call me' }, 'phone'],
  ['a key that is too short', { key: 'short' }, 'key'],
])('%s is refused, and the field named', async (_, changes, field) => {
  await using site = await startSite({ sending: false })
  const { status, json } = await book(site, changes)
  expect(status).toBe(400)
  expect(Object.keys((json as { errors: object }).errors)).toContain(field)
})

test('the first of an ambiguous time counts', async () => {
  await using site = await startSite({ sending: false })
  const times = { from: '2027-10-31', to: '2027-10-31', start: '03:30' }
  expect((await book(site, { ...times, end: '03:45' })).status).toBe(201)
  const { status, json } = await book(site, { ...times, end: '03:15' })
  expect([status, json?.errors]).toEqual([
    400,
    {
      end: 'The end is before the start. For work past midnight, choose the next day as the last day',
    },
  ])
})

test('a night on one day is refused in words that say how it’s booked', async () => {
  await using site = await startSite({ sending: false })
  const night = { from: '2027-06-05', to: '2027-06-05', start: '20:00', end: '02:00' }
  const { status, json } = await book(site, night)
  expect([status, json?.errors]).toEqual([
    400,
    {
      end: 'The end is before the start. For work past midnight, choose the next day as the last day',
    },
  ])
  expect((await book(site, { ...night, to: '2027-06-06' })).status).toBe(201)
  const same = await book(site, { ...night, end: '20:00' })
  expect(same.json?.errors).toEqual({ end: 'The end is the same as the start' })
})

test('without a proof three requests count as usual; later ones hold nothing and send no mail', async () => {
  await using site = await startSite()
  for (const day of ['04', '05', '06', '07']) {
    const date = `2027-02-${day}`
    const { status } = await site.post('/api/bookings', bookingOf({ from: date, to: date }))
    expect(status).toBe(201)
  }
  await settled(site)
  const days = await daysOf(site, '2027-02-04', '2027-02-07')
  expect([...days.values()].map(({ free }) => free)).toEqual([1, 1, 1, 2])
  const mails = site.context.mails.list().filter(({ kind }) => kind.startsWith('booking'))
  expect(mails).toHaveLength(6)
  const states = [...site.context.features.bookings.actions.bookings.list()].map(
    ({ state }) => state,
  )
  expect(states).toEqual(['requested', 'requested', 'requested', 'quarantined'])
})

test('a request that may be a robot’s says that nothing is held, staff hear of it within the hour, and it ends after 14 days', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({
    env: { SMTP_URL: smtp.url, STAFF_EMAIL: 'staff@example.com' },
  })
  const { json } = await book(site, { website: 'https://example.com' })
  expect(json).toMatchObject({ state: 'requested', heldUntil: null })
  expect(json?.message).toContain('aren’t held yet')
  const token = String(json?.url).split('/').at(-1)
  const view = async () => (await site.get(`/api/bookings/by-link/${token}`)).json
  expect(await view()).toMatchObject({
    state: 'requested',
    heldUntil: null,
    waits: { for: 'check', until: '2026-12-04T12:00:00.000Z' },
    acts: { cancel: false, move: false },
  })
  await settled(site)
  expect(smtp.mails).toEqual([])
  site.clock.advance(3_600_000)
  await site.context.jobs.runDue()
  await settled(site)
  // The daily digest lists it once more.
  const about = () =>
    smtp.mails.filter(
      ({ subject, text }) =>
        text.includes(String(json?.reference)) && !subject.startsWith('Waiting for you'),
    )
  expect(about().map(({ envelopeTo, subject }) => [envelopeTo, subject])).toEqual([
    [['staff@example.com'], '1 booking request to check'],
  ])
  site.clock.advance((14 * 24 - 1) * 3_600_000)
  await site.context.jobs.runDue()
  expect(await view()).toMatchObject({ state: 'expired', waits: null })
  await settled(site)
  expect(about()).toHaveLength(1)
})

test('a request runs out after 72 hours, and its day is free again', async () => {
  await using site = await startSite()
  const { json } = await book(site)
  site.clock.advance(24 * 3_600_000)
  await site.context.jobs.runDue()
  site.clock.advance(48 * 3_600_000)
  await site.context.jobs.runDue()
  await settled(site)
  const { bookings } = site.context.features.bookings.actions
  expect(bookings.find(String(json?.reference))?.state).toBe('expired')
  const days = await daysOf(site, '2027-01-20')
  expect(days.get('2027-01-20')).toMatchObject({ state: 'free', free: 2 })
  const kinds = site.context.mails.list().map(({ kind }) => kind)
  expect(kinds).toContain('bookingUnansweredStaff')
  expect(kinds).toContain('bookingExpired')
})

test('marks and joiners that a script needs stay, and no turn of direction leaves its own line', async () => {
  await using site = await startSite({ sending: false })
  const name = 'علی\u200cرضا \u200fحسینی'
  const { status } = await book(site, {
    name,
    place: '\u2067מסלול\u2069 \u200eA\u061c',
    company: 'Kaamos\u202egpj.exe',
    message: 'می\u200cخواهم\n\u2066open\nclosed',
  })
  expect(status).toBe(201)
  const [booking] = [...site.context.features.bookings.actions.bookings.list()]
  expect(booking).toMatchObject({
    name,
    place: '\u2067מסלול\u2069 \u200eA\u061c',
    company: 'Kaamos\u2067gpj.exe\u2069',
    message: 'می\u200cخواهم\n\u2066open\u2069\nclosed',
  })
  expect((await book(site, { name: '\u200f\u200d' })).status).toBe(400)
})

test('whom to invoice is in a country that there is, or no VAT would be a matter of two letters', async () => {
  await using site = await startSite({ sending: false })
  for (const country of ['XX', 'ZZ', 'EU', 'UK', 'AA']) {
    const { status, json } = await book(site, { country, company: 'Rally Oy' })
    expect([status, json?.errors]).toEqual([400, { country: 'Please choose a country' }])
  }
  const { json } = await book(site, { country: 'PE', company: 'Rally SA' })
  const billing = `${new URL(String(json?.url)).pathname.replace('/booking/', '/api/bookings/by-link/')}/billing`
  expect((await site.post(billing, { country: 'XX' })).json?.errors).toEqual({
    country: 'Please choose a country',
  })
  expect((await site.post(billing, { country: 'FI' })).status).toBe(200)
})

test('how free days are is asked of services that are booked by the day', async () => {
  await using site = await startSite({ sending: false })
  const days = 'from=2027-01-20&to=2027-01-21'
  for (const service of ['website-design', 'social-media', 'none']) {
    const { status, json } = await site.get(`/api/bookings/availability?service=${service}&${days}`)
    expect([status, Object.keys(json?.errors as object)]).toEqual([400, ['service']])
  }
  const { status } = await site.get(`/api/bookings/availability?service=public-relations&${days}`)
  expect(status).toBe(200)
})

test('a request for a project that waits speaks of no dates', async () => {
  await using site = await startSite({ sending: false })
  const project = { service: 'website-design', to: undefined, scope: 'A site' }
  for (let n = 0; n < 3; n += 1) await book(site, project)
  const { status, json } = await book(site, project)
  expect([status, json?.heldUntil]).toEqual([201, null])
  expect(json?.message).toContain('we’ll look at this one first')
  expect(json?.message).not.toContain('dates')
})
