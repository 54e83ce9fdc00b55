import type { Picture } from '#shared/content.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { deliveryWords, dispatchOf } from '#shared/shop/delivery-words.ts'
import type { Maker } from '#shared/shop/delivery.ts'
import { euros, netOf, vatRate } from '#shared/money.ts'
import type { Price, ProductCard, ProductView, WallView } from '#shared/shop/shop.ts'
import type { Content } from '../../content/source.ts'
import { licenceTexts } from '#shared/shop/licence-texts.ts'
import { licenceLine } from '../catalogue/licence-terms.ts'
import { shippingFor } from '../cart/shipping.ts'
import type { ListedProduct } from './listed-products.ts'
import type { CurrentPrice } from '../catalogue/price-history.ts'
import { isPriced, type PricedVariant, type Product, type Variant } from '../catalogue/product.ts'
import { vatClasses } from '../catalogue/vat-classes.ts'

/** What products are shown with. */
export type ProductViewDeps = {
  content: Pick<Content, 'picture'>
  /** The seller, as a maker. */
  seller: () => Promise<Maker | null>
  clock: () => number
  /** Makes rich text safe. */
  clean: (html: string) => Promise<string>
}

/** Creates the public views of a product: its card in lists, and its page. */
export function createProductViews({ content, seller, clock, clean }: ProductViewDeps) {
  const priceOf = ({ vat }: Product, { price, before }: CurrentPrice): Price => {
    const rate = vatRate(vatClasses[vat], dateAt(clock()))
    return { gross: price, net: netOf(price, rate), rate, before }
  }

  /** The pictures of a product that are there; a file that is gone leaves no hole on its page. */
  const picturesOf = async ({ pictures }: Product): Promise<Picture[]> => {
    const named = await Promise.all(pictures.map((id) => content.picture(id)))
    const found = named.flatMap((picture) => picture ?? [])
    const there = found.filter(({ width }) => width !== null)
    return there.length > 0 ? there : found
  }

  /** How a variant looks on a wall; nothing where its picture is gone. */
  const wallOf = async ({ wall }: Variant): Promise<{ wall?: WallView }> => {
    const picture = wall && (await content.picture(wall.picture))
    return wall && picture && picture.width !== null ? { wall: { ...wall, picture } } : {}
  }

  /** The prices of several pieces that are less than the one of the moment. */
  const volumeOf = (product: Product, { price, volume }: PricedVariant) => {
    const steps = (volume ?? []).filter((step) => step.price < price.price)
    return steps.length === 0
      ? {}
      : {
          volume: steps.map((step) => ({
            from: step.from,
            price: priceOf(product, { price: step.price, before: null }),
          })),
        }
  }

  const cardOf = async ({
    product,
    cheapest,
    from,
    soldOut,
  }: ListedProduct): Promise<ProductCard> => ({
    handle: product.handle,
    title: product.title,
    summary: product.summary,
    kind: product.kind,
    category: product.category,
    picture: (await picturesOf(product))[0] ?? null,
    price: priceOf(product, cheapest.price),
    from,
    soldOut,
  })

  /** Goods name who made them, and where they are reached (Regulation (EU) 2023/988, art. 19). */
  const makerOf = async ({ kind, maker, safety }: Product): Promise<ProductView['maker']> => {
    if (kind !== 'physical') return null
    const known = maker ?? (await seller())
    return known && { ...known, safety }
  }

  const pageOf = async (
    { product, soldOut }: ListedProduct,
    related: readonly ListedProduct[],
  ): Promise<ProductView> => ({
    handle: product.handle,
    title: product.title,
    summary: product.summary,
    description: await clean(product.description),
    kind: product.kind,
    category: product.category,
    tags: [...product.tags],
    pictures: await picturesOf(product),
    variants: await Promise.all(
      product.variants.filter(isPriced).map(async (variant) => ({
        variant: variant.variant,
        title: variant.title,
        price: priceOf(product, variant.price),
        stock: variant.stock,
        soldOut: variant.stock === 0,
        ...licenceLine(product, variant),
        ...(await wallOf(variant)),
        ...volumeOf(product, variant),
        ...(variant.sku !== null && { sku: variant.sku }),
        ...(product.kind === 'physical' && { weight: variant.weight ?? 0 }),
      })),
    ),
    soldOutNote: soldOut ? (product.soldOutNote ?? soldOutNote) : null,
    // Where staff say what becomes of it, that stands.
    mayComeBack: product.soldOutNote === null,
    madeToOrder: product.madeToOrder,
    delivery: deliveryWords(product),
    dispatch: product.kind === 'physical' ? dispatchOf(product) : null,
    shipping: shippingWords(product),
    maker: await makerOf(product),
    licence: licenceOf(product),
    related: await Promise.all(related.map(cardOf)),
  })

  return { cardOf, pageOf }
}

const soldOutNote = 'This will be back. Leave your email and we’ll tell you when.'

/** What sending one piece costs, by area: from the lightest variant. */
function shippingWords({ kind, variants }: Product): string | null {
  if (kind !== 'physical') return null
  const weight = Math.min(...variants.map((variant) => variant.weight ?? 0))
  const from = (country: string) => euros(shippingFor(country, weight))
  return `Finland from ${from('FI')}, EU from ${from('SE')}, elsewhere from ${from('US')}.`
}

function licenceOf(product: Product): ProductView['licence'] {
  const licence = product.licence ? licenceTexts[product.licence] : undefined
  return licence ? { name: licence.name, version: licence.version, summary: licence.summary } : null
}
