import type { CartLine, GoneLine, PriceChange, VatSum } from '#shared/shop.ts'
import { dateAt, type CivilDate } from '#shared/civil-dates.ts'
import { netOf, sum, times, vatRate, vatTable } from '#shared/money.ts'
import { isInUnion } from '#shared/union.ts'
import type { CartEntry } from './carts.ts'
import type { Catalogue } from './catalogue.ts'
import { isPriced, vatClasses, type PricedVariant, type Product, type Variant } from './product.ts'
import { shippingFor } from './shipping.ts'

/** A line of a cart with what an order has to keep of it. */
export type PricedLine = CartLine & {
  variantId: number
  product: Product
  chosen: PricedVariant
  /** Per cent. */
  rate: number
}

/** A cart at today's prices. Money in cents. */
export type PricedCart = {
  lines: PricedLine[]
  shipping: number
  /** Null when there is nothing to send; otherwise the rate of the shipping. */
  shippingRate: number | null
  total: number
  vat: VatSum[]
  changes: PriceChange[]
  /** Entries whose variant cannot be bought any more, and what they were. */
  gone: { variantId: number; line: GoneLine | null }[]
  /** Grams of what has to be sent. */
  weight: number
}

/** For whom a cart is priced. */
export type Pricing = {
  /** Milliseconds of the epoch; the VAT rates are those of its day. */
  now: number
  /** ISO 3166-1 alpha-2; Finland by default. */
  country?: string
  /** Whether the buyer owes the VAT himself (Directive 2006/112/EC, art. 138 and 196). */
  reverseCharge?: boolean
}

/**
 * Prices a cart: what cannot be bought any more is left out, every change since it was last looked
 * at is told. The total is the sum of its lines and the shipping, to the cent; VAT is worked out once
 * for each rate on their sum. Goods that are sent out of the European Union, and everything under
 * reverse charge, cost their net price.
 */
export function priceCart(
  catalogue: Pick<Catalogue, 'ofVariant'>,
  entries: readonly CartEntry[],
  { now, country = 'FI', reverseCharge = false }: Pricing,
): PricedCart {
  const lines: PricedLine[] = []
  const changes: PriceChange[] = []
  const gone: PricedCart['gone'] = []
  const today = dateAt(now)
  // Goods that are sent out of the union are without VAT (Directive 2006/112/EC, art. 146).
  const isExport = !isInUnion(country)
  const productOf = readOnce(catalogue)
  for (const { variant: id, quantity, seenPrice } of entries) {
    const product = productOf(id)
    const chosen = product?.variants.find((each) => each.id === id)
    if (!product?.published || !chosen || !isPriced(chosen)) {
      const line = product && chosen ? goneLine(product, chosen) : null
      gone.push({ variantId: id, line })
      continue
    }
    const rate = vatRate(vatClasses[product.vat], today)
    const { price } = chosen.price
    if (price !== seenPrice) {
      changes.push({ handle: product.handle, variant: chosen.variant, was: seenPrice, now: price })
    }
    const isFree = reverseCharge || (isExport && product.kind === 'physical')
    const unit = isFree ? netOf(price, rate) : price
    lines.push({
      handle: product.handle,
      variant: chosen.variant,
      title: titleOf(product, chosen),
      quantity,
      unit,
      total: times(unit, quantity),
      variantId: id,
      product,
      chosen,
      rate: isFree ? 0 : rate,
    })
  }
  const { weight, shipping, shippingRate } = shippingOf(lines, {
    country,
    today,
    isFree: reverseCharge || isExport,
  })
  const parts = [
    ...lines.map(({ total, rate }) => ({ gross: total, rate })),
    ...(shippingRate === null ? [] : [{ gross: shipping, rate: shippingRate }]),
  ]
  return {
    lines,
    shipping,
    shippingRate,
    total: sum(parts.map((part) => part.gross)),
    vat: vatTable(parts),
    changes,
    gone,
    weight,
  }
}

/** What sending the goods of a cart weighs and costs. @param isFree whether it is without VAT */
function shippingOf(
  lines: readonly PricedLine[],
  { country, today, isFree }: { country: string; today: CivilDate; isFree: boolean },
): Pick<PricedCart, 'weight' | 'shipping' | 'shippingRate'> {
  const sent = lines.filter(({ product }) => product.kind === 'physical')
  const weight = sum(sent.map(({ chosen, quantity }) => times(chosen.weight ?? 0, quantity)))
  if (sent.length === 0) return { weight, shipping: 0, shippingRate: null }
  const gross = shippingFor(country, weight)
  const rate = vatRate('general', today)
  return isFree
    ? { weight, shipping: netOf(gross, rate), shippingRate: 0 }
    : { weight, shipping: gross, shippingRate: rate }
}

const goneLine = (product: Product, chosen: Variant): GoneLine => ({
  handle: product.handle,
  variant: chosen.variant,
  title: titleOf(product, chosen),
})

/** Reads each product once, however many of its variants are in the cart. */
function readOnce(catalogue: Pick<Catalogue, 'ofVariant'>): (variant: number) => Product | null {
  const known = new Map<number, Product>()
  return (variant) => {
    const product = known.get(variant) ?? catalogue.ofVariant(variant)
    if (product) for (const { id } of product.variants) known.set(id, product)
    return product
  }
}

/** A product and the way it is bought, in one line. */
export const titleOf = ({ title, variants }: Product, { title: variant }: Variant): string =>
  variants.length > 1 ? `${title}, ${variant}` : title
