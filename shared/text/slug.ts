/** A text as it is in an address: lower case, without diacritics, words joined by hyphens. */
export function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}

/** The name that a service has in addresses, from any way in which it is stored. */
export const serviceSlug = (stored: string | null | undefined): string =>
  slugOf((stored ?? '').replace(/^\/?services\//, ''))

/**
 * A page number as it is in an address.
 * @returns null for what isn't a page number; 1 where none is given
 */
export function pageNumber(given: string | undefined): number | null {
  if (given === undefined) return 1
  return /^[1-9]\d{0,5}$/.test(given) ? Number(given) : null
}
