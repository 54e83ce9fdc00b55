import { hash } from 'node:crypto'
import { minuteMs } from '#shared/durations.ts'
import { failure } from '#shared/failures.ts'
import type { CheckoutRequest } from '#shared/orders.ts'
import { orderLimits } from '#shared/order-limits.ts'
import { legalVersions } from '#shared/legal.ts'
import type { Transaction } from '../db/group-commit.ts'
import { newReference } from '../ids.ts'
import type { ShopFeature } from '../shop/feature.ts'
import type { Seller } from './invoice-document.ts'
import type { Invoices } from './invoices.ts'
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
  { shop, orders, invoices, clock, release, emptied }: CheckoutDeps,
  { request, cart, seller }: { request: CheckoutRequest; cart: number | null; seller: Seller },
): Placed {
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
  if (priced.lines.length === 0) throw failure('stock', emptied(cart))
  checkFields(
    request,
    priced.lines.some(({ product }) => product.kind === 'physical'),
  )
  const details = shop.cartView(priced)
  if (priced.total !== request.expectedTotal) {
    throw failure('price', {
      message: `${priced.changes[0] ? 'A price' : 'The total'} has changed meanwhile. Please look at your order once more.`,
      details,
    })
  }
  const left = cart === null ? [] : release(tx, cart)
  for (const { variantId, quantity, title } of priced.lines) {
    if (!shop.catalogue.take(tx, variantId, quantity)) {
      throw failure('stock', { message: `There are not enough pieces left of ${title}.`, details })
    }
  }
  const now = clock()
  const pays = request.payment === 'invoice'
  const order = insertNew(tx, orders, {
    number: '',
    cartKey,
    contentHash,
    state: pays ? 'open' : 'pending',
    payment: request.payment,
    email: request.email,
    name: request.name,
    company: request.company ?? null,
    vatId,
    street: request.street ?? null,
    postcode: request.postcode ?? null,
    city: request.city ?? null,
    country: request.country,
    reverseCharge,
    shipping: priced.shipping,
    shippingRate: priced.shippingRate,
    total: priced.total,
    termsVersion: legalVersions.terms[0].version,
    digitalWaiver: request.digitalWaiver === true,
    booking: null,
    bookingWhole: null,
    placedAt: now,
    reservedUntil: pays ? null : now + orderLimits.reservationMinutes * minuteMs,
    lines: priced.lines.map(
      ({ handle, variant, variantId, title, quantity, unit, total, rate, product, chosen }) => ({
        handle,
        variant,
        variantId,
        title,
        kind: product.kind,
        quantity,
        unit,
        total,
        rate,
        madeToOrder: product.madeToOrder,
        licence: product.licence,
        licenceVersion: shop.licenceVersion(product.licence),
        files: chosen.files,
      }),
    ),
  })
  for (const each of left) orders.replace(tx, each, order)
  if (pays) {
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

/** What makes a repeated call the same order: all that the visitor entered. */
function hashOf({ key: _key, website: _website, ...request }: CheckoutRequest): string {
  const entries = Object.entries(request).filter(([, value]) => value !== undefined)
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify(sorted), 'base64url')
}
