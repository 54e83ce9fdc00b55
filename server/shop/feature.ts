import type { Maker } from '#shared/shop/delivery.ts'
import { countries } from '#shared/shop/delivery-areas.ts'
import { deliveryTexts } from '#shared/shop/delivery-texts.ts'
import { shopTexts } from '#shared/shop/page-texts.ts'
import { paths } from '#shared/paths.ts'
import { stockAlertPaths } from '#shared/shop/stock-alerts.ts'
import { inBatches } from '../db/in-batches.ts'
import { createFileAddresses } from '../content/addresses.ts'
import { createRichTextCleaner } from '../content/published/rich-text.ts'
import type { Feature, Platform } from '../feature.ts'
import type { RequestContext } from '../http/request-context.ts'
import { mailbox } from '../mail/message.ts'
import { searchPage } from '../contributions/search-source.ts'
import { mainPages } from '../contributions/overview.ts'
import { sitemapEntry } from '../contributions/sitemap-entry.ts'
import { toCart, createVisitorCarts } from './cart/visitor-carts.ts'
import { createCarts, type Carts } from './cart/carts.ts'
import { createCatalogue, type Catalogue } from './catalogue/catalogue.ts'
import { createEditing, type Editing } from './catalogue/editing.ts'
import { createProductActs, type ProductActs } from './catalogue/product-acts.ts'
import { isReverseCharged, type PricedCart, type Pricing } from './cart/pricing.ts'
import { createDiscountActs, type DiscountActs } from './discounts/acts.ts'
import { createDiscountStore, type DiscountStore } from './discounts/store.ts'
import { createGiftCardActs, type GiftCardActs } from './gift-cards/acts.ts'
import { giftCardMails, printedCode } from './gift-cards/mails.ts'
import { createGiftCardStore, type GiftCardStore } from './gift-cards/store.ts'
import {
  cartData,
  discountData,
  forgetKind,
  giftCardData,
  stockAlertData,
} from './personal-data.ts'
import { stockAlertMails, type BackData } from './stock-alerts/mails.ts'
import { createStockAlerts } from './stock-alerts/store.ts'
import { createProductPictures, type NamedPictures } from './catalogue/product-pictures.ts'
import { sheetColumns, sheetText } from './catalogue/product-sheet.ts'
import { importSample, readCatalogue } from './catalogue/sample.ts'
import { productSearch } from './storefront/search.ts'
import { soldLicence } from './catalogue/licence-terms.ts'
import { createStorefront } from './storefront/storefront.ts'
import { taxBuyerOf } from './cart/buyer.ts'
import { checkVatId, type VatIdResult } from './cart/vat-id.ts'
import { createVies } from './cart/vies.ts'
import { createTaxRegistrations, type TaxRegistrations } from './tax-registrations.ts'
import { withTimeout } from '../concurrency/timeout.ts'

export type { Product } from './catalogue/product.ts'

/** The shop (docs/contract.md, Shop): catalogue and cart; what becomes of a cart is another feature. */
export type ShopFeature = Feature & {
  readonly catalogue: Catalogue
  readonly editing: Editing
  /** What staff do with products. */
  readonly acts: ProductActs
  /** Reads a file of products with the texts beside it. @throws with every mistake and its place */
  readonly readCatalogue: typeof readCatalogue
  /** Keeps pictures for products. @returns their ids @throws invalid, or an Error that names a file */
  keepPictures(named: NamedPictures): Promise<string[]>
  /** How the products are written in a spreadsheet. */
  readonly sheet: { readonly columns: readonly string[]; readonly textOf: typeof sheetText }
  readonly carts: Carts
  /** The uses of discount codes. */
  readonly discounts: Pick<DiscountStore, 'take' | 'settle' | 'giveBack' | 'again'>
  /** What staff do with discount codes. */
  readonly discountActs: DiscountActs
  /** What gift cards pay of orders. */
  readonly giftCards: Pick<
    GiftCardStore,
    'take' | 'settle' | 'release' | 'giveBack' | 'canAgain' | 'again' | 'moneyOn' | 'uses'
  >
  /** What staff do with gift cards. */
  readonly giftCardActs: GiftCardActs
  /** The code of a gift card as it is printed. */
  readonly printedCode: typeof printedCode
  /** The cart of a visitor; null where there is none. */
  cartOf(requestContext: RequestContext): number | null
  /** A cart at today's prices. */
  price(cart: number | null, pricing?: Pick<Pricing, 'buyer' | 'isPickup'>): PricedCart
  /** A priced cart as the wire has it. */
  readonly cartView: typeof toCart
  /** Checks a VAT id; asks VIES where it is configured. */
  vatOf(
    given: string | undefined,
    buyer: { country: string; postcode?: string | null },
  ): Promise<VatIdResult>
  /** Who buys, as VAT sees it. */
  readonly taxBuyerOf: typeof taxBuyerOf
  /** Whether the buyer accounts for the VAT of any of a cart. */
  readonly isReverseCharged: typeof isReverseCharged
  /** How many wait for an email about a variant. */
  alertsFor(variant: number): number
  /** What the seller has registered for. */
  readonly registrations: TaxRegistrations
  /** The licence that comes with a variant, as it is sold now; null for none. */
  readonly soldLicence: typeof soldLicence
  readonly countries: typeof countries
}

/** Makes the feature. The sample catalogue is imported when a context with an empty shop is opened. */
export function shopFeature(platform: Platform): ShopFeature {
  const { config, db, commit, clock, content, log, mails, siteVersion } = platform
  const catalogue = createCatalogue(db, { clock, siteVersion })
  const editing = createEditing(platform, catalogue)
  const carts = createCarts(db, { clock })
  const discounts = createDiscountStore(db, { clock })
  const giftCards = createGiftCardStore(db, { clock })
  const alerts = createStockAlerts(db, { clock })
  const clean = createRichTextCleaner(createFileAddresses(config.content?.addresses ?? []))
  const storefront = createStorefront({
    catalogue,
    content,
    seller: () => sellerAsMaker(content),
    clock,
    version: siteVersion.version,
    clean: (html) =>
      clean(html, (id) => ({ id, alt: '', width: null, height: null, focal: [0.5, 0.5] })),
  })
  /** What kept an empty shop from being filled, until something else fills it. */
  let brokenSample: string | null = null
  const sampleProblem = () => (catalogue.count() === 0 ? brokenSample : null)
  const registrations = createTaxRegistrations(platform)
  const { viesUrl } = config
  const vies = viesUrl
    ? createVies({ url: viesUrl, clock, log, requester: () => sellerVatId(content) })
    : null
  const vatOf: ShopFeature['vatOf'] = (given, buyer) => checkVatId(given, buyer, vies)
  const visitorCarts = createVisitorCarts(platform, {
    catalogue,
    carts,
    discounts,
    giftCards,
    vatOf,
    ossFrom: registrations.ossFrom,
  })

  return {
    name: 'shop',
    thingNames: { product: (id) => catalogue.findId(Number(id))?.handle ?? null },
    catalogue,
    editing,
    acts: createProductActs(platform, { catalogue, editing }),
    readCatalogue,
    keepPictures: createProductPictures(platform),
    sheet: { columns: sheetColumns, textOf: sheetText },
    carts,
    discounts,
    discountActs: createDiscountActs(platform, { store: discounts, catalogue }),
    giftCards,
    giftCardActs: createGiftCardActs(platform, { store: giftCards }),
    printedCode,
    cartOf: visitorCarts.cartOf,
    price: visitorCarts.price,
    cartView: toCart,
    vatOf,
    taxBuyerOf,
    isReverseCharged,
    registrations,
    soldLicence,
    countries,
    alertsFor: alerts.waiting,
    async routes(http) {
      const [{ shopRoutes }, { stockAlertRoutes }] = await Promise.all([
        import('./routes.ts'),
        import('./stock-alerts/routes.ts'),
      ])
      shopRoutes(http, {
        catalogue,
        storefront,
        visitorCarts,
        pickupAt: async () => (await sellerAsMaker(content))?.address ?? null,
      })
      stockAlertRoutes(platform, http, { catalogue, alerts })
    },
    mailTemplates: {
      ...stockAlertMails(catalogue, alerts),
      ...giftCardMails(giftCards, platform.keys, mailbox(platform.config.mail.staff)),
    },
    async prepare() {
      await importSample(platform, { catalogue, editing }, (problem) => {
        brokenSample = problem
        log.error({ problem }, 'the catalogue is invalid, so the shop is empty')
      })
    },
    health: () => ({ catalogue: sampleProblem() === null ? 'ok' : 'broken' }),
    jobs: [
      {
        kind: 'shop.new-day',
        about: 'updates prices at midnight, when sales begin and end',
        waitsForTrustedClock: false,
        recurs: { daily: '00:00' },
        run: () => commit((tx) => siteVersion.changed(tx)),
      },
      {
        kind: forgetKind,
        about:
          'deletes carts unchanged for 30 days, stock alerts no one is waiting for, the hashed mailboxes of discount codes that are over, the names of gift cards that are, and gift cards whose records need not be kept',
        recurs: { daily: '03:30' },
        async run() {
          await inBatches(commit, carts.forget)
          await inBatches(commit, alerts.forget)
          await inBatches(commit, discounts.forgetMailboxes)
          await inBatches(commit, giftCards.forgetNames)
          await inBatches(commit, (tx) => giftCards.forget(tx))
        },
      },
      {
        kind: 'shop.back-in-stock',
        about: 'emails those who asked about what is back in stock',
        recurs: { everyMinutes: 10 },
        // The email is queued as its request is deleted, so that each goes out once.
        run: () =>
          inBatches(commit, (tx) => {
            const due = alerts.due()
            for (const alert of due) {
              const { id, email, variant } = alert
              mails.enqueue(tx, 'stockAlertBack', {
                key: `stock-alert/${id}`,
                about: { thing: 'stock-alert', id: String(id) },
                data: { email, variant } satisfies BackData,
                recipient: email,
              })
              alerts.remove(tx, alert)
            }
            return due.length
          }),
      },
    ],
    pages: [paths.shop(), paths.delivery()],
    searchPages: () => [
      searchPage(paths.shop(), shopTexts, {
        names: ['shop', 'store', 'webshop', 'products', 'buy', 'prints', 'licences', 'posters'],
      }),
      searchPage(paths.delivery(), deliveryTexts, {
        names: ['delivery', 'shipping', 'shipping costs', 'pickup', 'guarantee', 'customs'],
      }),
    ],
    overview: [
      {
        heading: mainPages,
        read: () => [
          {
            text: 'Shop',
            path: paths.shop(),
            about: 'prints, photo licences, downloads and services at a fixed price',
          },
          {
            text: 'Delivery and guarantee',
            path: paths.delivery(),
            about: 'shipping countries, costs and times, pickup, customs and the legal guarantee',
          },
        ],
      },
    ],
    sitemap: () =>
      storefront
        .shown()
        .map(({ product: { handle, changedAt } }) =>
          sitemapEntry(paths.product(handle), { modifiedAt: changedAt }),
        ),
    search: [productSearch(storefront.shown)],
    pictures: () =>
      storefront
        .shown()
        .flatMap(({ product: { pictures, variants } }) => [
          ...pictures,
          ...variants.flatMap(({ wall }) => wall?.picture ?? []),
        ]),
    personalData: [
      cartData,
      discountData,
      giftCardData(platform, giftCards),
      stockAlertData(alerts),
    ],
    privatePaths: [`${stockAlertPaths.ask()}/`],
    disallowedPaths: [`${stockAlertPaths.ask()}/`],
    doctor: [
      {
        check: 'shop',
        look() {
          const problem = sampleProblem()
          return problem === null
            ? { state: 'ok', text: `${catalogue.count()} products` }
            : { state: 'warn', text: `${problem}; the shop is empty` }
        },
      },
      {
        check: 'licences',
        look() {
          const open = catalogue
            .list()
            .filter(({ published, licence }) => published && licence !== null)
            .filter((product) => product.variants.some((each) => !soldLicence(product, each)))
          return open.length === 0
            ? { state: 'ok', text: 'every licence has its terms' }
            : {
                state: 'warn',
                text: `set the terms of these with products licence: ${open.map(({ handle }) => handle).join(', ')}`,
              }
        },
      },
      {
        check: 'gift cards',
        look() {
          const wrong = giftCards.wrong()
          return wrong.length === 0
            ? { state: 'ok', text: 'every balance is what was paid for the card without its uses' }
            : {
                state: 'fail',
                text: `the balance doesn’t follow from the uses: ${wrong.map(({ number }) => number).join(', ')}`,
              }
        },
      },
      {
        check: 'skus',
        look() {
          const all = catalogue
            .list()
            .flatMap(({ variants }) => variants.flatMap(({ sku }) => sku ?? []))
          const twice = [...new Set(all.filter((sku, at) => all.indexOf(sku) !== at))]
          return twice.length === 0
            ? { state: 'ok', text: 'no SKU is given twice' }
            : { state: 'warn', text: `given to several variants: ${twice.join(', ')}` }
        },
      },
      {
        check: 'vat',
        look: () => ({
          state: viesUrl ? 'ok' : 'warn',
          text: viesUrl
            ? `VAT IDs are looked up at ${new URL(viesUrl).host}`
            : 'VIES_URL isn’t set: only the check digits of VAT IDs are checked',
        }),
      },
    ],
    reservedPaths: ['shop'],
  }
}

/** The seller as the maker of its own goods; null where the settings can't be read in time. */
async function sellerAsMaker(content: Platform['content']): Promise<Maker | null> {
  const [row] = await withTimeout(content.rows('settings'), 1_000).catch(() => [])
  const name = row?.legal_name ?? row?.brand
  if (!row || !name) return null
  const { street, postal_code: code, city, country } = row
  return {
    name,
    address: [street, [code, city].filter(Boolean).join(' '), country].filter(Boolean).join(', '),
    contact: row.email ?? '',
  }
}

/** The seller's own VAT id, which VIES is asked with; null where it is not known in time. */
async function sellerVatId(content: Platform['content']): Promise<string | null> {
  const [row] = await withTimeout(content.rows('settings'), 1_000).catch(() => [])
  if (!row) return null
  return row.vat_id ?? (row.business_id ? `FI${row.business_id.replaceAll(/\D/g, '')}` : null)
}
