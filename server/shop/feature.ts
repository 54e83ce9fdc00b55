import { paths } from '#shared/paths.ts'
import { inBatches } from '../db/in-batches.ts'
import { createFileAddresses } from '../content/file-addresses.ts'
import { createRichTextCleaner } from '../content/rich-text.ts'
import type { Feature, Platform } from '../feature.ts'
import type { RequestContext } from '../http/request-context.ts'
import { sitemapEntry } from '../sitemap-entry.ts'
import { toCart } from './cart-view.ts'
import { createCarts, type Carts } from './carts.ts'
import { createCatalogue, type Catalogue } from './catalogue.ts'
import { createEditing, type Editing } from './editing.ts'
import type { PricedCart, Pricing } from './pricing.ts'
import { cartData, forgetKind } from './personal-data.ts'
import { shopRoutes } from './routes.ts'
import { importSample } from './sample.ts'
import { productSearch } from './search.ts'
import { licences } from './licences.ts'
import { countries } from './shipping.ts'
import { createStorefront } from './storefront.ts'
import { checkVatId } from './vat-id.ts'
import { createVisitorCarts } from './visitor-carts.ts'

/** The shop (docs/contract.md, Shop): catalogue and cart; what becomes of a cart is another feature. */
export type ShopFeature = Feature & {
  readonly catalogue: Catalogue
  readonly editing: Editing
  readonly carts: Carts
  /** The cart of a visitor; null where there is none. */
  cartOf(requestContext: RequestContext): number | null
  /** A cart at today's prices. */
  price(cart: number | null, pricing?: Omit<Pricing, 'now'>): PricedCart
  /** A priced cart as the wire has it. */
  readonly cartView: typeof toCart
  readonly vatOf: typeof checkVatId
  /** The version of a licence's text; null for none. */
  licenceVersion(name: string | null): string | null
  readonly countries: typeof countries
}

/** Makes the feature. The sample catalogue is imported when a context with an empty shop is opened. */
export function shopFeature(platform: Platform): ShopFeature {
  const { config, db, commit, clock, content, siteVersion } = platform
  const catalogue = createCatalogue(db, { clock, siteVersion })
  const editing = createEditing(platform, catalogue)
  const carts = createCarts(db, { clock })
  const clean = createRichTextCleaner(createFileAddresses(config.content?.addresses ?? []))
  const storefront = createStorefront({
    catalogue,
    content,
    clock,
    version: siteVersion.version,
    clean: (html) => clean(html, () => null),
  })
  const visitorCarts = createVisitorCarts(platform, { catalogue, carts })

  return {
    name: 'shop',
    catalogue,
    editing,
    carts,
    cartOf: visitorCarts.cartOf,
    price: visitorCarts.price,
    cartView: toCart,
    vatOf: checkVatId,
    licenceVersion: (name) => (name === null ? null : (licences[name]?.version ?? null)),
    countries,
    routes: (http) => shopRoutes(http, { catalogue, storefront, visitorCarts }),
    prepare: async () => void (await importSample(platform, { catalogue, editing })),
    jobs: [
      {
        kind: 'shop.new-day',
        about: 'shows the prices of the new day, as reductions begin and end at midnight',
        recurs: { daily: '00:00' },
        run: () => commit((tx) => siteVersion.changed(tx)),
      },
      {
        kind: forgetKind,
        about: 'forgets carts that nobody has changed for 30 days',
        recurs: { daily: '08:00' },
        run: () => inBatches(commit, carts.forget),
      },
    ],
    pages: [paths.shop()],
    sitemap: () =>
      storefront
        .shown()
        .map(({ product: { handle, changedAt } }) =>
          sitemapEntry(paths.product(handle), { modifiedAt: changedAt }),
        ),
    search: [productSearch(storefront.shown)],
    personalData: [cartData],
    doctor: [
      {
        check: 'shop',
        look: () => ({ state: 'ok', text: `${catalogue.count()} products` }),
      },
    ],
    reservedPaths: ['shop'],
  }
}
