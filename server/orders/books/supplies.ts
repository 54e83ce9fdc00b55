import { sum } from '#shared/money.ts'
import type { TaxGround } from '#shared/shop/tax.ts'
import type { InvoiceDocument } from '../documents/invoice-document.ts'
import { lineAmounts } from '../documents/line-amounts.ts'

/** What was supplied, as the books part it. */
export type Supply = 'goods' | 'files' | 'services'

/** What a document says of one supply at one rate, for one reason. Cents, negative on credit notes. */
export type SupplyRow = {
  readonly document: InvoiceDocument
  readonly supply: Supply
  readonly ground: TaxGround | null
  /** Whose VAT it is. */
  readonly country: string
  readonly rate: number
  readonly net: number
  readonly vat: number
  readonly gross: number
}

const supplyOf = ({ kind }: InvoiceDocument['lines'][number]): Supply => {
  if (kind === 'digital') return 'files'
  return kind === 'service' ? 'services' : 'goods'
}

/**
 * A document by supply, reason and rate. The rows make the document to the cent, VAT of each rate as the
 * document rounded it; returns and books are made of them alone, so their sums are the same.
 */
export function supplyRows(document: InvoiceDocument): SupplyRow[] {
  const amounts = lineAmounts(document)
  const lines = document.lines.map((line, at) => ({ ...line, ...amounts[at]! }))
  const groups = Map.groupBy(
    lines,
    (line) => `${supplyOf(line)} ${line.ground} ${line.taxCountry} ${line.rate}`,
  )
  return [...groups.values()].map((group) => {
    const first = group[0]!
    return {
      document,
      supply: supplyOf(first),
      ground: first.ground,
      country: first.taxCountry,
      rate: first.rate,
      net: sum(group.map(({ net }) => net)),
      vat: sum(group.map(({ vat }) => vat)),
      gross: sum(group.map(({ total }) => total)),
    }
  })
}
