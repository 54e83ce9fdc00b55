import { cartItems } from '#shared/cart-items.ts'
import type { PriceChange } from '#shared/shop.ts'
import { paths } from '#shared/paths.ts'
import { shopLimits } from '#shared/shop-limits.ts'

/**
 * The cart as it is shown after something was put into it. A change of prices, and that something is
 * no longer sold, is told once, so what was told on the way is handed on.
 */
export function cartAfter(
  added: string,
  changes: readonly PriceChange[],
  { isGone = false }: { isGone?: boolean } = {},
): string {
  const query = new URLSearchParams({ added })
  for (const { handle, variant } of changes) query.append('changed', `${handle}/${variant}`)
  if (isGone) query.set('gone', '')
  return `${paths.cart()}?${query.toString()}`
}

/** Names a line in {@link cartAfter}. */
export const lineId = ({ handle, variant }: { handle: string; variant: string }) =>
  `${handle}/${variant}`

/** A line of a cart that someone saved or shares as a link. */
export type SavedLine = { handle: string; variant: string; quantity: number }

/** The address of a cart's page that offers what is in another cart; it holds all of it itself. */
export const savedCart = (lines: readonly SavedLine[]): string =>
  `${paths.cart()}?${new URLSearchParams({ items: cartItems(lines) }).toString()}`

/** What such an address offers; what isn't a line is left out. */
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
