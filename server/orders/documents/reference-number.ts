/**
 * Finnish reference numbers (viitenumero, Finanssiala "Kotimaisen viitteen rakenneohje") and their
 * international form (RF, ISO 11649).
 */

/**
 * Adds the check digit to a base number: weights 7, 3, 1 from the right.
 * @param base 3 to 19 digits
 * @returns 4 to 20 digits
 * @throws RangeError when the base is none
 */
export function referenceNumber(base: string): string {
  const digits = base.replace(/^0+/, '')
  if (!/^\d{3,19}$/.test(digits)) {
    throw new RangeError(`A reference number is made from 3 to 19 digits, not from ${base}.`)
  }
  return digits + checkDigit(digits)
}

/** Whether a text is a reference number with the right check digit; spaces and leading zeros count for nothing. */
export function isReferenceNumber(text: string): boolean {
  const digits = plainReference(text)
  return /^\d{4,20}$/.test(digits) && checkDigit(digits.slice(0, -1)) === Number(digits.at(-1))
}

/** A reference number without spaces and leading zeros, as numbers of one payment are compared. */
export const plainReference = (text: string): string =>
  text.replaceAll(/\s/g, '').replace(/^0+/, '')

/** A reference number for people: in groups of five, counted from the right. */
export const printedReference = (reference: string): string => grouped(plainReference(reference), 5)

/**
 * The international form of a national reference number.
 * @param reference national, with its check digit
 * @returns such as RF9811112
 */
export function rfReference(reference: string): string {
  const digits = plainReference(reference)
  // R is 27 and F is 15; the check digits are 00 while they are worked out.
  const check = 98 - Number(BigInt(`${digits}271500`) % 97n)
  return `RF${String(check).padStart(2, '0')}${digits}`
}

/** An RF reference for people: in groups of four, from the left. */
export const printedRf = (rf: string): string => rf.replaceAll(/(.{4})(?=.)/g, '$1 ')

/**
 * How a buyer whose bank is abroad names an invoice: only Finnish banks know the national reference
 * number, and the barcode that has it.
 * @returns null for buyers in Finland and for documents that don't say where theirs is
 */
export function paidFromAbroad({
  buyer,
  seller,
  rf,
}: {
  buyer: { country: string | null }
  seller: { bic: string | null }
  rf: string
}): { bic: string | null; reference: string } | null {
  if (buyer.country === null || ['FI', 'AX'].includes(buyer.country)) return null
  return { bic: seller.bic, reference: printedRf(rf) }
}

/** The national number inside an RF reference, or null when its check digits are wrong. */
export function nationalReference(rf: string): string | null {
  const [, check, digits] = rf.replaceAll(/\s/g, '').match(/^RF(\d{2})(\d{4,21})$/i) ?? []
  if (!check || !digits) return null
  const reference = plainReference(digits)
  return BigInt(`${reference}2715${check}`) % 97n === 1n ? reference : null
}

function checkDigit(digits: string): number {
  const weights = [7, 3, 1] as const
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    sum += Number(digits[digits.length - 1 - at]) * weights[at % 3]!
  }
  return (10 - (sum % 10)) % 10
}

function grouped(digits: string, size: number): string {
  const first = digits.length % size
  const groups = first > 0 ? [digits.slice(0, first)] : []
  for (let at = first; at < digits.length; at += size) groups.push(digits.slice(at, at + size))
  return groups.join(' ')
}

/** An IBAN as people read it, in groups of four. */
export const printedIban = (iban: string): string =>
  iban.replaceAll(/\s/g, '').replaceAll(/(.{4})(?=.)/g, '$1 ')
