import { decimal, sum } from '#shared/money.ts'
import type { OrderState } from '#shared/shop/orders.ts'
import type { Payouts } from '../payment/payouts.ts'
import type { Invoices } from './invoices.ts'
import { dueOf, type Order } from '../order.ts'
import type { OrderStore } from '../store.ts'

/** The columns of the bookkeeper's file. */
export const bookColumns = [
  'document',
  'kind',
  'date',
  'order',
  'buyer',
  'country',
  'vatId',
  'rate',
  'net',
  'vat',
  'gross',
  'payment',
  'paid',
  'reference',
  'refersTo',
] as const

/** The columns of amounts: euros with two decimals. */
export const bookAmounts = ['net', 'vat', 'gross'] as const

/** One document at one rate of VAT. */
type BookRow = Record<(typeof bookColumns)[number], string | number | null>

/**
 * What the bookkeeper needs: a row for each document (invoice or credit note) and rate, so the
 * rows of a document add up to its total, and those of a credited invoice and its credit note to
 * nothing.
 * @param range civil dates of issue, both inclusive; `state` of the order
 * @returns rows by document number; amounts in euros with two decimals
 */
export function* bookRows(
  { orders, invoices, payouts }: Documents & { payouts: Payouts },
  { from, to, state }: { from?: string; to?: string; state?: OrderState } = {},
): Generator<BookRow> {
  for (const { number, kind, order: id, refersTo, reference, document } of invoices.list(
    from,
    to,
  )) {
    const order = orders.findId(id)!
    if (state !== undefined && order.state !== state) continue
    const { company, name, vatId } = document.buyer
    for (const { rate, net, vat, gross } of document.vat) {
      yield {
        document: String(number),
        kind: kind === 'credit' ? 'credit note' : 'invoice',
        date: document.issuedOn,
        order: document.order,
        buyer: company ?? name,
        country: order.country,
        vatId,
        rate,
        net: decimal(net),
        vat: decimal(vat),
        gross: decimal(gross),
        payment: paymentOf(orders, order),
        paid:
          kind === 'credit'
            ? paidBackOn(orders, payouts, id, number)
            : paidOn({ orders, invoices }, order),
        reference,
        refersTo: refersTo === null ? null : String(refersTo),
      }
    }
  }
}

/**
 * How an order is paid: `invoice`, `stripe`, or both where a part of an invoice was paid by card;
 * `gift card` alone, or with one of them.
 */
export function paymentOf(orders: Pick<OrderStore, 'standingPayments'>, order: Order): string {
  if (order.giftCardAmount === 0) return moneyOf(orders, order)
  return dueOf(order) === 0 ? 'gift card' : `${moneyOf(orders, order)} and gift card`
}

function moneyOf(orders: Pick<OrderStore, 'standingPayments'>, { id, payment }: Order): string {
  const came = orders
    .standingPayments(id)
    .filter(({ amount, source }) => amount > 0 && source !== 'gift-card')
  const isByCard = came.some(({ source }) => source === 'stripe')
  if (payment === 'stripe' || !isByCard) return payment
  return came.every(({ source }) => source === 'stripe') ? 'stripe' : 'stripe and invoice'
}

type Documents = { orders: OrderStore; invoices: Invoices }

/** Whether nothing was open of an invoice once a payment had come, as it stood on that day. */
export function settlesInvoice(
  { orders, invoices }: Documents,
  { id, total }: Order,
  payment: { id: number; paidOn: string },
): boolean {
  const credits = invoices
    .ofOrder(id)
    .filter(({ kind, document }) => kind === 'credit' && document.issuedOn <= payment.paidOn)
  const came = orders.paymentsOf(id).filter((each) => each.id <= payment.id)
  return sum(came.map(({ amount }) => amount)) >= sum([total, ...credits.map((each) => each.total)])
}

/** The civil date on which an invoice was paid whole, as the bank or staff tell it; what came later, as a second payment, is no part of it. */
export function paidOn(documents: Documents, order: Order): string | null {
  if (order.paidAt === null) return null
  const whole = documents.orders
    .standingPayments(order.id)
    .find(
      (each) =>
        each.amount > 0 && each.source !== 'refund' && settlesInvoice(documents, order, each),
    )
  return whole?.paidOn ?? documents.orders.paidOn(order.id)
}

/** The day on which the money of a credit note went back, not that of the others of its order. */
function paidBackOn(
  orders: OrderStore,
  payouts: Payouts,
  order: number,
  credit: number,
): string | null {
  const creditOf = ({ source, externalId }: { source: string; externalId: string | null }) =>
    source === 'refund' ? (payouts.find(Number(externalId))?.credit ?? null) : null
  const back = orders.standingPayments(order).filter(({ amount }) => amount < 0)
  const own = back.filter((each) => creditOf(each) === credit)
  // What went back without a credit note had its own later, or moved to another order.
  const others = back.filter((each) => creditOf(each) === null)
  return (own.at(-1) ?? others.at(-1))?.paidOn ?? null
}
