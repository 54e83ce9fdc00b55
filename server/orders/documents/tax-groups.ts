import { sum } from '#shared/money.ts'
import type { InvoiceDocument } from './invoice-document.ts'
import { lineAmounts } from './line-amounts.ts'

type Line = InvoiceDocument['lines'][number]

/**
 * The VAT category of electronic invoices (UNTDID 5305, as EN 16931 uses it): standard, zero, exempt,
 * reverse charge, intra-Community supply, export, outside the scope.
 */
export type VatCategory = 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O'

/** What a document comes to in one category at one rate; cents. */
export type TaxGroup = {
  readonly category: VatCategory
  /** Per cent. */
  readonly rate: number
  readonly net: number
  readonly vat: number
  /** Why no VAT is charged, as the lines say it; null where it is. */
  readonly reason: string | null
}

/** A line of a document with its VAT category and its amounts. */
export type TaxedLine = Line & {
  readonly category: VatCategory
  readonly net: number
  readonly vat: number
}

/** The lines of a document as electronic invoices need them. */
export function taxedLines(document: InvoiceDocument): TaxedLine[] {
  const amounts = lineAmounts(document)
  return document.lines.map((line, at) => ({
    ...line,
    ...amounts[at]!,
    category: categoryOf(line, document),
  }))
}

/** What a document comes to by category and rate; the groups make its total. */
export function taxGroups(document: InvoiceDocument): TaxGroup[] {
  const groups = Map.groupBy(taxedLines(document), ({ category, rate }) => `${category} ${rate}`)
  return [...groups.values()].map((lines) => {
    const [{ category, rate, reason }] = lines as [TaxedLine]
    return {
      category,
      rate,
      net: sum(lines.map(({ net }) => net)),
      vat: sum(lines.map(({ vat }) => vat)),
      reason: category === 'S' ? null : (reason ?? document.exemption ?? 'VAT 0 %'),
    }
  })
}

function categoryOf({ rate, ground }: Line, { lines, exemption }: InvoiceDocument): VatCategory {
  if (rate > 0) return 'S'
  switch (ground) {
    case 'intra-community':
      return 'K'
    case 'reverse-charge':
      return 'AE'
    case 'export':
    case 'aland':
      return 'G'
    case 'outside-eu':
      // What is outside the scope has no other category beside it (EN 16931, BR-O-11).
      return lines.every((line) => line.ground === 'outside-eu') ? 'O' : 'E'
    case null:
      return exemption === null ? 'Z' : 'AE'
    default:
      return 'Z'
  }
}
