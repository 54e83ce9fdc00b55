/** Cents that someone reads, worked out beside the product: integers, halves up. */

/** A rate of VAT in tenths of a per cent: 255 for 25.5 %. */
export type Tenths = number

/** What a price comes to, in cents. */
export type Sum = { net: number; vat: number; gross: number }

/** A line of a price: its net amount, negative for a discount. */
export type Line = { text: string; net: number }

function divided(numerator: number, denominator: number): number {
  const sign = Math.sign(numerator)
  return sign * Math.floor((2 * Math.abs(numerator) + denominator) / (2 * denominator))
}

/** Amounts added up. */
export const sum = (amounts: readonly number[]): number =>
  amounts.reduce((all, amount) => all + amount, 0)

/** Lines with VAT on each of them. */
export function priceOf(lines: readonly Line[], rate: Tenths): Sum {
  let [net, gross] = [0, 0]
  for (const line of lines) {
    net += line.net
    gross += divided(line.net * (1000 + rate), 1000)
  }
  return { net, vat: gross - net, gross }
}

/** A part of a price, net and gross each rounded once. */
export function partOf({ net, gross }: Sum, percent: number): Sum {
  const [partNet, partGross] = [divided(net * percent, 100), divided(gross * percent, 100)]
  return { net: partNet, vat: partGross - partNet, gross: partGross }
}

/** What an invoice over a gross amount says: VAT is taken out of it once. */
export function invoiceOver(gross: number, rate: Tenths): Sum {
  const net = divided(gross * 1000, 1000 + rate)
  return { net, vat: gross - net, gross }
}

/** Every amount in euros in a text, in cents: `€1,116.95`, `−€5.00`, `€890`, and `1116.95 €`. */
export function amountsIn(text: string): number[] {
  const whole = String.raw`\d{1,3}(?:,\d{3})+|\d+`
  const written = new RegExp(`(−)?€(${whole})(?:\\.(\\d{2}))?|(-)?\\b(${whole})\\.(\\d{2}) €`, 'g')
  return [...text.matchAll(written)].map(([, less, euros, cents, minus, before = '', after]) => {
    const amount = Number((euros ?? before).replaceAll(',', '')) * 100 + Number(cents ?? after ?? 0)
    return less || minus ? -amount : amount
  })
}

const months =
  'January|February|March|April|May|June|July|August|September|October|November|December'

/**
 * Every date in words in a text, ranges as they are written: `14 May 2027`, `14–16 May 2027`.
 * The cents of an amount that a wrapped table puts before the rest of a range aren't a day.
 */
export function datesIn(text: string): string[] {
  const day = `\\d{1,2}(?: (?:${months})(?: \\d{4})?)?`
  const written = new RegExp(
    `(?:(?<![\\d€]|\\d[.,])${day} ?– ?)?\\d{1,2} (?:${months}) \\d{4}`,
    'g',
  )
  return [...text.replaceAll(/\s+/g, ' ').matchAll(written)].map(([found]) => found)
}
