import { failure } from '#shared/failures.ts'
import { sum } from '#shared/money.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { OrderDeps } from './order-deps.ts'
import { restockLines } from './checkout/place-order.ts'
import { orderMail } from './mails/mails.ts'
import { endOrder, takeBack } from './payment/end-order.ts'
import type { ChargeState } from './payment/stripe.ts'
import { takeCharge } from './payment/stripe-charges.ts'
import type { Order } from './order.ts'
import { unsentOf } from './shipping/parcels.ts'

/** Creates the staff's acts on an order; each is all or nothing. */
export function staffActions(
  platform: Platform,
  { shop, orders, invoices, payouts, parcels, stripe }: OrderDeps,
) {
  const { commit, log, mails, outbox, timeline } = platform
  const paymentDeps = { platform, orders, invoices, payouts, shop }

  /** Does something with an order by hand, all or nothing. @throws missing, changed, wrong-state */
  const perform = async (
    number: string,
    act: string,
    work: (tx: Transaction, order: Order) => Order | null,
  ): Promise<Order> => {
    const after = await commit((tx) => changed(work(tx, known(orders.find(number)))))
    outbox.wake()
    log.info({ order: number, act, state: after.state }, 'order changed')
    return after
  }
  const note = (tx: Transaction, actor: string, act: string, before: Order, after: Order) =>
    timeline.record(tx, {
      thing: 'order',
      thingId: before.number,
      actor,
      act,
      before: before.state,
      after: after.state,
    })

  /** Tells the buyer. Of a booking it's one invoice that ends, which its client knows by its number. */
  const tellEnded = (tx: Transaction, order: Order, credit: number | null) =>
    orderMail(
      tx,
      mails,
      order.booking !== null && credit !== null ? 'bookingCredit' : 'orderCancelled',
      order,
      credit,
    )

  /** Gives the money of a paid order back; at Stripe for orders that were paid there. @throws payment-down */
  const refund = async (number: string, actor: string): Promise<Order> => {
    const order = known(orders.find(number))
    assertState(order, ['paid', 'shipped', 'attention'])
    if (order.payment === 'stripe') {
      await sendBack(order, { orders, stripe }, (state) =>
        commit((tx) => void takeCharge(tx, paymentDeps, state)),
      )
    }
    return perform(number, 'refunded', (tx, now) => {
      assertState(now, ['paid', 'shipped', 'attention'])
      // What is paid for out of order has taken no pieces.
      if (now.state === 'paid') restockLines(tx, shop, unsentOf(parcels, now))
      const credit = takeBack(tx, paymentDeps, now, { isSent: order.payment === 'stripe' })
      const after = orders.change(tx, now, { state: 'refunded' })
      if (!after) return null
      note(tx, actor, 'refunded', now, after)
      tellEnded(tx, after, credit)
      return after
    })
  }

  return {
    /** Cancels what is not paid: pieces go back, and a credit note takes the invoice back. */
    cancel: (number: string, actor: string) =>
      perform(number, 'cancelled', (tx, order) => {
        assertState(order, ['waiting', 'pending', 'open'])
        if (parcels.of(order.id).length > 0) {
          throw failure('wrong-state', {
            message: `Part of ${order.number} has been shipped, so it can’t be cancelled: credit what comes back.`,
          })
        }
        const ended = endOrder(tx, paymentDeps, order, { to: 'cancelled', actor })
        if (!ended) return null
        // Whoever entered this mailbox has not shown that it is theirs, and nothing was promised to it.
        if (order.state === 'waiting') return ended.order
        tellEnded(tx, ended.order, ended.credit)
        return ended.order
      }),

    refund,
    /** Gives money back that came for an order which another one has replaced; once. @throws payment-down */
    async payBack(number: string): Promise<void> {
      if (orders.find(number)?.state === 'attention') await refund(number, 'system')
    },
  }
}

/**
 * Gives money back where it was paid; what a gift card paid is none. Where all of it went back before, by
 * credit notes, in the dashboard or by a dispute, there is nothing to ask for. Where Stripe refuses, it's
 * asked what it gave back: a refund whose answer got lost counts, and what went back in the dashboard
 * without a word is recorded before the rest is asked for.
 * @throws wrong-state without keys, payment-down
 */
async function sendBack(
  order: Order,
  { orders, stripe }: Pick<OrderDeps, 'orders' | 'stripe'>,
  record: (state: ChargeState) => Promise<void>,
): Promise<void> {
  const { number, paymentIntent, id } = order
  const money = orders.paidInMoney(id)
  // Stripe refuses a refund of nothing.
  if (money <= 0) return
  if (!stripe || paymentIntent === null) {
    throw failure('wrong-state', {
      message:
        'This order was paid through Stripe, whose keys are missing here: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET as on the server.',
    })
  }
  const came = orders
    .paymentsOf(id)
    .filter(({ source, amount }) => source === 'stripe' && amount > 0)
  const isAll = money === sum(came.map(({ amount }) => amount))
  // Stripe keeps a key for its amount.
  const key = isAll ? `refund-${number}` : `refund-${number}-${money}`
  await stripe
    .refund(paymentIntent, money, key, { order: number })
    .catch(async (cause: unknown) => {
      const made = await stripe.refundsOf(paymentIntent).catch(() => [])
      if (made.some(({ isWhole, amount }) => isWhole && amount === money)) return
      const refunded = sum(made.map(({ amount }) => amount))
      await record({ paymentIntent, refunded, dispute: null, moved: null })
      if (orders.paidInMoney(id) < money) return sendBack(order, { orders, stripe }, record)
      throw failure('payment-down', {
        message: `The payment service didn’t refund order ${number}, so nothing was changed. Please try again.`,
        cause,
      })
    })
}

/** An order that has to be there. @throws missing when there is no such order */
export function known(order: Order | null): Order {
  if (!order) throw failure('missing', { message: 'Order not found.' })
  return order
}

/** An order after its change. @throws changed when someone else was faster, so that it is null */
export function changed(order: Order | null): Order {
  if (!order) throw failure('changed', { message: 'Someone else has just changed this order.' })
  return order
}

/** @throws wrong-state when an order is in none of some states */
function assertState({ state }: Order, states: readonly Order['state'][]): void {
  if (!states.includes(state)) {
    throw failure('wrong-state', { message: `This order is ${state}, so that can’t be done.` })
  }
}
