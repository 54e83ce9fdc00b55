import type { Transaction } from '../../db/group-commit.ts'
import type { OrderShop } from '../checkout/place-order.ts'
import { endOrder, type PaymentDeps } from './end-order.ts'
import { orderMail } from '../mails/mails.ts'
import type { Order, OrderLine } from '../order.ts'

/**
 * Decides what money pays that comes for an order which does not wait for it any more, so that one
 * cart is never charged twice. Call it inside a transaction.
 *
 * Where the order was replaced by another one of its cart, only one of them stands in the end. While
 * the other one is not paid, the one that is paid takes its place, and the other one is cancelled.
 * Where the other one is paid, sent, or agreed on with other contents, it stays, and the money goes
 * back. An order whose time was simply over is filled while there are pieces.
 * @returns `take` once its pieces are taken; `attention` for staff, who deliver it another way or give
 *   the money back; `back` where the money goes back by itself
 */
export function decideLatePayment(
  tx: Transaction,
  deps: PaymentDeps,
  order: Order,
): 'take' | 'attention' | 'back' {
  const { orders, shop } = deps
  const other = order.replacedBy === null ? null : orders.findId(order.replacedBy)
  if (!other) {
    // The buyer was already told on cancelling that nothing is owed.
    if (order.state === 'cancelled') return 'back'
    return takePieces(tx, shop, order) ? 'take' : 'attention'
  }
  if (other.state === 'expired') {
    if (!takePieces(tx, shop, order)) return 'attention'
    orders.replace(tx, other, order)
    return 'take'
  }
  const givesWay =
    other.state === 'waiting' ||
    other.state === 'pending' ||
    (other.state === 'open' && orders.paidInMoney(other.id) === 0 && hasSameLines(order, other))
  if (!givesWay || !isEnough(shop, order, other)) return 'back'
  giveWay(tx, deps, other, order)
  takePieces(tx, shop, order)
  return 'take'
}

/** Cancels an order that is not paid, in favour of one of the same cart that is. */
function giveWay(tx: Transaction, deps: PaymentDeps, other: Order, order: Order): void {
  const { orders, platform } = deps
  orders.replace(tx, other, order)
  const ended = endOrder(tx, deps, other, {
    to: 'cancelled',
    actor: 'stripe',
    note: `${order.number} of the same cart was paid`,
  })
  // A buyer with an invoice in the email gets a credit note; of an order by Stripe no email was sent.
  if (ended && other.state === 'open') {
    orderMail(tx, platform.mails, 'orderCancelled', ended.order, ended.credit)
    orderMail(tx, platform.mails, 'orderReplacedStaff', ended.order, ended.credit)
  }
}

/**
 * Reserves the pieces and the gift card's part again for an order whose reservation ended; all or
 * nothing.
 */
export function takePieces(tx: Transaction, shop: OrderShop, order: Order): boolean {
  if (!isEnough(shop, order, null)) return false
  shop.discounts.again(tx, order.id)
  shop.giftCards.again(tx, order.id)
  for (const { variantId, quantity } of order.lines) {
    if (variantId !== null) shop.catalogue.take(tx, variantId, quantity)
  }
  return true
}

/** Whether stock and gift card suffice for an order, counting what the replaced one frees. */
function isEnough(
  { catalogue, giftCards }: OrderShop,
  { id: order, lines }: Order,
  other: Order | null,
): boolean {
  // A waiting order has reserved no pieces.
  const more = piecesOf(other === null || other.state === 'waiting' ? [] : other.lines)
  if (!giftCards.canAgain(order, other?.id ?? null)) return false
  return [...piecesOf(lines)].every(([id, quantity]) => {
    const variant = catalogue.ofVariant(id)?.variants.find((each) => each.id === id)
    if (!variant) return false
    return variant.stock === null || variant.stock + (more.get(id) ?? 0) >= quantity
  })
}

const hasSameLines = ({ lines: some }: Order, { lines: others }: Order): boolean => {
  const wanted = piecesOf(others)
  const pieces = piecesOf(some)
  return pieces.size === wanted.size && [...pieces].every(([id, count]) => wanted.get(id) === count)
}

/** How many pieces of each variant. */
function piecesOf(
  lines: readonly Pick<OrderLine, 'variantId' | 'quantity'>[],
): Map<number, number> {
  const pieces = new Map<number, number>()
  for (const { variantId, quantity } of lines) {
    if (variantId !== null) pieces.set(variantId, (pieces.get(variantId) ?? 0) + quantity)
  }
  return pieces
}
