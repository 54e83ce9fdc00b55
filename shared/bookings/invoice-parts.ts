/** Which part of a booking an invoice is for. */
export type BookingPart = 'whole' | 'deposit' | 'lines' | 'rest' | 'fee'

/**
 * What such an invoice is called: on the booking's page, and where it is paid by card.
 * @param invoice `isTravel` for what travel cost that the organiser of the event made useless
 */
export const invoiceName = ({ part, isTravel }: { part: BookingPart; isTravel: boolean }): string =>
  isTravel ? 'Travel costs' : partNames[part]

const partNames: Readonly<Record<BookingPart, string>> = {
  whole: 'Invoice',
  deposit: 'Deposit',
  lines: 'Interim invoice',
  rest: 'Balance',
  fee: 'Cancellation fee',
}
