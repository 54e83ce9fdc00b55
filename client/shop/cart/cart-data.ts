import { data, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { getCart, getProduct, setCartLine, type Cart, type PriceChange } from '#shared/shop.ts'
import { shopLimits } from '#shared/shop-limits.ts'
import { postedEntries, refusalOf, wholeNumber } from '../../forms/form-action.ts'
import { siteOf, type Site } from '../../site/data/loading.ts'
import { shownPicture } from '../../ui/pictures/shown-picture.ts'
import { lineId } from './cart-address.ts'

/** Products of a cart whose pictures are asked for; the lines after them show none. */
const maxPictures = 12

/** The cart, with what its address says of how it came to be. */
export async function loader(args: LoaderFunctionArgs) {
  const { api } = siteOf(args)
  const query = new URL(args.request.url).searchParams
  const cart = await api(getCart, {})
  const added = cart.lines.find(({ handle }) => handle === query.get('added'))
  const changedLines = new Set(query.getAll('changed').slice(0, shopLimits.maxLines))
  return {
    cart: { ...cart, lines: await withProducts(api, cart) },
    added: added?.title ?? null,
    isGone: query.has('gone'),
    changed: cart.lines.filter((line) => changedLines.has(lineId(line))).map(lineId),
  }
}

/** The data of the cart's page. */
export type CartData = Awaited<ReturnType<typeof loader>>

/** A line with its picture, and the most pieces that there are. */
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
    return {
      ...line,
      picture: shownPicture(product?.pictures[0] ?? null, '1:1'),
      licence: variant?.licence ?? null,
      delivery: product?.delivery ?? null,
      most: Math.min(shopLimits.maxQuantity, variant?.stock ?? shopLimits.maxQuantity),
    }
  })
}

/** What became of a change of the cart. */
export type CartOutcome = {
  /** Said by screen readers; null when it was refused. */
  done: string | null
  /** Whether the line is still in the cart, where its new sum can be seen. */
  isKept?: boolean
  /** What is wrong, with the line that it is about. */
  wrong: { line: string; message: string } | null
  changes: readonly PriceChange[]
}

/**
 * Sets a line of the cart. Sending it again sets the same quantity, so the page answers at once and
 * can tell which prices have changed.
 */
export async function action(args: ActionFunctionArgs) {
  const { api } = siteOf(args)
  const { handle = '', variant = '', quantity: typed, remove } = await postedEntries(args.request)
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
