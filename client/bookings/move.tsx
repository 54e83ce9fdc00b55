import { useState } from 'react'
import { Form, useNavigate, useNavigation } from 'react-router'
import type { BookingView, DateRange, DaysToMove } from '#shared/bookings.ts'
import { dateRange } from '#shared/date-format.ts'
import { monthOf } from '#shared/months.ts'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { ChosenDates } from './chosen-dates.tsx'
import { DateFields } from './date-fields.tsx'
import { DayGrid } from './day-grid.tsx'
import type { Refused } from './refused.ts'
import { choosing, type Chosen } from './selection.ts'
import styles from './signed-page.module.css'

type Props = {
  token: string
  booking: BookingView
  room: DaysToMove
  /** The dates that the address asks for, or those of the booking. */
  shown: DateRange
  refusal: Refused | undefined
}

/** Asks for other dates: picked in the month, or typed. Without scripts days and months are links. */
export function Move({ token, booking, room, shown, refusal }: Props) {
  const { month, days, today, earliest, latest } = room
  const isBusy = useNavigation().state !== 'idle'
  const navigate = useNavigate()
  const { errors = {}, entries = {}, nearest = [] } = refusal ?? {}
  const [dates, setDates] = useState<Chosen>(() =>
    entries.from === undefined ? shown : { from: entries.from, to: entries.to ?? '' },
  )
  const next = choosing(days, dates)
  const address = (change: { month?: string; chosen?: Chosen }) =>
    paths.bookingPage(token, { ...(change.chosen ?? dates), month: change.month ?? month })
  const go = (to: string) => void navigate(to, { preventScrollReset: true, replace: true })
  const setTyped = (chosen: Chosen) => {
    setDates(chosen)
    if (chosen.from && monthOf(chosen.from) !== month) {
      go(address({ month: monthOf(chosen.from), chosen }))
    }
  }
  return (
    <section aria-labelledby="move-title">
      <h2 id="move-title" className={styles.title}>
        Ask for other dates
      </h2>
      <p className={styles.text}>
        Choose the first day, then the last one. We hold the new dates at once and free the old
        ones; staff confirm them as they did the first.
      </p>
      {nearest.length > 0 && (
        <div className={styles.nearest}>
          <p>The nearest dates that are free:</p>
          {nearest.map(({ from, to }) => (
            <Nearest key={from} token={token} from={from} to={to} />
          ))}
        </div>
      )}
      <div className={styles.dates}>
        <DayGrid
          label={`Days for ${booking.service.title}`}
          month={month}
          days={days}
          chosen={dates}
          months={{ first: monthOf(today), last: monthOf(latest) }}
          monthHref={(to) => address({ month: to })}
          dayHref={(date) => address({ chosen: next(date) })}
          onMonth={(to) => go(address({ month: to }))}
          onChoose={(date) => setDates(next(date))}
        />
        <ChosenDates dates={dates} />
        <Form method="post" action={paths.bookingMove(token)} className={styles.move}>
          <DateFields
            id="move"
            dates={dates}
            earliest={earliest}
            latest={latest}
            errors={errors}
            needsLast
            onDates={setTyped}
          />
          <button className={button.button} aria-disabled={isBusy || undefined}>
            Ask for these dates
          </button>
        </Form>
      </div>
    </section>
  )
}

const Nearest = ({ token, from, to }: { token: string; from: string; to: string }) => (
  <Form method="post" action={paths.bookingMove(token)}>
    <input type="hidden" name="from" value={from} />
    <input type="hidden" name="to" value={to} />
    <button className={`${button.button} ${button.small} ${button.quiet}`}>
      Take {dateRange(from, to)}
    </button>
  </Form>
)
