import { failure } from '#shared/failures.ts'
import type { ProductPage, ProductView } from '#shared/shop/shop.ts'
import { shopLimits } from '#shared/shop/limits.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import {
  filtered,
  sorted,
  toListed,
  type ListQuery,
  countsIn,
  type ListedProduct,
} from './listed-products.ts'
import { createProductSearch, searchExamples } from './product-search.ts'
import { createProductViews, type ProductViewDeps } from './product-views.ts'

/** The products as visitors find them. */
export type Storefront = ReturnType<typeof createStorefront>

/**
 * Makes the storefront over the catalogue: lists of products, and the page of each.
 * @param version changes with the catalogue
 */
export function createStorefront({
  catalogue,
  version,
  ...viewDeps
}: ProductViewDeps & { catalogue: Catalogue; version: () => number }) {
  const { shown, countsOf } = createShownProducts({ catalogue, clock: viewDeps.clock, version })
  const { cardOf, pageOf } = createProductViews(viewDeps)
  const { search } = createProductSearch()

  return {
    shown,

    async list({
      category,
      kind,
      sort = 'featured',
      q,
      page = 1,
    }: ListQuery): Promise<ProductPage> {
      const all = shown()
      const { found, corrected } = search(all, q)
      const matching = filtered(found, { category, kind })
      const pages = Math.max(1, Math.ceil(matching.length / shopLimits.perPage))
      if (page > pages) throw failure('missing')
      const ordered = sorted(matching, sort)
      const some = ordered.slice((page - 1) * shopLimits.perPage, page * shopLimits.perPage)
      return {
        products: await Promise.all(some.map(cardOf)),
        total: matching.length,
        page,
        pages,
        counts: countsOf(found),
        corrected,
        examples: searchExamples(all),
      }
    },

    /** A product with its page; null when there is none that is published. */
    async product(handle: string): Promise<ProductView | null> {
      // Read again, since how many are left changes with every order.
      const present = catalogue.find(handle)
      const [found] = present?.published ? toListed(present) : []
      if (!found) return null
      const { product } = found
      const related = shown()
        .filter((other) => other.product.id !== product.id)
        .filter((other) => other.product.category === product.category)
        .slice(0, 3)
      return pageOf(found, related)
    },
  }
}

/** Milliseconds after which prices are looked at again, since reductions begin and end by the clock. */
const pricesMs = 60_000

/**
 * Makes the list of what visitors see of the catalogue. The products are read whole once for each
 * change, so a list of thousands costs no more than one of a few.
 * @param version changes with the catalogue
 */
function createShownProducts({
  catalogue,
  clock,
  version,
}: {
  catalogue: Catalogue
  clock: () => number
  version: () => number
}) {
  let known: { version: number; readAt: number; shown: readonly ListedProduct[] } | null = null
  /** The counts of the whole catalogue stay as long as its list, which most visitors look at. */
  let counted: { of: readonly ListedProduct[]; counts: ProductPage['counts'] } | null = null

  return {
    shown(): readonly ListedProduct[] {
      const now = clock()
      if (known?.version !== version() || now - known.readAt >= pricesMs || now < known.readAt) {
        const products = catalogue.list().filter(({ published }) => published)
        known = { version: version(), readAt: now, shown: products.flatMap(toListed) }
      }
      return known.shown
    },

    /** How many products of each category and kind a search has found. */
    countsOf(found: readonly ListedProduct[]): ProductPage['counts'] {
      if (counted?.of === found) return counted.counts
      const counts = countsIn(found)
      if (found === known?.shown) counted = { of: found, counts }
      return counts
    },
  }
}
