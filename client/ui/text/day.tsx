import { longDate } from '#shared/dates/date-format.ts'
import { helsinkiDate } from '#shared/dates/helsinki-date.ts'
import { shortDate } from '#shared/dates/short-dates.ts'

/** A day in Helsinki, where it is told; the same on every machine. */
export function Day({ iso, long = false }: { iso: string; long?: boolean }) {
  const date = helsinkiDate(Date.parse(iso))
  return <time dateTime={iso}>{long ? longDate(date) : shortDate(date)}</time>
}
