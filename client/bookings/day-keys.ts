import {
  daysLater,
  lastDayOf,
  monthOf,
  monthsLater,
  placeInWeek,
  sameDayIn,
} from '#shared/months.ts'

/** What counts of a key that was pressed. */
type Pressed = { key: string; shiftKey: boolean }

/** Where a key leads to from a day; null for one that moves nothing. */
export function destination({ key, shiftKey }: Pressed, date: string): string | null {
  const months = (by: number) => sameDayIn(monthsLater(monthOf(date), by), date)
  switch (key) {
    case 'ArrowLeft':
      return daysLater(date, -1)
    case 'ArrowRight':
      return daysLater(date, 1)
    case 'ArrowUp':
      return daysLater(date, -7)
    case 'ArrowDown':
      return daysLater(date, 7)
    case 'Home':
      return within(daysLater(date, -placeInWeek(date)), date)
    case 'End':
      return within(daysLater(date, 6 - placeInWeek(date)), date)
    case 'PageUp':
      return months(shiftKey ? -12 : -1)
    case 'PageDown':
      return months(shiftKey ? 12 : 1)
    default:
      return null
  }
}

/** A date, or the nearest one of another date's month: a week ends where its month does. */
function within(date: string, other: string): string {
  const month = monthOf(other)
  if (date < `${month}-01`) return `${month}-01`
  return date > lastDayOf(month) ? lastDayOf(month) : date
}
