import { expect, test } from 'vitest'
import { addDays } from '#shared/dates/civil-dates.ts'
import { book, keptDays, recounted } from '../../support/bookings.ts'
import { contentFiles } from '../../support/content-files.ts'
import { createClock, startSite, type Site } from '../../support/site.ts'

/** One place a day, with work on every day. */
const oneADay = {
  closedOnHolidays: false,
  services: { photography: { capacity: 1, needsCrew: false } },
}

const mika = { name: 'mika', isVisitor: false }

/** Asks for a day. @returns the reference, and what visitor and staff do by their links */
async function asked(site: Site, date: string, n: number) {
  const from = `127.60.${n}.1`
  const { status, json } = await book(
    site,
    { from: date, to: date, email: `guest${n}@example.com` },
    from,
  )
  expect(status).toBe(201)
  const reference = String(json?.reference)
  const { actions } = site.context.features.bookings
  const visitor = String(json?.url).split('/').at(-1)!
  const staff = actions.staffUrl(actions.find(reference)).split('/').at(-1)!
  return {
    reference,
    find: () => actions.find(reference),
    confirm: () => actions.confirm(reference, mika, null),
    move: (to: string) =>
      site.post(`/api/bookings/by-link/${visitor}/move`, { from: to, to }, { from }),
    offer: (to: string) =>
      site.post(
        `/api/bookings/by-staff-link/${staff}`,
        { act: 'offer', offer: { from: to, lines: [{ text: 'Work', quantity: 1, price: 100 }] } },
        { from },
      ),
  }
}

test('the last day goes to one of two hundred, be it a request, a move, other dates or an offer', async () => {
  using files = contentFiles({ 'booking-rules.json': oneADay })
  await using site = await startSite({
    sending: false,
    env: { CONTENT_DIR: files.dir, SHARES: 'off' },
  })
  const last = '2027-08-01'
  const guests = await Promise.all(
    Array.from({ length: 60 }, (_, n) => asked(site, addDays('2027-02-01', n), n)),
  )
  const [agreed, waiting, toOffer] = [0, 20, 40].map((at) => guests.slice(at, at + 20))
  for (const { confirm } of agreed!) await confirm()
  const before = new Map(guests.map((guest) => [guest, guest.find()]))

  const replies = await Promise.all([
    ...agreed!.map(async (guest) => ({ guest, ...(await guest.move(last)) })),
    ...waiting!.map(async (guest) => ({ guest, ...(await guest.move(last)) })),
    ...toOffer!.map(async (guest) => ({ guest, ...(await guest.offer(last)) })),
    ...Array.from({ length: 140 }, async (_, n) => ({
      guest: null,
      ...(await book(
        site,
        { from: last, to: last, email: `late${n}@example.com` },
        `127.61.${n}.1`,
      )),
    })),
  ])
  const won = replies.filter(({ status }) => status < 300)
  expect(won).toHaveLength(1)
  for (const { status, json, guest } of replies) {
    if (status < 300) continue
    expect([status, json?.code]).toEqual([409, 'taken'])
    // Who lost has what they had.
    if (guest) expect(guest.find()).toEqual(before.get(guest))
  }
  const kept = new Map(keptDays(site))
  expect(kept.get(last)).toEqual({ held: 1, confirmed: 0 })
  expect([...kept]).toEqual(recounted(site))
})

test('fifty confirmed guests who ask for each other’s days hold no day twice', async () => {
  using files = contentFiles({ 'booking-rules.json': oneADay })
  await using site = await startSite({
    sending: false,
    env: { CONTENT_DIR: files.dir, SHARES: 'off' },
  })
  const dates = Array.from({ length: 50 }, (_, n) => addDays('2027-02-01', n))
  const guests = await Promise.all(dates.map((date, n) => asked(site, date, n)))
  for (const { confirm } of guests) await confirm()
  const replies = await Promise.all(guests.map((guest, n) => guest.move(dates[(n + 1) % 50]!)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([409]))
  // Each asks for the same five free days.
  const free = Array.from({ length: 5 }, (_, n) => addDays('2027-06-01', n))
  const moved = await Promise.all(guests.map((guest, n) => guest.move(free[n % 5]!)))
  expect(moved.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(keptDays(site)).toEqual(recounted(site))
  // Both answers of staff leave the days as the bookings say.
  const wishing = guests.filter((guest) => guest.find().change)
  const { actions } = site.context.features.bookings
  for (const [n, guest] of wishing.entries()) {
    await (n % 2 ? guest.confirm() : actions.decline(guest.reference, mika, null))
    expect(keptDays(site)).toEqual(recounted(site))
  }
  expect(keptDays(site)).toHaveLength(50)
})

test('a flood from fifty addresses holds a third of a month, whatever staff offer beside it', async () => {
  await using site = await startSite({ sending: false })
  const { actions } = site.context.features.bookings
  const february = (n: number) => addDays('2027-02-01', n % 28)
  for (let n = 0; n < 50; n += 1) {
    const changes = { from: february(n), to: february(n), email: `flood${n}@example.com` }
    expect((await book(site, changes, `127.62.${n}.1`)).status).toBe(201)
  }
  const heldByStrangers = () => keptDays(site).filter(([, { held }]) => held > 0).length
  expect(heldByStrangers()).toBe(9)
  // What staff offer is theirs to hold, and it ends.
  const parked = [...actions.bookings.list({ state: 'quarantined' })]
  // Nine days have two places each.
  expect(parked).toHaveLength(32)
  for (const [n, { reference }] of parked.slice(0, 10).entries()) {
    const entries = {
      from: addDays('2027-04-05', n),
      lines: [{ text: 'Work', quantity: 1, price: 100 }],
    }
    await actions.offer(reference, mika, null, entries)
  }
  expect(heldByStrangers()).toBe(19)
  expect(keptDays(site)).toEqual(recounted(site))
  // A stranger more holds nothing in the month of the flood, and a day in another.
  const more = await book(site, { from: february(27), to: february(27), email: 'x@example.com' })
  expect(more.json?.heldUntil).toBeNull()
  const elsewhere = await book(site, {
    from: '2027-06-08',
    to: '2027-06-08',
    email: 'y@example.com',
  })
  expect(elsewhere.json?.heldUntil).toEqual(expect.any(String))
  site.clock.advance(100 * 86_400_000)
  await site.context.jobs.runDue()
  expect(keptDays(site)).toEqual([])
  expect(recounted(site)).toEqual([])
})

test('work begins and is over by the clock that its hours were told by', async () => {
  using files = contentFiles({
    'booking-rules.json': oneADay,
    'events.json': [
      {
        id: 'west',
        title: 'Night on the Coast',
        start: '2027-06-05T18:00',
        end: '2027-06-05T22:00',
        zone: 'America/Los_Angeles',
        Status: 'published',
      },
    ],
  })
  const clock = createClock()
  await using site = await startSite({ sending: false, env: { CONTENT_DIR: files.dir }, clock })
  const { json } = await book(site, {
    from: '2027-06-05',
    to: '2027-06-05',
    start: '18:00',
    end: '22:00',
    zone: 'America/Los_Angeles',
    event: 'west',
  })
  await site.context.features.bookings.actions.confirm(String(json?.reference), mika, null)
  const pageAt = async (instant: string) => {
    clock.advance(Date.parse(instant) - clock())
    const link = String(json?.url).split('/').at(-1)!
    const view = (await site.get(`/api/bookings/by-link/${link}`)).json
    const { stage, acts } = view as { stage: string; acts: { reason: string | null } }
    return [stage, acts.reason]
  }
  // 01:00 in Helsinki on its day, still the day before on the coast.
  expect(await pageAt('2027-06-04T22:00:00Z')).toEqual([
    'ahead',
    'Less than 7 days are left, so please contact us to change this booking.',
  ])
  expect(await pageAt('2027-06-05T08:00:00Z')).toEqual(['on', 'This booking has already started.'])
  // 05:00 in Helsinki, the day after.
  expect(await pageAt('2027-06-06T02:00:00Z')).toEqual(['on', 'This booking has already started.'])
  expect(await pageAt('2027-06-06T08:00:00Z')).toEqual(['over', 'This booking is over.'])
})
