import { sum, vatRate } from '#shared/money.ts'
import type { InvoiceDocument } from '../documents/invoice-document.ts'
import { supplyRows, type Supply, type SupplyRow } from './supplies.ts'

/** The boxes of the Finnish VAT return that sales fill, by their numbers. */
export const vatBoxes = {
  301: {
    name: 'Tax on domestic sales, general rate',
    finnish: 'Vero kotimaan myynneistä: 25,5 % (24 %)',
  },
  302: {
    name: 'Tax on domestic sales, reduced rate',
    finnish: 'Vero kotimaan myynneistä: 13,5 % (14 %)',
  },
  303: { name: 'Tax on domestic sales, 10 %', finnish: 'Vero kotimaan myynneistä: 10 %' },
  309: {
    name: 'Turnover taxable at zero VAT rate',
    finnish: '0-verokannan alainen liikevaihto',
  },
  311: {
    name: 'Sales of goods to other EU Member States',
    finnish: 'Tavaroiden myynnit muihin EU-maihin',
  },
  312: {
    name: 'Sales of services to other EU Member States',
    finnish: 'Palveluiden myynnit muihin EU-maihin',
  },
} as const

/** The number of a box. */
export type VatBox = keyof typeof vatBoxes

const numbers = [301, 302, 303, 309, 311, 312] as const satisfies readonly VatBox[]

/**
 * The box of the Finnish return that a supply goes to.
 * @returns null for VAT of other states, which has returns of its own
 */
export function boxOf({
  ground,
  rate,
  document,
}: Pick<SupplyRow, 'ground' | 'rate' | 'document'>): VatBox | null {
  switch (ground) {
    case 'oss':
    case 'performed-abroad':
      return null
    case 'intra-community':
      return 311
    case 'reverse-charge':
      return 312
    case 'export':
    case 'aland':
    case 'outside-eu':
      return 309
    default:
      return rate === 0 ? 309 : domesticBox(rate, document)
  }
}

/** A credit note of a new year may still have the rate of the old one, so rates of both days count. */
function domesticBox(rate: number, { issuedOn }: InvoiceDocument): VatBox {
  if (rate === vatRate('press', issuedOn)) return 303
  return rate >= 20 ? 301 : 302
}

/** A box with what goes into it: cents of VAT for 301 to 303, of sales without VAT for the others. */
export type ReturnLine = {
  readonly box: VatBox
  readonly name: string
  readonly finnish: string
  readonly amount: number
}

/** The part of the Finnish VAT return that documents of some days fill; every box, empty ones too. */
export function vatReturn(documents: readonly InvoiceDocument[]): ReturnLine[] {
  const rows = documents.flatMap(supplyRows)
  return numbers.map((box) => {
    const own = rows.filter((row) => boxOf(row) === box)
    const amount = sum(own.map(({ net, vat }) => (box <= 303 ? vat : net)))
    return { box, ...vatBoxes[box], amount }
  })
}

/** A line of the recapitulative statement: what a VAT number bought in a month; cents. */
export type EuSalesLine = {
  /** As VAT numbers begin: EL for Greece, XI for Northern Ireland. */
  readonly country: string
  /** The rest of the number. */
  readonly vatId: string
  readonly buyer: string
  readonly goods: number
  readonly services: number
}

/** The recapitulative statement of documents of a month (VAT Act 162 e). Its sums are boxes 311 and 312. */
export function euSalesList(documents: readonly InvoiceDocument[]): EuSalesLine[] {
  const rows = documents
    .flatMap(supplyRows)
    .filter((row) => boxOf(row) === 311 || boxOf(row) === 312)
  const groups = Map.groupBy(rows, ({ document }) => document.buyer.vatId ?? '')
  return (
    [...groups]
      .map(([number, own]) => {
        const of = (box: VatBox) =>
          sum(own.filter((row) => boxOf(row) === box).map(({ net }) => net))
        const { company, name } = own.at(-1)!.document.buyer
        return {
          country: number.slice(0, 2),
          vatId: number.slice(2),
          buyer: company ?? name,
          goods: of(311),
          services: of(312),
        }
      })
      // What was credited whole in its month is nothing to report.
      .filter(({ goods, services }) => goods !== 0 || services !== 0)
      .toSorted((a, b) => (a.country + a.vatId < b.country + b.vatId ? -1 : 1))
  )
}

/**
 * A state as the return of the One Stop Shop names it: EL for Greece, and XI for Northern Ireland, which is
 * all of the United Kingdom that the return knows.
 * @param country ISO 3166-1 alpha-2 of a row with ground `oss`
 */
export const ossState = (country: string): string =>
  country === 'GR' ? 'EL' : country === 'GB' ? 'XI' : country

/** A line of the quarterly report of the One Stop Shop: what was sold at one rate of one state. Cents. */
export type OssRow = {
  /** As {@link ossState} names it. */
  country: string
  kind: 'goods' | 'services'
  rate: number
  net: number
  vat: number
  gross: number
  /** The earlier quarter whose return it corrects; null for sales of the quarter itself. */
  corrects: string | null
}

/**
 * The One Stop Shop return of documents of a quarter: VAT of other states, as it was charged. What is taken
 * off a sale of an earlier quarter is a correction of that one (Regulation (EU) 282/2011, art. 61).
 * @param correctedBy the earlier quarter that a document corrects
 */
export function ossReport(
  documents: readonly InvoiceDocument[],
  correctedBy: (document: InvoiceDocument) => string | null,
): OssRow[] {
  const kindOf = (supply: Supply) => (supply === 'goods' ? 'goods' : 'services')
  const rows = documents
    .flatMap(supplyRows)
    .filter(({ ground }) => ground === 'oss')
    .map((row) => ({
      ...row,
      country: ossState(row.country),
      corrects: correctedBy(row.document),
    }))
  const groups = Map.groupBy(
    rows,
    ({ country, supply, rate, corrects }) =>
      `${corrects ?? ''} ${country} ${kindOf(supply)} ${String(rate).padStart(5)}`,
  )
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]): OssRow => ({
      country: own[0]!.country,
      kind: kindOf(own[0]!.supply),
      rate: own[0]!.rate,
      net: sum(own.map(({ net }) => net)),
      vat: sum(own.map(({ vat }) => vat)),
      gross: sum(own.map(({ gross }) => gross)),
      corrects: own[0]!.corrects,
    }))
    .filter(({ net, vat }) => net !== 0 || vat !== 0)
}

/**
 * What a seller in one member state may sell to consumers in the others in a calendar year with the VAT
 * of his own: cents without VAT (Directive 2006/112/EC, art. 59c).
 */
export const ossThreshold = 1_000_000

/** The part of it from which staff are warned. */
const warnFrom = 0.8

/** What was sold to consumers in other member states in a year, in cents without VAT. */
export type OssYear = {
  year: number
  net: number
  state: 'below' | 'near' | 'over'
}

/**
 * Counts sales to consumers in other member states, credit notes taken off. Files and licences count
 * as well as goods; services that follow the seller's own place do not.
 */
export function ossYear(documents: readonly InvoiceDocument[], year: number): OssYear {
  const net = sum(
    documents
      .flatMap(supplyRows)
      .filter(({ ground }) => ground === 'distance-sale' || ground === 'oss')
      .map((row) => row.net),
  )
  const part = net / ossThreshold
  return { year, net, state: part > 1 ? 'over' : part >= warnFrom ? 'near' : 'below' }
}
