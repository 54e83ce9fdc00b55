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
export function Move(props: Props) {
  const { token, booking, room, refusal } = props
  const { month, days, today, earliest, latest } = room
  const isBusy = useNavigation().state !== 'idle'
  const { errors = {}, nearest = [] } = refusal ?? {}
  const { dates, setDates, address, showMonth, showDates } = useDates(props)
  const next = choosing(days, dates)
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
          onMonth={showMonth}
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
            onDates={showDates}
          />
          <button className={button.button} aria-disabled={isBusy || undefined}>
            Ask for these dates
          </button>
        </Form>
      </div>
    </section>
  )
}

/** The dates that are chosen instead, and what shows them; see `useChoice` for the booking form. */
function useDates({ token, room: { month }, shown, refusal }: Props) {
  const navigate = useNavigate()
  const { from, to = '' } = refusal?.entries ?? {}
  const [dates, setDates] = useState<Chosen>(() => (from === undefined ? shown : { from, to }))
  const address = (change: { month?: string; chosen?: Chosen }) =>
    paths.bookingPage(token, { ...(change.chosen ?? dates), month: change.month ?? month })
  const go = (path: string) => void navigate(path, { preventScrollReset: true, replace: true })
  return {
    dates,
    setDates,
    /** The page with a change. */
    address,
    showMonth: (wanted: string) => go(address({ month: wanted })),
    /** Takes dates that may lie in another month, and shows it. */
    showDates(chosen: Chosen) {
      setDates(chosen)
      if (chosen.from && monthOf(chosen.from) !== month) {
        go(address({ month: monthOf(chosen.from), chosen }))
      }
    },
  }
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
