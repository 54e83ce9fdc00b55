import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { addDays, dateAt } from '#shared/dates/civil-dates.ts'
import { occupy } from '#server/bookings/days/occupation.ts'
import { createDayStore } from '#server/bookings/store/day-store.ts'
import { createBookingStore } from '#server/bookings/store/store.ts'
import { openDatabase } from '#server/db/open.ts'
import { lastDayOf, monthOf, monthsLater } from '#shared/dates/months.ts'
import { compare, requestsPerSecond } from './load.ts'
import type { StartSite } from './main.ts'
import { fetchRaw, startBare } from './same-bytes.ts'
import { sideBySide, type SideBySide } from './side-by-side.ts'

const many = 100_000
const services = ['photography', 'videography', 'social-media', 'graphic-design'] as const
const states = ['confirmed', 'declined', 'cancelled', 'expired'] as const
/** Half of the bookings are over, the others lie within the horizon. */
const days = 1000

/** Milliseconds of what visitors ask with a hundred thousand bookings, and with a hundred. */
export async function bookingMonths({
  startSite,
  work,
}: {
  startSite: StartSite
  work: string
}): Promise<SideBySide[]> {
  const start = async (bookings: number) => {
    const dataDir = mkdtempSync(join(work, 'bookings-'))
    await fill(dataDir, bookings)
    return startSite({ DATA_DIR: dataDir, KEEP: '0', UNLIMITED: '1' })
  }
  const small = await start(100)
  const large = await start(many)
  const month = monthsLater(monthOf(dateAt(Date.now())), 3)
  const range = (from: string, to: string) =>
    `/api/bookings/availability?service=photography&from=${from}&to=${to}`
  const results = await sideBySide([small, large], {
    'month of the booking form': `/booking?service=photography&month=${month}`,
    'availability of a month': range(`${month}-01`, lastDayOf(month)),
    'availability of 100 days': range(`${month}-01`, addDays(`${month}-01`, 99)),
  })
  await Promise.all([small.stop(), large.stop()])
  return results
}

/** Availability requests per second with a hundred thousand bookings, and of bare node:http that sends the same bytes. */
export async function availabilityPerSecond({
  startSite,
  work,
}: {
  startSite: StartSite
  work: string
}): Promise<{ availability: number; same: number }> {
  const dataDir = mkdtempSync(join(work, 'availability-'))
  await fill(dataDir, many)
  const site = await startSite({ DATA_DIR: dataDir, UNLIMITED: '1' })
  const month = monthsLater(monthOf(dateAt(Date.now())), 3)
  const address = `${site.url}/api/bookings/availability?service=photography&from=${month}-01&to=${lastDayOf(month)}`
  const bare = await startBare(work, await fetchRaw(address))
  const results = await compare({
    availability: () => requestsPerSecond(address),
    same: () => requestsPerSecond(bare.url),
  })
  await Promise.all([site.stop(), bare.stop()])
  return results
}

async function fill(dataDir: string, count: number): Promise<void> {
  const db = openDatabase(dataDir)
  const clock = Date.now
  const store = createBookingStore(db, { clock })
  const dayStore = createDayStore(db, { clock })
  const first = addDays(dateAt(clock()), -days / 2)
  const occupied = new Set<string>()
  await db.commit((tx) => {
    for (let n = 0; n < count; n += 1) {
      const service = services[n % services.length]!
      const date = addDays(first, Math.floor((n / count) * days))
      const wish = states[Math.floor(n / services.length) % states.length]!
      // One a day and service stands, so every day is limited and none is full.
      const isTaken = wish === 'confirmed' && occupied.has(`${date} ${service}`)
      const booking = {
        ...bookingOf(n, clock()),
        service,
        from: date,
        to: date,
        state: isTaken ? 'cancelled' : wish,
      } as const
      store.insert(tx, booking)
      if (booking.state === 'confirmed') {
        occupied.add(`${date} ${service}`)
        occupy(tx, dayStore, { ...booking, change: null })
      }
    }
  })
  await db.close()
}

const bookingOf = (n: number, now: number) => ({
  reference: `B-${n.toString(36).padStart(8, '0').toUpperCase()}`,
  key: `bench-booking-key-${n}`,
  contentHash: `hash-${n}`,
  travelDays: 0,
  verifiedAt: null,
  start: null,
  end: null,
  unit: 'day' as const,
  scope: null,
  budget: null,
  country: null,
  vatId: null,
  vatCheck: null,
  street: null,
  postcode: null,
  city: null,
  region: null,
  lines: [],
  termsVersion: null,
  place: 'Ice track of Rovaniemi',
  eventId: null,
  eventTitle: null,
  name: `Visitor ${n}`,
  email: `visitor${n}@example.com`,
  phone: '+358 40 1234567',
  company: 'Nordic Rally Team',
  message: 'Three cars, two photographers, please.',
  requestedAt: now,
  heldUntil: null,
  network: `network-${n % 1000}`,
  proven: true,
})
