import { failure } from '#shared/failures.ts'
import type { ProductPage, ProductView } from '#shared/shop/shop.ts'
import { shopLimits, type ProductSort } from '#shared/shop/limits.ts'
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
  const present = createShownProducts({ catalogue, clock: viewDeps.clock, version })
  const shown = () => present().all
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
      const { all, counts, examples, inOrder } = present()
      const { found, corrected } = search(all, q)
      const isWhole = found === all
      const matching = filtered(isWhole ? inOrder(sort) : sorted(found, sort), { category, kind })
      const pages = Math.max(1, Math.ceil(matching.length / shopLimits.perPage))
      if (page > pages) throw failure('missing')
      const some = matching.slice((page - 1) * shopLimits.perPage, page * shopLimits.perPage)
      return {
        products: await Promise.all(some.map(cardOf)),
        total: matching.length,
        page,
        pages,
        counts: isWhole ? counts : countsIn(found),
        corrected,
        examples,
      }
    },

    /** A product with its page; null when there is none that is published. */
    async product(handle: string): Promise<ProductView | null> {
      // Read again, since how many are left changes with every order.
      const now = catalogue.find(handle)
      const [found] = now?.published ? toListed(now) : []
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

/** All that visitors see of the catalogue, and what the first page of the shop says of it. */
type ShownProducts = {
  readonly all: readonly ListedProduct[]
  readonly counts: ProductPage['counts']
  readonly examples: string[]
  /** All of them in an order. */
  inOrder(sort: ProductSort): readonly ListedProduct[]
}

/**
 * Makes the list of what visitors see of the catalogue. The products are read, counted and sorted once
 * for each change, so a list of thousands costs no more than one of a few.
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
}): () => ShownProducts {
  let known: { version: number; readAt: number; shown: ShownProducts } | null = null
  return () => {
    const now = clock()
    if (known?.version !== version() || now - known.readAt >= pricesMs || now < known.readAt) {
      const products = catalogue.list().filter(({ published }) => published)
      const shown = withOrders(products.flatMap(toListed))
      known = { version: version(), readAt: now, shown }
    }
    return known.shown
  }
}

function withOrders(all: readonly ListedProduct[]): ShownProducts {
  const orders = new Map<ProductSort, readonly ListedProduct[]>()
  return {
    all,
    counts: countsIn(all),
    examples: searchExamples(all),
    inOrder(sort) {
      const ordered = orders.get(sort) ?? sorted(all, sort)
      orders.set(sort, ordered)
      return ordered
    },
  }
}
