import type { BookingTotal } from './price.ts'
import { shared, sum } from '../money.ts'
import { isByDates, type SaleUnit } from './sale-units.ts'

/**
 * What a cancellation costs (docs/booking-rules.md): nothing until so many days before the first day,
 * then shares of the price, the earliest first. A share counts until `untilDays` before the first day;
 * the last one counts from then on as well. When the organiser cancels the event, travel costs that
 * can't be had back are all that is due.
 */
export type CancellationRules = {
  freeUntilDays: number
  shares: { untilDays: number; percent: number }[]
}

/** The per cent of the price that is due. @param daysLeft whole days from today to the first day */
export function shareDue({ freeUntilDays, shares }: CancellationRules, daysLeft: number): number {
  if (daysLeft >= freeUntilDays || shares.length === 0) return 0
  return (shares.find(({ untilDays }) => daysLeft >= untilDays) ?? shares.at(-1)!).percent
}

/** A share of a price, rounded to the cent. */
export function partOf({ net, gross }: BookingTotal, percent: number): BookingTotal {
  const weights = [Math.round(percent * 10), 1000 - Math.round(percent * 10)]
  const [partNet = 0] = shared(net, weights)
  const [partGross = 0] = shared(gross, weights)
  return { net: partNet, vat: sum([partGross, -partNet]), gross: partGross }
}

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

/**
 * The rules in sentences, for the form, the terms, questions, pages and emails alike: "Free of charge
 * until 14 days before the first day."
 * @param unit how the service is sold, where one is meant: work by month or project has a start and no
 *   event
 */
export function cancellationInWords(
  { freeUntilDays, shares }: CancellationRules,
  unit: SaleUnit = 'day',
): string[] {
  if (shares.length === 0) return ['You can cancel free of charge at any time.']
  const steps = shares.map(({ untilDays, percent }, at) => {
    const due = `${percent}\u00a0% of the price is due`
    if (at === shares.length - 1) return at === 0 ? `After that, ${due}.` : `Later, ${due}.`
    return `From then until ${days(untilDays)} before, ${due}.`
  })
  const first = isByDates(unit) ? 'the first day' : 'the start'
  return [
    freeUntilDays > 0
      ? `You can cancel free of charge until ${days(freeUntilDays)} before ${first}.`
      : `You can cancel until ${first}.`,
    ...steps,
    ...(isByDates(unit)
      ? ['If the organiser cancels the event, you only pay travel costs we can’t get back.']
      : []),
  ]
}
