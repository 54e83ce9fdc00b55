import { Field } from '../forms/field.tsx'
import type { Chosen } from './selection.ts'

type Props = {
  /** Begins the ids of the two fields. */
  id: string
  dates: Chosen
  earliest: string
  latest: string
  errors: Readonly<Record<string, string>>
  /** Whether one day has to be typed twice. */
  needsLast?: boolean
  onDates: (dates: Chosen) => void
}

/** First and last day, typed; the last one never lies before the first. */
export function DateFields({ id, dates, earliest, latest, errors, needsLast, onDates }: Props) {
  const day = { type: 'date', min: earliest, max: latest } as const
  return (
    <>
      <Field
        {...day}
        label="First day"
        id={`${id}-from`}
        name="from"
        required
        value={dates.from}
        error={errors.from}
        onChange={({ currentTarget: { value } }) =>
          onDates({ from: value, to: dates.to < value ? value : dates.to })
        }
      />
      <Field
        {...day}
        label="Last day"
        id={`${id}-to`}
        name="to"
        required={needsLast}
        value={dates.to}
        error={errors.to}
        onChange={({ currentTarget: { value } }) => onDates({ ...dates, to: value })}
      />
    </>
  )
}
