import { dateAt } from '#shared/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import type { Platform } from '../feature.ts'
import type { OrderDeps } from './order-deps.ts'
import { closePageKind } from './ending.ts'
import { expireOrder, takePayment, takeTransfer, type PaymentOutcome } from './payments.ts'
import { known } from './staff-actions.ts'
import type { Order } from './order.ts'

/** Makes what happens when money comes, or does not come in time. */
export function paymentActions(platform: Platform, deps: OrderDeps) {
  const { commit, clock, jobs, log, outbox } = platform
  const { shop, orders, invoices, stripe, seller } = deps
  const money = { platform, orders, invoices, shop }

  return {
    /** An order that is not paid, after asking the payment service whether it has been. */
    async refreshed(order: Order): Promise<Order> {
      const { state, session, paidAt } = order
      if (!stripe || session === null || paidAt !== null) return order
      // Once its page is closed, an order that is over cannot be paid.
      const isOpen = state === 'pending' || jobs.find(closePageKind, order.number) !== null
      if (!isOpen) return order
      try {
        const told = await stripe.look(session)
        if (!told.paid) return order
        const sells = await seller()
        await commit((tx) => takePayment(tx, money, told, sells))
        outbox.wake()
      } catch (err) {
        log.warn({ err, order: order.number }, 'payment status not read')
      }
      return orders.findId(order.id) ?? order
    },

    /** Takes an event of the payment service. @throws malformed when it is forged or too old */
    async webhook(body: Buffer, signature: string | undefined): Promise<PaymentOutcome> {
      if (!stripe) throw failure('missing')
      const { id, type, session } = await stripe.read(body, signature)
      const sells = await seller()
      const outcome = await commit((tx): PaymentOutcome => {
        if (orders.isKnown(id)) return 'repeat'
        const counts =
          type === 'checkout.session.completed' ||
          type === 'checkout.session.async_payment_succeeded'
        const result = counts && session ? takePayment(tx, money, session, sells) : 'ignored'
        orders.note(tx, id, type, result)
        return result
      })
      outbox.wake()
      log.info({ event: id, type, outcome }, 'payment event')
      return outcome
    },

    expire: (number: string) => commit((tx) => expireOrder(tx, money, number)),

    /** Closes the payment page of an order that is over; what was paid there meanwhile is taken. @throws payment-down */
    async closePage(number: string): Promise<void> {
      const order = orders.find(number)
      if (!stripe || !order || order.session === null) return
      if (order.state === 'pending' || order.paidAt !== null) return
      const state = await stripe.close(order.session)
      if (!state.paid) return
      const sells = await seller()
      await commit((tx) => takePayment(tx, money, state, sells))
      outbox.wake()
    },

    /** Records a payment of an invoice. @returns false when this payment was told before */
    async paid(
      number: string,
      payment: { source: string; amount?: number; paidOn?: string; actor: string },
    ): Promise<{ recorded: boolean; order: Order }> {
      const taken = await commit((tx) => {
        const order = known(orders.find(number))
        return takeTransfer(tx, money, order, {
          source: payment.source,
          amount: payment.amount ?? order.total - orders.paid(order.id),
          paidOn: payment.paidOn ?? dateAt(clock()),
          actor: payment.actor,
        })
      })
      outbox.wake()
      return taken
    },
  }
}
