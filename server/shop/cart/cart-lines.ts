import { failure } from '#shared/failures.ts'
import { shopLimits } from '#shared/shop-limits.ts'
import type { Platform } from '../../feature.ts'
import { toCart } from './cart-view.ts'
import type { Carts } from './carts.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { PricedCart } from './pricing.ts'
import type { Product, Variant } from '../catalogue/product.ts'

/** A line as a visitor sets it; a quantity of 0 takes it away. */
export type NewLine = { handle: string; variant: string; quantity: number }

/** A cart, with the token that finds it again where it is new. */
type SetCart = { id: number; token: string | undefined }

/** Makes what sets a line of a cart, which is made with its first one. */
export function cartLines(
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
    // Fewer than before are always fine: the visitor's own unpaid order may hold the last pieces.
    if (quantity < present) return
    const { lines, total } = toCart(price(cart))
    throw failure('stock', {
      message: stock === 0 ? `${title} is sold out.` : `Only ${stock} left of ${title}.`,
      details: { lines, total },
    })
  }

  /** Sets a line. @param known the visitor's cart, or null for none yet. @throws missing, stock */
  return async (known: number | null, { handle, variant, quantity }: NewLine): Promise<SetCart> => {
    const product = catalogue.find(handle)
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
