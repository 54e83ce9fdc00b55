import type { ProductPage } from '#shared/shop.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { countsIn, toListed, type ListedProduct } from './listed-products.ts'

/** Milliseconds after which prices are looked at again, since reductions begin and end by the clock. */
const pricesMs = 60_000

/**
 * Makes the list of what visitors see of the catalogue. The products are read whole once for each
 * change, so a list of thousands costs no more than one of a few.
 * @param version changes with the catalogue
 */
export function createShownProducts({
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
