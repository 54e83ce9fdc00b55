import { nearestOf } from '../../text/slips.ts'
import { fieldProblem, type BookingDeps } from './take-request.ts'
import { failure } from '#shared/failures.ts'
import { isByDates } from '#shared/sale-units.ts'
import type { Platform } from '../../feature.ts'
import { known } from '../access.ts'
import { conflictsOfPerson } from '../days/crew-days.ts'
import type { CrewMail } from '../mails/crew-mail.ts'
import type { Actor } from '../mails/notices.ts'
import type { Booking } from '../schema.ts'

/** Puts people of the crew on bookings, and takes them off. */
export function crewActs(
  {
    commit,
    clock,
    mails,
    outbox,
    timeline,
  }: Pick<Platform, 'commit' | 'clock' | 'mails' | 'outbox' | 'timeline'>,
  deps: BookingDeps,
) {
  const { bookings, crew, rules } = deps

  /** A person as the rules have them, letter case aside. @throws invalid */
  const personOf = (given: string): string => {
    const names = rules().crew.map(({ name }) => name)
    const found = names.find((name) => name.toLowerCase() === given.trim().toLowerCase())
    if (found !== undefined) return found
    const near = nearestOf(given, names)
    throw fieldProblem(
      'person',
      `No crew member is called ${given}${near ? `; did you mean ${near}?` : ''}`,
    )
  }

  const note = (booking: Booking, actor: Actor, act: string, person: string) => ({
    thing: 'booking' as const,
    thingId: booking.reference,
    actor: actor.name,
    act,
    before: booking.state,
    after: booking.state,
    note: person,
  })

  return {
    personOf,

    /** Who of the crew works on a booking. */
    crewOf: (booking: Booking): string[] => crew.of(booking),

    /**
     * Puts someone on a booking. Whoever has an email address in the rules hears of it.
     * @returns what stands against it: a line each, which stops nothing
     * @throws invalid for nobody of the crew; clash for a booking that is over; missing
     */
    async assign(reference: string, given: string, actor: Actor): Promise<string[]> {
      const person = personOf(given)
      const conflicts = await commit((tx) => {
        const booking = known(bookings.find(reference))
        if (!['requested', 'offered', 'confirmed'].includes(booking.state)) {
          throw failure('clash', { message: `This booking is ${booking.state}.` })
        }
        const against = isByDates(booking.unit) ? conflictsOfPerson(deps, booking, person) : []
        if (crew.assign(tx, booking, person, actor.name)) {
          timeline.record(tx, note(booking, actor, 'assigned', person))
          mails.enqueue(tx, 'bookingCrew', {
            key: `booking-${reference}-crew-${person}-${clock()}`,
            about: { thing: 'booking', id: booking.reference },
            data: { reference, person, occasion: 'assigned' },
          })
        }
        return against
      })
      outbox.wake()
      return conflicts
    },

    /** Takes someone off a booking. @throws invalid, missing */
    unassign: (reference: string, given: string, actor: Actor): Promise<void> =>
      commit((tx) => {
        const person = personOf(given)
        const booking = known(bookings.find(reference))
        if (!crew.unassign(tx, booking, person)) {
          throw fieldProblem('person', `${person} isn’t on this booking`)
        }
        timeline.record(tx, note(booking, actor, 'unassigned', person))
        mails.enqueue(tx, 'bookingCrew', {
          key: `booking-${reference}-off-${person}-${clock()}`,
          about: { thing: 'booking', id: booking.reference },
          data: { reference, person, occasion: 'unassigned' } satisfies CrewMail,
        })
      }).then(() => outbox.wake()),
  }
}
