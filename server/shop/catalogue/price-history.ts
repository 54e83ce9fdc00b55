import { dayMs } from '#shared/dates/durations.ts'
/** A price that a variant has from an instant on; a reduction ends, any other stands until the next. */
export type RecordedPrice = { price: number; fromAt: number; untilAt: number | null }

/** What a variant costs now; `before` is the lowest price of the thirty days before a reduction. */
export type CurrentPrice = { price: number; before: number | null }

/** Days before a reduction whose lowest price has to be told (Consumer Protection Act 2:11). */
const reductionDays = 30

/**
 * The price at an instant.
 * @param history in any order; money in cents, instants in milliseconds of the epoch
 * @returns null when no price counts yet
 */
export function priceAt(history: readonly RecordedPrice[], now: number): CurrentPrice | null {
  const standing = latest(
    history.filter(({ untilAt, fromAt }) => untilAt === null && fromAt <= now),
  )
  const reduction = latest(
    history.filter(({ untilAt, fromAt }) => untilAt !== null && fromAt <= now && now < untilAt),
  )
  if (!reduction || (standing && standing.price <= reduction.price)) {
    return standing ? { price: standing.price, before: null } : null
  }
  const before = lowestBefore(history, reduction.fromAt)
  // A price that was lower after the reduction was planned leaves nothing to announce.
  const isReduction = before !== null && before > reduction.price
  return { price: reduction.price, before: isReduction ? before : null }
}

/**
 * The lowest price of the thirty days before an instant: what has to be beside a reduction.
 * @returns null where the history does not reach back that far, so no reduction may be shown
 */
export function lowestBefore(history: readonly RecordedPrice[], fromAt: number): number | null {
  const since = fromAt - reductionDays * dayMs
  const standing = history.filter(({ untilAt }) => untilAt === null)
  const atBegin = latest(standing.filter((each) => each.fromAt <= since))
  if (!atBegin) return null
  const meanwhile = history.filter(
    (each) =>
      each.fromAt < fromAt && (each.untilAt === null ? each.fromAt > since : each.untilAt > since),
  )
  return meanwhile.reduce((lowest, { price }) => Math.min(lowest, price), atBegin.price)
}

const latest = (prices: readonly RecordedPrice[]): RecordedPrice | null =>
  prices.reduce<RecordedPrice | null>(
    (found, each) => (found && found.fromAt > each.fromAt ? found : each),
    null,
  )
