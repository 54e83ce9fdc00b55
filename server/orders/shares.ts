import { sum } from '#shared/money.ts'
import type { Sender } from '../shares/claims.ts'
import type { Claim } from '../shares/schema.ts'
import type { Reached, Shares } from '../shares/shares.ts'
import type { ShopFeature } from '../shop/feature.ts'
import type { Order, OrderLine } from './order.ts'
import type { OrderStore } from './store.ts'

/** The noun of claims for stock and documents. */
export const noun = 'order'

/** What the rules look at. */
export type ShareDeps = {
  shares: Shares
  orders: Pick<OrderStore, 'unpaidOfMailbox' | 'unpaidOfNetwork' | 'unpaidPieces'>
  shop: Pick<ShopFeature, 'catalogue'>
  clock: () => number
}

/** What is ordered, as far as limits go. */
type Asked = {
  payment: Order['payment']
  lines: readonly Pick<OrderLine, 'variantId' | 'quantity'>[]
}

/** The free pieces of a variant; null where there is no end of them, or no such variant. */
function stockOf({ shop }: Pick<ShareDeps, 'shop'>, variantId: number): number | null {
  const product = shop.catalogue.ofVariant(variantId)
  return product?.variants.find(({ id }) => id === variantId)?.stock ?? null
}

/** How many limited pieces an order reserves. */
export const piecesOf = (deps: Pick<ShareDeps, 'shop'>, { lines }: Pick<Asked, 'lines'>): number =>
  sum(
    lines.map(({ variantId, quantity }) =>
      variantId !== null && stockOf(deps, variantId) !== null ? quantity : 0,
    ),
  )

/**
 * Which limit an order is beyond, before it takes its pieces. Ask inside the transaction that places it.
 * @param options `except` is the number of an order that does not count; `isProven` lifts the share of
 *   all strangers together, as the link in an email does
 * @returns null when it may take its pieces and its number
 */
export function limitReached(
  deps: ShareDeps,
  sender: Sender,
  asked: Asked,
  { except = '', isProven = false }: { except?: string; isProven?: boolean } = {},
): Reached | null {
  const { shares, orders, clock } = deps
  if (!shares.isOn) return null
  const { mailbox, network, inAll } = shares.settings().orders
  if (orders.unpaidOfMailbox(sender.mailbox, clock(), except) >= mailbox.orders) {
    return { parked: 'staff', limit: 'unpaid orders from one mailbox' }
  }
  const open = orders.unpaidOfNetwork(sender.network, except)
  if (open.orders >= network.orders || open.pieces + piecesOf(deps, asked) > network.pieces) {
    return { parked: 'staff', limit: 'unpaid orders from one network' }
  }
  if (isProven || asked.payment !== 'invoice') return null
  for (const { variantId, quantity } of asked.lines) {
    const free = variantId === null ? null : stockOf(deps, variantId)
    if (variantId === null || free === null) continue
    const { transfer, all } = orders.unpaidPieces(variantId)
    const max = Math.max(inAll.least, Math.floor((free + all) * inAll.part))
    if (transfer + quantity > max) {
      return { parked: 'link', limit: 'pieces reserved by unpaid bank-transfer orders' }
    }
  }
  return null
}

/** What a visitor is told whose order waits. */
export const waitingMessage = ({ parked }: Pick<Claim, 'parked'>): string =>
  parked === 'link'
    ? 'One more step: open the link we’ve emailed you, and we’ll hold these items for you and send your invoice.'
    : 'There are several unpaid orders from you or your network. We’ll look at this one first; nothing is reserved or charged yet.'
