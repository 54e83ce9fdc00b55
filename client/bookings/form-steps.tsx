import type { BookableService, BookingForm } from '#shared/bookings.ts'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { Checkbox } from '../ui/checkbox.tsx'
import { ChoiceLinks } from '../ui/choice-links.tsx'
import { Field } from '../ui/field.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { Price } from '../ui/price.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { RobotCheck } from '../ui/robot-check.tsx'
import type { Sum } from '../site/sum.ts'
import type { Entries } from './form-action.ts'
import styles from './form-page.module.css'
import { Step } from './step.tsx'

type Errors = Readonly<Record<string, string>>
type StepProps = { entries: Entries; errors: Errors }

/** Which service; choosing one shows its days. */
export function ServiceStep({
  services,
  service,
  error,
  href,
  onChoose,
}: {
  services: readonly BookableService[]
  service: string
  error: string | undefined
  href: (slug: string) => string
  onChoose: (slug: string) => void
}) {
  return (
    <Step number={1} title="The service">
      <RadioCards
        id="booking-service"
        legend={<span className="unseen">Service</span>}
        name="service"
        options={services.map(({ slug, title, description, priceFrom }) => ({
          value: slug,
          label: title,
          detail: description,
          aside: priceFrom && <Price cents={priceFrom.gross} from />,
        }))}
        defaultValue={service}
        required
        error={error}
        onChange={onChoose}
        className={styles.services}
      />
      {import.meta.env.SSR ? (
        <noscript>
          <ChoiceLinks
            label="Show the days of"
            links={services.map(({ slug, title }) => ({
              label: title,
              href: href(slug),
              chosen: slug === service,
            }))}
          />
        </noscript>
      ) : (
        <noscript />
      )}
    </Step>
  )
}

/** Where the work takes place, and at which event. */
export function PlaceStep({ event, entries, errors }: StepProps & { event: BookingForm['event'] }) {
  return (
    <Step number={3} title="Place and event">
      {event && (
        <div className={styles.event}>
          <p>
            <span className="label">Event</span>
            <strong>{event.title}</strong>
          </p>
          <a href={paths.booking()}>Book without this event</a>
          <input type="hidden" name="event" value={event.id} />
        </div>
      )}
      {errors.event && (
        <p id="booking-event" className={styles.error}>
          {errors.event}
        </p>
      )}
      <Field
        label="Place"
        id="booking-place"
        name="place"
        required
        defaultValue={entries.place ?? event?.place}
        error={errors.place}
        hint="Track, rally centre or address, with the town."
        autoComplete="off"
      />
    </Step>
  )
}

/** Who asks, and anything that we should know. */
export function AboutStep({ entries, errors }: StepProps) {
  const control = (name: string) => ({
    id: `booking-${name}`,
    name,
    defaultValue: entries[name],
    error: errors[name],
  })
  return (
    <Step number={4} title="About you">
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
      </div>
      <Field
        label="Message"
        {...control('message')}
        type="textarea"
        optional
        hint="What the pictures or texts are for, how many cars and drivers, deadlines."
      />
    </Step>
  )
}

/** Terms, the sum, and off it goes. */
export function SendStep({
  sum,
  entries,
  errors,
  isBusy,
  holdHours,
}: StepProps & {
  sum: Sum | null
  isBusy: boolean
  holdHours: number
}) {
  return (
    <Step number={5} title="Send the request">
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
          {isBusy ? 'Sending…' : 'Request these dates'} <ArrowIcon />
        </button>
        <p>
          A request binds nobody. We hold the dates for {holdHours} hours and use what you write to
          answer it; see our <a href={paths.privacyPolicy()}>privacy policy</a>.
        </p>
      </div>
    </Step>
  )
}
