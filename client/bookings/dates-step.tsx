import type { AvailableDay, BookingForm, DateRange } from '#shared/bookings.ts'
import { bookingLimits } from '#shared/booking-limits.ts'
import { dateRange, longDate } from '#shared/date-format.ts'
import { monthOf } from '#shared/months.ts'
import button from '../ui/button.module.css'
import { Field } from '../ui/field.tsx'
import { ChosenDates } from './chosen-dates.tsx'
import { DateFields } from './date-fields.tsx'
import { DayGrid } from './day-grid.tsx'
import type { Entries } from './form-action.ts'
import { Step } from './step.tsx'
import styles from './form-page.module.css'
import { choosing, type Chosen } from './selection.ts'

type Props = {
  form: BookingForm
  /** Title of the chosen service. */
  service: string
  month: string
  days: readonly AvailableDay[]
  dates: Chosen
  entries: Entries
  errors: Readonly<Record<string, string>>
  nearest: readonly DateRange[]
  address: (change: { month?: string; chosen?: Chosen }) => string
  onMonth: (month: string) => void
  /** Dates that were typed or offered, whose month has to be shown. */
  onDates: (dates: Chosen) => void
  /** Dates that were picked in the month at hand. */
  onPick: (dates: Chosen) => void
}

/** The days: picked in the month, or typed; with times where they matter. */
export function DatesStep(props: Props) {
  const { form, service, month, days, dates, entries, errors, nearest, address } = props
  const { onMonth, onDates, onPick } = props
  const next = choosing(days, dates)
  return (
    <Step number={2} title="Your days">
      <p className={styles.hint}>
        Choose the first day, then the last one. A single day is fine as it is; a request has at
        most {bookingLimits.daysMost} days. The first day we can do is {longDate(form.earliest)}.
      </p>
      {nearest.length > 0 && <Nearest ranges={nearest} onDates={onDates} />}
      <DayGrid
        label={`Days for ${service}`}
        month={month}
        days={days}
        chosen={dates}
        months={{ first: monthOf(form.today), last: monthOf(form.latest) }}
        monthHref={(to) => address({ month: to })}
        dayHref={(date) => address({ chosen: next(date) })}
        onMonth={onMonth}
        onChoose={(date) => onPick(next(date))}
      />
      <ChosenDates dates={dates} />
      <div className={styles.fields}>
        <DateFields
          id="booking"
          dates={dates}
          earliest={form.earliest}
          latest={form.latest}
          errors={errors}
          onDates={onDates}
        />
        <TimeFields entries={entries} errors={errors} />
      </div>
    </Step>
  )
}

/** Dates that are free instead of those that were refused. */
function Nearest({
  ranges,
  onDates,
}: {
  ranges: readonly DateRange[]
  onDates: (dates: Chosen) => void
}) {
  return (
    <div className={styles.nearest}>
      <p>The nearest dates that are free:</p>
      {ranges.map(({ from, to }) => (
        <button
          key={from}
          name="fill"
          value={`${from}/${to}`}
          className={`${button.button} ${button.small} ${button.quiet}`}
          onClick={(event) => {
            event.preventDefault()
            onDates({ from, to })
          }}
        >
          {dateRange(from, to)}
        </button>
      ))}
    </div>
  )
}

function TimeFields({ entries, errors }: Pick<Props, 'entries' | 'errors'>) {
  return (
    <>
      <Field
        label="From"
        id="booking-start"
        name="start"
        type="time"
        optional
        defaultValue={entries.start}
        error={errors.start}
        hint="Helsinki time; leave it empty for whole days."
      />
      <Field
        label="Until"
        id="booking-end"
        name="end"
        type="time"
        optional
        defaultValue={entries.end}
        error={errors.end}
      />
    </>
  )
}
