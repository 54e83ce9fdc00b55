import { daysInWords } from '#shared/bookings/dates-in-words.ts'
import type { DeskLine } from '#shared/desk/lines.ts'
import { paths } from '#shared/paths.ts'
import { apart } from '#shared/text/text.ts'
import { deskGroup, isoOf, type DeskSource } from '../contributions/desk-source.ts'
import type { BookingAtDesk } from './desk-booking.ts'
import type { Booking } from './schema.ts'
import type { BookingStore } from './store/store.ts'

/**
 * Bookings at the desk: requests that wait for an answer, those of confirmed bookings for other dates,
 * and those in quarantine.
 */
export function bookingDesk(
  bookings: Pick<BookingStore, 'changing' | 'findId' | 'list' | 'search' | 'withEmail'>,
  things: BookingAtDesk,
): DeskSource {
  const line = (booking: Booking): DeskLine => {
    const { reference, state, service, place, name, company, requestedAt } = booking
    return {
      label: 'Booking',
      title: `${apart(company ?? name)}, ${daysInWords(booking)}`,
      detail: [reference, service, place, state].filter(Boolean).join(' · '),
      urgent: state === 'requested',
      at: isoOf(requestedAt),
      href: paths.deskThing('bookings', reference),
    }
  }
  const changeLine = (booking: Booking): DeskLine => {
    const { reference, service, place, change } = booking
    const asked = change && `asks for ${daysInWords({ ...booking, ...change })}`
    return {
      ...line(booking),
      detail: [reference, service, place, asked].filter(Boolean).join(' · '),
      urgent: true,
    }
  }
  return {
    today: () => [
      ...deskGroup('Booking requests', [...bookings.list({ state: 'requested' })], {
        line,
        command: 'pitlane bookings list --state requested',
      }),
      ...deskGroup('Date changes requested', bookings.changing(), { line: changeLine }),
      ...deskGroup('Booking requests in quarantine', [...bookings.list({ state: 'quarantined' })], {
        line,
        command: 'pitlane bookings list --state quarantined',
      }),
    ],
    find: async (words, limit) =>
      (await bookings.search(words, limit)).flatMap((id) => bookings.findId(id) ?? []).map(line),
    ofPerson: (email) => bookings.withEmail(email).map(line),
    aboutPerson(email) {
      const theirs = bookings.withEmail(email).toReversed()
      return {
        names: theirs.map(({ name }) => name),
        phones: theirs.map(({ phone }) => phone),
        companies: theirs.map(({ company }) => company),
        open: theirs.filter(
          ({ state, change }) =>
            state === 'requested' ||
            state === 'offered' ||
            (state === 'confirmed' && change !== null),
        ).length,
      }
    },
    things,
    linkTarget: things.linkTarget,
  }
}
