import { dateAt } from '#shared/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { OrderParts } from './order-parts.ts'
import { giveBack } from './checkout.ts'
import type { OrderMail } from './mail-parts.ts'
import { orderMail } from './mails.ts'
import { expireKind } from './payments.ts'
import type { Order, OrderChange } from './order.ts'

/** Makes what staff do with an order by hand; each is all or nothing. */
export function staffActions(
  { commit, clock, jobs, log, mails, outbox, timeline }: Platform,
  { shop, orders, invoices, stripe }: OrderParts,
) {
  /** Changes an order by hand, all or nothing. @throws missing, clash */
  const change = async (
    number: string,
    actor: string,
    act: string,
    work: (
      tx: Transaction,
      order: Order,
    ) => { to: OrderChange; mail?: OrderMail; invoice?: number | null },
  ): Promise<Order> => {
    const changed = await commit((tx) => {
      const order = known(orders.find(number))
      const { to, mail, invoice = null } = work(tx, order)
      const after = orders.change(tx, order, to)
      if (!after) throw failure('clash', { message: 'Somebody else changed this order meanwhile.' })
      timeline.record(tx, {
        thing: 'order',
        thingId: number,
        actor,
        act,
        before: order.state,
        after: after.state,
      })
      if (mail) orderMail(tx, mails, mail, after, invoice)
      return after
    })
    outbox.wake()
    log.info({ order: number, act, state: changed.state }, 'order changed')
    return changed
  }

  /** Takes an invoice back by a credit note, and notes that what was paid for it goes back. */
  const takeBack = (tx: Transaction, order: Order): number | null => {
    const amount = orders.paid(order.id)
    if (amount > 0) {
      orders.pay(tx, {
        order: order.id,
        source: `refund/${order.number}`,
        amount: -amount,
        paidOn: dateAt(clock()),
      })
    }
    const invoice = invoices.invoiceOf(order.id)
    return invoice ? invoices.credit(tx, order, invoice).number : null
  }

  return {
    ship: (number: string, actor: string) =>
      change(number, actor, 'shipped', (_tx, order) => {
        mustBe(order, ['open', 'paid'])
        return { to: { state: 'shipped', shippedAt: clock() }, mail: 'orderShipped' }
      }),

    /** Cancels what is not paid: pieces go back, and a credit note takes the invoice back. */
    cancel: (number: string, actor: string) =>
      change(number, actor, 'cancelled', (tx, order) => {
        mustBe(order, ['pending', 'open'])
        jobs.cancel(tx, expireKind, number)
        giveBack(tx, shop, order.lines)
        const credit = takeBack(tx, order)
        return {
          to: { state: 'cancelled', reservedUntil: null },
          mail: 'orderCancelled',
          invoice: credit,
        }
      }),

    /** Gives the money of a paid order back; at Stripe for orders that were paid there. @throws payment-down */
    async refund(number: string, actor: string): Promise<Order> {
      const order = known(orders.find(number))
      mustBe(order, ['paid', 'shipped', 'attention'])
      if (order.payment === 'stripe') {
        if (!stripe || order.paymentIntent === null) throw failure('payment-down')
        await stripe.refund(order.paymentIntent, orders.paid(order.id), `refund-${number}`)
      }
      return change(number, actor, 'refunded', (tx, now) => {
        mustBe(now, ['paid', 'shipped', 'attention'])
        // What is paid for out of order has taken no pieces.
        if (now.state === 'paid') giveBack(tx, shop, now.lines)
        const credit = takeBack(tx, now)
        return {
          to: { state: 'refunded' },
          mail: 'orderCancelled',
          invoice: credit,
        }
      })
    },
  }
}

/** An order that has to be there. @throws missing when there is no such order */
export function known(order: Order | null): Order {
  if (!order) throw failure('missing', { message: 'There is no such order.' })
  return order
}

/** @throws clash when an order is in none of some states */
function mustBe({ state }: Order, states: readonly Order['state'][]): void {
  if (!states.includes(state)) {
    throw failure('clash', { message: `This order is ${state}, so that cannot be done with it.` })
  }
}
