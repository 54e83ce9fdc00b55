import { addDays, addMonths, dateAt, type CivilDate } from '#shared/dates/civil-dates.ts'
import type { SoldLicence } from '#shared/shop/licences.ts'
import type { Order } from '../order.ts'
import type { Invoice } from '../schema.ts'
import type { TakenBackOf } from '../withdrawal/taken-back.ts'
import { printedLength, printedLine } from './printed-line.ts'

/** A licence as its document says it; nothing of it changes once it is sold. */
export type LicenceDocument = {
  /** The order's number with the place of the line, which no other licence has. */
  readonly number: string
  readonly order: string
  readonly invoice: number | null
  /** Who may use it. */
  readonly licensee: string
  /** The product and its variant. */
  readonly title: string
  readonly files: readonly string[]
  readonly quantity: number
  readonly licence: SoldLicence
  /** The first day, and the last one; null for no end. */
  readonly from: CivilDate
  readonly until: CivilDate | null
}

/**
 * The licences of an order, as they were sold. The term begins with the invoice.
 * @param invoice of the order; null while it has none, so the term isn't known yet
 * @param takenBack places of lines that the buyer no longer has
 */
export function licencesOf(
  order: Parameters<typeof licenseeOf>[0] & Pick<Order, 'number' | 'placedAt' | 'lines'>,
  invoice: Pick<Invoice, 'number' | 'issuedOn'> | null,
  takenBack: ReturnType<TakenBackOf>,
): LicenceDocument[] {
  const from = invoice?.issuedOn ?? dateAt(order.placedAt)
  return order.lines.flatMap((line, at) => {
    const licence = line.soldLicence
    if (!licence || takenBack.has(at)) return []
    const { months } = licence
    return [
      {
        number: licenceNumber(order, at),
        order: order.number,
        invoice: invoice?.number ?? null,
        licensee: licenseeOf(order),
        title: line.title,
        files: line.files,
        quantity: line.quantity,
        licence,
        from,
        until: months === null ? null : lastDayOf(from, months),
      },
    ]
  })
}

/**
 * The last day of a term: the one before the day that has the number of the first. Where the last month
 * has no such day, as after 31 August and half a year, the term lasts to its end (Act on the calculation of
 * statutory time limits 150/1930, 3 §).
 */
function lastDayOf(from: CivilDate, months: number): CivilDate {
  const next = addMonths(from, months)
  return next.slice(-2) === from.slice(-2) ? addDays(next, -1) : next
}

/** What a licence is known by. @param line its place in the order, from 0 */
export const licenceNumber = ({ number }: Pick<Order, 'number'>, line: number): string =>
  `${number}-L${line + 1}`

/** Who a licence is given to: the company, or the person. */
export const licenseeOf = (
  order: Pick<Order, 'name' | 'company' | 'email' | 'vatId' | 'verifiedAt'>,
): string => {
  const max = printedLength(order)
  return printedLine(order.company ?? '', max) || printedLine(order.name, max) || order.email
}

/** The licences of an order that has them: they come with the payment, and go with the line that is taken back. */
export const paidLicences = (
  order: Order,
  deps: { invoiceOf(order: number): Invoice | null; takenBackOf: TakenBackOf },
): LicenceDocument[] =>
  ['paid', 'shipped'].includes(order.state) && order.paidAt !== null
    ? licencesOf(order, deps.invoiceOf(order.id), deps.takenBackOf(order))
    : []
