import { cartItems } from '#shared/shop/cart-items.ts'
import type { PriceChange } from '#shared/shop/shop.ts'
import { paths } from '#shared/paths.ts'
import { shopLimits } from '#shared/shop/limits.ts'

type Line = { handle: string; variant: string }

/**
 * The address of the cart after an item was added. Price changes and withdrawn items are announced only
 * once, so announcements made on the way are passed along.
 */
export function cartAfter(
  added: Line,
  changes: readonly PriceChange[],
  { isGone = false, wasThere = false }: { isGone?: boolean; wasThere?: boolean } = {},
): string {
  const query = new URLSearchParams({ added: lineId(added) })
  for (const line of changes) query.append('changed', lineId(line))
  if (isGone) query.set('gone', '')
  if (wasThere) query.set('there', '')
  return `${paths.cart()}?${query.toString()}`
}

/** Identifies a line in {@link cartAfter}. */
export const lineId = ({ handle, variant }: Line): string => `${handle}/${variant}`

/** A line of a cart that someone saved or shares as a link. */
export type SavedLine = { handle: string; variant: string; quantity: number }

/** The address of the cart page that offers a saved cart; it contains all its lines. */
export const savedCart = (lines: readonly SavedLine[]): string =>
  `${paths.cart()}?${new URLSearchParams({ items: cartItems(lines) }).toString()}`

/** The lines in such an address; anything else is left out. */
export const readSavedCart = (items: string): SavedLine[] =>
  items
    .split(' ', shopLimits.maxLines)
    .map((item) => item.split('~', 3))
    .flatMap(([handle = '', variant = '', typed = '']) => {
      const quantity = /^\d{1,2}$/.test(typed) ? Number(typed) : 0
      const isLine = handle !== '' && handle.length <= 100 && variant !== '' && variant.length <= 60
      return isLine && quantity >= 1 && quantity <= shopLimits.maxQuantity
        ? [{ handle, variant, quantity }]
        : []
    })

/** The cart's page for a buyer whose checkout had lost its cart, such as to another tab. */
export const cartFoundEmpty = `${paths.cart()}?unordered`
