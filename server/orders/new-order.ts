import { minuteMs } from '#shared/durations.ts'
import { legalVersions } from '#shared/legal.ts'
import { orderLimits } from '#shared/order-limits.ts'
import type { CheckoutRequest } from '#shared/orders.ts'
import type { ShopFeature } from '../shop/feature.ts'
import type { NewOrder } from './order.ts'

/** A cart at today's prices. */
export type PricedCart = ReturnType<ShopFeature['price']>

/** What a checkout has found out, besides what its visitor entered and what is in the cart. */
type CheckoutFacts = Pick<NewOrder, 'cartKey' | 'contentHash' | 'vatId' | 'reverseCharge'> & {
  now: number
  licenceVersion: ShopFeature['licenceVersion']
}

/**
 * The order that a cart becomes, without its number: paid later by its invoice, or its pieces
 * reserved until it is paid.
 */
export function newOrderOf(
  request: CheckoutRequest,
  priced: PricedCart,
  { now, licenceVersion, ...facts }: CheckoutFacts,
): NewOrder {
  const pays = request.payment === 'invoice'
  return {
    ...facts,
    number: '',
    state: pays ? 'open' : 'pending',
    payment: request.payment,
    email: request.email,
    name: request.name,
    company: request.company ?? null,
    street: request.street ?? null,
    postcode: request.postcode ?? null,
    city: request.city ?? null,
    country: request.country,
    shipping: priced.shipping,
    shippingRate: priced.shippingRate,
    total: priced.total,
    termsVersion: legalVersions.terms[0].version,
    digitalWaiver: request.digitalWaiver === true,
    booking: null,
    bookingWhole: null,
    placedAt: now,
    reservedUntil: pays ? null : now + orderLimits.reservationMinutes * minuteMs,
    lines: priced.lines.map((line) => newLineOf(line, licenceVersion)),
  }
}

/** A line as it is bought now, whatever becomes of its product later. */
function newLineOf(
  { product, chosen, ...line }: PricedCart['lines'][number],
  licenceVersion: ShopFeature['licenceVersion'],
): NewOrder['lines'][number] {
  return {
    handle: line.handle,
    variant: line.variant,
    variantId: line.variantId,
    title: line.title,
    kind: product.kind,
    quantity: line.quantity,
    unit: line.unit,
    total: line.total,
    rate: line.rate,
    madeToOrder: product.madeToOrder,
    licence: product.licence,
    licenceVersion: licenceVersion(product.licence),
    files: chosen.files,
  }
}
