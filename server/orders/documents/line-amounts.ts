import { decimal, shared, withThousands } from '#shared/money.ts'
import type { InvoiceDocument } from './invoice-document.ts'

/** What a line comes to, in cents; negative on credit notes. */
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
    const parts = shared(
      net,
      at.map((index) => Math.abs(lines[index]!.total)),
    )
    for (const [part, index] of at.entries()) nets[index] = parts[part]!
  }
  return lines.map(({ total }, index) => ({ net: nets[index]!, vat: total - nets[index]! }))
}

/** {@link netUnitPrice} for people: `€1,155.38`. */
export const netUnitInEuros = (net: number, quantity: number): string =>
  `€${withThousands(netUnitPrice(net, quantity))}`

/**
 * The price of one piece without VAT, in euros with a point: two decimals where they are exact, else
 * as many as asked for (VAT Act 209 e §(2)(7)).
 * @param net of all pieces, in cents
 */
export function netUnitPrice(net: number, quantity: number, decimals: 4 | 5 = 4): string {
  const all = BigInt(Math.abs(net))
  const pieces = BigInt(Math.abs(quantity))
  if (all % pieces === 0n) return decimal(Number(all / pieces))
  const scale = 10n ** BigInt(decimals - 2)
  const units = (all * scale * 2n + pieces) / (pieces * 2n)
  const text = String(units).padStart(decimals + 1, '0')
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}
