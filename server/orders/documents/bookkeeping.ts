import { decimal } from '#shared/money.ts'
import type { OrderState } from '#shared/orders.ts'
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
  { orders, invoices }: { orders: OrderStore; invoices: Invoices },
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
        paid: settled(orders, order, kind),
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
export function paymentOf(orders: Pick<OrderStore, 'paymentsOf'>, order: Order): string {
  if (order.giftCardAmount === 0) return moneyOf(orders, order)
  return dueOf(order) === 0 ? 'gift card' : `${moneyOf(orders, order)} and gift card`
}

function moneyOf(orders: Pick<OrderStore, 'paymentsOf'>, { id, payment }: Order): string {
  const came = orders
    .paymentsOf(id)
    .filter(({ amount, source }) => amount > 0 && source !== 'gift-card')
  const isByCard = came.some(({ source }) => source === 'stripe')
  if (payment === 'stripe' || !isByCard) return payment
  return came.every(({ source }) => source === 'stripe') ? 'stripe' : 'stripe and invoice'
}

/** The day on which an invoice was paid whole, or the money of a credit note went back. */
function settled(
  orders: OrderStore,
  { id, paidAt }: Order,
  kind: 'invoice' | 'credit',
): string | null {
  if (kind === 'credit') return orders.paidBackOn(id)
  return paidAt === null ? null : orders.paidOn(id)
}
