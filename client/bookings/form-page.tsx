import { lazy, memo, Suspense, useState, type ComponentProps } from 'react'
import { Form, useActionData, useLoaderData, useNavigation } from 'react-router'
import { isByDates } from '#shared/sale-units.ts'
import { bookingTexts } from '#shared/booking-texts.ts'
import { paths } from '#shared/paths.ts'
import { Head } from '../site/head/head.tsx'
import { Alert } from '../ui/alert.tsx'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { FormProblems } from '../forms/error-summary.tsx'
import button from '../ui/button.module.css'
import { PageHead } from '../ui/page/page-head.tsx'
import { useOwnResult } from '../forms/result.ts'
import { DatesStep } from './dates-step.tsx'
import { PlaceStep, ServiceStep } from './form-steps.tsx'
import type { BookingAnswer, BookingFormData } from './form-data.ts'
import styles from './form-page.module.css'
import { BookingSummary } from './summary.tsx'
import { useChoice } from './use-choice.ts'
import { useDraft } from './use-draft.ts'

// The server renders all of the form. A browser takes up first what visitors choose first: the code of
// these parts comes once the page is there, and is of no use before.
const ProjectStep = import.meta.env.SSR
  ? (await import('./form-end.tsx')).ProjectStep
  : lazy(async () => ({ default: (await import('./form-end.tsx')).ProjectStep }))
const AboutStep = import.meta.env.SSR
  ? (await import('./form-end.tsx')).AboutStep
  : lazy(async () => ({ default: (await import('./form-end.tsx')).AboutStep }))
const SendStep = import.meta.env.SSR
  ? (await import('./form-end.tsx')).SendStep
  : lazy(async () => ({ default: (await import('./form-end.tsx')).SendStep }))

// What is typed before their code is there stays, as long as nothing makes React render them anew.
const About = memo((props: ComponentProps<typeof AboutStep>) => (
  <Suspense>
    <AboutStep {...props} />
  </Suspense>
))
const Send = memo((props: ComponentProps<typeof SendStep>) => (
  <Suspense>
    <SendStep {...props} />
  </Suspense>
))

const none: Readonly<Record<string, string>> = {}

/** Asks for dates: service, days, place, contact, and a summary that follows what is chosen. */
export function Component() {
  const loaded = useLoaderData<BookingFormData>()
  return (
    <>
      <Head title={bookingTexts.title} description={bookingTexts.description} />
      <PageHead
        label="Booking"
        title={bookingTexts.title}
        lead={`Pick a service and your dates. We’ll hold them for at least ${loaded.form.holdHours} hours while we check crew and travel. No commitment until we confirm.`}
      />
      {loaded.form.services.length > 0 ? (
        <BookingForm loaded={loaded} />
      ) : (
        <EmptyState title="Online booking is down">
          <p>Send us your dates and we’ll book you in by hand.</p>
          <a href={paths.contact()} data-contact="Booking request" className={button.button}>
            Contact us
          </a>
        </EmptyState>
      )}
    </>
  )
}

function BookingForm({ loaded }: { loaded: BookingFormData }) {
  const { form, next, month, days } = loaded
  const answer = useActionData<BookingAnswer>()
  const isBusy = useNavigation().formMethod === 'POST'
  const action = useOwnResult()
  const { entries = none, errors = none, nearest = [] } = answer ?? {}
  const [{ countries }] = useState(form)
  const [sum] = useState(loaded.sum)
  const [isReady, setReady] = useState(false)
  // One key for as long as the form is open, so months can be turned meanwhile.
  const [key] = useState(() => entries.key || loaded.key)
  const choice = useChoice(loaded, answer?.entries)
  const { slug, dates, address } = choice
  const element = useDraft({ isReady, isRefused: answer !== undefined, restore: choice.restore })
  const chosenService = form.services.find((each) => each.slug === slug)
  const byDates = isByDates(chosenService?.unit ?? 'day')
  return (
    <Form
      ref={element}
      method="post"
      action={action}
      className={`wrap ${styles.form}`}
      preventScrollReset
    >
      <div className={styles.main}>
        <FormProblems form="booking" answer={answer} />
        {!answer && <Unknown {...loaded.unknown} />}
        <ServiceStep
          key={`service-${choice.visit}`}
          services={form.services}
          service={slug}
          error={errors.service}
          href={(to) => address({ service: to })}
          onChoose={choice.chooseService}
        />
        {byDates ? (
          <>
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
          </>
        ) : (
          <Suspense>
            <ProjectStep
              earliest={form.earliest}
              latest={form.latest}
              from={dates.from}
              entries={entries}
              errors={errors}
            />
          </Suspense>
        )}
        <About
          number={byDates ? 4 : 3}
          countries={countries}
          onReady={setReady}
          entries={entries}
          errors={errors}
        />
        <input type="hidden" name="key" value={key} />
      </div>
      <aside className={styles.aside} aria-label="Your request">
        <BookingSummary form={form} next={next} service={chosenService} dates={dates} />
      </aside>
      <div className={styles.end}>
        <Send
          sum={sum}
          entries={entries}
          errors={errors}
          number={byDates ? 5 : 4}
          isBusy={isBusy}
          holdHours={byDates ? form.holdHours : null}
        />
      </div>
    </Form>
  )
}

/** Says what the address names that cannot be booked, as an old link does. */
function Unknown({ event, service }: BookingFormData['unknown']) {
  if (!event && !service) return null
  return (
    <Alert role="status">
      {event
        ? 'That event has ended or isn’t in our calendar. Choose your own dates below.'
        : 'That service can’t be booked online. Choose one below.'}
    </Alert>
  )
}
