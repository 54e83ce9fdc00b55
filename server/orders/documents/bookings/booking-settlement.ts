import type { CancellationFee } from '#shared/bookings/price.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { euros, sum } from '#shared/money.ts'
import type { Transaction } from '../../../db/group-commit.ts'
import type { Platform } from '../../../feature.ts'
import type { OrderShop } from '../../checkout/place-order.ts'
import { orderMail } from '../../mails/mails.ts'
import type { Order } from '../../order.ts'
import { endOrder, leavePage, takeBack } from '../../payment/end-order.ts'
import type { Payouts } from '../../payment/payouts.ts'
import type { OrderStore } from '../../store.ts'
import { missingForInvoice, type BookedWork } from './booking-draft.ts'
import type { Seller } from '../invoice-document.ts'
import type { Invoices } from '../invoices.ts'

/** What ending a booking does to its money: cents, by invoice. */
export type BookingSettlement = {
  /** Unpaid invoices that a credit note takes back. */
  credited: { order: string; invoice: number | null; total: number }[]
  /** What is invoiced instead; null for nothing. */
  fee: CancellationFee | null
  /** Whether the fee's invoice still needs an address, so it waits. */
  feeWaits: boolean
  /** Cents of the fee that payments cover. */
  covered: number
  /** What was paid and goes back once staff approve; what the fee takes of it is left out. */
  paidBack: { order: string; invoice: number | null; amount: number }[]
}

/**
 * Creates the settlement of bookings that end.
 * @param deps `paidFor` is what was paid for an order, in cents; `issueFee` issues the invoice of a fee
 */
export function createBookingSettlement(
  platform: Platform,
  {
    orders,
    invoices,
    shop,
    payouts,
    paidFor,
    issueFee,
  }: {
    orders: OrderStore
    invoices: Invoices
    shop: OrderShop
    payouts: Payouts
    paidFor: (order: Order) => number
    issueFee: (
      tx: Transaction,
      booking: BookedWork,
      fee: CancellationFee,
      by: { actor: string; seller: Seller; covered: number },
    ) => Order
  },
) {
  const { clock, mails, timeline } = platform

  const settlementOf = (booking: BookedWork, due: CancellationFee): BookingSettlement => {
    const open = orders.ofBooking(booking.reference)
    const fee = due.gross > 0 ? due : null
    const isPaid = open.some((order) => paidFor(order) > 0)
    const feeWaits = fee !== null && !isPaid && missingForInvoice(booking, fee.gross).length > 0
    const settled: BookingSettlement = { credited: [], fee, feeWaits, covered: 0, paidBack: [] }
    let left = fee?.gross ?? 0
    for (const order of open) {
      const invoice = invoices.invoiceOf(order.id)?.number ?? null
      const paid = paidFor(order)
      if (paid <= 0) {
        settled.credited.push({ order: order.number, invoice, total: order.total })
        continue
      }
      const kept = Math.min(paid, left)
      left -= kept
      settled.covered += kept
      settled.paidBack.push({ order: order.number, invoice, amount: paid - kept })
    }
    return settled
  }

  return {
    /** What ending a booking does to its money, as things stand. */
    settlementOf,

    /**
     * Settles the money of a booking that ends: unpaid invoices are taken back, the fee is invoiced and
     * covered by what was paid, and what is left of a payment waits for staff to pay it back. Call it
     * inside the transaction of the change.
     * @param due what ending it costs
     */
    settle(
      tx: Transaction,
      booking: BookedWork,
      due: CancellationFee,
      { actor, seller }: { actor: string; seller: Seller },
    ): BookingSettlement {
      const settlement = settlementOf(booking, due)
      const endDeps = { platform, orders, invoices, payouts, shop }
      const before = orders.ofBooking(booking.reference)
      for (const order of before.filter((each) => paidFor(each) <= 0)) {
        const ended = endOrder(tx, endDeps, order, { to: 'cancelled', actor })
        if (!ended) throw failure('changed', { message: 'One of its invoices has just changed.' })
        if (ended.credit !== null) orderMail(tx, mails, 'bookingCredit', ended.order, ended.credit)
      }
      const { fee, feeWaits, paidBack } = settlement
      const keptOf = ({ order, amount }: BookingSettlement['paidBack'][number]) =>
        paidFor(orders.find(order)!) - amount
      const covered = sum(paidBack.map(keptOf))
      const feeOrder =
        fee && !feeWaits ? issueFee(tx, booking, fee, { actor, seller, covered }) : null
      for (const back of paidBack) {
        const { order: number, amount } = back
        const order = orders.find(number)!
        const kept = keptOf(back)
        if (feeOrder && kept > 0) cover(tx, order, feeOrder, kept)
        const after = orders.change(tx, order, { state: 'refunded' })
        if (!after) throw failure('changed', { message: 'A payment for it has just come in.' })
        leavePage(tx, endDeps, order)
        const credit = takeBack(tx, endDeps, after)
        if (credit !== null) {
          orderMail(tx, mails, 'bookingCredit', after, credit, {
            kept,
            keptFor: fee?.isTravel && 'travel',
          })
        }
        timeline.record(tx, {
          thing: 'order',
          thingId: number,
          actor,
          act: 'booking ended',
          before: order.state,
          after: after.state,
          note: amount > 0 ? `${euros(amount)} to refund` : null,
        })
      }
      return settlement
    },
  }

  /** Covers a fee with what was paid for another invoice of the same booking. */
  function cover(tx: Transaction, from: Order, fee: Order, amount: number): void {
    const paidOn = dateAt(clock())
    const kept = payouts.keptOf(from, amount)
    for (const [at, part] of kept.entries()) {
      const moved = { source: 'staff', payer: null, paidOn, ...part } as const
      const { amount: cents } = part
      const [to, here] = [movedTo(fee.number, at), movedFrom(from.number, at)]
      orders.pay(tx, { ...moved, order: from.id, externalId: to, amount: -cents })
      orders.pay(tx, { ...moved, order: fee.id, externalId: here, amount: cents })
    }
    if (paidFor(fee) < fee.total) return
    const now = orders.findId(fee.id)!
    orders.change(tx, now, { state: 'paid', paidAt: clock() })
  }
}

/**
 * The notes of a payment that was moved to another order, and here from another one.
 * @param at which of several payments it is a part of, from 0
 */
const movedTo = (number: string, at = 0) => `to ${number}${at === 0 ? '' : ` ${at + 1}`}`
const movedFrom = (number: string, at = 0) => `from ${number}${at === 0 ? '' : ` ${at + 1}`}`

/**
 * The order that money came for which covers the fee of a booking now.
 * @returns its number, for the payment there and here; null for money that wasn't moved
 */
export function movedMoneyOf(
  { source, externalId }: { source: string; externalId: string | null },
  { number, booking }: Order,
): string | null {
  if (booking === null || source !== 'staff' || externalId === null) return null
  // Staff's own notes may begin with the same words.
  const [, way, other] = /^(to|from) (A-[0-9A-Z]+)(?: \d+)?$/.exec(externalId) ?? []
  if (other === undefined) return null
  return way === 'to' ? number : other
}
