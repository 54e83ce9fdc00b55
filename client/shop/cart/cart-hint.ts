import { storedValue, storeValues, useStoredValue } from '../../site/stored-value.ts'
import { useEffect } from 'react'

/** Where the browser remembers how many pieces are in the cart; a key of the storage registry. */
const key = 'cart_pieces'

/** How many pieces the cart had when this browser last saw it; null where it never had one. */
export const rememberedPieces = (): number | null => piecesIn(storedValue(key))

/** {@link rememberedPieces}, at any time. */
export const usePieces = (): number | null => piecesIn(useStoredValue(key))

const piecesIn = (text: string | null) =>
  text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null

/**
 * Remembers how many pieces are in the cart, for the bar of every page; 0 forgets. Without storage
 * the bar shows the cart on the pages of the shop alone.
 */
export const rememberPieces = (pieces: number): void =>
  void storeValues({ [key]: pieces > 0 ? String(pieces) : null })

/** Tells the bar of every page how many pieces are in a cart that is shown. */
export function useRememberedPieces(lines: readonly { quantity: number }[]): void {
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  useEffect(() => rememberPieces(pieces), [pieces])
}
