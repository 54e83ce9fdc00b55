import { data } from 'react-router'
import type { DateRange } from '#shared/bookings.ts'
import { refusalOf } from '../site/refusal.ts'

/** What a signed page shows of an act that was refused. */
export type Refused = {
  message: string
  errors: Readonly<Record<string, string>>
  /** Dates that can be had instead. */
  nearest: readonly DateRange[]
  entries: Readonly<Record<string, string>>
}

/**
 * The answer to an act that was refused.
 * @throws what was thrown when there is no such booking
 */
export function refused(thrown: unknown, entries: Refused['entries'] = {}) {
  const { status, code, message, errors, details } = refusalOf(thrown)
  const nearest = code === 'taken' ? (details.nearest as DateRange[]) : []
  return data<Refused>({ message, errors, nearest, entries }, { status })
}
