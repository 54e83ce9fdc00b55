import { useState } from 'react'
import { Form, useActionData, useLoaderData, useNavigation } from 'react-router'
import { isByDates } from '#shared/bookings/sale-units.ts'
import { bookingTexts } from '#shared/bookings/page-texts.ts'
import { Head } from '../site/head/head.tsx'
import { staticPart } from '../site/static-part.tsx'
import { FormProblems } from '../forms/error-summary.tsx'
import { useOwnResult } from '../forms/result.ts'
import type * as FormEnd from './form-end.rest.tsx'
import { DatesStep } from './dates-step.tsx'
import { PlaceStep, ServiceStep } from './form-steps.tsx'
import type { BookingAnswer, BookingFormData } from './form-data.ts'
import styles from './form-page.module.css'
import { useChoice } from './use-choice.ts'
import { useDraft } from './use-draft.ts'

// The HTML of the server stays what it is.
const Intro = staticPart(() => import('./form-intro.static.tsx'))

let end: typeof FormEnd

/**
 * The parts further down, whose code comes a moment after that of what visitors choose first. React
 * takes up the form once all of it is there: a part that it took up later would lose what was typed in
 * it meanwhile, whenever anything above changes.
 */
export const rest = (async () => {
  end = await import('./form-end.rest.tsx')
})()
if (import.meta.env.SSR) await rest

const none: Readonly<Record<string, string>> = {}

/** Asks for dates: service, days, place, contact, and a summary that follows what is chosen. */
export function Component() {
  const loaded = useLoaderData<BookingFormData>()
  const { form, unknown } = loaded
  const isOpen = form.services.length > 0
  return (
    <>
      <Head title={bookingTexts.title} description={bookingTexts.description} />
      <Intro
        key={JSON.stringify(unknown)}
        holdHours={form.holdHours}
        isOpen={isOpen}
        unknown={unknown}
      />
      {isOpen && <BookingForm loaded={loaded} />}
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
  // One key for as long as the form is open, so months can be turned meanwhile.
  const [key] = useState(() => entries.key || loaded.key)
  const choice = useChoice(loaded, answer?.entries)
  const { slug, dates, address } = choice
  const element = useDraft({ isRefused: answer !== undefined, restore: choice.restore })
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
          <end.ProjectStep
            earliest={form.earliest}
            latest={form.latest}
            from={dates.from}
            entries={entries}
            errors={errors}
          />
        )}
        <end.AboutStep
          number={byDates ? 4 : 3}
          countries={countries}
          entries={entries}
          errors={errors}
        />
        <input type="hidden" name="key" value={key} />
      </div>
      <aside className={styles.aside} aria-label="Your request">
        <end.BookingSummary form={form} next={next} service={chosenService} dates={dates} />
      </aside>
      <div className={styles.end}>
        <end.SendStep
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
