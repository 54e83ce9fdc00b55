import { addDays, dateAt } from '#shared/civil-dates.ts'
import { paths } from '#shared/paths.ts'
import type { Platform } from '../feature.ts'
import { calendarText } from '../icalendar/document.ts'
import type { SignedTokens } from '../tokens.ts'
import { bookingEntry } from './invitation.ts'
import type { BookingStore } from './store.ts'

/** Days back from today that the feed shows. */
const pastDays = 62

/** All bookings as a calendar for staff, by a secret address that can be renewed. */
export type StaffFeed = {
  /** Whether a token is of the address that is in force. */
  opens(token: string): boolean
  document(): Promise<string>
  /** The secret address, absolute. */
  address(): string
  /** Makes a new address; the old one opens nothing any more. */
  renew(): Promise<string>
}

/** Makes the feed. Its address follows from a number that counts up with every renewal. */
export function createStaffFeed(
  { config, db, commit, clock, brand }: Platform,
  {
    bookings,
    tokens,
    serviceTitle,
  }: {
    bookings: BookingStore
    tokens: SignedTokens<[number]>
    serviceTitle: (slug: string) => Promise<string>
  },
): StaffFeed {
  const read = db.prepare('SELECT generation FROM booking_feed').pluck()
  const count = db.prepareWrite(`INSERT INTO booking_feed (id, generation, renewed_at)
    VALUES (1, 1, :now) ON CONFLICT DO UPDATE SET generation = generation + 1, renewed_at = :now`)
  const generation = () => (read.get() as number | undefined) ?? 0
  const address = () => config.siteUrl + paths.bookingFeed(tokens.issue([generation()], null))
  return {
    opens: (token) => tokens.read(token)?.payload[0] === generation(),
    address,
    async renew() {
      await commit((tx) => count.run(tx, { now: clock() }))
      return address()
    },
    async document() {
      const { name } = await brand()
      const entries = []
      for (const booking of bookings.list({ from: addDays(dateAt(clock()), -pastDays) })) {
        if (booking.state === 'quarantined') continue
        entries.push(
          bookingEntry(booking, config, {
            summary: `${await serviceTitle(booking.service)}: ${booking.company ?? booking.name}`,
            description: [booking.reference, booking.phone, booking.email]
              .filter(Boolean)
              .join(', '),
            location: booking.place,
          }),
        )
      }
      return calendarText({ name: `${name}: bookings`, producer: name, refresh: 'PT1H', entries })
    },
  }
}
