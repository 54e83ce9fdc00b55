import { dateAt, type CivilDate } from '#shared/dates/civil-dates.ts'
import { netOf, shared, sum, times, vatRate, vatTable } from '#shared/money.ts'
import type { ProductKind } from '#shared/shop/limits.ts'
import type {
  CartDiscount,
  CartGiftCard,
  CartLine,
  GoneLine,
  PriceChange,
  VatSum,
} from '#shared/shop/shop.ts'
import { taxOf, type Supply, type Tax, type TaxBuyer } from '#shared/shop/tax.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { discountParts } from '../discounts/rules.ts'
import type { OfferedDiscount } from '../discounts/store.ts'
import type { OfferedCard } from '../gift-cards/store.ts'
import type { Discount } from '../schema.ts'
import { isPriced, type PricedVariant, type Product, type Variant } from '../catalogue/product.ts'
import { vatClasses } from '../catalogue/vat-classes.ts'
import type { CartEntry } from './carts.ts'
import { shippingFor } from './shipping.ts'

/** A cart line with everything its order records; `total` is before the discount. */
export type PricedLine = CartLine & {
  variantId: number
  /** Cents of its pieces that the discount code of the cart takes off. */
  discount: number
  /** Its discounted price in Finland, in cents including VAT. */
  value: number
  product: Product
  chosen: PricedVariant
  tax: Tax
}

/** The part of the shipping that goes with the goods of one rate; cents. */
export type ShippingPart = Tax & { readonly gross: number }

/** A cart at today's prices. Money in cents. */
export type PricedCart = {
  lines: PricedLine[]
  shipping: number
  /** By value of the goods, a part for each rate and ground; none when there is nothing to send. */
  shippingParts: ShippingPart[]
  total: number
  vat: VatSum[]
  /** Its discount; null without a code. */
  discount: (CartDiscount & { rule: Discount | null }) | null
  /** The part of the total paid by gift card; null without one. */
  giftCard: (CartGiftCard & { id: number }) | null
  changes: PriceChange[]
  /** Entries whose variant is no longer sold. */
  gone: { variantId: number; line: GoneLine | null }[]
  /** Grams of what has to be sent. */
  weight: number
}

/** How a cart is priced. */
export type Pricing = {
  /** Milliseconds of the epoch; the VAT rates are those of its day. */
  now: number
  /** By default, a consumer in Finland. */
  buyer?: TaxBuyer
  /** The day from which the seller is registered for the One Stop Shop; null if not registered. */
  ossFrom: CivilDate | null
  /** The code that was entered; none where it is left out. */
  offered?: OfferedDiscount | null
  /** The gift card that was entered; none where it is left out. */
  card?: OfferedCard | null
  /** Whether the buyer picks up: then the goods are supplied in Finland, and nothing ships. */
  isPickup?: boolean
}

/** A consumer in Finland. */
const defaultBuyer: TaxBuyer = { place: { country: 'FI', area: 'finland' }, isBusiness: false }

const supplies: Readonly<Record<ProductKind, Supply>> = {
  physical: 'goods',
  digital: 'electronic',
  service: 'service',
}

/**
 * Prices a cart: what cannot be bought any more is left out, every change since it was last looked
 * at is told. The total is the sum of its lines and the shipping, to the cent; VAT is worked out once
 * for each rate on their sum. What is supplied without VAT costs its net price; where another state's
 * VAT is charged, people pay the same and the VAT is its part.
 */
export function priceCart(
  catalogue: Pick<Catalogue, 'ofVariant'>,
  entries: readonly CartEntry[],
  { now, buyer = defaultBuyer, ossFrom, isPickup = false, offered = null, card = null }: Pricing,
): PricedCart {
  const lines: PricedLine[] = []
  const changes: PriceChange[] = []
  const gone: PricedCart['gone'] = []
  const today = dateAt(now)
  const productOf = readOnce(catalogue)
  for (const { variant: id, quantity, seenPrice } of entries) {
    const product = productOf(id)
    const chosen = product?.variants.find((each) => each.id === id)
    if (!product?.published || !chosen || !isPriced(chosen)) {
      const line = product && chosen ? goneLine(product, chosen) : null
      gone.push({ variantId: id, line })
      continue
    }
    const { price } = chosen.price
    if (price !== seenPrice) {
      changes.push({ handle: product.handle, variant: chosen.variant, was: seenPrice, now: price })
    }
    const vatClass = vatClasses[product.vat]
    const supply = supplies[product.kind]
    const isFetched = isPickup && product.kind === 'physical'
    const here = isFetched ? { ...buyer, place: defaultBuyer.place } : buyer
    const tax = taxOf({
      supply,
      vatClass,
      isBook: product.vat === 'book',
      date: today,
      buyer: here,
      ossFrom,
    })
    const unit = priceFor(pieceOf(chosen, quantity), tax, vatRate(vatClass, today))
    lines.push({
      handle: product.handle,
      variant: chosen.variant,
      title: titleOf(product, chosen),
      quantity,
      unit,
      total: times(unit, quantity),
      discount: 0,
      value: times(pieceOf(chosen, quantity), quantity),
      variantId: id,
      product,
      chosen,
      tax,
    })
  }
  const discount = offered && discounted(lines, offered, today)
  const { weight, shippingParts } = shippingOf(isPickup ? [] : lines, {
    country: buyer.place.country,
    today,
  })
  const parts = [
    ...lines.map(({ total, tax: { rate } }) => ({ gross: total, rate })),
    ...shippingParts,
  ]
  const total = sum(parts.map((part) => part.gross))
  return {
    lines,
    shipping: sum(shippingParts.map(({ gross }) => gross)),
    shippingParts,
    total,
    vat: vatTable(parts),
    discount,
    // A payment method, so it comes after the total and its VAT.
    giftCard: card && {
      ...card,
      amount: card.problem === null ? Math.min(card.balance, total) : 0,
    },
    changes,
    gone,
    weight,
  }
}

/**
 * Takes the discount of a code off the lines of a cart. It is worked out on prices that include Finnish
 * VAT, the same for every buyer; who pays no VAT gets its net part.
 */
function discounted(
  lines: PricedLine[],
  { code, discount: rule, problem }: OfferedDiscount,
  today: CivilDate,
): NonNullable<PricedCart['discount']> {
  if (!rule || problem !== null) return { code, amount: 0, problem, rule: null }
  const found = discountParts(rule, lines)
  if ('problem' in found) return { code, amount: 0, problem: found.problem, rule: null }
  for (const [at, part] of found.parts.entries()) {
    const line = lines[at]!
    const usual = vatRate(vatClasses[line.product.vat], today)
    line.discount = Math.min(line.total, priceFor(part, line.tax, usual))
    line.total -= line.discount
    line.value -= part
  }
  return { code, amount: sum(lines.map((line) => line.discount)), problem: null, rule }
}

/**
 * What a piece costs in Finland where several are bought: never more than its price of the moment, which
 * may be a reduction. Cents including VAT.
 */
export const pieceOf = (
  { price: { price }, volume }: Pick<PricedVariant, 'price' | 'volume'>,
  quantity: number,
): number =>
  Math.min(
    price,
    ...(volume ?? []).filter(({ from }) => from <= quantity).map((step) => step.price),
  )

/** Whether the buyer accounts for the VAT of any of it: not of what a company picks up in Finland. */
export const isReverseCharged = ({ lines }: Pick<PricedCart, 'lines'>): boolean =>
  lines.some(({ tax: { ground } }) => ground === 'reverse-charge' || ground === 'intra-community')

/**
 * A price that includes Finnish VAT, converted for the buyer.
 * @param usual the rate that it includes
 */
const priceFor = (price: number, { rate }: Tax, usual: number): number =>
  rate === 0 ? netOf(price, usual) : price

/**
 * What sending the goods of a cart weighs and costs. It is ancillary to the goods, so each part has
 * their rate and ground, by value (Directive 2006/112/EC, art. 78).
 */
function shippingOf(
  lines: readonly PricedLine[],
  { country, today }: { country: string; today: CivilDate },
): Pick<PricedCart, 'weight' | 'shippingParts'> {
  const sent = lines.filter(({ product }) => product.kind === 'physical')
  const weight = sum(sent.map(({ chosen, quantity }) => times(chosen.weight ?? 0, quantity)))
  if (sent.length === 0) return { weight, shippingParts: [] }
  const groups = [...Map.groupBy(sent, ({ tax }) => `${tax.ground} ${tax.rate}`).values()]
  const values = groups.map((group) => sum(group.map(({ value }) => value)))
  const parts = shared(shippingFor(country, weight), values)
  const shippingParts = groups.map(([first], at): ShippingPart => {
    const { tax } = first!
    // The tariff includes the general rate; what is sent without VAT costs what is left.
    return { ...tax, gross: priceFor(parts[at]!, tax, vatRate('general', today)) }
  })
  return { weight, shippingParts }
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

/** A product and variant, in one line. */
export const titleOf = (
  { title, variants }: Product,
  { title: variant, licence }: Pick<Variant, 'title' | 'licence'>,
): string =>
  // A licence's variant says what is sold, even if it's the only one.
  variants.length > 1 || licence !== null ? `${title}, ${variant}` : title
