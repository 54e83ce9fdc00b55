import { hourMs } from '#shared/durations.ts'
import { failure } from '#shared/failures.ts'
import { orderLimits } from '#shared/order-limits.ts'
import { withTimeout } from '../../timeout.ts'
import type { Order } from '../order.ts'
import type { OrderDeps } from '../order-deps.ts'

/** Milliseconds that a second try waits for word of the first one's payment. */
const paymentTimeout = 2_000

/** Makes what is said of a cart that has become an order already, so it is not paid twice. */
export function paidCarts(
  { shop, orders }: Pick<OrderDeps, 'shop' | 'orders'>,
  {
    clock,
    successUrl,
    refreshed,
  }: {
    clock: () => number
    successUrl: (order: Order) => string
    /** An order after asking the payment service whether it has been paid. */
    refreshed: (order: Order) => Promise<Order>
  },
) {
  /** An order and its page, for the holder of the cart that it was placed from. */
  const wayTo = (order: Order) => ({ order: order.number, next: successUrl(order) })

  /**
   * Asks for what was paid of a cart while its visitor came back to order again.
   * @throws price when an order of the cart turns out to be paid
   */
  const refuseTwice = async (cart: number | null, key: string): Promise<void> => {
    if (cart === null || orders.ofSubmission({ cart, key })) return
    for (const order of orders.unpaidOf(cart)) {
      if (order.state !== 'pending') continue
      const now = await withTimeout(refreshed(order), paymentTimeout).catch(() => order)
      if (now.state !== 'paid') continue
      throw failure('price', {
        message: `Order ${order.number} from this cart is already paid, so nothing was ordered again. The confirmation is in your inbox.`,
        details: { ...shop.cartView(shop.price(cart)), ...wayTo(order) },
      })
    }
  }

  /** What is said of an empty cart: which order it has just become, as when a second tab sends it. */
  const emptied = (cart: number | null) => {
    const order = cart === null ? null : orders.latestOf(cart)
    if (!order || clock() - order.placedAt > orderLimits.successHours * hourMs) {
      return { message: 'Your cart is empty.', details: { lines: [], total: 0 } }
    }
    if (order.state === 'waiting') {
      return {
        message: `Order ${order.number} from this cart is on hold. Its page says what happens next.`,
        details: { lines: [], total: 0, ...wayTo(order) },
      }
    }
    const mail = order.payment === 'invoice' ? 'its invoice' : 'the confirmation'
    const state = order.paidAt === null ? 'placed' : 'paid'
    return {
      message: `Order ${order.number} from this cart is already ${state}, so nothing was ordered again. You’ll find ${mail} in your inbox.`,
      details: { lines: [], total: 0, ...wayTo(order) },
    }
  }

  return { refuseTwice, emptied }
}
