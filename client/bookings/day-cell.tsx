import type { MouseEvent } from 'react'
import type { AvailableDay } from '#shared/bookings.ts'
import { wholeDate } from '#shared/date-format.ts'
import { isChosen, stateInWords, type Chosen } from './selection.ts'

/** A day of the grid, or an empty place of the weeks at its ends. */
export function DayCell({
  date,
  day,
  chosen,
  href,
  tabIndex,
  onPress,
}: {
  date: string | null
  day: AvailableDay | undefined
  chosen: Chosen
  href: string
  tabIndex: number | undefined
  onPress: (event: MouseEvent<HTMLAnchorElement>, date: string) => void
}) {
  // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- no control, and no day
  if (!date) return <td />
  const isFree = Boolean(day?.free)
  const isIn = isChosen(chosen, date)
  const end = chosen.to || chosen.from
  return (
    <td
      aria-selected={isIn}
      data-chosen={isIn ? (date === chosen.from || date === end ? 'end' : 'in') : undefined}
    >
      {/* A link where the day can be had; the grid hears the keys of both. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <a
        {...(isFree ? { href } : { role: 'link', 'aria-disabled': true })}
        data-date={date}
        data-state={day?.state ?? 'closed'}
        title={day?.reason}
        tabIndex={tabIndex}
        aria-label={`${wholeDate(date)}, ${stateInWords(day ?? { state: 'closed', free: 0 })}`}
        onClick={(event) => onPress(event, date)}
      >
        {Number(date.slice(8))}
      </a>
    </td>
  )
}
