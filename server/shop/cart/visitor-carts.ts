import type { CivilDate } from '#shared/dates/civil-dates.ts'
import { dayMs } from '#shared/dates/durations.ts'
import { setDiscount, normalCode } from '#shared/shop/discounts.ts'
import { fillCart, getCart, quoteCart, setCartLine, type Cart } from '#shared/shop/shop.ts'
import { shopLimits } from '#shared/shop/limits.ts'
import type { Http, Platform } from '../../feature.ts'
import { cookieName, type RequestContext } from '../../http/request-context.ts'
import type { Carts } from './carts.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { taxBuyerOf } from './buyer.ts'
import { isReverseCharged, priceCart, type PricedCart, type Pricing } from './pricing.ts'
import type { VatIdResult } from './vat-id.ts'
import { failure, isFailure } from '#shared/failures.ts'
import type { DiscountStore } from '../discounts/store.ts'
import type { GiftCardStore } from '../gift-cards/store.ts'
import { licenceLine } from '../catalogue/licence-terms.ts'
import type { Product, Variant } from '../catalogue/product.ts'

/** Max cart changes per address in ten minutes. */
const cartLimit = { name: 'cart', seconds: 600, max: 600 }

/**
 * New carts that one address may begin in an hour. Each is kept for a month, so a client without cookies
 * would fill the disk with them; behind one address there may be a grandstand when a limited edition opens.
 */
const newCartLimit = { name: 'new-carts', seconds: 3600, max: 1200 }

/** Max codes tried per address in ten minutes, so that none can be guessed. */
const codeLimit = { name: 'discount-codes', seconds: 600, max: 30 }

/** The carts as visitors have them. */
export type VisitorCarts = ReturnType<typeof createVisitorCarts>

/** Makes the carts as visitors have them: found by a cookie, priced again at each view. */
export function createVisitorCarts(
  { config, commit, clock }: Pick<Platform, 'config' | 'commit' | 'clock'>,
  {
    catalogue,
    carts,
    discounts,
    giftCards,
    ossFrom,
    vatOf,
  }: {
    catalogue: Catalogue
    carts: Carts
    discounts: Pick<DiscountStore, 'offered'>
    giftCards: Pick<GiftCardStore, 'offered' | 'ofCode'>
    ossFrom: () => CivilDate | null
    vatOf: (
      given: string | undefined,
      buyer: { country: string; postcode?: string | null },
    ) => Promise<VatIdResult>
  },
) {
  // The command line may not know the site's address, and doesn't need it here.
  const isSecure = () => config.siteUrl.startsWith('https:')
  const cookie = () => cookieName('cart', { secure: isSecure() })
  const cartOf = ({ cookies }: RequestContext) => carts.find(cookies[cookie()])
  const priceWith = (
    cart: number | null,
    { code, card }: { code: string | null; card: number | null },
    pricing: Pick<Pricing, 'buyer' | 'isPickup'> = {},
  ) =>
    priceCart(catalogue, cart === null ? [] : carts.entries(cart), {
      ...pricing,
      now: clock(),
      ossFrom: ossFrom(),
      offered: code === null ? null : discounts.offered(code, cart),
      card: card === null ? null : giftCards.offered(card, cart),
    })
  const price = (cart: number | null, pricing: Pick<Pricing, 'buyer' | 'isPickup'> = {}) =>
    priceWith(
      cart,
      cart === null
        ? { code: null, card: null }
        : { code: carts.discountOf(cart), card: carts.giftCardOf(cart) },
      pricing,
    )

  /**
   * Enters a discount code or a gift card for a visitor's cart, or takes one off. One field takes both,
   * with one limit on guesses. @throws invalid with why it isn't valid
   */
  async function setCode(
    { code: typed, of = 'discount' }: { code: string; of?: 'discount' | 'gift-card' | undefined },
    requestContext: RequestContext,
  ) {
    const cart = cartOf(requestContext)
    const code = normalCode(typed)
    const card = giftCards.ofCode(typed)?.id ?? null
    const refuse = (problem: string) => failure('invalid', { errors: { discount: problem } })
    if (code !== '') {
      if (cart === null || price(cart).lines.length === 0) throw refuse('Your cart is empty.')
      const priced = priceWith(cart, { code: card === null ? code : null, card })
      const problem = (card === null ? priced.discount : priced.giftCard)?.problem ?? null
      if (problem !== null) throw refuse(problem)
    }
    if (cart !== null) {
      await commit((tx) => {
        if (card !== null || (code === '' && of === 'gift-card')) {
          carts.setGiftCard(tx, cart, card)
        } else {
          carts.setDiscount(tx, cart, code || null)
        }
      })
    }
    return shown(cart, price(cart))
  }

  /** The cart as shown to people; price changes and removed lines are announced only once. */
  async function shown(cart: number | null, priced: PricedCart): Promise<Cart> {
    if (cart !== null && (priced.changes.length > 0 || priced.gone.length > 0)) {
      await commit((tx) => {
        for (const { variantId, chosen } of priced.lines) {
          carts.see(tx, cart, variantId, chosen.price.price)
        }
        for (const { variantId } of priced.gone) carts.drop(tx, cart, variantId)
      })
    }
    return toCart(priced)
  }

  const setLine = cartLines({ commit }, { catalogue, carts, price })

  /** Sets the cookie of a new cart. */
  const hand = (token: string | undefined, requestContext: RequestContext): void => {
    if (token === undefined) return
    requestContext.setCookie(cookie(), token, {
      httpOnly: true,
      sameSite: 'lax',
      secure: isSecure(),
      path: '/',
      maxAge: shopLimits.cartDays * dayMs,
    })
  }

  /** Sets a line of a visitor's cart. */
  async function setVisitorLine(line: NewLine, requestContext: RequestContext): Promise<Cart> {
    const cart = await setLine(cartOf(requestContext), line)
    hand(cart.token, requestContext)
    return shown(cart.id, price(cart.id))
  }

  /** Adds several lines to a visitor's cart, as far as they're available. */
  async function fill(
    { lines }: { lines: readonly NewLine[] },
    requestContext: RequestContext,
  ): Promise<Cart & { left: number; fewer: number }> {
    let id = cartOf(requestContext)
    let token: string | undefined
    let left = 0
    let fewer = 0
    const { lines: before } = price(id)
    for (const { handle: linked, variant, quantity } of lines) {
      const product = catalogue.findFromLink(linked)
      const handle = product?.handle ?? linked
      const held = before.find((line) => line.handle === handle && line.variant === variant)
      const wanted = Math.max(quantity, held?.quantity ?? 0)
      const stock = product?.variants.find((each) => each.variant === variant)?.stock ?? wanted
      // Pieces that are in the cart already stay there; none at all is sold out.
      const pieces = Math.max(Math.min(wanted, stock), held?.quantity ?? 0) || wanted
      if (pieces === held?.quantity) {
        if (pieces < quantity) fewer += 1
        continue
      }
      try {
        const set = await setLine(id, { handle, variant, quantity: pieces })
        id = set.id
        token ??= set.token
        if (pieces < quantity) fewer += 1
      } catch (error) {
        if (!isFailure(error) || !['missing', 'stock'].includes(error.failure)) throw error
        left += 1
      }
    }
    hand(token, requestContext)
    return { ...(await shown(id, price(id))), left, fewer }
  }

  return {
    /** The cart of a visitor; null where there is none. */
    cartOf,
    /** A cart at today's prices. */
    price,
    routes({ endpoints, limit }: Pick<Http, 'endpoints' | 'limit'>): void {
      const newCarts = limit(newCartLimit)
      /** Counts a change that begins a cart. @throws too-many */
      const counted =
        <Input, Answer>(
          change: (input: Input, requestContext: RequestContext) => Promise<Answer>,
        ) =>
        async (input: Input, requestContext: RequestContext): Promise<Answer> => {
          if (cartOf(requestContext) === null) await newCarts.count(requestContext.address)
          return change(input, requestContext)
        }
      endpoints.serve(getCart, { limit: 'read', access: 'public' }, async (_, requestContext) => {
        const cart = cartOf(requestContext)
        return shown(cart, price(cart))
      })
      endpoints.serve(setCartLine, { limit: cartLimit, access: 'csrf' }, counted(setVisitorLine))
      endpoints.serve(setDiscount, { limit: codeLimit, access: 'csrf' }, setCode)
      endpoints.serve(fillCart, { limit: cartLimit, access: 'csrf' }, counted(fill))
      endpoints.serve(
        quoteCart,
        { limit: cartLimit, access: 'csrf' },
        async ({ vatId, delivery, ...facts }, requestContext) => {
          const vat = await vatOf(vatId, facts)
          const { reverseCharge, problem } = vat
          const cart = cartOf(requestContext)
          const { buyer } = taxBuyerOf(facts, vat)
          // Company and address may still be missing; the checkout asks for them.
          const isBusiness = buyer.isBusiness || reverseCharge
          const isPickup = delivery === 'pickup'
          const priced = price(cart, { buyer: { ...buyer, isBusiness }, isPickup })
          return {
            ...(await shown(cart, priced)),
            reverseCharge: reverseCharge && isReverseCharged(priced),
            vatIdProblem: problem,
          }
        },
      )
    },
  }
}

/** A line as a visitor sets it; a quantity of 0 removes it. */
type NewLine = { handle: string; variant: string; quantity: number }

/** A cart, with its token if it's new. */
type SetCart = { id: number; token: string | undefined }

/** Creates the function that sets a line of a cart; the first line creates the cart. */
function cartLines(
  { commit }: Pick<Platform, 'commit'>,
  {
    catalogue,
    carts,
    price,
  }: { catalogue: Catalogue; carts: Carts; price: (cart: number | null) => PricedCart },
) {
  /** @throws stock with the cart as it is */
  const checkStock = (
    cart: number | null,
    { title }: Product,
    { id, stock }: Variant,
    quantity: number,
  ): void => {
    if (stock === null || quantity <= stock) return
    const entries = cart === null ? [] : carts.entries(cart)
    const present = entries.find((entry) => entry.variant === id)?.quantity ?? 0
    // Reducing a quantity is always fine: the visitor's own unpaid order may hold the last pieces.
    if (quantity < present) return
    const { lines, total } = toCart(price(cart))
    throw failure('stock', {
      message: stock === 0 ? `${title} is sold out.` : `Only ${stock} left of ${title}.`,
      details: { lines, total },
    })
  }

  /** Sets a line. @param known the visitor's cart, or null for none yet. @throws missing, stock */
  return async (known: number | null, { handle, variant, quantity }: NewLine): Promise<SetCart> => {
    const product = catalogue.findFromLink(handle)
    const chosen = product?.variants.find((each) => each.variant === variant)
    if (!product?.published || !chosen?.price) {
      throw failure('missing', { message: 'Product not found.' })
    }
    checkStock(known, product, chosen, quantity)
    const { price: now } = chosen.price
    return commit((tx) => {
      const made = known === null ? carts.make(tx) : null
      const id = known ?? made!.id
      const entries = carts.entries(id)
      const isNew = !entries.some((entry) => entry.variant === chosen.id)
      if (isNew && quantity > 0 && entries.length >= shopLimits.maxLines) {
        throw failure('stock', {
          message: `A cart can hold ${shopLimits.maxLines} different items at most.`,
        })
      }
      carts.set(tx, id, chosen.id, quantity, now)
      return { id, token: made?.token }
    })
  }
}

/** A priced cart as the wire has it: its discount is an amount of its own, beside the lines. */
export const toCart = (priced: PricedCart): Cart => ({
  success: true,
  lines: priced.lines.map(
    ({ handle, variant, title, quantity, unit, total, discount, product, chosen }) => ({
      handle,
      variant,
      title,
      quantity,
      unit,
      total: total + discount,
      ...licenceLine(product, chosen),
    }),
  ),
  currency: 'EUR',
  shipping: priced.shipping,
  total: priced.total,
  vat: priced.vat,
  changes: priced.changes,
  ...(priced.discount && {
    discount: {
      code: priced.discount.code,
      amount: priced.discount.amount,
      problem: priced.discount.problem,
    },
  }),
  ...(priced.giftCard && {
    giftCard: {
      number: priced.giftCard.number,
      balance: priced.giftCard.balance,
      amount: priced.giftCard.amount,
      problem: priced.giftCard.problem,
    },
  }),
  ...(priced.gone.length > 0 && {
    gone: priced.gone.flatMap(({ line }) => (line === null ? [] : [line])),
  }),
})
