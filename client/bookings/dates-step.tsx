import type { AvailableDay, BookingForm, DateRange } from '#shared/bookings/bookings.ts'
import type { Entries, FieldErrors } from '#shared/forms/form.ts'
import { bookingLimits } from '#shared/bookings/limits.ts'
import { dateRange, longDate } from '#shared/dates/date-format.ts'
import { monthOf } from '#shared/dates/months.ts'
import button from '../ui/button.module.css'
import { Field, SelectField } from '../forms/field.tsx'
import { ChosenDates, DayGrid } from './day-grid.tsx'
import { DateFields } from './date-fields.tsx'
import { Step } from './form-steps.tsx'
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
  errors: FieldErrors
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
    <Step number={2} title="Dates">
      <p className={styles.hint}>
        Choose a start date, then an end date (1–{bookingLimits.maxDays} days). Earliest:{' '}
        {longDate(form.earliest)}.
      </p>
      {nearest.length > 0 && <Offered ranges={nearest} onDates={onDates} />}
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
        <TimeFields key={form.event?.id} event={form.event} entries={entries} errors={errors} />
      </div>
    </Step>
  )
}

/** Dates that are free instead of those that were refused. */
function Offered({
  ranges,
  onDates,
}: {
  ranges: readonly DateRange[]
  onDates: (dates: Chosen) => void
}) {
  return (
    <div className={styles.nearest}>
      <p>These dates are open:</p>
      {ranges.map(({ from, to }) => (
        <button
          key={from + to}
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

/** The hours, by the clock in Helsinki or where the event is. */
function TimeFields({
  event,
  entries,
  errors,
}: Pick<Props, 'entries' | 'errors'> & { event: BookingForm['event'] }) {
  const zone = event?.zone
  const isElsewhere = zone && zone !== 'Europe/Helsinki'
  return (
    <>
      <Field
        label="Start"
        id="booking-start"
        name="start"
        type="time"
        optional
        defaultValue={entries.start ?? event?.start ?? undefined}
        error={errors.start}
        hint={`${isElsewhere ? '' : 'Helsinki time. '}Leave blank for all day.`}
      />
      <Field
        label="End"
        id="booking-end"
        name="end"
        type="time"
        optional
        defaultValue={entries.end ?? event?.end ?? undefined}
        error={errors.end}
        hint="Over several days, the hours on each day."
      />
      {isElsewhere && (
        <SelectField
          label="Time zone"
          id="booking-zone"
          name="zone"
          defaultValue={entries.zone ?? zone}
          error={errors.zone}
          options={[
            { value: zone, label: 'At the event' },
            { value: 'Europe/Helsinki', label: 'Helsinki' },
          ]}
        />
      )}
      {/* What the hours are elsewhere; see draft.ts. */}
      <p data-elsewhere role="status" className={styles.hint} />
    </>
  )
}
