import type { ReactNode } from 'react'
import type { BookableService, BookingForm } from '#shared/bookings/bookings.ts'
import type { Entries, FieldErrors } from '#shared/forms/form.ts'
import { paths } from '#shared/paths.ts'
import { ChoiceLinks } from '../ui/lists/choice-links.tsx'
import { ServicePrice } from '../ui/text/price.tsx'
import { Field } from '../forms/field.tsx'
import { RadioCards } from '../forms/radio-cards.tsx'
import styles from './form-page.module.css'

/** A part of the form under its number. */
export function Step({
  number,
  title,
  children,
}: {
  number: number
  title: string
  children: ReactNode
}) {
  const id = `step-${number}`
  return (
    <section aria-labelledby={id} className={styles.step}>
      <h2 id={id} className={styles.title}>
        <span aria-hidden="true">0{number}</span>
        {title}
      </h2>
      {children}
    </section>
  )
}

/** What was entered, and what is wrong with it. */
export type StepProps = { entries: Entries; errors: FieldErrors }

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
    <Step number={1} title="Service">
      <RadioCards
        id="booking-service"
        legend={<span className="unseen">Service</span>}
        name="service"
        options={services.map(({ slug, title, description, priceFrom, unit }) => ({
          value: slug,
          label: title,
          detail: (
            <>
              {description}
              {priceFrom && (
                <span className={styles.cost}>
                  <ServicePrice price={priceFrom} unit={unit} />
                </span>
              )}
            </>
          ),
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
            label="Show dates for"
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
    <Step number={3} title="Event and location">
      {event && (
        <div className={styles.event}>
          <p>
            <span className="label">Event</span>
            <strong>{event.title}</strong>
          </p>
          <a href={paths.booking()}>Remove event</a>
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
        hint="Circuit, service park or address, with town"
        autoComplete="off"
      />
    </Step>
  )
}
