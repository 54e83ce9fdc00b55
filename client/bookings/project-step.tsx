import type { BookingForm } from '#shared/bookings.ts'
import { Field, fieldsOf } from '../forms/field.tsx'
import type { StepProps } from './form-steps.tsx'
import styles from './form-page.module.css'
import { Step } from './step.tsx'

/** When to start, what for and with how much: for services by month or project. */
export function ProjectStep({
  earliest,
  latest,
  from,
  entries,
  errors,
}: StepProps & Pick<BookingForm, 'earliest' | 'latest'> & { from: string }) {
  const control = fieldsOf('booking', { entries, errors })
  return (
    <Step number={2} title="Your project">
      <div className={styles.fields}>
        <Field
          label="Start"
          {...control('from', from)}
          type="date"
          required
          min={earliest}
          max={latest}
          hint="When would you like us to begin?"
        />
        <Field
          label="Budget"
          {...control('budget')}
          optional
          hint="A range is fine, such as €5,000–8,000"
        />
      </div>
      <Field
        label="Scope"
        {...control('scope')}
        type="textarea"
        required
        hint="What you need: channels or pages, races, languages, deadlines"
      />
    </Step>
  )
}
