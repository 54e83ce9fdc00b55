import type { LoaderFunctionArgs } from 'react-router'
import { getCart, getProduct, type Cart } from '#shared/shop.ts'
import { shopLimits } from '#shared/shop-limits.ts'
import { siteOf, type Site } from '../site/loading.ts'
import { shownPicture } from '../ui/shown-picture.ts'
import { lineId } from './cart-address.ts'

/** Products of a cart whose pictures are asked for; the lines after them show none. */
const picturesMost = 12

/** The cart, with what its address says of how it came to be. */
export async function loader(args: LoaderFunctionArgs) {
  const { api } = siteOf(args)
  const query = new URL(args.request.url).searchParams
  const cart = await api(getCart, {})
  const added = cart.lines.find(({ handle }) => handle === query.get('added'))
  const told = new Set(query.getAll('changed').slice(0, shopLimits.linesMost))
  return {
    cart: { ...cart, lines: await withProducts(api, cart) },
    added: added?.title ?? null,
    isGone: query.has('gone'),
    changed: cart.lines.filter((line) => told.has(lineId(line))).map(lineId),
  }
}

/** The data of the cart's page. */
export type CartData = Awaited<ReturnType<typeof loader>>

/** A line with its picture, and the most pieces that there are. */
export type ShownLine = CartData['cart']['lines'][number]

async function withProducts(api: Site['api'], { lines }: Cart) {
  const handles = [...new Set(lines.map(({ handle }) => handle))].slice(0, picturesMost)
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
      most: Math.min(shopLimits.quantityMost, variant?.stock ?? shopLimits.quantityMost),
    }
  })
}
