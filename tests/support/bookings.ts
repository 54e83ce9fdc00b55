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

/** Posts a request as somebody who answered the sum. */
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
    (json as { days: { date: string; state: string; free: number }[] }).days.map((day) => [
      day.date,
      day,
    ]),
  )
}
