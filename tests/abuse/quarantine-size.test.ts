import { expect, test } from 'vitest'
import { bookingOf } from '../support/bookings.ts'
import { enquiry } from '../support/enquiry.ts'
import { startSite, type Site } from '../support/site.ts'

/** A letter with as many accents as count as one character. */
const heavy = `e${'\u0301'.repeat(11)}`

const rowsOf = (site: Site, table: string) =>
  site.context.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number

const date = (n: number) => `2027-02-${String((n % 28) + 1).padStart(2, '0')}`

test('a flood of bookings without proofs leaves a bounded number of bytes, and is told so', async () => {
  await using site = await startSite({ sending: false })
  const heavyOne = bookingOf({ message: heavy.repeat(2000), website: 'x' })
  expect((await site.post('/api/bookings', heavyOne)).status).toBe(413)
  const statuses: number[] = []
  let retryAfter: unknown
  for (let n = 0; n < 60; n += 1) {
    const body = bookingOf({
      message: 'ä'.repeat(1900),
      website: 'x',
      from: date(n),
      to: date(n),
      email: `a${n}@example.com`,
    })
    const reply = await site.post('/api/bookings', body, { from: `127.40.1.${n + 1}` })
    statuses.push(reply.status)
    retryAfter = reply.headers['retry-after']
  }
  expect(statuses.filter((status) => status === 201)).toHaveLength(30)
  expect([statuses.at(-1), retryAfter]).toEqual([429, '3600'])
  expect(rowsOf(site, 'bookings')).toBe(30)
  // Staff hear of it, once an hour.
  const alarms = () => site.context.mails.list().filter(({ kind }) => kind === 'limitAlarm')
  await expect.poll(() => alarms().length).toBe(1)
  const { bytes } = site.context.shares.claims.parkedSince('booking', null, 0)
  expect(bytes).toBeLessThanOrEqual(150_000)
  // The limit is of that network alone, and of a day.
  const body = bookingOf({ website: 'x' })
  expect((await site.post('/api/bookings', body, { from: '127.41.1.1' })).status).toBe(201)
  site.clock.advance(25 * 3_600_000)
  const next = bookingOf({ website: 'x' })
  expect((await site.post('/api/bookings', next, { from: '127.40.1.1' })).status).toBe(201)
})

test('messages in quarantine are bounded by network and in all, and forgotten after two weeks', async () => {
  await using site = await startSite({ sending: false })
  const send = (n: number, from: string) =>
    site.post(
      '/api/save-contact-form',
      {
        ...enquiry({
          'Ticket ID': `q${String(n).padStart(5, '0')}`,
          Email: `q${n}@example.com`,
        }),
        website: 'x',
      },
      { from },
    )
  const statuses: number[] = []
  // A new address for each, as the count per address is another limit.
  for (let n = 0; n < 40; n += 1) statuses.push((await send(n, `127.42.1.${n + 1}`)).status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(30)
  expect(statuses.at(-1)).toBe(429)
  expect(rowsOf(site, 'tickets')).toBe(30)
  // A person who writes from there is heard.
  const person = await site.post('/api/save-contact-form', enquiry(), { from: '127.42.1.200' })
  expect(person.status).toBe(201)
  site.clock.advance(15 * 24 * 3_600_000)
  await site.context.jobs.runDue()
  expect(rowsOf(site, 'tickets')).toBe(1)
})

test('requests that never held a date are forgotten after two weeks, with everything about them', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 3; n += 1) {
    await site.post('/api/bookings', bookingOf({ website: 'x', from: date(n), to: date(n) }))
  }
  await site.post('/api/bookings', bookingOf({ from: '2027-05-05', to: '2027-05-05' }))
  site.clock.advance(15 * 24 * 3_600_000)
  await site.context.jobs.runDue()
  const { bookings } = site.context.features.bookings.actions
  expect(Array.from(bookings.list(), ({ state }) => state)).toEqual(['expired'])
})
