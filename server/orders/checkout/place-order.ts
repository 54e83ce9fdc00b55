import { hash } from 'node:crypto'
import { cartItems, cartLicences } from '#shared/shop/cart-items.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { missingAddress } from '#shared/shop/address-rules.ts'
import { failure, isFailure } from '#shared/failures.ts'
import type { CheckoutRequest } from '#shared/shop/orders.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { newReference } from '../../secrets/ids.ts'
import type { LegalFeature } from '../../legal/feature.ts'
import type { ShopFeature } from '../../shop/feature.ts'
import type { Seller } from '../documents/invoice-document.ts'
import { payByGiftCard } from '../payment/gift-card-part.ts'
import { printedLine } from '../documents/printed-line.ts'
import type { Invoices } from '../documents/invoices.ts'
import { needsFullAddress } from '../documents/bookings/booking-draft.ts'
import { newOrderOf, type PricedCart } from './new-order.ts'
import type { Order, OrderLine } from '../order.ts'
import { limitReached, noun, piecesOf } from '../shares.ts'
import type { Sender } from '../../shares/claims.ts'
import type { Reached, Shares } from '../../shares/shares.ts'
import type { OrderStore } from '../store.ts'

/** What the checkout needs from the shop. */
export type OrderShop = Pick<
  ShopFeature,
  | 'catalogue'
  | 'carts'
  | 'price'
  | 'vatOf'
  | 'taxBuyerOf'
  | 'isReverseCharged'
  | 'soldLicence'
  | 'cartView'
  | 'discounts'
  | 'giftCards'
>

/** The outcome of a checkout; `reached` is the limit that makes the order wait. */
export type Placed = { order: Order; repeat: boolean; reached: Reached | null }

type CheckoutDeps = {
  shop: OrderShop
  orders: OrderStore
  invoices: Invoices
  clock: () => number
  shares: Shares
  terms: Pick<LegalFeature['terms'], 'keep'>
  /** Whether a mailbox is approved to pay after delivery. */
  isOnAccount: (email: string) => boolean
  /** Ends the cart's earlier unpaid orders, which the new one replaces. */
  release: (tx: Transaction, cart: number) => readonly Order[]
  /** The answer for an empty cart. */
  emptied: (cart: number | null) => { message: string; details: Record<string, unknown> }
}

/**
 * Places an order for what is in a cart, in the one transaction that writes: it prices again, checks,
 * takes the pieces and what its gift card pays, gives an invoice its number, and empties the cart. What
 * a card pays whole is paid at once. The same key of the same cart is the same order. Beyond a limit
 * (docs/shares.md) the order waits: it takes no pieces and no number.
 * @throws invalid by field; `stock` and `price` with the cart as it is now; `key` when the key stands
 *   for another order
 */
export function placeOrder(
  tx: Transaction,
  deps: CheckoutDeps,
  {
    request,
    vat,
    cart,
    seller,
    sender,
    isOwn,
  }: {
    request: CheckoutRequest
    /** The result of checking its VAT ID. */
    vat: Awaited<ReturnType<OrderShop['vatOf']>>
    cart: number | null
    seller: Seller
    sender: Sender
    isOwn: boolean
  },
): Placed {
  const { shop, orders, invoices, clock, release, shares, terms } = deps
  const contentHash = hashOf(request)
  const submission = cart === null ? null : { cart, key: request.key }
  const known = submission && orders.ofSubmission(submission)
  if (known) {
    if (known.contentHash !== contentHash) throw failure('key')
    return { order: orders.findId(known.order)!, repeat: true, reached: null }
  }
  if (vat.isWrong) throw failure('invalid', { errors: { vatId: vat.problem! } })
  const { buyer, lacks } = shop.taxBuyerOf(request, vat)
  const isPickup = request.delivery === 'pickup'
  const priced = shop.price(cart, { buyer, isPickup })
  if (priced.lines.length === 0) throw failure('stock', deps.emptied(cart))
  checkFields(
    request,
    (!isPickup && priced.lines.some(({ product }) => product.kind === 'physical')) ||
      needsFullAddress({ company: request.company ?? null, total: priced.total }),
  )
  checkLicensee(request, priced)
  if (lacks.length > 0) {
    const asCompany = shop.price(cart, { buyer: { ...buyer, isBusiness: true }, isPickup })
    checkCompany(request, { priced, asCompany, lacks })
  }
  checkLines(request, priced, shop)
  checkTotal(request, priced, shop, () => {
    if (vat.problem !== null) return vat.problem
    const asConsumer = { ...buyer, isBusiness: false, isCompany: false }
    const wasShown = shop.price(cart, { buyer: asConsumer, isPickup }).total
    return buyer.isBusiness && request.expectedTotal === wasShown ? companyPrice : null
  })
  const replacedOrders = cart === null ? [] : release(tx, cart)
  const part = priced.giftCard?.amount ?? 0
  const isPaid = part > 0 && part === priced.total
  // The gift card covers everything, so the chosen method doesn't matter.
  const payment = isPaid ? 'invoice' : request.payment
  checkCardAmount(payment, priced.total - part)
  const asked = { payment, lines: priced.lines }
  // Limits apply to what is held without payment.
  const reached = isPaid ? null : limitReached(deps, sender, asked)
  const bytes = reached ? Buffer.byteLength(JSON.stringify(request)) : 0
  if (reached) shares.checkRoom(noun, sender, bytes)
  const units = piecesOf(deps, asked)
  takePieces(tx, shop, priced)
  if (reached) putBack(tx, shop, priced)
  const { transferDays } = shares.settings().orders
  const placed = newOrderOf({ ...request, payment }, priced, {
    contentHash,
    termsVersion: terms.keep(tx),
    vatId: vat.vatId,
    reverseCharge: vat.reverseCharge && lacks.length === 0 && shop.isReverseCharged(priced),
    vatCheck: vat.check,
    now: clock(),
    transferDays,
    isOwn,
    // Anyone can type a company's name; only its own session proves that it's the approved one.
    onAccount:
      payment === 'invoice' &&
      !isPaid &&
      isOwn &&
      request.company !== undefined &&
      deps.isOnAccount(request.email),
    soldLicence: shop.soldLicence,
  })
  const order = insertNew(
    tx,
    orders,
    reached ? { ...placed, state: 'waiting', reservedUntil: null } : placed,
  )
  const staysInCart = payment === 'stripe' && !reached
  const use = { order: order.id, cart: staysInCart ? cart : null }
  if (priced.discount?.rule) {
    const { rule } = priced.discount
    withCartInFailure(shop, priced, () => {
      shop.discounts.take(tx, rule, { ...use, mailbox: sender.mailbox })
    })
  }
  if (priced.giftCard && part > 0) {
    const { id: card } = priced.giftCard
    withCartInFailure(shop, priced, () => {
      shop.giftCards.take(tx, { ...use, card, amount: part })
    })
  }
  if (submission) orders.submitted(tx, order, submission)
  shares.claim(tx, noun, order.number, sender, { units, bytes, parked: reached?.parked ?? null })
  for (const each of replacedOrders) orders.replace(tx, each, order)
  if (cart !== null && !staysInCart) shop.carts.empty(tx, cart)
  if (payment !== 'invoice' || reached) return { order, repeat: false, reached }
  invoices.issue(tx, order, seller, { paid: isPaid })
  payByGiftCard(tx, orders, order, dateAt(clock()))
  if (!isPaid) return { order, repeat: false, reached }
  const done = orders.change(tx, order, { state: 'paid', paidAt: clock(), reservedUntil: null })
  return { order: done!, repeat: false, reached }
}

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
  for (const { handle, variantId, quantity, title } of priced.lines) {
    if (!shop.catalogue.take(tx, variantId, quantity)) {
      const left = shop.catalogue.find(handle)?.variants.find(({ id }) => id === variantId)?.stock
      throw failure('stock', {
        message: left
          ? `Only ${left} left of ${title}. Please change the quantity in your cart.`
          : `${title} is sold out. Please remove it from your cart.`,
        details: shop.cartView(priced),
      })
    }
  }
}

/** The payment service's minimum, in cents. */
const leastByCard = 50

/** @throws invalid for less than a card can pay */
function checkCardAmount(payment: CheckoutRequest['payment'], due: number): void {
  if (payment !== 'stripe' || due >= leastByCard) return
  throw failure('invalid', {
    errors: { payment: 'That’s too little for a card payment. Please choose another way to pay' },
  })
}

/**
 * Runs `take` on a discount or gift card that others may have used up in the meantime.
 * @throws price with the cart where they have; invalid
 */
function withCartInFailure(shop: OrderShop, priced: PricedCart, take: () => void): void {
  try {
    take()
  } catch (error) {
    if (!isFailure(error) || error.failure !== 'price') throw error
    throw failure('price', { message: error.message, details: shop.cartView(priced) })
  }
}

/** Puts the pieces back that were taken to see whether there are enough. */
function putBack(tx: Transaction, shop: OrderShop, { lines }: PricedCart): void {
  for (const { variantId, quantity } of lines) shop.catalogue.restock(tx, variantId, quantity)
}

/** Puts the pieces of an order back in stock. */
export function restockLines(
  tx: Transaction,
  shop: OrderShop,
  lines: readonly Pick<OrderLine, 'variantId' | 'quantity'>[],
): void {
  for (const { variantId, quantity } of lines) {
    if (variantId !== null && quantity > 0) shop.catalogue.restock(tx, variantId, quantity)
  }
}

/** Shipped goods need an address, and so does an invoice that isn't a simplified one. */
function checkFields(request: CheckoutRequest, needsAddress: boolean): void {
  if (!needsAddress) return
  const errors = missingAddress(request)
  if (Object.keys(errors).length > 0) throw failure('invalid', { errors })
}

/** A licence names its licensee. */
function checkLicensee({ name, company }: CheckoutRequest, { lines }: PricedCart): void {
  if (lines.every(({ product }) => product.licence === null)) return
  if (printedLine(company ?? name) !== '') return
  throw failure('invalid', {
    errors: { [company ? 'company' : 'name']: 'Please enter the licensee' },
  })
}

/** The price without VAT is for companies: it needs the company's name and address. */
function checkCompany(
  { expectedTotal }: CheckoutRequest,
  {
    priced,
    asCompany,
    lacks,
  }: { priced: PricedCart; asCompany: PricedCart; lacks: readonly string[] },
): void {
  if (expectedTotal === priced.total || expectedTotal !== asCompany.total) return
  const sentences: Readonly<Record<string, string>> = {
    company: 'Please enter the company: without it we have to charge VAT',
    street: 'Please enter the street address of the company',
    postcode: 'Please enter the postal code of the company',
    city: 'Please enter the town of the company',
  }
  throw failure('invalid', {
    errors: Object.fromEntries(lacks.map((name) => [name, sentences[name]!])),
  })
}

/** A buyer gets what was shown: another tab may have put something else of the same price into the cart. @throws price */
function checkLines(
  { expectedLines, expectedLicences }: CheckoutRequest,
  priced: PricedCart,
  shop: OrderShop,
): void {
  const details = shop.cartView(priced)
  // Forms send their own line endings.
  const licences = expectedLicences?.replaceAll('\r\n', '\n')
  if (licences !== undefined && licences !== cartLicences(details.lines)) {
    throw failure('price', {
      message: 'What a licence in your cart allows has changed. Please check your order again.',
      details,
    })
  }
  if (expectedLines === undefined) return
  const sorted = (items: string) => items.split(' ').toSorted().join(' ')
  if (sorted(cartItems(details.lines)) === sorted(expectedLines)) return
  throw failure('price', {
    message: 'What’s in your cart has changed. Please check your order again.',
    details,
  })
}

/** Said where a company's details came after the price was shown. */
const companyPrice = 'With your company’s details, the total is without VAT now.'

/**
 * Why a total isn't the one that was shown. A code may have been without effect there, too.
 * @param ofBuyer what of it is due to the buyer's VAT
 */
function whyOther({ changes, discount }: PricedCart, ofBuyer: string | null): string {
  const reasons = [
    ofBuyer,
    changes[0] ? 'A price has changed.' : null,
    discount?.problem ? `${discount.problem} The total is without it now.` : null,
  ].filter((reason) => reason !== null)
  if (reasons.length === 0) reasons.push('The total has changed.')
  return `${reasons.join(' ')} Please check your order again.`
}

/** A buyer pays what was shown, to the cent. @throws price with the cart as it is now */
function checkTotal(
  request: CheckoutRequest,
  priced: PricedCart,
  shop: OrderShop,
  ofBuyer: () => string | null,
): void {
  const { expectedTotal, expectedGiftCard = 0 } = request
  if (priced.total === expectedTotal) {
    if ((priced.giftCard?.amount ?? 0) === expectedGiftCard) return
    throw failure('price', {
      message: `${priced.giftCard?.problem ?? 'What your gift card pays has changed.'} Please check what’s left to pay.`,
      details: shop.cartView(priced),
    })
  }
  throw failure('price', {
    message: whyOther(priced, ofBuyer()),
    details: shop.cartView(priced),
  })
}

/** Hash of all the visitor's entries; identifies a repeated call. */
function hashOf({ key: _key, website: _website, ...request }: CheckoutRequest): string {
  const entries = Object.entries(request).filter(([, value]) => value !== undefined)
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify(sorted), 'base64url')
}
