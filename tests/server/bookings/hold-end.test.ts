import { expect, test } from 'vitest'
import { holdEnd } from '#server/bookings/days/hold-end.ts'
import { book } from '../../support/bookings.ts'
import { startSite } from '../../support/site.ts'

const helsinki = (text: string) => Date.parse(text)

test.each([
  ['ends in office hours', '2026-11-16T10:00+02:00', '2026-11-19T10:00+02:00'],
  ['ends at night', '2026-11-16T22:30+02:00', '2026-11-20T12:00+02:00'],
  ['ends before the office opens', '2026-11-17T05:00+02:00', '2026-11-20T12:00+02:00'],
  ['ends as the office closes', '2026-11-16T17:00+02:00', '2026-11-20T12:00+02:00'],
  ['ends on a weekend', '2026-11-18T10:00+02:00', '2026-11-23T12:00+02:00'],
  ['ends on Friday night', '2026-11-17T18:00+02:00', '2026-11-23T12:00+02:00'],
  ['ends on Christmas Eve', '2026-12-21T10:00+02:00', '2026-12-28T12:00+02:00'],
  ['ends on Good Friday', '2027-03-23T10:00+02:00', '2027-03-30T12:00+03:00'],
  ['ends over the switch to summer time', '2027-03-26T10:00+02:00', '2027-03-30T12:00+03:00'],
])('a hold that %s', (_, from, to) => {
  expect(new Date(holdEnd(helsinki(from), 72, '2027-06-05')).toISOString()).toBe(
    new Date(to).toISOString(),
  )
})

test('a request of Tuesday evening is held over the weekend', async () => {
  await using site = await startSite({ sending: false })
  site.clock.advance(helsinki('2026-11-24T18:00+02:00') - site.clock())
  const { json } = await book(site)
  expect(json?.heldUntil).toBe('2026-11-30T10:00:00.000Z')
})

test('a request for a day that comes sooner is answered before it, and so are other dates', async () => {
  await using site = await startSite({ sending: false })
  // A Thursday; 72 hours on it's that Sunday, and the next working day is after the work.
  site.clock.advance(helsinki('2026-11-26T10:00+02:00') - site.clock())
  const sunday = { from: '2026-11-29', to: '2026-11-29' }
  const { json } = await book(site, sunday)
  expect(json?.heldUntil).toBe('2026-11-28T21:59:00.000Z')
  const token = String(json?.url).split('/').at(-1)!
  const moved = await site.post(`/api/bookings/by-link/${token}/move`, {
    from: '2026-11-30',
    to: '2026-11-30',
  })
  expect(moved.status).toBe(200)
  const { actions } = site.context.features.bookings
  const find = () => actions.find(String(json?.reference))
  expect(find().heldUntil).toBe(helsinki('2026-11-29T23:59+02:00'))
  site.clock.advance(helsinki('2026-11-30T00:00+02:00') - site.clock())
  await site.context.jobs.runDue()
  expect(find().state).toBe('expired')
})
