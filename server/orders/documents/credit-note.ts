import type { CivilDate } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { euros, shared, sum, times, vatTable } from '#shared/money.ts'
import type { InvoiceDocument } from './invoice-document.ts'

type Line = InvoiceDocument['lines'][number]

/** What of an invoice is credited. */
export type CreditRequest =
  | { readonly all: true }
  | {
      /** Lines of the invoice by their place, from 0: so many pieces, an amount, or all that is left. */
      readonly lines?: readonly {
        readonly line: number
        readonly quantity?: number
        readonly amount?: number
      }[]
      /** An amount spread over all that is left, by value, such as a price reduction or goodwill. */
      readonly amount?: number
    }

/** What is left of a line after earlier credit notes. Cents, and pieces that were not returned. */
export type LineRest = { readonly left: number; readonly pieces: number }

/** What is left of each line of an invoice after its credit notes. */
export function restOf(invoice: InvoiceDocument, credits: readonly InvoiceDocument[]): LineRest[] {
  // Credit notes of earlier versions took everything back, and name no lines.
  const isWhole = credits.some(({ lines }) => lines.some(({ line }) => line === null))
  return invoice.lines.map(({ total, quantity }, at) => {
    if (isWhole) return { left: 0, pieces: 0 }
    const credited = credits.flatMap(({ lines }) => lines).filter(({ line }) => line === at)
    const returned = credited.filter(({ isReduction }) => !isReduction)
    return {
      left: sum([total, ...credited.map((each) => each.total)]),
      pieces: quantity + sum(returned.map((each) => each.quantity)),
    }
  })
}

/**
 * The credit note for a part of an invoice, or for all that is left of it. VAT is that of its lines; the
 * note that takes the last cent of a rate takes the rest of its VAT, so all together make nothing.
 * @param credits earlier credit notes of the invoice
 * @throws wrong-state for more than is left, for a line that is none, and when nothing is left
 */
export function newCreditNote(
  invoice: InvoiceDocument,
  credits: readonly InvoiceDocument[],
  requested: CreditRequest,
  { number, today, reason }: { number: number; today: CivilDate; reason: string | null },
): InvoiceDocument {
  const rest = restOf(invoice, credits)
  const lines = linesOf(invoice, rest, requested).map((line) => ({ ...line, discount: 0 }))
  if (lines.length === 0) throw refused('There’s nothing left to credit on this invoice.')
  if (!('all' in requested)) mustBeLeft(invoice, rest, lines)
  return {
    ...invoice,
    covered: 0,
    giftCard: null,
    discountCode: null,
    kind: 'credit',
    number,
    refersTo: invoice.number,
    issuedOn: today,
    dueOn: null,
    paid: true,
    remark: reason,
    lines,
    vat: vatOf(invoice, credits, lines),
    total: sum(lines.map(({ total }) => total)),
    barcode: null,
  }
}

/**
 * Whole lines or pieces to credit, with the discounts of their rates where less is left than their prices: a
 * discount goes with what it was taken off. Where even that is too much, since what was kept is worth less
 * than the discounts, all that is left goes.
 */
export function withDiscounts(
  invoice: InvoiceDocument,
  rest: readonly LineRest[],
  wanted: readonly { readonly line: number; readonly quantity?: number }[],
): CreditRequest {
  if (wanted.length === 0) return { lines: [] }
  const named = new Set(wanted.map(({ line }) => line))
  const credited = linesOf(invoice, rest, { lines: wanted })
  const short = new Set(
    invoice.vat.flatMap(({ rate }) => {
      const own = -sum(credited.filter((line) => line.rate === rate).map(({ total }) => total))
      const left = sum(rest.map((each, at) => (invoice.lines[at]!.rate === rate ? each.left : 0)))
      return own > left ? [rate] : []
    }),
  )
  const lines = [
    ...wanted,
    ...rest.flatMap(({ left }, line) =>
      left < 0 && !named.has(line) && short.has(invoice.lines[line]!.rate) ? [{ line }] : [],
    ),
  ]
  const total = sum(linesOf(invoice, rest, { lines }).map((line) => line.total))
  return total < 0 || short.size === 0 ? { lines } : { all: true }
}

function linesOf(
  invoice: InvoiceDocument,
  rest: readonly LineRest[],
  requested: CreditRequest,
): Line[] {
  const whole = (at: number): Line[] => {
    const { left, pieces } = rest[at]!
    const line = invoice.lines[at]!
    if (left === 0) return []
    // What was reduced before is no longer so many times its price.
    const isPlain = times(line.unit, pieces) === left
    return [
      isPlain
        ? { ...line, line: at, quantity: -pieces, total: -left }
        : { ...line, line: at, quantity: pieces === 0 ? -1 : -pieces, unit: left, total: -left },
    ]
  }
  const reduced = (at: number, amount: number): Line => ({
    ...invoice.lines[at]!,
    title: `${invoice.lines[at]!.title}: reduction`,
    line: at,
    isReduction: true,
    quantity: -1,
    unit: amount,
    total: -amount,
  })
  if ('all' in requested) return invoice.lines.flatMap((_, at) => whole(at))

  const lines = (requested.lines ?? []).flatMap(({ line: at, quantity, amount }): Line[] => {
    const line = invoice.lines[at]
    if (!line) throw refused(`The invoice has no line ${at + 1}; it has ${invoice.lines.length}.`)
    const { left, pieces } = rest[at]!
    if (amount !== undefined) {
      if (amount > left) throw tooMuch(`line ${at + 1}`, left)
      return [reduced(at, amount)]
    }
    if (quantity === undefined || quantity === pieces) return whole(at)
    if (quantity > pieces) {
      throw refused(`Line ${at + 1} has ${pieces} ${pieces === 1 ? 'piece' : 'pieces'} left.`)
    }
    if (left === 0) return []
    // Of what was reduced before, each piece has its part: a cent at least, or the note says nothing.
    const total = Math.max(1, shared(left, [quantity, pieces - quantity])[0]!)
    return [{ ...line, line: at, quantity: -quantity, total: -total }]
  })
  const seen = new Set(lines.map(({ line }) => line))
  if (seen.size < lines.length) throw refused('Name each line once.')
  if (requested.amount === undefined) return lines
  const lefts = rest.map(({ left }, at) => (seen.has(at) ? 0 : left))
  const left = sum(lefts)
  if (requested.amount > left) throw tooMuch('the invoice', left)
  const parts = shared(requested.amount, lefts)
  return [...lines, ...parts.flatMap((part, at) => (part === 0 ? [] : [reduced(at, part)]))]
}

/**
 * Refuses a note over more than is left of the invoice, or of a rate of VAT, and one that takes nothing
 * off: where a discount is a line of its own, the lines that it's taken from are more than their sum.
 */
function mustBeLeft(
  invoice: InvoiceDocument,
  rest: readonly LineRest[],
  lines: readonly Line[],
): void {
  const credited = -sum(lines.map(({ total }) => total))
  const discounted = invoice.lines.findIndex(({ total }) => total < 0)
  if (discounted === -1) return
  const advice = `Line ${discounted + 1} is a discount: credit it together with what it’s taken off, or credit an amount.`
  if (credited <= 0) throw refused(`A credit note has to take something off. ${advice}`)
  const left = sum(rest.map((each) => each.left))
  if (credited > left) {
    throw refused(`That’s ${euros(credited)}, and the invoice has ${euros(left)} left. ${advice}`)
  }
  for (const { rate } of invoice.vat) {
    const own = -sum(lines.filter((line) => line.rate === rate).map(({ total }) => total))
    const ofRate = sum(rest.map((each, at) => (invoice.lines[at]!.rate === rate ? each.left : 0)))
    if (own > Math.max(0, ofRate)) {
      throw refused(
        `That’s ${euros(own)} at ${rate} % VAT, and the invoice has ${euros(ofRate)} left at that rate. ${advice}`,
      )
    }
  }
}

function vatOf(
  invoice: InvoiceDocument,
  credits: readonly InvoiceDocument[],
  lines: readonly Line[],
): InvoiceDocument['vat'] {
  const own = vatTable(lines.map(({ total, rate }) => ({ gross: total, rate })))
  return own.map((row) => {
    const before = [invoice, ...credits].flatMap(({ vat }) =>
      vat.filter(({ rate }) => rate === row.rate),
    )
    const left = {
      net: sum(before.map(({ net }) => net)),
      vat: sum(before.map(({ vat }) => vat)),
      gross: sum(before.map(({ gross }) => gross)),
    }
    if (left.gross + row.gross !== 0) return row
    return { rate: row.rate, net: minus(left.net), vat: minus(left.vat), gross: minus(left.gross) }
  })
}

const refused = (message: string) => failure('wrong-state', { message })

const tooMuch = (what: string, left: number) =>
  refused(`That’s more than is left of ${what}: ${euros(left)}.`)

/** An amount taken back; never a negative zero. */
const minus = (amount: number): number => (amount === 0 ? 0 : -amount)
