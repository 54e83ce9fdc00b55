/** What names a line of a cart, and how many pieces of it there are. */
type Item = { readonly handle: string; readonly variant: string; readonly quantity: number }

/** What is in a cart, as a text for an address or a field: `handle~variant~2`, with blanks between. */
export const cartItems = (lines: readonly Item[]): string =>
  lines.map(({ handle, variant, quantity }) => `${handle}~${variant}~${quantity}`).join(' ')
