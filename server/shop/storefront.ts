import type { Picture } from '#shared/content.ts'
import { dateAt } from '#shared/civil-dates.ts'
import { netOf, vatRate } from '#shared/money.ts'
import type { Price, ProductCard, ProductPage, ProductView } from '#shared/shop.ts'
import { shopLimits } from '#shared/shop-limits.ts'
import type { Content } from '../content/source.ts'
import { licences } from './licences.ts'
import { isPriced, vatClasses, type Catalogue, type Product } from './catalogue.ts'
import {
  countsIn,
  filtered,
  searched,
  sorted,
  toListed,
  type ListedProduct,
  type ListQuery,
} from './listed-products.ts'
import type { CurrentPrice } from './price-history.ts'

/** Milliseconds after which prices are looked at again, since reductions begin and end by the clock. */
const pricesMs = 60_000

/**
 * Makes the storefront over the catalogue. The products are read whole once for each change, so that
 * a list of thousands costs no more than one of a few.
 * @param version changes with the catalogue
 */
export function createStorefront({
  catalogue,
  content,
  clock,
  version,
  clean,
}: {
  catalogue: Catalogue
  content: Pick<Content, 'picture'>
  clock: () => number
  version: () => number
  /** Makes rich text safe. */
  clean: (html: string) => Promise<string>
}) {
  let known: { version: number; readAt: number; shown: readonly ListedProduct[] } | null = null

  const shown = (): readonly ListedProduct[] => {
    const now = clock()
    if (known?.version !== version() || now - known.readAt >= pricesMs || now < known.readAt) {
      const products = catalogue.list().filter(({ published }) => published)
      known = { version: version(), readAt: now, shown: products.flatMap(toListed) }
    }
    return known.shown
  }

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

  /** The counts of the whole catalogue stay as long as its list, which most visitors look at. */
  let counted: { of: readonly ListedProduct[]; counts: ProductPage['counts'] } | null = null
  const countsOf = (found: readonly ListedProduct[]): ProductPage['counts'] => {
    if (counted?.of === found) return counted.counts
    const counts = countsIn(found)
    if (found === known?.shown) counted = { of: found, counts }
    return counts
  }

  const card = async ({
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

  return {
    shown,

    async list({
      category,
      kind,
      sort = 'featured',
      q,
      page = 1,
    }: ListQuery): Promise<ProductPage> {
      const found = searched(shown(), q)
      const matching = filtered(found, { category, kind })
      const pages = Math.max(1, Math.ceil(matching.length / shopLimits.perPage))
      const at = Math.min(page, pages)
      const ordered = sorted(matching, sort)
      const some = ordered.slice((at - 1) * shopLimits.perPage, at * shopLimits.perPage)
      return {
        products: await Promise.all(some.map(card)),
        total: matching.length,
        page: at,
        pages,
        counts: countsOf(found),
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
      const licence = product.licence ? licences[product.licence] : undefined
      return {
        handle,
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
        soldOutNote: found.soldOut
          ? (product.soldOutNote ??
            'All pieces are sold. Write to us if you would like to know about the next ones.')
          : null,
        madeToOrder: product.madeToOrder,
        licence: licence
          ? { name: licence.name, version: licence.version, summary: licence.summary }
          : null,
        related: await Promise.all(related.map(card)),
      }
    },
  }
}
