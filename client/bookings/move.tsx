import { useState } from 'react'
import { Form, useNavigate, useNavigation } from 'react-router'
import type { BookingView, DateRange } from '#shared/bookings/bookings.ts'
import type { DaysToMove } from '#shared/bookings/visitor-page.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import { monthOf } from '#shared/dates/months.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import button from '../ui/button.module.css'
import { ChosenDates, DayGrid } from './day-grid.tsx'
import { DateFields } from './date-fields.tsx'
import { choosing, type Chosen } from './selection.ts'
import styles from './signed-page.module.css'
import type { VisitorAnswer } from './visitor-data.ts'

type Props = {
  token: string
  booking: BookingView
  room: DaysToMove
  /** The dates that the address asks for, or those of the booking. */
  shown: DateRange
  answer: VisitorAnswer | undefined
}

/** Asks for other dates: picked in the month, or typed. Without scripts days and months are links. */
export function Move(props: Props) {
  const { token, booking, room, answer } = props
  const { month, days, today, earliest, latest } = room
  const isBusy = useNavigation().state !== 'idle'
  const { errors = {}, nearest = [] } = answer ?? {}
  const { dates, setDates, address, showMonth, showDates } = useDates(props)
  const next = choosing(days, dates)
  return (
    <section aria-labelledby="move-title">
      <h2 id="move-title" className={styles.title}>
        Change dates
      </h2>
      <p className={styles.text}>
        Choose a start date, then an end date.{' '}
        {booking.state === 'confirmed'
          ? 'We’ll hold the new dates as well; your current ones stay yours until we confirm the change. To drop the request, choose your current dates again.'
          : 'We’ll hold the new dates and release the old ones.'}
      </p>
      {nearest.length > 0 && (
        <div className={styles.nearest}>
          <p>Nearest available dates:</p>
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
        <Form method="post" action={toResult(paths.bookingMove(token))} className={styles.move}>
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
            Request these dates
          </button>
        </Form>
      </div>
    </section>
  )
}

/** The dates that are chosen instead, and what shows them; see `useChoice` for the booking form. */
function useDates({ token, room: { month }, shown, answer }: Props) {
  const navigate = useNavigate()
  const { from, to = '' } = answer?.entries ?? {}
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
  <Form method="post" action={toResult(paths.bookingMove(token))}>
    <input type="hidden" name="from" value={from} />
    <input type="hidden" name="to" value={to} />
    <button className={`${button.button} ${button.small} ${button.quiet}`}>
      Take {dateRange(from, to)}
    </button>
  </Form>
)
