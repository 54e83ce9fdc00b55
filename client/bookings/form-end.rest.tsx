import type { BookingForm } from '#shared/bookings/bookings.ts'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { Checkbox } from '../forms/checkbox.tsx'
import { Field, SelectField, fieldsOf } from '../forms/field.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { RobotCheck } from '../forms/robot-check.tsx'
import type { Sum } from '../forms/sum.ts'
import { type StepProps, Step } from './form-steps.tsx'
import styles from './form-page.module.css'

export { BookingSummary } from './summary.tsx'

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

/** Who asks, and anything that we should know. */
export function AboutStep({
  number,
  countries,
  entries,
  errors,
}: StepProps & { number: number } & Pick<BookingForm, 'countries'>) {
  const control = fieldsOf('booking', { entries, errors })
  return (
    <Step number={number} title="Your details">
      <div className={styles.fields}>
        <Field label="Name" {...control('name')} required autoComplete="name" />
        <Field label="Email" {...control('email')} type="email" required autoComplete="email" />
        <Field label="Phone" {...control('phone')} type="tel" optional autoComplete="tel" />
        <Field
          label="Team or company"
          {...control('company')}
          optional
          autoComplete="organization"
        />
        <SelectField
          label="Country"
          {...control('country', 'FI')}
          autoComplete="country"
          options={countries.map(({ code, name }) => ({ value: code, label: name }))}
        />
        <Field
          label="VAT ID"
          {...control('vatId')}
          optional
          hint="For companies, such as FI12345671"
          autoComplete="off"
        />
      </div>
      <Field
        label="Message"
        {...control('message')}
        type="textarea"
        optional
        hint="What you need, how many cars and drivers, any deadlines"
      />
    </Step>
  )
}

/** Terms, the sum, and off it goes. */
export function SendStep({
  sum,
  entries,
  errors,
  number,
  isBusy,
  holdHours,
}: StepProps & {
  number: number
  sum: Sum | null
  isBusy: boolean
  /** Null where no dates are held. */
  holdHours: number | null
}) {
  return (
    <Step number={number} title="Send request">
      <RobotCheck id="booking-captcha" sum={sum} entries={entries} error={errors.captcha} />
      <Checkbox
        id="booking-terms"
        name="terms"
        value="true"
        required
        defaultChecked={Boolean(entries.terms)}
        error={errors.terms}
        label={
          <>
            I accept the{' '}
            <a href={paths.termsOfService()} target="_blank">
              terms of service
            </a>
          </>
        }
      />
      <div className={styles.send}>
        <button className={button.button} aria-disabled={isBusy || undefined}>
          {isBusy ? 'Sending…' : holdHours === null ? 'Send request' : 'Request these dates'}{' '}
          <ArrowIcon />
        </button>
        <p>
          No obligation.{' '}
          {holdHours !== null &&
            `We’ll hold your dates for at least ${holdHours} hours, or until they begin. `}
          We only use your details to reply; see our{' '}
          <a href={paths.privacyPolicy()}>privacy policy</a>.
        </p>
      </div>
    </Step>
  )
}
