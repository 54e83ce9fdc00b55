import { euros, grossOf, sum, times, type VatRate } from '../money.ts'
import { lengthOf } from '../dates/months.ts'
import { isByDates, type SaleUnit } from './sale-units.ts'

/**
 * A line of a booking's price, in cents: `net` is `quantity` times `price`, and `gross` is with VAT at
 * `rate` per cent. The amounts of a discount are negative.
 */
export type BookingLine = {
  kind: 'service' | 'travel' | 'extra' | 'discount'
  text: string
  quantity: number
  unit: SaleUnit | null
  price: number
  net: number
  rate: VatRate
  gross: number
}

/** What lines add up to, in cents. */
export type BookingTotal = { net: number; vat: number; gross: number }

/**
 * What cancelling costs. `isTravel` where the organiser cancelled the event, so that it is what travel
 * cost and no fee.
 */
export type CancellationFee = BookingTotal & { isTravel?: true | undefined }

/** Adds up lines, each rounded to the cent once. */
export function totalOf(lines: readonly Pick<BookingLine, 'net' | 'gross'>[]): BookingTotal {
  const net = sum(lines.map((line) => line.net))
  const gross = sum(lines.map((line) => line.gross))
  return { net, vat: gross - net, gross }
}

/** Makes a line of its price. */
export function lineOf(
  {
    kind,
    text,
    quantity = 1,
    unit = null,
    price,
  }: Pick<BookingLine, 'kind' | 'text' | 'price'> & Partial<Pick<BookingLine, 'quantity' | 'unit'>>,
  rate: VatRate,
): BookingLine {
  const net = times(price, quantity)
  return { kind, text, quantity, unit, price, net, rate, gross: grossOf(net, rate) }
}

/** A service as far as its price goes; `net` in cents for one unit. */
type PricedService = {
  title: string
  unit: SaleUnit
  priceFrom: { net: number; rate: VatRate } | null
}

/**
 * Lines whose VAT is rounded once over all of them, as the invoice has it: each rounded by itself, two of
 * €445 made €890.01 and its VAT there. The cents that are too many or too few are taken from the lines that
 * were rounded most.
 */
export function roundVatOnTotal(lines: readonly BookingLine[]): BookingLine[] {
  const rounded = lines.map((line) => lineOf(line, line.rate))
  for (const rate of new Set(rounded.map((line) => line.rate))) {
    const own = rounded.filter((line) => line.rate === rate)
    const { net, gross } = totalOf(own)
    const excess = gross - grossOf(net, rate)
    // By how much of a cent a line was rounded in the direction of what is to be taken off.
    const surplus = (line: BookingLine) =>
      (line.gross - line.net * (1 + rate / 100)) * Math.sign(excess)
    const most = own.toSorted((a, b) => surplus(b) - surplus(a)).slice(0, Math.abs(excess))
    for (const line of most) line.gross -= Math.sign(excess)
  }
  return rounded
}

/**
 * What a service costs on some dates: each day of one that is sold by the day, and once what is sold by
 * the event, month or project.
 * @returns no line for a service without a price
 */
export function serviceLines(
  { title, unit, priceFrom }: PricedService,
  { from, to }: { from: string; to: string },
): BookingLine[] {
  if (!priceFrom) return []
  const quantity = unit === 'day' ? lengthOf(from, to) : 1
  return [
    lineOf({ kind: 'service', text: title, quantity, unit, price: priceFrom.net }, priceFrom.rate),
  ]
}

/**
 * Whether a price is the least that it will be: work by month or project has a starting price until staff
 * offer or agree to one.
 */
export const isStartingPrice = ({
  unit,
  offer,
  agreement,
}: {
  unit: SaleUnit
  offer: object | null
  agreement: object | null
}): boolean => !isByDates(unit) && offer === null && agreement === null

/** The lines of a booking on other dates: days are recounted, everything else stays. */
export const linesOn = (
  lines: readonly BookingLine[],
  { from, to }: { from: string; to: string },
): BookingLine[] =>
  roundVatOnTotal(
    lines.map((line) =>
      line.unit === 'day' && line.kind === 'service'
        ? { ...line, quantity: lengthOf(from, to), net: times(line.price, lengthOf(from, to)) }
        : line,
    ),
  )

/**
 * The lines at another rate of VAT, such as none for a company abroad; the net prices stay. At the rate that
 * they have, they stay as they were agreed on.
 */
export const ratedAt = (lines: readonly BookingLine[], rate: VatRate): BookingLine[] =>
  lines.every((line) => line.rate === rate)
    ? [...lines]
    : roundVatOnTotal(lines.map((line) => ({ ...line, rate })))

/** An amount in few signs: `€890`, `€1,116.95`. */
const short = (cents: number): string => euros(cents).replace(/\.00$/, '')

/** A price for people, net first: "€890 + VAT (€1,116.95 incl. VAT)"; without VAT "€890, no VAT". */
export const priceInWords = ({ net, gross }: Pick<BookingTotal, 'net' | 'gross'>): string =>
  net === gross ? `${short(net)}, no VAT` : `${short(net)} + VAT (${short(gross)} incl. VAT)`

/** What cancelling costs, as a sentence. */
export const feeInWords = (fee: CancellationFee): string =>
  fee.isTravel
    ? `Travel costs of ${priceInWords(fee)} are due.`
    : `A cancellation fee of ${priceInWords(fee)} is due.`

/** What a booking costs in all, for people: "from €6,900, no VAT" while that is a starting price. */
export const totalInWords = (
  booking: Parameters<typeof isStartingPrice>[0] & { lines: readonly BookingLine[] },
): string => `${isStartingPrice(booking) ? 'from ' : ''}${priceInWords(totalOf(booking.lines))}`

/**
 * What a booking costs on the other dates that are asked for, in words.
 * @param now the current dates
 * @returns null where the price stays
 */
export function priceOn(
  lines: readonly BookingLine[],
  asked: { from: string; to: string },
  now: { from: string; to: string },
): string | null {
  const [then, before] = [asked, now].map((dates) => totalOf(linesOn(lines, dates)))
  return then!.gross === before!.gross ? null : priceInWords(then!)
}

/**
 * What is counted of a line: "3 days at €890", "1 month"; null where it is counted once and its price says
 * all, as that of an event or a project does.
 */
export function countInWords({ quantity, unit, price }: BookingLine): string | null {
  if (quantity === 1) return unit === 'day' || unit === 'month' ? `1 ${unit}` : null
  return unit === null ? `${quantity} × ${short(price)}` : `${quantity} ${unit}s at ${short(price)}`
}

/** A line for people: "Photography, 3 days at €890: €2,670 + VAT (€3,350.85 incl. VAT)". */
export function lineInWords(line: BookingLine): string {
  const count = countInWords(line)
  return `${line.text}${count ? `, ${count}` : ''}: ${priceInWords(line)}`
}
