import type { DateRange } from '#shared/bookings/bookings.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import type { Platform } from '../../feature.ts'
import { siteAct } from '../../timeline/timeline.ts'
import type { Block, Booking } from '../schema.ts'
import { isTaken } from './changes.ts'
import { fieldProblem, type BookingDeps } from './checks.ts'

/** Blocking and unblocking of days by staff. */
export function blocking(
  { commit, clock, timeline }: Pick<Platform, 'commit' | 'clock' | 'timeline'>,
  { rules, bookings, days, crew }: BookingDeps,
) {
  return {
    /**
     * Blocks days for one service, or for all. Existing bookings stay.
     * @returns the block, and the bookings on these days
     * @throws invalid for a range turned round or a service that can't be booked
     */
    async block(
      block: DateRange & {
        service: string | null
        reason: string
        author: string
        /** A crew member's name. */
        person?: string | null
        /** How many slots of the service. */
        places?: number | null
      },
    ): Promise<{ id: number; colliding: Booking[] }> {
      const { from, to, service } = block
      if (to < from) throw fieldProblem('to', 'The last day is before the first.')
      if (service !== null && !rules().services[service]) {
        throw fieldProblem('service', `${service} isn’t a bookable service.`)
      }
      const { person = null, places = null } = block
      if (person !== null && !rules().crew.some(({ name }) => name === person)) {
        throw fieldProblem('person', `No crew member is called ${person}.`)
      }
      if (places !== null && service === null) {
        throw fieldProblem('places', 'Places are those of a service, so name one.')
      }
      const id = await commit((tx) => {
        const blocked = days.block(tx, block)
        const note = `block ${blocked}: ${dateRange(from, to)}`
        timeline.record(tx, siteAct('blocked dates', { actor: block.author, act: 'added', note }))
        return blocked
      })
      const colliding = Array.from(bookings.list({ from, to }))
        .filter(({ state, unit }) => isTaken(state) && isByDates(unit))
        .filter((booking) => service === null || booking.service === service)
        .filter((booking) => person === null || crew.of(booking).includes(person))
      return { id, colliding }
    },

    /** Current and future blocks. */
    blocks: (): Block[] => days.blocks(dateAt(clock()), '9999-12-31'),

    /**
     * Removes a block.
     * @param by who does it, for the timeline
     * @returns whether there was such a block
     */
    unblock: (id: number, by: string): Promise<boolean> =>
      commit((tx) => {
        const isOpened = days.unblock(tx, id)
        const act = { actor: by, act: 'unblocked', note: `block ${id}` }
        if (isOpened) timeline.record(tx, siteAct('blocked dates', act))
        return isOpened
      }),
  }
}
