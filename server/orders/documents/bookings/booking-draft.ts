import { stateProblem } from '#shared/shop/address-rules.ts'
import { daysInWords } from '#shared/bookings/dates-in-words.ts'
import type { BookingPart } from '#shared/bookings/invoice-parts.ts'
import {
  countInWords,
  totalOf,
  type BookingLine,
  type BookingTotal,
  type CancellationFee,
} from '#shared/bookings/price.ts'
import { partOf } from '#shared/bookings/cancellation.ts'
import { failure } from '#shared/failures.ts'
import { euros, grossOf, sum, vatTable } from '#shared/money.ts'
import type { SaleUnit } from '#shared/bookings/sale-units.ts'
import type { VatCheck } from '#shared/shop/vat-check.ts'

/** What of a booking its invoices are made from. */
export type BookedWork = {
  readonly reference: string
  readonly state: string
  readonly unit: SaleUnit
  /** Of a service by month or project: its start, in both. */
  readonly from: string
  readonly to: string
  readonly place: string
  readonly name: string
  readonly email: string
  readonly company: string | null
  readonly country: string | null
  readonly vatId: string | null
  readonly vatCheck: VatCheck | null
  readonly street: string | null
  readonly postcode: string | null
  readonly city: string | null
  /** State, province or territory. */
  readonly region: string | null
  readonly lines: readonly BookingLine[]
  /** When its price was agreed on last, in milliseconds, and under which terms of service. */
  readonly agreement: { readonly agreedAt: number; readonly termsVersion: string } | null
}

/** What staff ask to be invoiced; nothing of it for all that is left. */
export type AskedPart = {
  /** What all of it costs including VAT, in cents, where that was agreed on otherwise. */
  readonly whole?: number | null
  /** Per cent of the whole. */
  readonly deposit?: number | null
  /** Chosen lines, by their places in the list, the first being 1. */
  readonly lines?: readonly number[] | null
}

/** An invoice of the current booking. */
export type EarlierPart = {
  readonly order: string
  readonly invoice: number | null
  readonly part: BookingPart
  readonly lines: readonly number[] | null
  /** Cents; without what was credited of it, where another price was agreed on since. */
  readonly total: number
  readonly net: number
  /** What was credited of it and counts as not invoiced, in cents. */
  readonly credited: { readonly net: number; readonly gross: number }
  /** Of VAT, in per cent. */
  readonly rate: number
  /** What all of the booking cost when it was issued; null once other dates or lines were agreed on. */
  readonly whole: number | null
}

/** A line as the invoice has it; `total` includes VAT. */
export type DraftLine = { title: string; total: number; rate: number }

/** An invoice before it is issued. */
export type BookingDraft = {
  part: BookingPart
  lines: DraftLine[]
  chosen: number[] | null
  total: BookingTotal
  /** What all of the booking costs including VAT. */
  whole: number
  /** What was credited of earlier invoices, including VAT, and is invoiced again with a balance. */
  credited: number
  /** The price of all of it that leaves `credited` out of the balance; null where nothing would be left. */
  wholeWithoutCredited: number | null
}

/**
 * Works out what the next invoice of a booking is over: the whole, a deposit of it, chosen lines, or
 * what is left. The amounts of all invoices add up to the whole to the cent.
 * @param rate of VAT for this buyer, in per cent
 * @throws wrong-state with a sentence when nothing is left, or the price is not known
 */
export function draftOf(
  booking: BookedWork,
  before: readonly EarlierPart[],
  asked: AskedPart,
  rate: number,
): BookingDraft {
  const { reference, lines } = booking
  const earlier = before.filter(({ part }) => part !== 'fee')
  // An invoice at another rate of VAT counts by its net amount, since that is what was agreed on.
  const isRatedAnew = earlier.some((each) => each.rate !== rate)
  const done = sum(
    earlier.map((each) => (each.rate === rate ? each.total : grossOf(each.net, rate))),
  )
  const credited = sum(
    earlier.map((each) =>
      each.rate === rate ? each.credited.gross : grossOf(each.credited.net, rate),
    ),
  )
  const agreed = totalOf(lines).gross
  const names = earlier.map(({ order }) => order).join(' and ')
  const last = earlier.at(-1)
  const wholeBefore = isRatedAnew ? null : (last?.whole ?? null)
  const whole = asked.whole ?? wholeBefore ?? (lines.length > 0 ? agreed : null)
  if (whole === null) {
    throw refused(`Booking ${reference} has no price yet. Name one, or make an offer.`)
  }
  const isDone =
    wholeBefore === null ? done === whole : done >= wholeBefore || last?.part === 'rest'
  if (last && isDone) {
    throw refused(`Booking ${reference} is already fully invoiced: order ${names}.`)
  }
  if (last && wholeBefore === null && done > whole) {
    throw refused(
      `Order ${names} of booking ${reference} is over ${euros(done)}${credited > 0 ? ' after credit notes' : ''}, and it costs ${euros(whole)} now. Credit the difference on that order.`,
    )
  }
  const named = earlier.length > 0 || whole !== agreed
  const title = titleOf(booking)
  const made = (part: BookingPart, drafted: DraftLine[], chosen: number[] | null = null) => ({
    part,
    lines: drafted,
    chosen,
    total: totalsOf(drafted),
    whole,
    ...(part === 'rest' && credited > 0
      ? {
          credited,
          wholeWithoutCredited: whole - credited > done ? whole - credited : null,
        }
      : nothingCredited),
  })
  const single = (part: BookingPart, prefix: string, total: number) =>
    made(part, [{ title: prefix + title, total, rate }])
  if (asked.lines) {
    const chosen = chosenLines(booking, earlier, asked.lines)
    const drafted = chosen.map((at) => draftLine(booking, lines[at - 1]!))
    const { gross } = totalsOf(drafted)
    const isDiscounted = lines.some((line) => line.gross < 0)
    if (isDiscounted && (gross <= 0 || done + gross > whole)) {
      throw refused(
        `What you chose comes to ${euros(gross)}, and ${euros(whole - done)} is left to invoice. Invoice the discount together with the work it’s taken off.`,
      )
    }
    return made('lines', drafted, chosen)
  }
  if (typeof asked.deposit === 'number') {
    if (earlier.length > 0) {
      throw refused(
        `Booking ${reference} already has a deposit invoice: order ${names}. Invoice the balance instead.`,
      )
    }
    const { gross } = partOf({ net: 0, vat: whole, gross: whole }, asked.deposit)
    return single('deposit', `Deposit of ${asked.deposit} %: `, gross)
  }
  if (!last) {
    return named
      ? single('whole', '', whole)
      : made(
          'whole',
          lines.map((line) => draftLine(booking, line)),
        )
  }
  if (whole <= done) {
    throw refused(`${euros(whole)} is no more than the deposit of ${euros(done)}: order ${names}.`)
  }
  const numbers = earlier.flatMap(({ invoice }) => (invoice === null ? [] : [invoice]))
  const after = numbers.length > 0 ? ` (invoice ${numbers.join(', ')})` : ''
  const what = earlier[0]!.part === 'deposit' ? 'the deposit' : 'what was invoiced'
  return single('rest', `Balance of ${euros(whole)} after ${what}${after}: `, whole - done)
}

/** What a line says on the invoice: the work, its days and its place. */
export const draftLine = (booking: BookedWork, line: BookingLine): DraftLine => {
  const count = countInWords(line)
  const text = count ? `${line.text}, ${count}` : line.text
  return {
    title: line.kind === 'service' ? `${text}, ${whereAndWhen(booking)}` : text,
    total: line.gross,
    rate: line.rate,
  }
}

const whereAndWhen = (booking: BookedWork): string =>
  [daysInWords(booking), booking.place, `booking ${booking.reference}`].filter(Boolean).join(', ')

/** The whole work in a line. */
const titleOf = (booking: BookedWork): string =>
  `${booking.lines[0]?.text ?? 'Booked work'}, ${whereAndWhen(booking)}`

/** @throws wrong-state for lines that there aren't, or that are invoiced already */
function chosenLines(
  { reference, lines }: BookedWork,
  earlier: readonly EarlierPart[],
  asked: readonly number[],
): number[] {
  if (earlier.some(({ part }) => part !== 'lines')) {
    throw refused(
      `Booking ${reference} has a deposit invoice, so only the balance can be invoiced.`,
    )
  }
  const taken = new Set(earlier.flatMap((each) => each.lines ?? []))
  for (const at of asked) {
    if (!lines[at - 1]) throw refused(`Booking ${reference} has no line ${at}.`)
    if (taken.has(at)) throw refused(`Line ${at} of booking ${reference} is already invoiced.`)
  }
  return [...new Set(asked)].toSorted((a, b) => a - b)
}

/** What drafted lines add up to, with the VAT of each rate rounded once, as the invoice has it. */
function totalsOf(lines: readonly DraftLine[]): BookingTotal {
  const table = vatTable(lines.map(({ total, rate }) => ({ gross: total, rate })))
  return {
    net: sum(table.map(({ net }) => net)),
    vat: sum(table.map(({ vat }) => vat)),
    gross: sum(table.map(({ gross }) => gross)),
  }
}

const nothingCredited = { credited: 0, wholeWithoutCredited: null } as const

/** The invoice of what a cancellation costs. Of lost travel, its lines are the ones chosen. */
export function feeDraft(
  booking: BookedWork,
  { gross, isTravel }: CancellationFee,
  rate: number,
): BookingDraft {
  const what = isTravel ? 'Travel costs, cancelled by the organiser:' : 'Cancellation of'
  const lines = [{ title: `${what} ${titleOf(booking)}`, total: gross, rate }]
  const travel = booking.lines.flatMap(({ kind }, at) => (kind === 'travel' ? [at + 1] : []))
  const chosen = isTravel ? travel : null
  return { part: 'fee', lines, chosen, total: totalsOf(lines), whole: gross, ...nothingCredited }
}

/** Up to so much, including VAT, an invoice to a consumer needs no address (VAT Act 209 f). */
const simplifiedUpTo = 40_000

/**
 * Whether an invoice has to name the whole address of its buyer: that of every company, and of everyone
 * above €400 (VAT Act 209 e and 209 f).
 * @param about `total` in cents, including VAT
 */
export const needsFullAddress = ({
  company,
  total,
}: {
  company: string | null
  total: number
}): boolean => company !== null || total > simplifiedUpTo

/** A field of the address that an invoice may need. */
export type AddressField = 'country' | 'street' | 'postcode' | 'city' | 'region'

/** What the law wants on an invoice and no one has told yet, by the names of the fields. */
export function missingForInvoice(
  { company, country, street, postcode, city, region }: BookedWork,
  gross: number,
): AddressField[] {
  if (!needsFullAddress({ company, total: gross })) return []
  const known = { country: company === null ? (country ?? 'FI') : country, street, postcode, city }
  const fields = ['country', 'street', 'postcode', 'city'] as const
  return [
    ...fields.filter((field) => !known[field]),
    ...(stateProblem(country, region) === null ? [] : (['region'] as const)),
  ]
}

const refused = (message: string) => failure('wrong-state', { message })
