import { euros, sum } from '#shared/money.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { orderMail } from '../mails/mails.ts'
import { takeDispute } from './disputes.ts'
import type { PaymentDeps } from './end-order.ts'
import { sharesOf, type RestOf } from './payment-shares.ts'
import type { ChargeState, FailedRefund } from './stripe.ts'

/**
 * Takes what Stripe tells of money that was refunded in its dashboard, or that a buyer's bank asks about,
 * wants, takes or gives back. A refund that was made here is known already; what goes beyond is recorded,
 * and staff are asked for its credit note. Call it inside a transaction.
 */
export function takeCharge(
  tx: Transaction,
  deps: PaymentDeps,
  { paymentIntent, refunded, dispute, moved }: ChargeState,
): 'refunded' | 'disputed' | 'inquiry' | 'repeat' | 'ignored' {
  const { orders, payouts, platform } = deps
  const { mails, timeline } = platform
  const holders = orders.ofPaymentIntent(paymentIntent)
  if (holders.length === 0) return 'ignored'
  const cardRest: RestOf = (holder) =>
    payouts.cardRests(holder).find((each) => each.paymentIntent === paymentIntent)?.amount ?? 0
  if (dispute) return takeDispute(tx, deps, { holders, paymentIntent, dispute, moved, cardRest })
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
  for (const { holder, part } of sharesOf(holders, amount, cardRest)) {
    const payout = payouts.make(tx, holder, {
      amount: part,
      credit: null,
      reason: 'refunded in Stripe’s dashboard',
      isSent: true,
      paymentIntent,
    })
    timeline.record(tx, {
      thing: 'order',
      thingId: holder.number,
      actor: 'stripe',
      act: 'refunded at Stripe',
      note: euros(part),
    })
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
