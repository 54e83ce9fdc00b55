/**
 * A postal code as it is compared: in capitals and plain digits, without spaces, hyphens and what is put
 * before the digits of one, such as `FI-` or `D-`.
 */
export const bareCode = (postcode: string | null | undefined): string =>
  (postcode ?? '')
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s.\p{Pd}]/gu, '')
    .replace(/^[A-Z]{1,3}(?=\d{3,9}$|\d{4}[A-Z]{2}$)/, '')

/** Whether a postal code of Finland is one of Åland. @param code as {@link bareCode} has it */
export const isOfAland = (code: string): boolean => /^22\d{3}$/.test(code)

/**
 * What is wrong with the postal code of an address. Only Åland's is looked at, since VAT hangs on it; a
 * wrong refusal of another one would cost an order.
 * @returns a sentence; null for one that may be right, and for none
 */
export const postcodeProblem = (
  country: string | null | undefined,
  postcode: string | null | undefined,
): string | null =>
  country !== 'AX' || !postcode || isOfAland(bareCode(postcode))
    ? null
    : 'Please enter a postal code of Åland, such as 22100'
