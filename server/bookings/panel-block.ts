import type { BlockRow } from '#shared/clients/panel-block.ts'
import { daysInWords } from '#shared/bookings/dates-in-words.ts'
import { paths } from '#shared/paths.ts'
import type { PanelBlock } from '../contributions/panel-block.ts'
import { opensInPanel } from './access.ts'
import type { Booking } from './schema.ts'
import type { BookingStore } from './store/store.ts'

/** The latest are enough in a panel. */
const maxBookingsShown = 20

const states: Readonly<Record<Booking['state'], NonNullable<BlockRow['state']>>> = {
  requested: { label: 'Requested', tone: 'open' },
  offered: { label: 'Offered', tone: 'open' },
  confirmed: { label: 'Confirmed', tone: 'open' },
  declined: { label: 'Declined', tone: 'done' },
  cancelled: { label: 'Cancelled', tone: 'done' },
  expired: { label: 'Expired', tone: 'done' },
  quarantined: { label: 'Requested', tone: 'open' },
}

/**
 * The block with a client's bookings that are known to be the client's, each with a link to its page
 * for a code that may act. What was only declined is shown without what was typed, since anyone may
 * have asked for it.
 */
export const bookingBlock = ({
  bookings,
  serviceTitle,
}: {
  bookings: Pick<BookingStore, 'ofClient'>
  serviceTitle: (slug: string) => Promise<string>
}): PanelBlock => ({
  kind: 'bookings',
  title: 'Bookings',
  by: 'system',
  async load({ client, session }) {
    const found = bookings.ofClient(client.emails, maxBookingsShown)
    const rows = found.map(async (booking): Promise<BlockRow> => {
      const { service, place, reference, state, verifiedAt } = booking
      return {
        title: await serviceTitle(service),
        detail: [daysInWords(booking), verifiedAt !== null && place].filter(Boolean).join(', '),
        value: reference,
        state: states[state],
        href: opensInPanel(booking, session.scopes) ? paths.bookingPage(reference) : null,
        way: 'page',
      }
    })
    return { view: 'rows', rows: await Promise.all(rows) }
  },
})
