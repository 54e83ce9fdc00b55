import { dateAt } from '#shared/dates/civil-dates.ts'
import { longDate } from '#shared/dates/date-format.ts'
import { dayMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import { euros, sum } from '#shared/money.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { movedMoneyOf } from '../documents/bookings/booking-settlement.ts'
import { orderMail } from '../mails/mails.ts'
import type { Order } from '../order.ts'
import type { OrderDeps } from '../order-deps.ts'
import type { Payment } from '../schema.ts'
import { changed, known } from '../staff-actions.ts'
import { balanceOf } from './balance.ts'
import { expireKind } from './end-order.ts'
import { takeTransfer } from './take-payment.ts'

/** Corrects a payment that was recorded for the wrong order, or never came. */
export function correctPaymentActions(
  platform: Platform,
  { orders, invoices, payouts, parcels }: OrderDeps,
) {
  const { clock, commit, jobs, log, mails, outbox, shares, timeline } = platform
  const deps = { platform, orders, invoices }

  /** Payments of an order that staff can take back or move: transfers, from a statement or by hand. */
  const correctable = (order: Order): Payment[] =>
    orders
      .standingPayments(order.id)
      .filter(
        (payment) =>
          payment.amount > 0 &&
          (payment.source === 'staff' || payment.source === 'bank') &&
          payment.paymentIntent === null &&
          movedMoneyOf(payment, order) === null,
      )

  /** The payment with a number, or the only one. @throws missing, wrong-state, invalid */
  const meant = (order: Order, id: number | null): Payment => {
    const all = correctable(order)
    const [only] = all
    if (id === null && all.length > 1) {
      const names = all.map((each) => `${each.id} (${euros(each.amount)})`).join(', ')
      throw failure('invalid', { message: `${order.number} has several payments: ${names}.` })
    }
    const found = id === null ? only : all.find((each) => each.id === id)
    if (found) return found
    if (id !== null && orders.paymentsOf(order.id).every((each) => each.id !== id)) {
      throw failure('missing', { message: `${order.number} has no payment ${id}.` })
    }
    throw failure('wrong-state', {
      message: `${order.number} has no transfer to correct: what came by card or gift card goes back by a refund.`,
    })
  }

  /** Cents of an order paid by transfer and not refunded. */
  const transferred = (order: Order): number =>
    orders.paidInMoney(order.id) - sum(payouts.cardRests(order).map(({ amount }) => amount))

  /** The state of an order that isn't paid any more; what was sent stays sent. */
  const unpaid = (tx: Transaction, order: Order): Order => {
    if (order.paidAt === null || !['paid', 'shipped'].includes(order.state)) return order
    if (balanceOf(order, deps).open <= 0) return order
    // The time to pay starts over: the buyer thought it was paid, and the old deadline may have
    // passed.
    const ends =
      order.reservedUntil !== null && parcels.of(order.id).length === 0
        ? Math.max(order.reservedUntil, clock() + shares.settings().orders.transferDays * dayMs)
        : null
    const after = changed(
      orders.change(tx, order, {
        state: order.state === 'paid' ? 'open' : order.state,
        paidAt: null,
        reservedUntil: ends,
      }),
    )
    if (ends !== null) jobs.schedule(tx, expireKind, order.number, ends)
    const invoice = invoices.invoiceOf(order.id)?.number ?? null
    orderMail(tx, mails, 'orderPaymentTakenBack', after, invoice, { sequence: after.sequence })
    return after
  }

  /** Records that a payment doesn't belong to its order, or only the rest of it. @param act `kept` in cents */
  const takeBack = (
    tx: Transaction,
    order: Order,
    payment: Payment,
    {
      paidOn,
      act,
      note,
      kept,
      actor,
    }: { paidOn: string; act: string; note: string; kept: number; actor: string },
  ): Order => {
    const { id, amount } = payment
    orders.pay(tx, {
      order: order.id,
      source: 'staff',
      externalId: `correction of ${id}`,
      payer: payment.payer,
      amount: -amount,
      paidOn,
      corrects: id,
    })
    if (kept > 0) {
      orders.pay(tx, {
        order: order.id,
        source: 'staff',
        externalId: `rest of ${id}`,
        payer: payment.payer,
        amount: kept,
        paidOn: payment.paidOn,
        account: payment.account,
        corrects: id,
      })
    }
    const after = unpaid(tx, order)
    timeline.record(tx, {
      thing: 'order',
      thingId: order.number,
      actor,
      act,
      before: order.state,
      after: after.state,
      note,
    })
    if (order.booking !== null) {
      timeline.record(tx, { thing: 'booking', thingId: order.booking, actor, act, note })
    }
    return after
  }

  /** Records a payment under the order that it was for. @throws wrong-state */
  const moveTo = (
    tx: Transaction,
    to: Order,
    payment: Payment,
    { amount, actor }: { amount: number; actor: string },
  ): Order => {
    if (!['open', 'shipped', 'paid'].includes(to.state) || !invoices.invoiceOf(to.id)) {
      throw failure('wrong-state', {
        message: `${to.number} is ${to.state}, so it has no invoice to pay.`,
      })
    }
    const { id, payer, account, paidOn } = payment
    const transfer = {
      source: 'staff' as const,
      externalId: `correction of ${id}`,
      payer,
      amount,
      paidOn,
      account,
      corrects: id,
    }
    const { order } = takeTransfer(tx, deps, to, transfer, actor)
    // If the statement is imported again, its row mustn't count twice.
    const row =
      payment.source === 'bank'
        ? { statementDay: paidOn, statementId: payment.externalId }
        : { statementDay: payment.statementDay, statementId: payment.statementId }
    if (row.statementDay !== null) {
      for (const moved of orders.movedPayments(id)) {
        orders.tie(tx, moved.id, { ...row, payer, account })
      }
    }
    return order
  }

  return {
    correctable,

    /**
     * Takes back a transfer that was recorded by mistake, or moves it to the order that it was for. What
     * was recorded stays in the history and in the books, with a row that takes it off: on the day it came
     * where it moves, so that its month keeps its sums and no one owes interest; today where it never came.
     * @param options `payment` where there are several; `to` the number of the right order; `amount` how
     *   many cents of it move, if it paid for both orders
     * @returns both orders as they are now, and the cents that were taken back or moved
     * @throws missing; invalid where it isn't clear which one; wrong-state for what came by card, for money
     *   that went back since, and for an order without an invoice to pay
     */
    async correctPayment(
      number: string,
      {
        payment: id = null,
        to: toNumber = null,
        amount: part = null,
        reason,
        actor,
      }: {
        payment?: number | null
        to?: string | null
        amount?: number | null
        reason: string
        actor: string
      },
    ): Promise<{ payment: Payment; amount: number; order: Order; to: Order | null }> {
      const done = await commit((tx) => {
        const before = known(orders.find(number))
        const target = toNumber === null ? null : known(orders.find(toNumber))
        const payment = meant(before, id)
        const amount = part ?? payment.amount
        if (part !== null && !target) {
          throw wrongAmount('Name the order that a part of the payment was for.')
        }
        if (amount < 1 || amount > payment.amount) {
          throw wrongAmount(`Use an amount from ${euros(1)} to ${euros(payment.amount)}.`)
        }
        if (target?.id === before.id) {
          throw failure('invalid', { message: `The payment is already ${before.number}’s.` })
        }
        if (transferred(before) < amount) {
          throw failure('wrong-state', {
            message: `Of the ${euros(amount)}, ${euros(amount - Math.max(0, transferred(before)))} has been refunded, or is on the list of payouts.`,
          })
        }
        const when = `${euros(amount)} of ${longDate(payment.paidOn)}`
        const kept = payment.amount - amount
        const order = takeBack(tx, before, payment, {
          paidOn: target ? payment.paidOn : dateAt(clock()),
          act: target ? 'payment moved' : 'payment taken back',
          note: target ? `${when}, to ${target.number}: ${reason}` : `${when}: ${reason}`,
          kept,
          actor,
        })
        if (!target) return { payment, amount, order, to: null }
        timeline.record(tx, {
          thing: 'order',
          thingId: target.number,
          actor,
          act: 'payment moved here',
          note: `${when}, from ${before.number}: ${reason}`,
        })
        return { payment, amount, order, to: moveTo(tx, target, payment, { amount, actor }) }
      })
      outbox.wake()
      log.info({ order: number, payment: done.payment.id, to: toNumber }, 'payment corrected')
      return done
    },
  }
}

const wrongAmount = (message: string) =>
  failure('invalid', { message, errors: { amount: message } })
