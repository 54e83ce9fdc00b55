import { failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import type { Platform } from '../../feature.ts'
import { leavePage } from './end-order.ts'
import type { Order } from '../order.ts'
import type { OrderDeps } from '../order-deps.ts'

/**
 * Makes what leads to the payment of an order: its page at the payment service, the one that is open
 * already, or where no payment is waited for any more.
 * @returns a function that throws payment-down
 */
export function paymentPages(
  platform: Platform,
  { orders, stripe }: Pick<OrderDeps, 'orders' | 'stripe'>,
  successUrl: (order: Order) => string,
): (order: Order) => Promise<string> {
  const { commit, config } = platform
  return async (order) => {
    if (order.state !== 'pending') return successUrl(order)
    if (order.sessionUrl !== null) return order.sessionUrl
    if (!stripe) throw failure('payment-down')
    const page = await stripe.open(order, {
      amount: order.total,
      name: `Order ${order.number}`,
      key: `order-${order.number}`,
      success: successUrl(order),
      cancel: config.siteUrl + paths.checkout(),
    })
    const isOver = await commit((tx) => {
      const now = orders.findId(order.id)!
      if (now.session === null) {
        orders.change(tx, now, { session: page.session, sessionUrl: page.url })
        // It was over before its page was there.
        if (now.state !== 'pending') leavePage(tx, { platform }, now)
      }
      return now.state !== 'pending'
    })
    return isOver ? successUrl(order) : page.url
  }
}
