import { useActionData, useLoaderData } from 'react-router'
import { countryName } from '#shared/shop/countries.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import type { StaffBookingView } from '#shared/bookings/staff-page.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import { paths } from '#shared/paths.ts'
import { datesInWords } from '#shared/bookings/dates-in-words.ts'
import { datesFact, instantInWords, StateBadge } from './state.tsx'
import { Head } from '../site/head/head.tsx'
import { Alert } from '../ui/alert.tsx'
import { FormProblems } from '../forms/error-summary.tsx'
import { Facts } from '../ui/lists/facts.tsx'
import type { FormAnswer } from '../forms/form-action.ts'
import { PageHead } from '../ui/page/page-head.tsx'
import { resultPlace } from '../forms/result.ts'
import { WithAside } from '../ui/page/with-aside.tsx'
import { Day } from '../ui/text/day.tsx'
import { Documents, Price } from './agreement.tsx'
import styles from './signed-page.module.css'
import type { StaffData } from './staff-data.ts'
import { Cancel, Decide, Offer, Undo } from './staff-forms.tsx'

/** A booking for staff, by the link in their email: everything about it, and the decision. */
export function Component() {
  const { booking, token, isStaff } = useLoaderData<StaffData>()
  const refused = useActionData<FormAnswer>()
  const { reference, service, place, message, can, state, heldUntil, answer } = booking
  const open = can.confirm || can.decline
  return (
    <>
      <Head title={`Booking ${reference} for staff`} hidden />
      <PageHead
        label={`Booking ${reference}`}
        title={service.title}
        lead={
          <>
            <strong>
              {!isByDates(booking.unit) && 'Start '}
              {datesInWords(booking)}
            </strong>
            {place && `, ${place}`}.
            {state === 'requested' && heldUntil && <> Held until {instantInWords(heldUntil)}.</>}
          </>
        }
      />
      <WithAside label="The booking" aside={<Details booking={booking} />}>
        <div className={styles.main}>
          {isStaff && (
            <p>
              <a href={paths.deskThing('bookings', reference)}>Open at the desk</a>
            </p>
          )}
          <FormProblems form={refused?.entries.act ?? 'confirm'} answer={refused} />
          {message && (
            <section aria-labelledby="message-title">
              <h2 id="message-title" className={styles.title}>
                Message
              </h2>
              <p className={styles.message}>{message}</p>
            </section>
          )}
          {booking.scope && (
            <section aria-labelledby="scope-title">
              <h2 id="scope-title" className={styles.title}>
                Scope
              </h2>
              <p className={styles.message}>{booking.scope}</p>
              {booking.budget && <p className={styles.text}>Budget: {booking.budget}</p>}
            </section>
          )}
          <Price booking={booking} page={paths.bookingStaff(token)} />
          {booking.change && <Asked booking={booking} change={booking.change} />}
          {booking.withdrawnAt !== null && (
            <Alert tone="bad" title="The client has withdrawn">
              <p>
                Received on <Day iso={booking.withdrawnAt} long />. Answer it and close it at the
                desk.
              </p>
            </Alert>
          )}
          <Conflicts booking={booking} />
          <Documents documents={booking.documents} />
          {booking.undoUntil && <Undo booking={booking} until={booking.undoUntil} />}
          {open ? (
            <>
              <Decide booking={booking} refused={refused} />
              {can.offer && <Offer booking={booking} refused={refused} />}
            </>
          ) : (
            <section>
              <h2 {...(!refused && resultPlace)} className={styles.title}>
                This booking is {state}
              </h2>
              <p>
                {answer
                  ? `Our answer was: ${answer}`
                  : 'Nothing to decide. Staff change it at the desk.'}
              </p>
            </section>
          )}
          {!open && can.offer && <Offer booking={booking} refused={refused} />}
          {can.cancel && <Cancel booking={booking} refused={refused} />}
        </div>
      </WithAside>
    </>
  )
}

function Details({ booking }: { booking: StaffBookingView }) {
  const { state, place, event, name, company, email, phone, requestedAt } = booking
  return (
    <>
      <p className="label">State</p>
      <StateBadge state={state} />
      <Facts
        facts={[
          datesFact(booking),
          ['Place', place],
          ['Event', event],
          ['Name', name],
          ['Company', company],
          [
            'Email',
            email && (
              <a key="email" href={`mailto:${email}`}>
                {email}
              </a>
            ),
          ],
          [
            'Phone',
            phone && (
              <a key="phone" href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>
                {phone}
              </a>
            ),
          ],
          ['Country', booking.country && (countryName(booking.country) ?? booking.country)],
          ['VAT ID', booking.vatId],
          ['Crew', booking.crew.join(', ')],
          ['Note', booking.note],
          ['Requested', instantInWords(requestedAt)],
        ]}
      />
    </>
  )
}

/** The other dates that the customer asks for; what is decided is about them. */
const Asked = ({
  booking: { from, to, staleLines },
  change,
}: {
  booking: StaffBookingView
  change: NonNullable<StaffBookingView['change']>
}) => (
  <Alert title={`Asks for ${dateRange(change.from, change.to)} instead`} role="status">
    <p>
      Confirm or decline these dates before {instantInWords(change.heldUntil)}. The booking on{' '}
      {dateRange(from, to)} remains until you confirm; both are held.
    </p>
    {change.price && <p>The new dates cost {change.price}.</p>}
    {staleLines && <p>{staleLines}</p>}
  </Alert>
)

function Conflicts({ booking: { conflicts, can } }: { booking: StaffBookingView }) {
  if (!can.confirm) return null
  if (conflicts.length === 0) {
    return <Alert tone="good">No conflicts</Alert>
  }
  return (
    <Alert tone="bad" title="Conflicts">
      <ul className={styles.conflicts}>
        {conflicts.map((conflict) => (
          <li key={conflict}>{conflict}</li>
        ))}
      </ul>
    </Alert>
  )
}
