import { dateRange } from '#shared/date-format.ts'
import { isDate, lengthOf } from '#shared/months.ts'
import styles from './day-grid.module.css'
import type { Chosen } from './selection.ts'

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
