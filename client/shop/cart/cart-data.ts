import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { normalCode, setDiscount } from '#shared/shop/discounts.ts'
import { euros } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import {
  fillCart,
  getCart,
  getProduct,
  setCartLine,
  type Cart,
  type VariantView,
  type PriceChange,
  type ProductView,
} from '#shared/shop/shop.ts'
import { shopLimits } from '#shared/shop/limits.ts'
import { postedEntries, refusalOf, wholeNumber } from '../../forms/form-action.ts'
import { siteOf, type Site } from '../../site/data/loading.ts'
import { shownPicture } from '../../ui/pictures/shown-picture.ts'
import { inTurn } from './in-turn.ts'
import { lineId, readSavedCart, type SavedLine } from './cart-address.ts'

/** Max products shown with a picture; later lines have none. */
const maxPictures = 12

/** The cart, with what its address announces. */
export async function loader(args: LoaderFunctionArgs) {
  const { api } = siteOf(args)
  const query = new URL(args.request.url).searchParams
  const cart = await api(getCart, {})
  const added = cart.lines.find((line) => lineId(line) === query.get('added'))
  const taken = takenIn(query)
  const changedLines = new Set(query.getAll('changed').slice(0, shopLimits.maxLines))
  return {
    cart: { ...cart, lines: await withProducts(api, cart) },
    added: added?.title ?? null,
    /** Whether what was added is a licence that was there before, which isn't bought twice. */
    wasThere: query.has('there'),
    taken,
    /** Whether something was put in, and isn't there: without its cookie each cart is a new one. */
    isUnkept: cart.lines.length === 0 && (query.has('added') || (taken?.taken ?? 0) > 0),
    saved: await offered(api, (query.get('items') ?? '').slice(0, 4000)),
    isGone: query.has('gone'),
    isUnordered: query.has('unordered') && cart.lines.length === 0,
    changed: cart.lines.filter((line) => changedLines.has(lineId(line))).map(lineId),
  }
}

/** What a piece costs where several are bought, in cents including VAT; the cart counts alike. */
const pieceOf = ({ price, volume }: VariantView, quantity: number): number =>
  Math.min(
    price.gross,
    ...(volume ?? []).filter(({ from }) => from <= quantity).map((step) => step.price.gross),
  )

/** A product of a saved cart; one that was renamed since is found by its former handle. */
async function presentProduct(api: Site['api'], handle: string): Promise<ProductView | null> {
  const found = await api(getProduct, { handle })
  if (!('movedTo' in found)) return found
  const moved = await api(getProduct, { handle: found.movedTo.split('/').at(-1)! })
  return 'movedTo' in moved ? null : moved
}

/** The saved cart at today's prices; null if the address has none. */
async function offered(api: Site['api'], items: string) {
  const saved = readSavedCart(items)
  if (saved.length === 0) return null
  const handles = [...new Set(saved.map(({ handle }) => handle))]
  const products = await Promise.all(
    handles.map((handle) => presentProduct(api, handle).catch(() => null)),
  )
  const lines = saved.flatMap(({ handle, variant, quantity }) => {
    const product = products[handles.indexOf(handle)]
    const found = product?.variants.find((each) => each.variant === variant && !each.soldOut)
    if (!product || !found) return []
    const title = product.variants.length > 1 ? `${product.title}, ${found.title}` : product.title
    const pieces = Math.min(quantity, found.stock ?? quantity)
    const total = pieces * pieceOf(found, pieces)
    return [{ handle, variant, quantity: pieces, isFewer: pieces < quantity, title, total }]
  })
  return { items, lines, missing: saved.length - lines.length }
}

/** The data of the cart's page. */
export type CartData = Awaited<ReturnType<typeof loader>>

/** A line with its picture, the maximum quantity, and what is wrong if there are fewer left. */
export type ShownLine = CartData['cart']['lines'][number]

async function withProducts(api: Site['api'], { lines }: Cart) {
  const handles = [...new Set(lines.map(({ handle }) => handle))].slice(0, maxPictures)
  const products = await Promise.all(
    handles.map((handle) => api(getProduct, { handle }).catch(() => null)),
  )
  const byHandle = new Map(
    products.flatMap((product) =>
      product && !('movedTo' in product) ? [[product.handle, product] as const] : [],
    ),
  )
  return lines.map((line) => {
    const product = byHandle.get(line.handle)
    const variant = product?.variants.find((each) => each.variant === line.variant)
    const left = variant?.soldOut ? 0 : (variant?.stock ?? null)
    return {
      ...line,
      picture: shownPicture(product?.pictures[0] ?? null, '1:1', { isSmall: true }),
      delivery: product?.delivery ?? null,
      max: Math.min(shopLimits.maxQuantity, variant?.stock ?? shopLimits.maxQuantity),
      lack: left !== null && left < line.quantity ? lackOf(left) : null,
    }
  })
}

/** What the order would be refused for, told before its form is filled in. */
const lackOf = (left: number): string =>
  left > 0
    ? `Only ${left} left. Please change the quantity.`
    : 'Sold out. Please remove it from your cart.'

/** The outcome of a change to the cart. */
export type CartOutcome = {
  /** Announced by screen readers; null when it was refused. */
  done: string | null
  /** Whether the line is still in the cart, where its new sum can be seen. */
  isKept?: boolean
  /** What is wrong, with the line that it is about; an empty one for a saved cart. */
  wrong: { line: string; message: string } | null
  changes: readonly PriceChange[]
  /** A discount code that isn't valid, and why. */
  code?: { typed: string; problem: string }
}

/**
 * Sets a line of the cart. Sending it again sets the same quantity, so the page answers at once and
 * can tell which prices have changed.
 */
export async function action(args: ActionFunctionArgs) {
  const { api } = siteOf(args)
  const entries = await postedEntries(args.request)
  if (entries.items !== undefined)
    return takeSaved(api, readSavedCart(entries.items.slice(0, 4000)))
  if (entries.intent === 'card-off') return enterCode(api, '', 'gift-card')
  if (entries.intent === 'discount-off') return enterCode(api, '', 'discount')
  if (entries.discount !== undefined) return enterCode(api, entries.discount)
  const { handle = '', variant = '', quantity: typed, remove } = entries
  const line = lineId({ handle, variant })
  const refuse = (message: string, status: number) =>
    data<CartOutcome>({ done: null, wrong: { line, message }, changes: [] }, { status })
  const quantity = remove ? 0 : wholeNumber(typed)
  if (!(quantity <= shopLimits.maxQuantity)) {
    return refuse(`Please choose a whole number from 0 to ${shopLimits.maxQuantity}`, 400)
  }
  try {
    const { lines, changes } = await api(setCartLine, { handle, variant, quantity })
    const set = lines.find((each) => lineId(each) === line)
    return data<CartOutcome>({
      done: set ? `${set.title}: ${set.quantity} in your cart.` : 'It’s no longer in your cart.',
      isKept: set !== undefined,
      wrong: null,
      changes,
    })
  } catch (thrown) {
    const isGone = thrown instanceof Error && 'status' in thrown && thrown.status === 404
    if (isGone) return refuse('This is no longer available.', 409)
    const { reason, status, errors } = refusalOf(thrown)
    return refuse(errors.quantity ?? reason, status)
  }
}

/** Enters the discount code or gift card of the cart. @param off what is taken off instead */
async function enterCode(api: Site['api'], typed: string, off?: 'discount' | 'gift-card') {
  const answer = { done: null, wrong: null, changes: [] }
  if (off === undefined && typed.trim() === '') {
    const problem = 'Please enter a code.'
    return data<CartOutcome>({ ...answer, code: { typed, problem } }, { status: 400 })
  }
  try {
    const { discount, giftCard, changes } = await api(setDiscount, {
      code: typed.slice(0, 101),
      of: off,
    })
    const done = off
      ? `There’s no ${off === 'discount' ? 'discount code' : 'gift card'} on your cart.`
      : discount?.code === normalCode(typed)
        ? `Code ${discount.code} is applied: ${euros(discount.amount)} off.`
        : giftCard
          ? `Gift card ${giftCard.number} pays ${euros(giftCard.amount)}.`
          : null
    return data<CartOutcome>({ ...answer, done, changes })
  } catch (thrown) {
    const { reason, status, errors } = refusalOf(thrown)
    const problem = errors.discount ?? reason
    return data<CartOutcome>({ ...answer, code: { typed, problem } }, { status })
  }
}

/** Adds a saved cart to the visitor's, and redirects to it. */
async function takeSaved(api: Site['api'], lines: readonly SavedLine[]) {
  if (lines.length === 0) return redirect(paths.cart(), 303)
  try {
    const { left, fewer } = await inTurn(() => api(fillCart, { lines: [...lines] }))
    const query = new URLSearchParams({
      taken: String(lines.length - left),
      left: String(left),
      fewer: String(fewer),
    })
    return redirect(toResult(`${paths.cart()}?${query.toString()}`), 303)
  } catch (thrown) {
    const { reason, status } = refusalOf(thrown)
    const wrong = { line: '', message: reason }
    return data<CartOutcome>({ done: null, wrong, changes: [] }, { status })
  }
}

/** The outcome of adding a saved cart, from the address. */
function takenIn(query: URLSearchParams): { taken: number; left: number; fewer: number } | null {
  const [taken, left, fewer] = ['taken', 'left', 'fewer'].map((name) => {
    const text = query.get(name) ?? ''
    return /^\d{1,2}$/.test(text) ? Number(text) : undefined
  })
  return taken === undefined || left === undefined ? null : { taken, left, fewer: fewer ?? 0 }
}
