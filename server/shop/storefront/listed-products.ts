import type { ProductPage } from '#shared/shop/shop.ts'
import type { ProductSort } from '#shared/shop/limits.ts'
import { isPriced, type PricedVariant, type Product } from '../catalogue/product.ts'

/** What a list is asked for. */
export type ListQuery = {
  category?: string
  kind?: string
  sort?: ProductSort
  q?: string
  page?: number
}

/** A published product with a price, and what lists compare. */
export type ListedProduct = {
  product: Product
  cheapest: PricedVariant
  from: boolean
  soldOut: boolean
}

/** A product as lists have it; none where no variant has a price. */
export function toListed(product: Product): ListedProduct[] {
  const priced = product.variants.filter(isPriced)
  const [first] = priced
  if (!first) return []
  const cheapest = priced.reduce((a, b) => (b.price.price < a.price.price ? b : a), first)
  return [
    {
      product,
      cheapest,
      from: priced.some(({ price }) => price.price !== cheapest.price.price),
      soldOut: priced.every(({ stock }) => stock === 0),
    },
  ]
}

/** The products of a category and a kind, where these are asked for. */
export function filtered(
  all: readonly ListedProduct[],
  { category, kind }: Pick<ListQuery, 'category' | 'kind'>,
): readonly ListedProduct[] {
  if (category === undefined && kind === undefined) return all
  return all.filter(
    ({ product }) =>
      (category === undefined || product.category === category) &&
      (kind === undefined || product.kind === kind),
  )
}

const orders: Readonly<
  Record<Exclude<ProductSort, 'featured'>, (a: ListedProduct, b: ListedProduct) => number>
> = {
  newest: (a, b) => b.product.createdAt - a.product.createdAt || b.product.id - a.product.id,
  'price-up': (a, b) => a.cheapest.price.price - b.cheapest.price.price,
  'price-down': (a, b) => b.cheapest.price.price - a.cheapest.price.price,
  title: (a, b) => (a.product.title < b.product.title ? -1 : 1),
}

/** The products in an order; `featured` leaves them as they are. */
export const sorted = (all: readonly ListedProduct[], sort: ProductSort) =>
  sort === 'featured' ? all : all.toSorted(orders[sort])

/** How many products each category and kind has. */
export const countsIn = (all: readonly ListedProduct[]): ProductPage['counts'] => ({
  category: tally(all, ({ product }) => product.category),
  kind: tally(all, ({ product }) => product.kind),
})

function tally(
  all: readonly ListedProduct[],
  keyOf: (listed: ListedProduct) => string,
): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const each of all) counts[keyOf(each)] = (counts[keyOf(each)] ?? 0) + 1
  return counts
}
