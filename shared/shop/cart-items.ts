/** What names a line of a cart, and how many pieces of it there are. */
type Item = { readonly handle: string; readonly variant: string; readonly quantity: number }

/** The licences of a cart, a line each, as they are shown beside the button. */
export const cartLicences = (lines: readonly { readonly licence?: string }[]): string =>
  lines
    .flatMap(({ licence }) => licence ?? [])
    .toSorted()
    .join('\n')

/** What is in a cart, as a text for an address or a field: `handle~variant~2`, with blanks between. */
export const cartItems = (lines: readonly Item[]): string =>
  lines.map(({ handle, variant, quantity }) => `${handle}~${variant}~${quantity}`).join(' ')
