import { dateAt } from '#shared/dates/civil-dates.ts'
import { euros, sum } from '#shared/money.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { orderMail } from '../mails/mails.ts'
import type { Order } from '../order.ts'
import type { PaymentDeps } from './end-order.ts'
import { disputeIds } from './payment-records.ts'
import type { ChargeState, FailedRefund } from './stripe.ts'

/**
 * Takes what Stripe tells of money that was refunded in its dashboard, or that a buyer's bank wants, takes
 * or gives back. A refund that was made here is known already; what goes beyond is recorded, and staff are asked
 * for its credit note. Call it inside a transaction.
 */
export function takeCharge(
  tx: Transaction,
  { orders, payouts, platform }: PaymentDeps,
  { paymentIntent, refunded, dispute, moved }: ChargeState,
): 'refunded' | 'disputed' | 'repeat' | 'ignored' {
  const { clock, mails, timeline, log } = platform
  const holders = orders.ofPaymentIntent(paymentIntent)
  if (holders.length === 0) return 'ignored'
  const thingOf = ({ number }: Order) => ({ thing: 'order', thingId: number, actor: 'stripe' })
  // A part of a payment may cover the fee of a cancelled booking: each order has its share of what moves.
  const split = (amount: number, restOf: (holder: Order) => number) => {
    let left = amount
    return holders.flatMap((holder, at) => {
      const isLast = at === holders.length - 1
      const part = isLast ? left : Math.min(left, restOf(holder))
      left -= part
      return part > 0 ? [{ holder, part }] : []
    })
  }
  const cardRest = (holder: Order) =>
    payouts.cardRests(holder).find((each) => each.paymentIntent === paymentIntent)?.amount ?? 0
  if (dispute) {
    for (const { holder, part } of split(dispute.amount, cardRest)) {
      timeline.record(tx, {
        ...thingOf(holder),
        act: 'disputed',
        note: [euros(part), dispute.reason].filter(Boolean).join(': '),
      })
      log.warn({ order: holder.number, alert: true }, 'payment disputed')
      orderMail(tx, mails, 'orderDisputedStaff', holder, null, {
        dispute: { ...dispute, amount: part },
      })
    }
    return 'disputed'
  }
  if (moved) {
    const { taken, back } = disputeIds(moved.dispute)
    const isTaken = moved.amount < 0
    const said = (holder: Order, externalId: string) =>
      orders.paymentsOf(holder.id).find((each) => each.externalId === externalId)
    const externalId = isTaken ? taken : back
    if (holders.some((holder) => said(holder, externalId))) return 'repeat'
    const restOf = isTaken ? cardRest : (holder: Order) => -(said(holder, taken)?.amount ?? 0)
    for (const [at, { holder, part }] of split(Math.abs(moved.amount), restOf).entries()) {
      orders.pay(tx, {
        order: holder.id,
        source: 'stripe',
        externalId,
        payer: null,
        amount: isTaken ? -part : part,
        paidOn: dateAt(clock()),
        paymentIntent,
      })
      // Charged once for the dispute, however many orders share its payment.
      if (at === 0 && moved.fee !== null) {
        orders.setDisputeFee(tx, { order: holder.id, externalId }, moved.fee)
      }
      const act = isTaken ? 'money taken by a dispute' : 'money given back by a dispute'
      timeline.record(tx, { ...thingOf(holder), act, note: euros(part) })
    }
    return 'disputed'
  }
  // Stripe counts by payment: others of the order, and what goes back at the bank, are no part of it.
  const known = sum(
    holders
      .flatMap(({ id }) => payouts.ofOrder(id))
      .flatMap(({ parts }) => parts ?? [])
      .filter((part) => part.paymentIntent === paymentIntent)
      .map((part) => part.amount),
  )
  const amount = (refunded ?? 0) - known
  if (amount <= 0) return 'repeat'
  for (const { holder, part } of split(amount, cardRest)) {
    const payout = payouts.make(tx, holder, {
      amount: part,
      credit: null,
      reason: 'refunded in Stripe’s dashboard',
      isSent: true,
      paymentIntent,
    })
    timeline.record(tx, { ...thingOf(holder), act: 'refunded at Stripe', note: euros(part) })
    orderMail(tx, mails, 'orderRefundedStaff', holder, null, { payout: payout.id })
  }
  return 'refunded'
}

/**
 * Takes what Stripe tells of a refund that the buyer's bank has sent back: it is to be paid at the bank,
 * and staff are told. The buyer hears of it once it is paid. Call it inside a transaction.
 */
export function takeFailedRefund(
  tx: Transaction,
  { orders, payouts, platform }: PaymentDeps,
  told: FailedRefund,
): 'refund failed' | 'repeat' | 'ignored' {
  const { mails, timeline, log } = platform
  const holders = orders.ofPaymentIntent(told.paymentIntent)
  const [first] = holders
  if (!first) return 'ignored'
  const order = payouts.refunderOf(holders, told) ?? first
  const payout = payouts.fail(tx, order, told)
  if (payout === 'repeat') return 'repeat'
  if (payout === null) {
    log.warn({ order: order.number, refund: told.refund }, 'failed refund without a payout')
    return 'ignored'
  }
  timeline.record(tx, {
    thing: 'order',
    thingId: order.number,
    actor: 'stripe',
    act: 'refund failed',
    note: `${euros(told.amount)}: ${told.reason}; payout ${payout.id} pays it at the bank`,
  })
  log.warn({ order: order.number, alert: true }, 'refund failed')
  orderMail(tx, mails, 'orderRefundFailedStaff', order, null, { payout: payout.id })
  return 'refund failed'
}
