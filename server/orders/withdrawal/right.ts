import { longDate } from '#shared/dates/date-format.ts'
import {
  addDays,
  addWorkingDays,
  dateAt,
  isWorkingDay,
  type CivilDate,
} from '#shared/dates/civil-dates.ts'
import { orderLimits } from '#shared/shop/order-limits.ts'
import type { Brand } from '../../mail/message.ts'
import type { Order, OrderLine } from '../order.ts'

/** What of an order says whether it has a right of withdrawal. */
type Buyer = Pick<Order, 'company' | 'vatId' | 'onAccount'>

/**
 * Whether a business placed an order, which has no right of withdrawal (Consumer Protection Act 1:4):
 * it named a company with a VAT id that counts, or staff know the company and let it pay later. A
 * company's name alone is quickly typed, also by a consumer, and takes no right away
 * (docs/contract.md, Orders).
 */
export const isBusinessOrder = ({ company, vatId, onAccount }: Buyer): boolean =>
  company !== null && (vatId !== null || onAccount)

/** Why a line cannot be withdrawn from (Consumer Protection Act 6:16); null when it can. */
export function exemptionOf(
  line: Pick<OrderLine, 'kind' | 'madeToOrder'>,
  { digitalWaiver, ...buyer }: Buyer & { digitalWaiver: boolean },
): string | null {
  if (isBusinessOrder(buyer)) return 'It was bought by a company; the right is for consumers.'
  if (line.madeToOrder) return 'It is made to your order.'
  if (line.kind === 'digital' && digitalWaiver) {
    return 'You asked for immediate access to the files and gave up the right of withdrawal for them.'
  }
  return null
}

/** Whether an order can be withdrawn from: whether any of its lines has the right. */
export const hasWithdrawal = (
  order: Buyer & Pick<Order, 'digitalWaiver'> & { lines: Order['lines'] },
): boolean => order.lines.some((line) => exemptionOf(line, order) === null)

/** Whether a statement names lines, and none of them has a right of withdrawal. */
export const isAllExempt = (lines: readonly { readonly exempt: string | null }[]): boolean =>
  lines.length > 0 && lines.every(({ exempt }) => exempt !== null)

/**
 * The last day on which a consumer can withdraw from a contract of that moment about services or files.
 * The days count from the one after it. Where the last of them is a Saturday, a holiday or the eve of one,
 * the right ends with the next working day (Act on the calculation of statutory time limits 150/1930, 5 §;
 * Regulation (EEC, Euratom) 1182/71, art. 3(4)).
 */
export function lastDayToWithdraw(since: number): CivilDate {
  const last = addDays(dateAt(since), orderLimits.withdrawalDays)
  return isWorkingDay(last) ? last : addWorkingDays(last, 1)
}

/**
 * The day from which files without a waiver of the withdrawal can be fetched, and work can begin that
 * wasn't asked for early: the first one after the last day of the right; for a business, the day of the
 * order.
 */
export const downloadsOpenOn = (order: Pick<Order, 'placedAt'> & Buyer): CivilDate =>
  isBusinessOrder(order) ? dateAt(order.placedAt) : addDays(lastDayToWithdraw(order.placedAt), 1)

/**
 * Whether nothing but the right of withdrawal keeps the files of an order closed: it's paid, or staff
 * let its company pay after delivery.
 */
export const isDeliverable = ({ state, onAccount }: Pick<Order, 'state' | 'onAccount'>): boolean =>
  state === 'paid' || state === 'shipped' || (state === 'open' && onAccount)

/**
 * Withdrawal instructions and the model form (decree 110/2014 of the Ministry of Justice), as text.
 * @param since when the contract was made, in milliseconds; an invoice of a booking comes later
 */
export function withdrawalForm(order: Order, brand: Brand, since: number = order.placedAt): string {
  const exempt = order.lines.flatMap((line) => {
    const why = exemptionOf(line, order)
    return why ? [`${line.title}: ${why}`] : []
  })
  if (!hasWithdrawal(order)) {
    return `Right of withdrawal. There is none for what you ordered:\n${exempt.join('\n')}`
  }
  return [
    `Right of withdrawal. You can withdraw from this contract without giving a reason within ${orderLimits.withdrawalDays} days, for goods from the day on which you receive them, for services and digital content from the day of the order (${longDate(dateAt(since))}). Where the last day is a Saturday, a Sunday or a public holiday, you have until the next working day. Tell us so on our website under "Withdraw from contract here", by email, or with the form below. We refund all payments, including standard delivery, within 14 days of your statement; you return the goods within 14 days, at your own cost.`,
    ...(exempt.length > 0 ? [`Without a right of withdrawal:\n${exempt.join('\n')}`] : []),
    `Model withdrawal form (fill in and send it back only if you want to withdraw)\nTo ${brand.imprint || brand.name}${brand.email ? `, ${brand.email}` : ''}\nI hereby withdraw from my contract about the following goods or services: ${order.booking === null ? '' : `booking ${order.booking}, `}order ${order.number}\nOrdered on / received on:\nName:\nAddress:\nDate:`,
  ].join('\n\n')
}
