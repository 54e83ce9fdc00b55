import { nearestOf } from '../../text/edit-distance.ts'
import { fieldProblem, type BookingDeps } from './checks.ts'
import { shortened } from '#shared/text/text.ts'
import { failure } from '#shared/failures.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import type { Platform } from '../../feature.ts'
import { known } from '../access.ts'
import { conflictsOfPerson } from '../days/conflicts.ts'
import type { CrewMail } from '../mails/crew-mail.ts'
import type { Actor } from '../mails/notices.ts'
import type { Booking } from '../schema.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { isTaken, type Changed } from './changes.ts'

/** Assigns crew to bookings, and unassigns them. */
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

  /** A crew member by name, ignoring case. @throws invalid */
  const personOf = (given: string): string => {
    if (given.trim() === '') throw fieldProblem('person', 'Please enter a name')
    const names = rules().crew.map(({ name }) => name)
    const found = names.find((name) => name.toLowerCase() === given.trim().toLowerCase())
    if (found !== undefined) return found
    const near = nearestOf(given, names)
    throw fieldProblem(
      'person',
      `No crew member is called ${shortened(given, 100)}${near ? `; did you mean ${near}?` : ''}`,
    )
  }

  /** Someone assigned to a booking, even if they've left the crew since. @throws invalid */
  const onIt = (booking: Booking, given: string): string => {
    const wanted = given.trim().toLowerCase()
    return crew.of(booking).find((name) => name.toLowerCase() === wanted) ?? personOf(given)
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

    /** The crew assigned to a booking. */
    crewOf: (booking: Booking): string[] => crew.of(booking),

    /**
     * Assigns a crew member to a booking, and emails them if the rules have an address.
     * @returns what conflicts with it: one line each; they don't prevent it
     * @throws invalid for a person who isn’t in the crew; wrong-state for a booking that is over;
     *   missing
     */
    async assign(reference: string, given: string, actor: Actor): Promise<string[]> {
      const person = personOf(given)
      const conflicts = await commit((tx) => {
        const booking = known(bookings.find(reference))
        if (!isTaken(booking.state)) {
          throw failure('wrong-state', { message: `This booking is ${booking.state}.` })
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

    /** Unassigns a crew member. @throws invalid, missing */
    unassign: (reference: string, given: string, actor: Actor): Promise<void> =>
      commit((tx) => {
        const booking = known(bookings.find(reference))
        const person = onIt(booking, given)
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

/** Fields of the call sheet, besides dates, that staff can correct. */
const onSheet = ['place', 'start', 'end', 'name', 'phone', 'note', 'scope'] as const

/** What the crew is told about a change; null if it doesn't concern them. */
function crewOccasion(before: Booking, after: Booking): CrewMail['occasion'] | null {
  const [wasOn, isOn] = [before, after].map(({ state }) => isTaken(state))
  if (!isOn) return wasOn ? 'cancelled' : null
  // It was cancelled, and they were told.
  if (!wasOn) return before.state === 'quarantined' ? null : 'assigned'
  if (before.from !== after.from || before.to !== after.to) return 'moved'
  // They were told to keep the dates free until it is.
  if (before.state !== 'confirmed' && after.state === 'confirmed') return 'confirmed'
  return onSheet.some((field) => before[field] !== after[field]) ? 'edited' : null
}

/**
 * Emails the crew about new dates, times, places and contacts, and about a booking that is confirmed,
 * cancelled or back on. Call inside the transaction of the change.
 * @param changed `dueAt` is when its visitor hears of it, too, if not at once; `since` leaves out who
 *   hasn't been written to since then (milliseconds), and so knows of nothing else
 */
export function mailCrew(
  tx: Transaction,
  { mails }: Pick<Platform, 'mails'>,
  { crew }: Pick<BookingDeps, 'crew'>,
  {
    before,
    after,
    dueAt,
    since = null,
  }: Changed & { dueAt?: number | undefined; since?: number | null },
): void {
  const occasion = crewOccasion(before, after)
  if (occasion === null) return
  const { reference, sequence } = after
  const told = since === null ? null : toldSince(mails.of('booking', reference), since)
  for (const person of crew.of(after)) {
    if (told && !told.has(person)) continue
    mails.enqueue(tx, 'bookingCrew', {
      key: `booking-${reference}-${sequence}:${person}`,
      about: { thing: 'booking', id: reference },
      data: { reference, person, occasion } satisfies CrewMail,
      ...(dueAt !== undefined && { dueAt }),
    })
  }
}

/** Names of the crew emailed since an instant. */
const toldSince = (
  mails: readonly { kind: string; queuedAt: number; data: string | null }[],
  since: number,
): ReadonlySet<string> =>
  new Set(
    mails
      .filter(({ kind, queuedAt }) => kind === 'bookingCrew' && queuedAt >= since)
      .map(({ data }) => (JSON.parse(data ?? '{}') as CrewMail).person),
  )
