import { euros } from '../money.ts'

/** Which part of a booking an invoice is for. */
export type BookingPart = 'whole' | 'deposit' | 'lines' | 'rest' | 'fee'

/**
 * What such an invoice is called: on the booking's page, and where it is paid by card.
 * @param invoice `isTravel` for what travel cost that the organiser of the event made useless
 */
export const invoiceName = ({ part, isTravel }: { part: BookingPart; isTravel: boolean }): string =>
  isTravel ? 'Travel costs' : partNames[part]

/**
 * What staff are told before they issue a balance that asks for what credit notes took off earlier invoices.
 * @param credited cents including VAT
 */
export const creditedAgain = (credited: number): string =>
  `Credit notes took ${euros(credited)} off earlier invoices; this balance counts that as not invoiced.`

const partNames: Readonly<Record<BookingPart, string>> = {
  whole: 'Invoice',
  deposit: 'Deposit',
  lines: 'Interim invoice',
  rest: 'Balance',
  fee: 'Cancellation fee',
}
