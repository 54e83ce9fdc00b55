import { failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import {
  getCart,
  getProduct,
  listProducts,
  quoteCart,
  setCartLine,
  shopLimits,
  type Cart,
} from '#shared/shop.ts'
import { inBatches } from '../db/in-batches.ts'
import { createRichText } from '../content/rich-text.ts'
import type { Feature, Platform } from '../feature.ts'
import { cookieName } from '../http/cookie-name.ts'
import type { RequestContext } from '../http/request-context.ts'
import { createCarts, type Carts } from './carts.ts'
import { createCatalogue, type Catalogue } from './catalogue.ts'
import { createEditing, type Editing } from './editing.ts'
import { priceCart, type PricedCart, type Pricing } from './pricing.ts'
import { importSample } from './sample.ts'
import { licences } from './licences.ts'
import { countries } from './shipping.ts'
import { createStorefront } from './storefront.ts'
import { checkVatId } from './vat-id.ts'

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

const day = 86_400_000

/** Changes of carts that one address may make in ten minutes. */
const cartLimit = { name: 'cart', seconds: 600, most: 600 }

/** Makes the feature. The sample catalogue is imported when a context with an empty shop is opened. */
export function shopFeature(platform: Platform): ShopFeature {
  const { config, db, commit, clock, content, siteVersion } = platform
  const catalogue = createCatalogue(db, { clock })
  const editing = createEditing(platform, catalogue)
  const carts = createCarts(db, { clock })
  const richText = createRichText({ contentUrl: config.content?.url ?? null })
  const storefront = createStorefront({
    catalogue,
    content,
    clock,
    version: siteVersion.version,
    clean: (html) => richText.clean(html, () => null),
  })
  const https = config.siteUrl.startsWith('https:')
  const cookie = cookieName('cart', { secure: https })
  const cartOf = ({ cookies }: RequestContext) => carts.find(cookies[cookie])
  const price = (cart: number | null, pricing: Omit<Pricing, 'now'> = {}) =>
    priceCart(catalogue, cart === null ? [] : carts.entries(cart), { ...pricing, now: clock() })

  /** The cart for people; what they see of changed prices now is not told again. */
  async function shown(cart: number | null, priced: PricedCart): Promise<Cart> {
    if (cart !== null && (priced.changes.length > 0 || priced.gone.length > 0)) {
      await commit((tx) => {
        for (const { variantId, chosen } of priced.lines) {
          carts.see(tx, cart, variantId, chosen.price!.price)
        }
        for (const variant of priced.gone) carts.drop(tx, cart, variant)
      })
    }
    return toCart(priced)
  }

  return {
    name: 'shop',
    catalogue,
    editing,
    carts,
    cartOf,
    price,
    cartView: toCart,
    vatOf: checkVatId,
    licenceVersion: (name) => (name === null ? null : (licences[name]?.version ?? null)),
    countries,
    routes({ endpoints }) {
      endpoints.serve(listProducts, { limit: 'read', access: 'public' }, storefront.list)
      endpoints.serve(getProduct, { limit: 'read', access: 'public' }, async ({ handle }) => {
        const product = await storefront.product(handle)
        if (product) return product
        const movedTo = catalogue.movedTo(handle)
        if (movedTo === null) throw failure('missing')
        return { movedTo: paths.product(movedTo) }
      })
      endpoints.serve(getCart, { limit: 'read', access: 'public' }, async (_, requestContext) => {
        const cart = cartOf(requestContext)
        return shown(cart, price(cart))
      })
      endpoints.serve(
        setCartLine,
        { limit: cartLimit, access: 'csrf' },
        async ({ handle, variant, quantity }, requestContext) => {
          const product = catalogue.find(handle)
          const chosen = product?.variants.find((each) => each.variant === variant)
          if (!product?.published || !chosen?.price) {
            throw failure('missing', { message: 'There is no such product in this shop.' })
          }
          const known = cartOf(requestContext)
          if (chosen.stock !== null && quantity > chosen.stock) {
            throw failure('stock', {
              message:
                chosen.stock === 0
                  ? `${product.title} is sold out.`
                  : `Only ${chosen.stock} of ${product.title} are left.`,
              details: { lines: toCart(price(known)).lines, total: price(known).total },
            })
          }
          const { price: now } = chosen.price
          const cart = await commit((tx) => {
            const made = known === null ? carts.make(tx) : null
            const id = known ?? made!.id
            const entries = carts.entries(id)
            const isNew = !entries.some((entry) => entry.variant === chosen.id)
            if (isNew && quantity > 0 && entries.length >= shopLimits.linesMost) {
              throw failure('stock', {
                message: `A cart holds at most ${shopLimits.linesMost} lines.`,
              })
            }
            carts.set(tx, id, chosen.id, quantity, now)
            return { id, token: made?.token }
          })
          if (cart.token !== undefined) {
            requestContext.setCookie(cookie, cart.token, {
              httpOnly: true,
              sameSite: 'lax',
              secure: https,
              path: '/',
              maxAge: shopLimits.cartDays * day,
            })
          }
          return shown(cart.id, price(cart.id))
        },
      )
      endpoints.serve(
        quoteCart,
        { limit: cartLimit, access: 'csrf' },
        async ({ country, vatId }, requestContext) => {
          const { reverseCharge, problem } = checkVatId(vatId, country)
          const cart = cartOf(requestContext)
          const priced = price(cart, { country, reverseCharge })
          return { ...(await shown(cart, priced)), reverseCharge, vatIdProblem: problem }
        },
      )
    },
    prepare: async () => void (await importSample(platform, { catalogue, editing })),
    jobs: [
      {
        kind: 'shop.forget',
        about: 'forgets carts that nobody has changed for 30 days',
        recurs: { daily: '08:00' },
        run: () => inBatches(commit, carts.forget),
      },
    ],
    sitemap: () => [
      { path: paths.shop(), modifiedAt: null, image: null },
      ...storefront.shown().map(({ product }) => ({
        path: paths.product(product.handle),
        modifiedAt: product.changedAt,
        image: null,
      })),
    ],
    search: [
      {
        kind: 'products',
        label: 'Shop',
        read: async () =>
          storefront.shown().map(({ product }) => ({
            id: product.handle,
            title: product.title,
            tags: product.tags.join(' · '),
            intro: product.summary,
            path: paths.product(product.handle),
          })),
      },
    ],
    personalData: [
      {
        name: 'carts',
        policy: [
          {
            what: 'Shopping cart',
            data: 'What you put into your cart, and a random cookie by which we find it again',
            ground: 'Steps before a contract, at your request (Art. 6(1)(b))',
            kept: `${shopLimits.cartDays} days after its last change`,
          },
        ],
        forgottenBy: { job: 'shop.forget' },
        find: () => [],
        note: 'Carts carry no name and no address, so nothing in them can be found by one.',
      },
    ],
    doctor: [
      {
        check: 'shop',
        look: () => ({ state: 'ok', text: `${catalogue.count()} products` }),
      },
    ],
    reservedPaths: ['shop'],
  }
}

/** A priced cart as the wire has it. */
export const toCart = ({ lines, shipping, total, vat, changes }: PricedCart): Cart => ({
  success: true,
  lines: lines.map(({ handle, variant, title, quantity, unit, total: sum }) => ({
    handle,
    variant,
    title,
    quantity,
    unit,
    total: sum,
  })),
  currency: 'EUR',
  shipping,
  total,
  vat,
  changes,
})
