import { useEffect } from 'react'
import { rememberPieces } from './cart-hint.ts'

/** Tells the bar of every page how many pieces are in a cart that is shown. */
export function useRememberedPieces(lines: readonly { quantity: number }[]): void {
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  useEffect(() => rememberPieces(pieces), [pieces])
}
