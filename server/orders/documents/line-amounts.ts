import { decimal, inEuros, netOf, shared, sum } from '#shared/money.ts'
import type { InvoiceDocument } from './invoice-document.ts'

/** What a line comes to, in cents; negative on credit notes, and for a discount that is a line of its own. */
export type LineAmounts = { readonly net: number; readonly vat: number }

/**
 * What each line of a document comes to without VAT and in VAT. The lines of a rate make its row of the
 * VAT table to the cent, which is rounded once for the document.
 */
export function lineAmounts({
  lines,
  vat,
}: Pick<InvoiceDocument, 'lines' | 'vat'>): readonly LineAmounts[] {
  const nets = lines.map(() => 0)
  for (const { rate, net } of vat) {
    const at = lines.flatMap((line, index) => (line.rate === rate ? [index] : []))
    const parts = partsOf(
      net,
      at.map((index) => lines[index]!.total),
      rate,
    )
    for (const [part, index] of at.entries()) nets[index] = parts[part]!
  }
  return lines.map(({ total }, index) => ({ net: nets[index]!, vat: total - nets[index]! }))
}

/**
 * Splits the net amount of a rate over its lines. A discount that is a line of its own takes off what it
 * says, and the lines before it keep their prices.
 */
function partsOf(net: number, totals: readonly number[], rate: number): number[] {
  // A credit note has the amounts of its invoice to the cent.
  if (sum(totals) < 0) {
    const mirrored = totals.map((total) => -total)
    return partsOf(-net, mirrored, rate).map((part) => (part === 0 ? 0 : -part))
  }
  return totals.every((total) => total >= 0)
    ? shared(net, totals)
    : corrected(
        net,
        totals.map((total) => netOf(total, rate)),
      )
}

/** Amounts that make a sum: what rounding has left is a cent each, of the largest ones first. */
function corrected(whole: number, amounts: readonly number[]): number[] {
  const parts = [...amounts]
  const left = whole - sum(amounts)
  const bySize = amounts.map((_, at) => at).toSorted((a, b) => amounts[b]! - amounts[a]!)
  for (let given = 0; given < Math.abs(left); given += 1) {
    const at = bySize[given % bySize.length]!
    parts[at] = parts[at]! + Math.sign(left)
  }
  return parts
}

/** {@link netUnitPrice} for people: `€1,155.38`. */
export const netUnitInEuros = (net: number, quantity: number): string =>
  inEuros(netUnitPrice(net, quantity))

/**
 * The price of one piece without VAT, in euros with a point: two decimals where they are exact, else
 * as many as asked for (VAT Act 209 e §(2)(7)). It is negative where a line takes off from the document.
 * @param net of all pieces, in cents
 */
export function netUnitPrice(net: number, quantity: number, decimals: 4 | 5 = 4): string {
  const all = BigInt(Math.abs(net))
  const pieces = BigInt(Math.abs(quantity))
  const sign = net * quantity < 0 ? '-' : ''
  if (all % pieces === 0n) return sign + decimal(Number(all / pieces))
  const scale = 10n ** BigInt(decimals - 2)
  const units = (all * scale * 2n + pieces) / (pieces * 2n)
  const text = String(units).padStart(decimals + 1, '0')
  return `${sign}${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}
