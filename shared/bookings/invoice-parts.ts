/** Which part of a booking an invoice is for. */
export type BookingPart = 'whole' | 'deposit' | 'lines' | 'rest' | 'fee'

/** What such an invoice is called: on the booking's page, and where it is paid by card. */
export const partNames: Readonly<Record<BookingPart, string>> = {
  whole: 'Invoice',
  deposit: 'Deposit',
  lines: 'Interim invoice',
  rest: 'Balance',
  fee: 'Cancellation fee',
}
