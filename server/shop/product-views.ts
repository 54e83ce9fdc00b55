import type { Picture } from '#shared/content.ts'
import { dateAt } from '#shared/civil-dates.ts'
import { netOf, vatRate } from '#shared/money.ts'
import type { Price, ProductCard, ProductView } from '#shared/shop.ts'
import type { Content } from '../content/source.ts'
import { licences } from './licences.ts'
import type { ListedProduct } from './listed-products.ts'
import type { CurrentPrice } from './price-history.ts'
import { isPriced, vatClasses, type Product } from './product.ts'

/** What products are shown with. */
export type ProductViewDeps = {
  content: Pick<Content, 'picture'>
  clock: () => number
  /** Makes rich text safe. */
  clean: (html: string) => Promise<string>
}

/** Makes what visitors see of a product: its card in lists, and its page. */
export function createProductViews({ content, clock, clean }: ProductViewDeps) {
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
    variants: product.variants.filter(isPriced).map((variant) => ({
      variant: variant.variant,
      title: variant.title,
      price: priceOf(product, variant.price),
      stock: variant.stock,
      soldOut: variant.stock === 0,
    })),
    soldOutNote: soldOut ? (product.soldOutNote ?? soldOutNote) : null,
    madeToOrder: product.madeToOrder,
    licence: licenceOf(product),
    related: await Promise.all(related.map(cardOf)),
  })

  return { cardOf, pageOf }
}

const soldOutNote =
  'All pieces are sold. Write to us if you would like to know about the next ones.'

function licenceOf(product: Product): ProductView['licence'] {
  const licence = product.licence ? licences[product.licence] : undefined
  return licence ? { name: licence.name, version: licence.version, summary: licence.summary } : null
}
