import { useEffect, useRef, useState } from 'react'
import { Form, useActionData, useLoaderData, useNavigation } from 'react-router'
import { paths } from '#shared/paths.ts'
import { Head } from '../site/head.tsx'
import { Alert } from '../ui/alert.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import button from '../ui/button.module.css'
import { PageHead } from '../ui/page-head.tsx'
import { DatesStep } from './dates-step.tsx'
import { AboutStep, PlaceStep, SendStep, ServiceStep } from './form-steps.tsx'
import type { BookingRefusal } from './form-action.ts'
import type { BookingFormData } from './form-loader.ts'
import styles from './form-page.module.css'
import { BookingSummary } from './summary.tsx'
import { useChoice } from './use-choice.ts'

/** Asks for dates: service, days, place, contact, and a summary that follows what is chosen. */
export function Component() {
  const loaded = useLoaderData<BookingFormData>()
  return (
    <>
      <Head
        title="Book your dates"
        description="Choose a service and your days, see what is free, and send a booking request. We hold the dates for you and answer within three days."
      />
      <PageHead
        label="Booking"
        title="Book your dates"
        lead={`Pick a service and your days. We hold them for ${loaded.form.holdHours} hours, check crew and travel, and confirm. Nothing is binding before that.`}
      />
      {loaded.form.services.length > 0 ? (
        <BookingForm loaded={loaded} />
      ) : (
        <EmptyState title="Nothing can be booked right now">
          <p>
            Our calendar does not answer for the moment. Write to us, and we book you in by hand.
          </p>
          <a href={paths.contact()} data-contact="Booking request" className={button.button}>
            Contact us
          </a>
        </EmptyState>
      )}
    </>
  )
}

function BookingForm({ loaded }: { loaded: BookingFormData }) {
  const { form, month, days } = loaded
  const refusal = useActionData<BookingRefusal>()
  const isBusy = useNavigation().formMethod === 'POST'
  const element = useOwnMessages()
  const { entries = {}, errors = {}, nearest = [] } = refusal ?? {}
  // One key for as long as the form is open, so that months can be turned meanwhile.
  const [key] = useState(() => entries.key || loaded.key)
  const choice = useChoice(loaded, refusal?.entries)
  const { slug, dates, address } = choice
  const chosenService = form.services.find((each) => each.slug === slug)
  return (
    <Form ref={element} method="post" className={`wrap ${styles.form}`} preventScrollReset>
      <div className={styles.main}>
        <Messages refusal={refusal} unknown={loaded.unknown} />
        <ServiceStep
          key={`service-${choice.visit}`}
          services={form.services}
          service={slug}
          error={errors.service}
          href={(to) => address({ service: to })}
          onChoose={choice.chooseService}
        />
        <DatesStep
          form={form}
          service={chosenService?.title ?? ''}
          month={month}
          days={days}
          dates={dates}
          entries={entries}
          errors={errors}
          nearest={nearest}
          address={address}
          onMonth={choice.showMonth}
          onDates={choice.showDates}
          onPick={choice.setDates}
        />
        <PlaceStep
          key={`place-${choice.event}`}
          event={form.event}
          entries={entries}
          errors={errors}
        />
        <AboutStep entries={entries} errors={errors} />
        <input type="hidden" name="key" value={key} />
      </div>
      <aside className={styles.aside} aria-label="Your request">
        <BookingSummary form={form} service={chosenService} dates={dates} />
      </aside>
      <div className={styles.end}>
        <SendStep
          sum={loaded.sum}
          entries={entries}
          errors={errors}
          isBusy={isBusy}
          holdHours={form.holdHours}
        />
      </div>
    </Form>
  )
}

/** What is wrong with the form as it was sent, or with the link that led here. */
function Messages({
  refusal,
  unknown,
}: {
  refusal: BookingRefusal | undefined
  unknown: BookingFormData['unknown']
}) {
  if (!refusal) return <Unknown {...unknown} />
  const problems = Object.entries(refusal.errors).map(([field, message]) => ({
    id: `booking-${field}`,
    message,
  }))
  if (problems.length > 0) return <ErrorSummary errors={problems} />
  return (
    refusal.message && (
      <Alert tone="bad" role="alert">
        {refusal.message}
      </Alert>
    )
  )
}

/** Says what the address names that cannot be booked, as an old link does. */
function Unknown({ event, service }: BookingFormData['unknown']) {
  if (!event && !service) return null
  return (
    <Alert role="status">
      {event
        ? 'The event of this link is over, cancelled or not known to us. You can choose your days yourself.'
        : 'The service of this link cannot be booked here. Please choose one below.'}
    </Alert>
  )
}

/** Lets our own messages speak where scripts run. */
function useOwnMessages() {
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (element.current) element.current.noValidate = true
  }, [])
  return element
}
