import type { SeasonEvent } from '#shared/calendar.ts'
import { longDate, monthName } from '#shared/dates/date-format.ts'
import { weeksOf } from '#shared/dates/months.ts'
import { WeekHead } from '../ui/lists/week-head.tsx'
import styles from './month-table.module.css'

/** A month as a table of its days; each event leads to its row in the list below. */
export function MonthTable({
  month,
  events,
  today,
}: {
  month: string
  events: readonly SeasonEvent[]
  today: string
}) {
  return (
    <table className={styles.month}>
      <caption className="unseen">{monthName(month)}, day by day</caption>
      <WeekHead />
      <tbody>
        {weeksOf(month).map((week, row) => (
          <tr key={week.find(Boolean) ?? row}>
            {week.map((date, column) =>
              date === null ? (
                // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- no control, and no day
                <td key={`none-${column}`} className={styles.none} />
              ) : (
                <Day
                  key={date}
                  date={date}
                  isToday={date === today}
                  events={events.filter(({ from, to }) => from <= date && date <= to)}
                />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Day = ({
  date,
  isToday,
  events,
}: {
  date: string
  isToday: boolean
  events: readonly SeasonEvent[]
}) => (
  <td data-today={isToday ? '' : undefined} data-busy={events.length > 0 ? '' : undefined}>
    <time dateTime={date}>
      <span aria-hidden="true">{Number(date.slice(8))}</span>
      <span className="unseen">
        {longDate(date)}
        {isToday && ', today'}
      </span>
    </time>
    {events.length > 0 && (
      <ul>
        {events.map(({ id, title, status }) => (
          <li key={id}>
            <a href={`#event-${id}`} data-status={status}>
              {title}
              {status === 'cancelled' && <span className="unseen">, cancelled</span>}
              {status === 'postponed' && <span className="unseen">, postponed</span>}
              {status === 'tbc' && <span className="unseen">, to be confirmed</span>}
            </a>
          </li>
        ))}
      </ul>
    )}
  </td>
)
