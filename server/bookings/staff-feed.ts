import * as z from 'zod'
import { addDays, dateAt } from '#shared/dates/civil-dates.ts'
import { linkedPaths } from '#shared/linked-paths.ts'
import type { Platform } from '../feature.ts'
import { siteAct } from '../timeline/timeline.ts'
import { createSignedTokens } from '../secrets/tokens.ts'
import { feedText, type CalendarEntry } from '../icalendar/document.ts'
import { newSecret } from '../secrets/ids.ts'
import { bookingEntry } from './mails/invitation.ts'
import type { Booking } from './schema.ts'
import type { CrewStore } from './store/crew-store.ts'
import type { BookingStore } from './store/store.ts'

/** Days back from today that the feed shows. */
const pastDays = 62

/** All bookings as a calendar for staff, by a secret address that can be renewed. */
export type StaffFeed = {
  /**
   * What a token of an address in force opens: everything, or the bookings of one person for as long as
   * they're in the crew.
   * @returns null for every other token
   */
  open(token: string): { person: string | null } | null
  document(person: string | null): Promise<string>
  /** The secret address, absolute; of one person's bookings where someone is named. */
  address(person?: string): string
  /**
   * Makes a new address; the old ones open nothing any more, those of the crew neither.
   * @param by who does it, for the timeline
   */
  renew(by: string): Promise<string>
}

/**
 * Makes the feed. Its address is signed over a secret that every renewal draws again, and over what
 * every restored backup draws again: an address that has ended doesn't open again.
 */
export function createStaffFeed(
  { config, db, commit, clock, keys, brand, timeline }: Platform,
  {
    bookings,
    crew,
    isInCrew,
    serviceTitle,
    sheetUrl,
  }: {
    bookings: BookingStore
    crew: CrewStore
    /** Whether someone is in the crew of the booking rules. */
    isInCrew: (person: string) => boolean
    serviceTitle: (slug: string) => Promise<string>
    sheetUrl: (booking: Booking, person?: string) => string
  },
): StaffFeed {
  const read = db.prepare('SELECT secret, epoch FROM booking_feed, restore_epoch')
  const draw = db.prepareWrite('UPDATE booking_feed SET secret = :secret, renewed_at = :now')
  const schema = z.tuple([z.string(), z.string()])
  const tokens = createSignedTokens({ keys, clock, purpose: 'booking-feed', schema })
  const inForce = () => read.get() as { secret: string; epoch: string }
  const ofPerson = createSignedTokens({
    keys,
    clock,
    purpose: 'booking-crew-feed',
    schema: z.tuple([z.string(), z.string(), z.string()]),
  })
  const address = (person?: string) => {
    const { secret, epoch } = inForce()
    const token =
      person === undefined
        ? tokens.issue([secret, epoch], null)
        : ofPerson.issue([secret, epoch, person], null)
    return config.siteUrl + linkedPaths.bookingFeed(token)
  }
  return {
    open(token) {
      const { secret, epoch } = inForce()
      const [opened, openedIn, person = null] =
        tokens.read(token)?.payload ?? ofPerson.read(token)?.payload ?? []
      if (opened !== secret || openedIn !== epoch) return null
      return person === null || isInCrew(person) ? { person } : null
    },
    address,
    async renew(by) {
      await commit((tx) => {
        draw.run(tx, { secret: newSecret(), now: clock() })
        const act = { actor: by, act: 'renewed', note: 'address of the bookings’ calendar' }
        timeline.record(tx, siteAct('staff calendar', act))
      })
      return address()
    },
    async document(person) {
      const who = await brand()
      const { name } = who
      const entries: CalendarEntry[] = []
      const from = addDays(dateAt(clock()), -pastDays)
      const found =
        person === null ? bookings.list({ from }) : crew.ofPerson(person, from, '9999-12-31')
      for (const booking of found) {
        if (booking.state === 'quarantined') continue
        const summary = `${await serviceTitle(booking.service)}: ${booking.company ?? booking.name}`
        const people = crew.of(booking)
        const lines = [
          [booking.reference, booking.phone, booking.email].filter(Boolean).join(', '),
          people.length > 0 && `Crew: ${people.join(', ')}`,
          `Call sheet: ${sheetUrl(booking, person ?? undefined)}`,
        ]
        const more = {
          description: lines.filter(Boolean).join('\n'),
          ...(booking.place && { location: booking.place }),
        }
        entries.push(bookingEntry(booking, who, { summary, ...more }))
        const { change } = booking
        if (booking.state === 'confirmed' && change) {
          const asked = bookingEntry({ ...booking, ...change }, who, {
            summary: `Requested instead: ${summary}`,
            ...more,
            status: 'TENTATIVE',
          })
          entries.push({ ...asked, uid: asked.uid.replace('@', '-change@') })
        }
      }
      if (person === null) {
        for (const { reference, from: first, to, sequence, erasedAt } of bookings.erasedSince(
          from,
        )) {
          entries.push({
            uid: `${reference}@${who.uidHost}`,
            sequence,
            start: first,
            end: to,
            zone: null,
            status: 'CANCELLED',
            summary: 'Erased booking',
            modifiedAt: erasedAt,
          })
        }
      }
      const title = person === null ? 'bookings' : `bookings of ${person}`
      return feedText({ name: `${name}: ${title}`, producer: name, refresh: 'PT1H', entries })
    },
  }
}
