import { bookingTexts } from '#shared/bookings/page-texts.ts'
import { paths } from '#shared/paths.ts'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { PageHead } from '../ui/page/page-head.tsx'
import styles from './form-page.module.css'
import type { BookingFormData } from './form-data.ts'

/** What is above the form, or in its place where nothing can be booked. */
export function Component({
  holdHours,
  isOpen,
  unknown: { event, service },
}: {
  holdHours: number
  isOpen: boolean
  /** What the address names that can't be booked, as an old link does. */
  unknown: BookingFormData['unknown']
}) {
  return (
    <>
      <PageHead
        label="Booking"
        title={bookingTexts.title}
        lead={`Pick a service and your dates. We’ll hold them for at least ${holdHours} hours, or until they begin, while we check crew and travel. No commitment until we confirm.`}
      />
      {!isOpen && (
        <EmptyState title="Online booking is down">
          <p>Send us your dates and we’ll book you in by hand.</p>
          <a href={paths.contact()} data-contact="Booking request" className={button.button}>
            Contact us
          </a>
        </EmptyState>
      )}
      {isOpen && (event || service) && (
        <div className={`wrap ${styles.notice}`}>
          <Alert role="status">
            {event
              ? 'That event can’t be booked any more, or isn’t in our calendar. Choose your own dates below.'
              : 'That service can’t be booked online. Choose one below.'}
          </Alert>
        </div>
      )}
    </>
  )
}
