import { inThousands } from './text/counted.ts'

// Every amount is a whole number of cents; nothing here is ever a fraction of one.

/** A VAT rate in per cent, such as 25.5. */
export type VatRate = number

/** The kinds of VAT in Finland: general, reduced, reduced for papers and magazines, none. */
export type VatClass = 'general' | 'reduced' | 'press' | 'none'

/** The rates by the day from which each counts, the newest first. */
const rates: Readonly<Record<VatClass, readonly (readonly [from: string, rate: VatRate])[]>> = {
  general: [
    ['2024-09-01', 25.5],
    ['2013-01-01', 24],
  ],
  reduced: [
    ['2026-01-01', 13.5],
    ['2013-01-01', 14],
  ],
  press: [['2013-01-01', 10]],
  none: [['2013-01-01', 0]],
}

/**
 * The rate that counts on a day.
 * @param date of the supply, or of a payment that comes before it; YYYY-MM-DD
 * @throws RangeError for days before 2013
 */
export function vatRate(vatClass: VatClass, date: string): VatRate {
  const found = rates[vatClass].find(([from]) => date >= from)
  if (!found) throw new RangeError(`No VAT rate is known for ${date}.`)
  return found[1]
}

/** Rates are kept in tenths of a per cent while they are computed with, so all is integer. */
const tenths = (rate: VatRate): bigint => BigInt(Math.round(rate * 10))

/** A division that rounds halves away from zero: a refund is the mirror image of its sale. */
function divided(dividend: bigint, divisor: bigint): bigint {
  const magnitude = dividend < 0n ? -dividend : dividend
  const rounded = (magnitude * 2n + divisor) / (divisor * 2n)
  return dividend < 0n ? -rounded : rounded
}

/** @throws RangeError for what isn't a whole number of cents, or too large to be exact */
function cents(amount: number): bigint {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is not an amount in cents.`)
  return BigInt(amount)
}

/** An amount without its VAT: `net` of `gross`, rounded to the cent, halves away from zero. */
export const netOf = (gross: number, rate: VatRate): number =>
  Number(divided(cents(gross) * 1000n, 1000n + tenths(rate)))

/** An amount with VAT put on it. */
export const grossOf = (net: number, rate: VatRate): number =>
  Number(divided(cents(net) * (1000n + tenths(rate)), 1000n))

/** What VAT a total has at one rate. */
export type VatLine = { rate: VatRate; net: number; vat: number; gross: number }

/**
 * The VAT of a document: the lines of each rate are added up first and rounded once, so that
 * net and VAT of every rate make its gross, and the gross of all rates makes the total.
 * @param lines gross amounts with their rates
 * @returns one line per rate, the highest rate first
 */
export function vatTable(lines: readonly { gross: number; rate: VatRate }[]): VatLine[] {
  const byRate = new Map<VatRate, bigint>()
  for (const { gross, rate } of lines) byRate.set(rate, (byRate.get(rate) ?? 0n) + cents(gross))
  return [...byRate]
    .toSorted(([a], [b]) => b - a)
    .map(([rate, added]) => {
      const gross = Number(added)
      const net = netOf(gross, rate)
      return { rate, net, vat: gross - net, gross }
    })
}

/** The sum of amounts. @throws RangeError when it is too large to be exact */
export function sum(amounts: Iterable<number>): number {
  let total = 0n
  for (const amount of amounts) total += cents(amount)
  const result = Number(total)
  cents(result)
  return result
}

/** A price so many times. */
export const times = (price: number, quantity: number): number =>
  sum([Number(cents(price) * cents(quantity))])

/**
 * An amount in parts by weight, such as a reduction over the lines of an order. The parts make the
 * amount to the cent: what rounding leaves goes to the largest remainders, the first ones first.
 * @param weights none negative; all zero counts as all equal
 */
export function shared(amount: number, weights: readonly number[]): number[] {
  if (weights.length === 0) return []
  if (amount < 0) return shared(-amount, weights).map((part) => (part === 0 ? 0 : -part))
  const given = weights.map(cents)
  const all = given.reduce((a, b) => a + b, 0n)
  const used = all === 0n ? given.map(() => 1n) : given
  const total = all === 0n ? BigInt(used.length) : all
  const products = used.map((weight) => cents(amount) * weight)
  const parts = products.map((product) => product / total)
  let left = cents(amount) - parts.reduce((a, b) => a + b, 0n)
  const byRemainder = products
    .map((product, index) => ({ index, remainder: product % total }))
    .toSorted((a, b) => (a.remainder < b.remainder ? 1 : a.remainder > b.remainder ? -1 : 0))
  for (const { index } of byRemainder) {
    if (left === 0n) break
    parts[index] = parts[index]! + 1n
    left -= 1n
  }
  return parts.map(Number)
}

/** The sign of an amount below zero for people, which no line breaks after as it does after a hyphen. */
const minus = '\u2212'

/**
 * An amount for people: `€1,234.50`, `−€5.00`. Put together here, since the first format of a currency
 * costs a browser 20 ms, and a telephone many times that, while a page comes alive. The command line has
 * it, too: with its sign of a currency no spreadsheet reads it as a number anyway, so that what is pasted
 * into one comes from exports, which write {@link decimal}, and what staff compare with an invoice looks
 * the same in both.
 */
export const euros = (amount: number): string => inEuros(decimal(amount))

/** An amount for people from what {@link decimal} writes, or with more decimals: `−€1,234.50`. */
export const inEuros = (text: string): string =>
  text.startsWith('-') ? `${minus}€${withThousands(text.slice(1))}` : `€${withThousands(text)}`

/** An amount above zero as {@link decimal} writes it, with its thousands apart: `1,234.50`. */
function withThousands(text: string): string {
  const [whole = '', part = ''] = text.split('.')
  return `${inThousands(whole)}.${part}`
}

/** An amount in euros with two decimals and a point, as files and programs read it: `-5.00`. */
export function decimal(amount: number): string {
  const magnitude = String(cents(Math.abs(amount))).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${magnitude.slice(0, -2)}.${magnitude.slice(-2)}`
}

/**
 * Reads an amount in euros as typed: `12`, `12.5`, `12,50`, `-3.00`, or with the minus of {@link euros}.
 * @returns cents, or null for anything else, such as three decimals
 */
export function parseEuros(text: string): number | null {
  const [, sign, whole, part = ''] =
    /^([-\u2212]?)(\d{1,12})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) return null
  const amount = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  return sign && amount > 0 ? -amount : amount
}

/** A rate for people: `25.5 %`. */
export const vatText = (rate: VatRate): string => `${rate} %`
