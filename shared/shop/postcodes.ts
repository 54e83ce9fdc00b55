/**
 * The postal codes of the countries that we send to, as of 2026-11: how one looks without spaces and
 * hyphens, and an example. What parts of countries have of their own, or what people leave out, counts as
 * well: a wrong refusal costs an order. Ireland is left out, where many don't know theirs.
 */
const formats: Readonly<Record<string, readonly [pattern: RegExp, example: string]>> = {
  AT: [/^\d{4}$/, '1010'],
  AX: [/^22\d{3}$/, '22100'],
  BE: [/^\d{4}$/, '1000'],
  BG: [/^\d{4}$/, '1000'],
  CA: [/^[A-Z]\d[A-Z]\d[A-Z]\d$/, 'K1A 0B1'],
  CH: [/^\d{4}$/, '3000'],
  CY: [/^\d{4,5}$/, '1010'],
  CZ: [/^\d{5}$/, '110 00'],
  DE: [/^\d{5}$/, '10115'],
  // The Faroe Islands have three digits.
  DK: [/^\d{3,4}$/, '1050'],
  EE: [/^\d{5}$/, '10111'],
  ES: [/^\d{5}$/, '28001'],
  FI: [/^\d{5}$/, '00100'],
  FR: [/^\d{5}$/, '75001'],
  GB: [/^(?:[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}|GIR0AA|BFPO\d{1,4})$/, 'SW1A 1AA'],
  GR: [/^\d{5}$/, '105 57'],
  HR: [/^\d{5}$/, '10000'],
  HU: [/^\d{4}$/, '1011'],
  IT: [/^\d{5}$/, '00118'],
  LT: [/^\d{5}$/, '01100'],
  LU: [/^\d{4}$/, '1111'],
  LV: [/^\d{4}$/, '1050'],
  MT: [/^[A-Z]{2,3}\d{2,4}$/, 'VLT 1117'],
  NL: [/^\d{4}(?:[A-Z]{2})?$/, '1011 AB'],
  NO: [/^\d{4}$/, '0150'],
  PL: [/^\d{5}$/, '00-001'],
  PT: [/^\d{4}(?:\d{3})?$/, '1000-001'],
  RO: [/^\d{6}$/, '010011'],
  SE: [/^\d{5}$/, '111 20'],
  SI: [/^\d{4}$/, '1000'],
  SK: [/^\d{5}$/, '811 01'],
  US: [/^\d{5}(?:\d{4})?$/, '46222'],
}

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

/**
 * What is wrong with the postal code of an address, as far as that can be said: VAT can hang on it.
 * @returns a sentence; null for one that may be right, and for none
 */
export function postcodeProblem(
  country: string | null | undefined,
  postcode: string | null | undefined,
): string | null {
  const [pattern, example] = formats[country ?? ''] ?? []
  if (!pattern || !postcode) return null
  // Those of Malta begin with letters.
  const codes = [
    bareCode(postcode),
    postcode.normalize('NFKC').toUpperCase().replaceAll(/[\s-]/g, ''),
  ]
  return codes.some((code) => pattern.test(code))
    ? null
    : `Please enter a postal code of this country, such as ${example}`
}
