import type { BlockRow } from '#shared/panel-block.ts'
import { dateRange } from '#shared/date-format.ts'
import type { PanelBlock } from '../panel-block.ts'
import type { Booking } from './booking.ts'
import type { BookingStore } from './store.ts'

/** The latest are enough in a panel. */
const mostBookingsShown = 20

const states: Readonly<Record<Booking['state'], NonNullable<BlockRow['state']>>> = {
  requested: { label: 'Requested', tone: 'open' },
  confirmed: { label: 'Confirmed', tone: 'open' },
  declined: { label: 'Declined', tone: 'done' },
  cancelled: { label: 'Cancelled', tone: 'done' },
  expired: { label: 'Run out', tone: 'done' },
  quarantined: { label: 'Requested', tone: 'open' },
}

/** The block with a client's bookings, each with the link to its own page. */
export const bookingBlock = ({
  bookings,
  serviceTitle,
  visitorUrl,
}: {
  bookings: Pick<BookingStore, 'ofEmails'>
  serviceTitle: (slug: string) => Promise<string>
  visitorUrl: (booking: Booking) => string
}): PanelBlock => ({
  kind: 'bookings',
  title: 'Bookings',
  by: 'system',
  async load({ client }) {
    const found = bookings.ofEmails(client.emails, mostBookingsShown)
    const rows = found.map(async (booking): Promise<BlockRow> => {
      const { service, from, to, place, reference, state } = booking
      return {
        title: await serviceTitle(service),
        detail: `${dateRange(from, to)}, ${place}`,
        value: reference,
        state: states[state],
        href: new URL(visitorUrl(booking)).pathname,
        way: 'page',
      }
    })
    return { view: 'rows', rows: await Promise.all(rows) }
  },
})
