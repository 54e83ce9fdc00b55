import { failure } from '#shared/failures.ts'
import type { ProductPage, ProductView } from '#shared/shop.ts'
import { shopLimits } from '#shared/shop-limits.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { filtered, sorted, toListed, type ListQuery } from './listed-products.ts'
import { createProductSearch, searchExamples } from './product-search.ts'
import { createProductViews, type ProductViewDeps } from './product-views.ts'
import { createShownProducts } from './shown-products.ts'

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
      // Read anew, since how many are left changes with every order.
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
