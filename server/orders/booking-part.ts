import { failure } from '#shared/failures.ts'
import { euros, shared, sum } from '#shared/money.ts'

/** What a booking costs, in cents including VAT. */
export type BookedPrice = {
  /** What staff say that all of it costs; null to take what is known. */
  readonly named: number | null
  /** What its service costs by its price; null where it has none. */
  readonly listed: number | null
  /** Per cent of the whole that this invoice is over; null for all that is left. */
  readonly deposit: number | null
}

/** An order of the booking that stands. */
type Earlier = {
  readonly order: string
  readonly invoice: number | null
  readonly total: number
  /** What all of the booking costs, as it was said then. */
  readonly whole: number
}

/**
 * Works out what the next invoice of a booking is over: the whole, a deposit of it, or what a deposit
 * left.
 * @returns cents, and what stands before the title of the work
 * @throws clash with a sentence when nothing is left, or the whole is not known
 */
export function partOfBooking(
  reference: string,
  before: readonly Earlier[],
  { named, listed, deposit }: BookedPrice,
): { whole: number; gross: number; prefix: string } {
  const [first] = before
  const done = sum(before.map(({ total }) => total))
  const names = before.map(({ order }) => order).join(' and ')
  if (first && (before.length > 1 || done >= first.whole)) {
    throw refused(`Booking ${reference} is invoiced whole already: order ${names}.`)
  }
  const whole = named ?? first?.whole ?? listed
  if (whole === null) throw refused('This service has no price; please name it with --amount.')
  if (!first) {
    if (deposit === null) return { whole, gross: whole, prefix: '' }
    const tenths = Math.round(deposit * 10)
    const [gross = 0] = shared(whole, [tenths, 1000 - tenths])
    return { whole, gross, prefix: `Deposit of ${deposit} %: ` }
  }
  if (deposit !== null) {
    throw refused(
      `Booking ${reference} has a deposit invoice already: order ${names}. Leave --deposit out to invoice the rest.`,
    )
  }
  if (whole <= done) {
    throw refused(`${euros(whole)} is no more than the deposit of ${euros(done)}: order ${names}.`)
  }
  return {
    whole,
    gross: whole - done,
    prefix: `Rest of ${euros(whole)} after the deposit${first.invoice === null ? '' : ` (invoice ${first.invoice})`}: `,
  }
}

const refused = (message: string) => failure('clash', { message })
