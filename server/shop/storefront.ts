import type { Picture } from '#shared/content.ts'
import { dateAt } from '#shared/civil-dates.ts'
import { netOf, vatRate } from '#shared/money.ts'
import type { Price, ProductCard, ProductPage, ProductView } from '#shared/shop.ts'
import { shopLimits, type ProductSort } from '#shared/shop-limits.ts'
import type { Content } from '../content/source.ts'
import { licences } from './licences.ts'
import {
  isPriced,
  vatClasses,
  type Catalogue,
  type PricedVariant,
  type Product,
} from './catalogue.ts'
import type { CurrentPrice } from './price-history.ts'

/** What a list is asked for. */
type Wish = {
  category?: string
  kind?: string
  sort?: ProductSort
  q?: string
  page?: number
}

/** Milliseconds after which prices are looked at again, since reductions begin and end by the clock. */
const pricedFor = 60_000

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
  let known: { version: number; readAt: number; shown: readonly Shown[] } | null = null

  const shown = (): readonly Shown[] => {
    const now = clock()
    if (known?.version !== version() || now - known.readAt >= pricedFor || now < known.readAt) {
      const products = catalogue.list().filter(({ published }) => published)
      known = { version: version(), readAt: now, shown: products.flatMap(toShown) }
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
  let counted: { of: readonly Shown[]; counts: ProductPage['counts'] } | null = null
  const countsOf = (found: readonly Shown[]): ProductPage['counts'] => {
    if (counted?.of === found) return counted.counts
    const counts = {
      category: tally(found, ({ product }) => product.category),
      kind: tally(found, ({ product }) => product.kind),
    }
    if (found === known?.shown) counted = { of: found, counts }
    return counts
  }

  const card = async ({ product, cheapest, from, soldOut }: Shown): Promise<ProductCard> => ({
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

    async list({ category, kind, sort = 'featured', q, page = 1 }: Wish): Promise<ProductPage> {
      const words = foldedWords(q)
      const all = shown()
      const found =
        words.length === 0
          ? all
          : all.filter(({ words: text }) => words.every((word) => text.includes(word)))
      const matching =
        category === undefined && kind === undefined
          ? found
          : found.filter(
              ({ product }) =>
                (category === undefined || product.category === category) &&
                (kind === undefined || product.kind === kind),
            )
      const pages = Math.max(1, Math.ceil(matching.length / shopLimits.perPage))
      const at = Math.min(page, pages)
      const sorted = sort === 'featured' ? matching : matching.toSorted(orders[sort])
      const some = sorted.slice((at - 1) * shopLimits.perPage, at * shopLimits.perPage)
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
      const [found] = present?.published ? toShown(present) : []
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

/** A published product with a price, and what lists compare. */
type Shown = {
  product: Product
  cheapest: PricedVariant
  from: boolean
  soldOut: boolean
  /** Everything that a search looks at, folded. */
  words: string
}

function toShown(product: Product): Shown[] {
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
      words: folded([product.title, product.summary, ...product.tags].join(' ')),
    },
  ]
}

const orders: Readonly<Record<Exclude<ProductSort, 'featured'>, (a: Shown, b: Shown) => number>> = {
  newest: (a, b) => b.product.createdAt - a.product.createdAt || b.product.id - a.product.id,
  'price-up': (a, b) => a.cheapest.price.price - b.cheapest.price.price,
  'price-down': (a, b) => b.cheapest.price.price - a.cheapest.price.price,
  title: (a, b) => (a.product.title < b.product.title ? -1 : 1),
}

const folded = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

const foldedWords = (q: string | undefined) =>
  folded(q ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 10)

function tally(all: readonly Shown[], keyOf: (shown: Shown) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const each of all) counts[keyOf(each)] = (counts[keyOf(each)] ?? 0) + 1
  return counts
}
