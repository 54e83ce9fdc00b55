import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import type { AvailableDay } from '#shared/bookings/bookings.ts'
import { monthName, dateRange, wholeDate } from '#shared/dates/date-format.ts'
import { monthOf, monthsLater, weeksOf, isDate, lengthOf } from '#shared/dates/months.ts'
import { useHydrated } from '../ui/use-hydrated.ts'
import { WeekHead } from '../ui/lists/week-head.tsx'
import styles from './day-grid.module.css'
import { destination, type Chosen, isChosen, stateInWords } from './selection.ts'
import { Icon } from '../ui/icons.tsx'

type Props = {
  /** Names the grid together with its month. */
  label: string
  /** YYYY-MM. */
  month: string
  days: readonly AvailableDay[]
  chosen: Chosen
  /** First and last month that can be shown. */
  months: { first: string; last: string }
  /** The address of a month, and that of the page with a day chosen; they work without scripts. */
  monthHref: (month: string) => string
  dayHref: (date: string) => string
  onMonth: (month: string) => void
  onChoose: (date: string) => void
}

/**
 * The days of a month with how free they are: the grid of the ARIA authoring practices. One day is
 * in the order of the tab key; arrows, Home, End, Page Up and Page Down move among them, and with
 * Shift the last two move by years.
 */
export function DayGrid(props: Props) {
  const { label, month, days, chosen, months, monthHref, dayHref, onMonth } = props
  const isHydrated = useHydrated()
  const byDate = new Map(days.map((day) => [day.date, day]))
  const { table, active, asked, onKeyDown, onPress } = useActiveDay(props, byDate)

  const reason = asked === null ? undefined : byDate.get(asked)?.reason

  const turn = (to: string) => (event: MouseEvent) => {
    if (leadsElsewhere(event)) return
    event.preventDefault()
    onMonth(to)
  }

  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        <MonthTurn
          label="Earlier month"
          to={monthsLater(month, -1)}
          path="m14 5-7 7 7 7"
          {...{ months, monthHref, turn }}
        />
        <h3 aria-live="polite">{monthName(month)}</h3>
        <MonthTurn
          label="Later month"
          to={monthsLater(month, 1)}
          path="m10 5 7 7-7 7"
          {...{ months, monthHref, turn }}
        />
      </div>
      <table
        ref={table}
        // Its cells hold the links that take the keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
        role="grid"
        aria-label={`${label}, ${monthName(month)}`}
        className={styles.grid}
        onKeyDown={onKeyDown}
      >
        <WeekHead />
        <tbody>
          {weeksOf(month).map((week, row) => (
            <tr key={week.find(Boolean) ?? row}>
              {week.map((date, column) => (
                <DayCell
                  key={date ?? `none-${column}`}
                  date={date}
                  day={date ? byDate.get(date) : undefined}
                  chosen={chosen}
                  href={date ? dayHref(date) : ''}
                  tabIndex={isHydrated ? (date === active ? 0 : -1) : undefined}
                  onPress={onPress}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p role="status" className={styles.reason}>
        {reason}
      </p>
      <Legend />
    </div>
  )
}

/** The day that is in the order of the tab key, the one that was asked for last, and what keys and presses make of it. */
function useActiveDay(
  { month, days, chosen, months, onMonth, onChoose }: Props,
  byDate: ReadonlyMap<string, AvailableDay>,
) {
  const table = useRef<HTMLTableElement>(null)
  const [wanted, setWanted] = useState<string | null>(null)
  // Moved by the keyboard: the day takes the focus once its month is there.
  const moved = useRef<string | null>(null)
  const first = days.find(({ free }) => free > 0)?.date ?? `${month}-01`
  const active = [wanted, chosen.from].find((date) => date && monthOf(date) === month) ?? first

  useEffect(() => {
    if (moved.current === null) return
    const link = table.current?.querySelector<HTMLElement>(`[data-date="${moved.current}"]`)
    if (!link) return
    moved.current = null
    link.focus()
  })

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === ' ') {
      event.preventDefault()
      if (byDate.get(active)?.free) onChoose(active)
      return
    }
    const to = destination(event, active)
    if (!to) return
    event.preventDefault()
    const next = monthOf(to)
    if (next < months.first || next > months.last) return
    moved.current = to
    setWanted(to)
    if (next !== month) onMonth(next)
  }

  const onPress = (event: MouseEvent<HTMLAnchorElement>, date: string) => {
    if (leadsElsewhere(event)) return
    event.preventDefault()
    setWanted(date)
    if (byDate.get(date)?.free) onChoose(date)
  }

  return { table, active, asked: wanted, onKeyDown, onPress }
}

const legend = {
  free: 'Free',
  limited: 'Limited',
  held: 'On hold',
  taken: 'Taken',
  closed: 'Closed',
} as const

function Legend() {
  return (
    <ul className={styles.legend} aria-label="Key">
      {(['free', 'limited', 'held', 'taken', 'closed'] as const).map((state) => (
        <li key={state} data-state={state}>
          {legend[state]}
        </li>
      ))}
    </ul>
  )
}

const leadsElsewhere = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey

/** Leads to the month beside, as far as it can be shown. @param props `path` draws its arrow */
function MonthTurn({
  label,
  to,
  path,
  months,
  monthHref,
  turn,
}: {
  label: string
  to: string
  path: string
  turn: (to: string) => (event: MouseEvent) => void
  months: { first: string; last: string }
  monthHref: (month: string) => string
}) {
  const isThere = to >= months.first && to <= months.last
  return (
    <a
      {...(isThere
        ? { href: monthHref(to), onClick: turn(to) }
        : { role: 'link', 'aria-disabled': true })}
      className={styles.turn}
      aria-label={isThere ? `${label}, ${monthName(to)}` : label}
    >
      <Icon>
        <path d={path} />
      </Icon>
    </a>
  )
}

/** The chosen dates in words, said aloud when they change; nothing before there are any. */
export function ChosenDates({ dates: { from, to } }: { dates: Chosen }) {
  const last = isDate(to) && to >= from ? to : from
  const count = isDate(from) ? lengthOf(from, last) : 0
  return (
    <p className={styles.chosen} role="status">
      {count > 0 && (
        <>
          <strong>{dateRange(from, last)}</strong>
          <span>{count === 1 ? '1 day' : `${count} days`}</span>
        </>
      )}
    </p>
  )
}

/** A day of the grid, or an empty place of the weeks at its ends. */
function DayCell({
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
