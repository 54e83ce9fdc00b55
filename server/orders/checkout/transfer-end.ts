import { addDays, addWorkingDays, dateAt, dayEnd } from '#shared/dates/civil-dates.ts'
import { payableUntil } from '#shared/dates/due-dates.ts'
import { dayMs, minuteMs } from '#shared/dates/durations.ts'
import { orderLimits } from '#shared/shop/order-limits.ts'

/**
 * When an order by bank transfer ends unpaid: after some days, and never before what was paid on the last day
 * of its invoice has arrived and been read from a statement, two working days later.
 * @param now when its invoice is issued (milliseconds)
 * @param transferDays the days that `shares.json` gives it
 */
export function transferEnd(now: number, transferDays: number): number {
  const dueOn = addDays(dateAt(now), orderLimits.transferDueDays)
  const lastDay = addWorkingDays(payableUntil(dueOn), 2)
  return Math.max(now + transferDays * dayMs, dayEnd(lastDay) - minuteMs)
}
