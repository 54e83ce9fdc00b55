import { lazy, Suspense } from 'react'
import { isByDates } from '#shared/sale-units.ts'
import type { BookableService, BookingForm } from '#shared/bookings.ts'
import { dateRange } from '#shared/date-format.ts'
import { isDate, lengthOf } from '#shared/months.ts'
import { Facts } from '../ui/lists/facts.tsx'
import type { BookingFormData } from './form-data.ts'
import styles from './form-page.module.css'
import type { Chosen } from './selection.ts'

// Prices are on the page when it comes; the browser computes them anew once other days are chosen.
const ServiceCost = import.meta.env.SSR
  ? (await import('./service-cost.tsx')).ServiceCost
  : lazy(async () => ({ default: (await import('./service-cost.tsx')).ServiceCost }))

/** What is being asked for, what it costs, and what happens after it is sent. */
export function BookingSummary({
  form,
  next,
  service,
  dates: { from, to },
}: Pick<BookingFormData, 'next'> & {
  form: BookingForm
  service: BookableService | undefined
  dates: Chosen
}) {
  const { event } = form
  const byDates = isByDates(service?.unit ?? 'day')
  const last = isDate(to) && to >= from ? to : from
  const days = isDate(from) ? lengthOf(from, last) : 0
  return (
    <>
      <p className="label">Your request</p>
      <p className={styles.what}>{service?.title}</p>
      {byDates && (
        <p className={styles.when}>
          {days > 0 ? dateRange(from, last) : 'No dates selected'}
          {days > 1 && <span>{days} days</span>}
        </p>
      )}
      {byDates && event && <Facts facts={[['Event', event.title]]} />}
      {service?.priceFrom ? (
        <Suspense>
          <ServiceCost service={service} range={days > 0 ? { from, to: last } : null} />
        </Suspense>
      ) : (
        <p className={styles.quiet}>We’ll quote before anything is confirmed.</p>
      )}
      <h2 className="label">What happens next</h2>
      <ol className={styles.next}>
        {next[byDates ? 'dates' : 'project'].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </>
  )
}
