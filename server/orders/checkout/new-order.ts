import { minuteMs } from '#shared/dates/durations.ts'
import { deliveryWords, type FilesOpen } from '#shared/shop/delivery-words.ts'
import { orderLimits } from '#shared/shop/order-limits.ts'
import type { CheckoutRequest } from '#shared/shop/orders.ts'
import type { ShopFeature } from '../../shop/feature.ts'
import type { NewOrder } from '../order.ts'
import { transferEnd } from './transfer-end.ts'
import { isBusinessOrder } from '../withdrawal/right.ts'

/** A cart at today's prices. */
export type PricedCart = ReturnType<ShopFeature['price']>

/** Facts that the checkout adds to the visitor's entries and the cart. */
type CheckoutFacts = Pick<
  NewOrder,
  'contentHash' | 'vatId' | 'reverseCharge' | 'vatCheck' | 'onAccount' | 'termsVersion'
> & {
  now: number
  /** Whether it's placed in the session of a client with that address. */
  isOwn: boolean
  /** Days that a bank-transfer order waits for payment. */
  transferDays: number
  soldLicence: ShopFeature['soldLicence']
}

/**
 * The order made from a cart, without its number: paid by invoice later, or with its pieces reserved
 * until payment.
 */
export function newOrderOf(
  request: CheckoutRequest,
  priced: PricedCart,
  { now, transferDays, isOwn, soldLicence, ...facts }: CheckoutFacts,
): NewOrder {
  const paysByInvoice = request.payment === 'invoice'
  const company = request.company ?? null
  const files = facts.onAccount
    ? 'at once'
    : isBusinessOrder({ ...facts, company }) || request.digitalWaiver === true
      ? 'once paid'
      : 'after withdrawal'
  return {
    ...facts,
    number: '',
    state: paysByInvoice ? 'open' : 'pending',
    payment: request.payment,
    email: request.email,
    name: request.name,
    company,
    street: request.street ?? null,
    street2: request.street2 ?? null,
    postcode: request.postcode ?? null,
    city: request.city ?? null,
    region: request.state ?? null,
    phone: request.phone ?? null,
    pickup: request.delivery === 'pickup',
    country: request.country,
    shipping: priced.shipping,
    shippingParts: priced.shippingParts,
    discountCode: priced.discount?.rule ? priced.discount.code : null,
    discount: priced.discount?.amount ?? 0,
    giftCard: priced.giftCard && priced.giftCard.amount > 0 ? priced.giftCard.number : null,
    giftCardAmount: priced.giftCard?.amount ?? 0,
    total: priced.total,
    digitalWaiver: request.digitalWaiver === true,
    beginEarly: request.beginEarly === true,
    booking: null,
    bookingWhole: null,
    placedAt: now,
    verifiedAt: isOwn ? now : null,
    // Orders on account never expire.
    reservedUntil: facts.onAccount
      ? null
      : paysByInvoice
        ? transferEnd(now, transferDays)
        : now + orderLimits.reservationMinutes * minuteMs,
    lines: priced.lines.map((line) =>
      newLineOf(line, { soldLicence, files, from: facts.onAccount ? 'order' : 'payment' }),
    ),
  }
}

/** A line as bought now, independent of later changes to its product. */
function newLineOf(
  { product, chosen, ...line }: PricedCart['lines'][number],
  {
    soldLicence,
    files,
    from,
  }: Pick<CheckoutFacts, 'soldLicence'> & { files: FilesOpen; from: 'payment' | 'order' },
): NewOrder['lines'][number] {
  const licence = soldLicence(product, chosen)
  return {
    handle: line.handle,
    variant: line.variant,
    variantId: line.variantId,
    title: line.title,
    kind: product.kind,
    quantity: line.quantity,
    unit: line.unit,
    discount: line.discount,
    total: line.total,
    rate: line.tax.rate,
    taxCountry: line.tax.country,
    taxGround: line.tax.ground,
    madeToOrder: product.madeToOrder,
    licence: product.licence,
    licenceVersion: licence?.version ?? null,
    soldLicence: licence,
    files: [...chosen.files],
    sku: chosen.sku,
    weight: chosen.weight,
    delivery: deliveryWords(product, files, from),
    customs: product.customs,
  }
}
