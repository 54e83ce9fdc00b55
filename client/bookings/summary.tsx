import { countInWords, priceInWords, serviceLines, totalOf } from '#shared/bookings/price.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import type { BookableService, BookingForm } from '#shared/bookings/bookings.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import { isDate, lengthOf } from '#shared/dates/months.ts'
import { Facts } from '../ui/lists/facts.tsx'
import { ServicePrice } from '../ui/text/price.tsx'
import type { BookingFormData } from './form-data.ts'
import styles from './form-page.module.css'
import type { Chosen } from './selection.ts'

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
        <ServiceCost service={service} range={days > 0 ? { from, to: last } : null} />
      ) : (
        <p className={styles.quiet}>We’ll quote before anything is confirmed.</p>
      )}
      <h2 className="label">What happens next</h2>
      <ol className={styles.next}>
        {next[byDates ? (service?.priceFrom ? 'priced' : 'unpriced') : 'project'].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </>
  )
}

/** The price as the request will carry it: for the chosen days, or what one of them costs. */
function ServiceCost({
  service,
  range,
}: {
  service: BookableService
  range: { from: string; to: string } | null
}) {
  const { priceFrom, priceNote, unit, includes } = service
  const [line] = isByDates(unit) && range ? serviceLines(service, range) : []
  const count = line && countInWords(line)
  return (
    <div className={styles.price}>
      {line ? (
        <>
          {count && <p>{count}</p>}
          <p>
            <strong>{priceInWords(totalOf([line]))}</strong>
          </p>
          <p>Travel: quoted before anything is binding.</p>
        </>
      ) : (
        <ServicePrice price={priceFrom!} unit={unit} />
      )}
      <p>
        {priceNote && `${priceNote} `}VAT is {priceFrom!.rate}&nbsp;% in Finland; companies in other
        countries usually pay us none.
      </p>
      {includes.length > 0 && (
        <ul>
          {includes.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
