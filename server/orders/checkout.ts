import { hash } from 'node:crypto'
import { failure } from '#shared/failures.ts'
import type { CheckoutRequest } from '#shared/orders.ts'
import type { Transaction } from '../db/group-commit.ts'
import { newReference } from '../ids.ts'
import type { ShopFeature } from '../shop/feature.ts'
import type { Seller } from './invoice-document.ts'
import type { Invoices } from './invoices.ts'
import { newOrderOf, type PricedCart } from './new-order.ts'
import type { Order, OrderLine } from './order.ts'
import type { OrderStore } from './store.ts'

/** What of the shop a checkout takes. */
export type OrderShop = Pick<
  ShopFeature,
  'catalogue' | 'carts' | 'price' | 'vatOf' | 'licenceVersion' | 'cartView'
>

/** What became of a checkout. */
export type Placed = { order: Order; repeat: boolean }

type CheckoutDeps = {
  shop: OrderShop
  orders: OrderStore
  invoices: Invoices
  clock: () => number
  /** Ends the earlier orders of a cart that are not paid; the new one takes their place. */
  release: (tx: Transaction, cart: number) => readonly Order[]
  /** What is said of a cart with nothing in it. */
  emptied: (cart: number | null) => { message: string; details: Record<string, unknown> }
}

/**
 * Places an order for what is in a cart, in the one transaction that writes: it prices anew, checks,
 * takes the pieces, gives an invoice its number, and empties the cart. The same key of the same cart
 * is the same order.
 * @throws invalid by field; `stock` and `price` with the cart as it is now; `key` when the key stands
 *   for another order
 */
export function placeOrder(
  tx: Transaction,
  deps: CheckoutDeps,
  { request, cart, seller }: { request: CheckoutRequest; cart: number | null; seller: Seller },
): Placed {
  const { shop, orders, invoices, clock, release } = deps
  const cartKey = cartKeyOf(cart, request.key)
  const contentHash = hashOf(request)
  const known = orders.ofKey(cartKey)
  if (known) {
    if (known.contentHash !== contentHash) throw failure('key')
    return { order: orders.findId(known.id)!, repeat: true }
  }
  const { reverseCharge, vatId, problem } = shop.vatOf(request.vatId, request.country)
  if (request.vatId && problem) throw failure('invalid', { errors: { vatId: problem } })
  const priced = shop.price(cart, { country: request.country, reverseCharge })
  if (priced.lines.length === 0) throw failure('stock', deps.emptied(cart))
  checkFields(
    request,
    priced.lines.some(({ product }) => product.kind === 'physical'),
  )
  checkTotal(request, priced, shop)
  const left = cart === null ? [] : release(tx, cart)
  takePieces(tx, shop, priced)
  const order = insertNew(
    tx,
    orders,
    newOrderOf(request, priced, {
      cartKey,
      contentHash,
      vatId,
      reverseCharge,
      now: clock(),
      licenceVersion: shop.licenceVersion,
    }),
  )
  for (const each of left) orders.replace(tx, each, order)
  if (request.payment === 'invoice') {
    invoices.issue(tx, order, seller, { paid: false })
    if (cart !== null) shop.carts.empty(tx, cart)
  }
  return { order, repeat: false }
}

/** What a submission of a cart is known by. */
export const cartKeyOf = (cart: number | null, key: string) => `${cart ?? 0}/${key}`

/** Draws numbers until one is free. */
export function insertNew(
  tx: Transaction,
  orders: OrderStore,
  order: Parameters<OrderStore['insert']>[1],
): Order {
  for (;;) {
    const inserted = orders.insert(tx, { ...order, number: newReference('A') })
    if (inserted) return inserted
  }
}

/** Takes the pieces of a cart. @throws stock with the cart when there are not enough left of one */
function takePieces(tx: Transaction, shop: OrderShop, priced: PricedCart): void {
  for (const { variantId, quantity, title } of priced.lines) {
    if (!shop.catalogue.take(tx, variantId, quantity)) {
      throw failure('stock', {
        message: `There are not enough pieces left of ${title}.`,
        details: shop.cartView(priced),
      })
    }
  }
}

/** Gives the pieces of an order back. */
export function giveBack(tx: Transaction, shop: OrderShop, lines: readonly OrderLine[]): void {
  for (const { variantId, quantity } of lines) {
    if (variantId !== null) shop.catalogue.giveBack(tx, variantId, quantity)
  }
}

/** What has to be sent needs an address. */
function checkFields(request: CheckoutRequest, isSent: boolean): void {
  if (!isSent) return
  const errors: Record<string, string> = {}
  if (!request.street) errors.street = 'Please enter the street address'
  if (!request.postcode) errors.postcode = 'Please enter the postal code'
  if (!request.city) errors.city = 'Please enter the town'
  if (Object.keys(errors).length > 0) throw failure('invalid', { errors })
}

/** A buyer pays what was shown, to the cent. @throws price with the cart as it is now */
function checkTotal(request: CheckoutRequest, priced: PricedCart, shop: OrderShop): void {
  if (priced.total === request.expectedTotal) return
  throw failure('price', {
    message: `${priced.changes[0] ? 'A price' : 'The total'} has changed meanwhile. Please look at your order once more.`,
    details: shop.cartView(priced),
  })
}

/** What makes a repeated call the same order: all that the visitor entered. */
function hashOf({ key: _key, website: _website, ...request }: CheckoutRequest): string {
  const entries = Object.entries(request).filter(([, value]) => value !== undefined)
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify(sorted), 'base64url')
}
