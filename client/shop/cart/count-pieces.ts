import { getCart } from '#shared/shop/shop.ts'
import { api } from '../../api.ts'
import { rememberPieces } from './cart-hint.ts'

/** Asks the server how many pieces are in the cart, and remembers it. */
export async function countPieces(): Promise<void> {
  const { lines } = await api(getCart, {})
  rememberPieces(lines.reduce((sum, { quantity }) => sum + quantity, 0))
}
