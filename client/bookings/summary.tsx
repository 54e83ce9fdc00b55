import type { BookableService, BookingForm } from '#shared/bookings.ts'
import { dateRange } from '#shared/date-format.ts'
import { isDate, lengthOf } from '#shared/months.ts'
import { Facts } from '../ui/facts.tsx'
import { Price } from '../ui/price.tsx'
import styles from './form-page.module.css'
import type { Chosen } from './selection.ts'

/** What is being asked for, from what price on, and what happens after it is sent. */
export function BookingSummary({
  form: { event, holdHours, cutOffDays },
  service,
  dates: { from, to },
}: {
  form: BookingForm
  service: BookableService | undefined
  dates: Chosen
}) {
  const last = isDate(to) && to >= from ? to : from
  const days = isDate(from) ? lengthOf(from, last) : 0
  return (
    <>
      <p className="label">Your request</p>
      <p className={styles.what}>{service?.title}</p>
      <p className={styles.when}>
        {days > 0 ? dateRange(from, last) : 'No days chosen yet'}
        {days > 1 && <span>{days} days</span>}
      </p>
      {event && <Facts facts={[['Event', event.title]]} />}
      {service?.priceFrom ? (
        <div className={styles.price}>
          <Price cents={service.priceFrom.gross} from />
          <p>
            Including {service.priceFrom.rate} % VAT
            {service.priceNote && `; ${service.priceNote}`}. You get the exact price with our
            answer.
          </p>
        </div>
      ) : (
        <p className={styles.quiet}>
          You get the price with our answer, before anything is binding.
        </p>
      )}
      <h2 className="label">What happens next</h2>
      <ol className={styles.next}>
        <li>Your dates are held for {holdHours} hours; nobody else can book them.</li>
        <li>We check crew and travel, and confirm or tell you why not.</li>
        <li>
          Once confirmed, you can cancel or move it free of charge until {cutOffDays} days before
          the start.
        </li>
      </ol>
    </>
  )
}
