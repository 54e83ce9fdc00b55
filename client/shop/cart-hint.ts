/** Where the browser remembers how many pieces are in the cart; a key of the storage registry. */
const key = 'cart_pieces'

/** Fires in the window in which the cart may have changed. */
export const cartChanged = 'cart-changed'

/** How many pieces the cart had when this browser last saw it; null where it never had one. */
export function rememberedPieces(): number | null {
  try {
    const text = localStorage.getItem(key)
    return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null
  } catch {
    return null
  }
}

/** Remembers how many pieces are in the cart, for the bar of every page; 0 forgets. */
export function rememberPieces(pieces: number): void {
  try {
    if (pieces > 0) localStorage.setItem(key, String(pieces))
    else localStorage.removeItem(key)
  } catch {
    // The bar then shows the cart on the pages of the shop alone.
  }
  dispatchEvent(new CustomEvent(cartChanged))
}
