import { totalOf } from '#shared/bookings/price.ts'
import { bookingFacts } from '#shared/bookings/facts.ts'
import type { Booking } from '#server/bookings/schema.ts'
import { decimal, euros } from '#shared/money.ts'
import { end, when, type Row } from '../common/print.ts'

/** The fields of a listing. */
export const tableRow = ({
  reference,
  state,
  service,
  from,
  to,
  place,
  name,
  email,
  heldUntil,
  lines,
}: Booking): Row => ({
  reference,
  state,
  service,
  from,
  to,
  place,
  name,
  email,
  total: lines.length > 0 ? euros(totalOf(lines).gross) : '',
  held: end(heldUntil),
})

/** All fields, as JSON has them; `total` in cents including VAT. */
export const fullRow = (booking: Booking) => ({
  reference: booking.reference,
  state: booking.state,
  service: booking.service,
  unit: booking.unit,
  ...bookingFacts(booking),
  answer: booking.answer,
  note: booking.note,
  mails: booking.mails,
  street: booking.street,
  postcode: booking.postcode,
  city: booking.city,
  region: booking.region,
  lines: booking.lines,
  total: totalOf(booking.lines).gross,
  offer: booking.offer && {
    ...booking.offer,
    validUntil: when(booking.offer.validUntil),
    madeAt: when(booking.offer.madeAt),
  },
  agreement: booking.agreement && {
    ...booking.agreement,
    agreedAt: when(booking.agreement.agreedAt),
  },
  change: booking.change && {
    from: booking.change.from,
    to: booking.change.to,
    heldUntil: when(booking.change.heldUntil),
  },
  heldUntil: when(booking.heldUntil),
  requestedAt: when(booking.requestedAt),
  changedAt: when(booking.changedAt),
  sequence: booking.sequence,
  proven: booking.proven,
})

/** The fields that fit into a cell as they are. */
type Cells = Omit<ReturnType<typeof fullRow>, 'lines' | 'offer' | 'agreement' | 'change'>

/** The columns of a CSV export; a new field is missing here until it is named. */
const isColumn: Readonly<Record<keyof Cells, true>> = {
  reference: true,
  state: true,
  service: true,
  unit: true,
  from: true,
  to: true,
  start: true,
  end: true,
  zone: true,
  place: true,
  event: true,
  scope: true,
  budget: true,
  name: true,
  email: true,
  phone: true,
  company: true,
  country: true,
  vatId: true,
  street: true,
  postcode: true,
  city: true,
  region: true,
  message: true,
  answer: true,
  note: true,
  mails: true,
  total: true,
  heldUntil: true,
  requestedAt: true,
  changedAt: true,
  sequence: true,
  proven: true,
}
export const columns = Object.keys(isColumn)

/** The fields of a booking that are a word or a number each. */
export function cellsOf(booking: Booking): Cells {
  const { lines: _, offer: __, agreement: ___, change: ____, ...cells } = fullRow(booking)
  return cells
}

/** The same for a spreadsheet, with its total in euros, as the exports of orders have theirs. */
export const sheetCellsOf = (booking: Booking) => ({
  ...cellsOf(booking),
  total: booking.lines.length > 0 ? decimal(totalOf(booking.lines).gross) : '',
})

/** The rows of an export. */
export function* rowsOf<Shown>(
  bookings: Iterable<Booking>,
  show: (booking: Booking) => Shown,
): Generator<Shown> {
  for (const booking of bookings) yield show(booking)
}
