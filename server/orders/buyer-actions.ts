import { hourMs } from '#shared/durations.ts'
import { failure } from '#shared/failures.ts'
import type { OrderView } from '#shared/orders.ts'
import type { Platform } from '../feature.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { OrderDeps } from './order-deps.ts'
import { downloadsOf } from './downloads.ts'
import type { Order } from './order.ts'
import { orderDetails } from './order-view.ts'

/** Codes that one mailbox gets in an hour. */
const codesAnHour = 5

/** Makes what a buyer does with the link of an order: look at it, and open it by a code. */
export function buyerActions(
  { commit, clock, mails, outbox }: Platform,
  { invoices, access, files }: OrderDeps,
  refreshed: (order: Order) => Promise<Order>,
) {
  return {
    /** An order as its buyer may see it now; asks once for a payment that has not been told yet. */
    async view(token: string, requestContext: RequestContext): Promise<OrderView> {
      const order = await refreshed(access.find(token))
      if (!access.isOpen(order, requestContext)) {
        return { order: order.number, state: order.state, details: null }
      }
      const details = await orderDetails(order, token, {
        invoice: invoices.invoiceOf(order.id),
        downloads: downloadsOf(order, { access, files, clock }),
      })
      return { order: order.number, state: order.state, details }
    },

    /** Sends a code to the buyer, or opens the order with it. */
    async open(
      token: string,
      code: string | undefined,
      requestContext: RequestContext,
    ): Promise<boolean> {
      const order = access.find(token)
      if (code !== undefined && code.trim() !== '') {
        access.enter(order, code, requestContext)
        return true
      }
      // A code that is not mailed would take the place of one that was.
      if (mails.queuedTo(order.email, 'orderCode', clock() - hourMs) >= codesAnHour) {
        throw failure('too-many', {
          message: `${codesAnHour} codes have gone to your mailbox within the hour. The newest of them opens the order; you can have another one in an hour.`,
          retryAfter: hourMs / 1000,
        })
      }
      const made = access.makeCode(order)
      await commit((tx) => {
        mails.enqueue(tx, 'orderCode', {
          key: `order-code-${order.number}-${clock()}`,
          data: { order: order.number, code: made, to: order.email },
          recipient: order.email,
        })
      })
      outbox.wake()
      return false
    },
  }
}
