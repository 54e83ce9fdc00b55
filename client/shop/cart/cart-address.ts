import type { PriceChange } from '#shared/shop.ts'
import { paths } from '#shared/paths.ts'

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
