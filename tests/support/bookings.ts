import { datesFrom } from '#shared/dates/civil-dates.ts'
import type { Site } from './site.ts'
import { answered } from './enquiry.ts'

let count = 0

/** A booking request as the form sends it: photography on one day in January. */
export const bookingOf = (changes: Record<string, unknown> = {}) => ({
  key: `test-booking-key-${(count += 1)}`,
  service: 'photography',
  from: '2027-01-20',
  to: '2027-01-20',
  place: 'Ice track of Rovaniemi',
  name: 'Aino Virtanen',
  email: 'aino@example.com',
  terms: true,
  ...changes,
})

/** Posts a request as someone who answered the sum. */
export const book = (site: Site, changes: Record<string, unknown> = {}, from?: string) =>
  site.post('/api/bookings', bookingOf(changes), {
    headers: { 'X-Form-Proof': answered(site.context) },
    ...(from && { from }),
  })

/** How free the days of a service are, by date. */
export async function daysOf(site: Site, from: string, to = from, service = 'photography') {
  const { json } = await site.get(
    `/api/bookings/availability?service=${service}&from=${from}&to=${to}`,
  )
  return new Map(
    (json as { days: { date: string; state: string; free: number; reason?: string }[] }).days.map(
      (day) => [day.date, day],
    ),
  )
}

/**
 * What the bookings themselves say of the days of a service, recounted: how many hold and how many
 * have each day, other dates that are asked for included; days of travel are left out.
 */
export function recounted({ context }: Pick<Site, 'context'>, service = 'photography') {
  const counted = new Map<string, { held: number; confirmed: number }>()
  const countIn = (dates: readonly string[], kind: 'held' | 'confirmed') => {
    for (const date of dates) {
      const day = counted.get(date) ?? { held: 0, confirmed: 0 }
      counted.set(date, { ...day, [kind]: day[kind] + 1 })
    }
  }
  for (const booking of context.features.bookings.actions.bookings.list()) {
    if (booking.service !== service) continue
    const { state, from, to, change } = booking
    const own = datesFrom(from, to)
    if (state === 'requested' || state === 'offered') countIn(own, 'held')
    if (state !== 'confirmed') continue
    countIn(own, 'confirmed')
    if (!change) continue
    const asked = datesFrom(change.from, change.to)
    countIn(
      asked.filter((date) => !own.includes(date)),
      'held',
    )
  }
  return sorted(counted)
}

/** What is kept of the days of a service, in the shape of {@link recounted}. */
export function keptDays({ context }: Pick<Site, 'context'>, service = 'photography') {
  const { days } = context.features.bookings.actions
  const kept = [...days.loads('2000-01-01', '2100-01-01')].flatMap(([date, loads]) =>
    loads
      .filter((load) => load.service === service && load.held + load.confirmed > 0)
      .map(({ held, confirmed }) => [date, { held, confirmed }] as const),
  )
  return sorted(new Map(kept))
}

const sorted = (days: ReadonlyMap<string, { held: number; confirmed: number }>) =>
  [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))
