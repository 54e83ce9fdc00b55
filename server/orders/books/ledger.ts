import type { TaxGround } from '#shared/shop/tax.ts'
import { addDays, dateAt, type CivilDate } from '#shared/dates/civil-dates.ts'
import type { Invoices } from '../documents/invoices.ts'
import { movedMoneyOf } from '../documents/bookings/booking-settlement.ts'
import { settlesInvoice, paymentOf } from '../documents/bookkeeping.ts'
import { asPrinted } from '../documents/invoice-document.ts'
import type { Payouts } from '../payment/payouts.ts'
import type { Order } from '../order.ts'
import type { OrderStore } from '../store.ts'
import { boxOf, ossState, type VatBox } from './boxes.ts'
import type { ShopFeature } from '../../shop/feature.ts'
import type { BooksSettings } from './settings.ts'
import { supplyRows, type Supply } from './supplies.ts'

/** A row of the books. Cents; what a kind of row has no use for is null. */
export type LedgerRow = {
  /** Civil date of the document, of the payment, of the claim. */
  readonly date: CivilDate
  readonly kind:
    | 'invoice'
    | 'credit note'
    | 'payment'
    | 'part payment'
    | 'refund'
    | 'gift card sold'
    | 'gift card paid back'
    | 'payment fee'
    | 'late interest'
    | 'reminder fee'
    | 'compensation'
  readonly document: string | null
  /** Null for money of a gift card, which is of no order. */
  readonly order: string | null
  readonly buyer: string | null
  readonly country: string | null
  readonly vatId: string | null
  readonly supply: Supply | null
  readonly ground: TaxGround | null
  readonly rate: number | null
  readonly account: string
  readonly contra: string
  readonly vatAccount: string | null
  /** Of the Finnish VAT return. */
  readonly box: VatBox | null
  /** Whose VAT it is, where it goes through the One Stop Shop, by the code of its return. */
  readonly ossCountry: string | null
  readonly net: number
  readonly vat: number
  readonly gross: number
  readonly payment: string | null
  readonly reference: string | null
  readonly refersTo: string | null
  readonly supplied: CivilDate | null
}

/** What the ledger is read from. */
export type LedgerDeps = {
  orders: OrderStore
  invoices: Invoices
  payouts: Payouts
  giftCards: Pick<ShopFeature['giftCards'], 'moneyOn'>
  settings: () => BooksSettings
}

/** Civil dates, both inclusive. */
export type Days = { readonly from: CivilDate; readonly to: CivilDate }

/** The days of a month. @param month such as 2026-11 */
export const daysOf = (month: string): Days => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
  return { from: `${month}-01`, to: addDays(`${next}-01`, -1) }
}

/** The rows of some days: documents in the order of their numbers, then money by its day. */
export function* ledger(deps: LedgerDeps, { from, to }: Days): Generator<LedgerRow> {
  yield* documentRows(deps, { from, to })
  yield* paymentRows(deps, { from, to })
  yield* chargeRows(deps, { from, to })
  yield* giftCardRows(deps, { from, to })
}

function* documentRows(
  { orders, invoices, settings }: LedgerDeps,
  { from, to }: Days,
): Generator<LedgerRow> {
  const { accounts } = settings()
  for (const { number, kind, order: id, refersTo, reference, document } of invoices.list(
    from,
    to,
  )) {
    const order = orders.findId(id)!
    const { company, name, vatId } = document.buyer
    for (const row of supplyRows(document)) {
      const isForeign = row.ground === 'oss' || row.ground === 'performed-abroad'
      yield {
        date: document.issuedOn,
        kind: kind === 'credit' ? 'credit note' : 'invoice',
        document: String(number),
        order: document.order,
        buyer: company ?? name,
        country: order.country,
        vatId,
        supply: row.supply,
        ground: row.ground,
        rate: row.rate,
        account: accounts[row.supply],
        contra: accounts.receivables,
        vatAccount: row.rate === 0 ? null : isForeign ? accounts.foreignVat : accounts.vat,
        box: boxOf(row),
        ossCountry: row.ground === 'oss' ? ossState(row.country) : null,
        net: row.net,
        vat: row.vat,
        gross: row.gross,
        payment: paymentOf(orders, order),
        reference,
        refersTo: refersTo === null ? null : String(refersTo),
        supplied: asPrinted(document, order).suppliedOn,
      }
    }
  }
}

/** What every row of money says of its order. @param payment the way of this money */
function moneyOf(
  order: Order,
  document: string | null,
  { date, amount, payment }: { date: CivilDate; amount: number; payment: string },
) {
  return {
    date,
    document,
    order: order.number,
    buyer: order.company ?? order.name,
    country: order.country,
    vatId: order.vatId,
    payment,
    ...withoutVat(amount),
  }
}

/** Money is no supply: neither rate nor box. */
const withoutVat = (amount: number) =>
  ({
    supply: null,
    ground: null,
    rate: null,
    vatAccount: null,
    box: null,
    ossCountry: null,
    net: amount,
    vat: 0,
    gross: amount,
    refersTo: null,
    supplied: null,
  }) as const

function* paymentRows(
  { orders, invoices, payouts, settings }: LedgerDeps,
  { from, to }: Days,
): Generator<LedgerRow> {
  const { accounts } = settings()
  for (const payment of orders.paymentsOn(from, to)) {
    const order = orders.findId(payment.order)!
    const invoice = invoices.invoiceOf(order.id)
    const { amount, source, externalId, paidOn: date, fee, corrects } = payment
    // Money of a refund that failed is at the payment service again.
    // What takes a payment back is that payment with a minus, and nothing that went back.
    const about = (amount < 0 && corrects !== null && orders.payment(corrects)) || payment
    const isRefund = about.amount < 0 || source === 'refund'
    const isPart = !isRefund && !settlesInvoice({ orders, invoices }, order, about)
    const method = source === 'refund' ? payouts.find(Number(externalId))?.method : source
    const origin = movedMoneyOf(payment, order)
    // What covers a fee stays where it came in.
    const moved = origin === null ? null : orders.find(origin)
    const isByCard =
      source === 'stripe' ||
      (moved !== null && paymentOf(orders, moved) === 'stripe') ||
      (source === 'refund' && amount > 0) ||
      (source === 'refund' && (method ?? order.payment) === 'stripe')
    const inMoney = isByCard ? accounts.stripe : accounts.bank
    // What a gift card pays was owed to its holder since it was sold.
    const account = method === 'gift-card' ? accounts.giftCards : inMoney
    const way = method === 'gift-card' ? 'gift card' : isByCard ? 'stripe' : 'invoice'
    const row = moneyOf(order, invoice && String(invoice.number), { date, amount, payment: way })
    const reference = invoice?.reference ?? null
    yield {
      ...row,
      kind: isRefund ? 'refund' : isPart ? 'part payment' : 'payment',
      account,
      contra: accounts.receivables,
      reference,
    }
    if (fee === null || fee === 0) continue
    yield {
      ...row,
      kind: 'payment fee',
      account: accounts.paymentFees,
      contra: accounts.stripe,
      net: fee,
      gross: fee,
      reference,
    }
  }
}

const chargeKinds = {
  interest: 'late interest',
  reminder: 'reminder fee',
  compensation: 'compensation',
} as const

function* chargeRows(
  { orders, invoices, settings }: LedgerDeps,
  { from, to }: Days,
): Generator<LedgerRow> {
  const { accounts } = settings()
  const claimed = orders
    .chargesOn(from, to)
    .map((charge) => ({ ...charge, date: charge.claimedOn }))
  // What was booked stays in its month; what is let go is taken off on its own day.
  const waived = orders
    .waivedCharges()
    .map(({ amount, ...charge }) => ({
      ...charge,
      amount: -amount,
      date: dateAt(charge.waivedAt!),
    }))
    .filter(({ date }) => date >= from && date <= to)
  for (const { order: id, kind, amount, date } of [...claimed, ...waived]) {
    const order = orders.findId(id)!
    const invoice = invoices.invoiceOf(id)
    yield {
      ...moneyOf(order, invoice && String(invoice.number), {
        date,
        amount,
        payment: paymentOf(orders, order),
      }),
      kind: chargeKinds[kind],
      account: kind === 'interest' ? accounts.interest : accounts.reminders,
      contra: accounts.receivables,
      reference: invoice?.reference ?? null,
    }
  }
}

/** What gift cards were sold for, and what of them was paid back: money against what is owed, without VAT. */
function* giftCardRows(
  { giftCards, settings }: LedgerDeps,
  { from, to }: Days,
): Generator<LedgerRow> {
  const { accounts } = settings()
  for (const { amount, paidOn: date, card } of giftCards.moneyOn(from, to)) {
    yield {
      date,
      kind: amount > 0 ? 'gift card sold' : 'gift card paid back',
      document: card.number,
      order: null,
      buyer: null,
      country: null,
      vatId: null,
      account: accounts.bank,
      contra: accounts.giftCards,
      payment: null,
      reference: null,
      ...withoutVat(amount),
    }
  }
}
