import { Form, useActionData, useLoaderData, useNavigation } from 'react-router'
import type { StaffBookingView } from '#shared/bookings.ts'
import { bookingLimits } from '#shared/booking-limits.ts'
import { Head } from '../site/head.tsx'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { Facts } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { WithAside } from '../ui/with-aside.tsx'
import type { Refused } from './refused.ts'
import styles from './signed-page.module.css'
import type { StaffData } from './staff-loader.ts'
import { datesOf, instantInWords, StateBadge } from './state.tsx'

/** A booking for staff, by the link in their mail: everything about it, and the decision. */
export function Component() {
  const { booking } = useLoaderData<StaffData>()
  const refusal = useActionData<Refused>()
  const { reference, service, place, message, open, state, heldUntil, answer } = booking
  return (
    <>
      <Head title={`Booking ${reference} for staff`} hidden />
      <PageHead
        label={`Booking ${reference}`}
        title={service.title}
        lead={
          <>
            <strong>{datesOf(booking)}</strong>, {place}.
            {state === 'requested' && heldUntil && <> Held until {instantInWords(heldUntil)}.</>}
          </>
        }
      />
      <WithAside label="The booking" aside={<Details booking={booking} />}>
        <div className={styles.main}>
          {refusal && (
            <Alert tone="bad" role="alert">
              {refusal.errors.text ?? refusal.message}
            </Alert>
          )}
          {message && (
            <section aria-labelledby="message-title">
              <h2 id="message-title" className={styles.title}>
                Message
              </h2>
              <p className={styles.message}>{message}</p>
            </section>
          )}
          <Conflicts booking={booking} />
          {open ? (
            <Decide text={refusal?.entries.text ?? ''} />
          ) : (
            <Alert title={`This booking is ${state}`}>
              <p>
                {answer
                  ? `Our answer was: ${answer}`
                  : 'There is nothing to decide here. To change it, use the command line.'}
              </p>
            </Alert>
          )}
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
          ['Dates', datesOf(booking)],
          ['Place', place],
          ['Event', event],
          ['Name', name],
          ['Company', company],
          [
            'Email',
            <a key="email" href={`mailto:${email}`}>
              {email}
            </a>,
          ],
          [
            'Phone',
            phone && (
              <a key="phone" href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>
                {phone}
              </a>
            ),
          ],
          ['Requested', instantInWords(requestedAt)],
        ]}
      />
    </>
  )
}

function Conflicts({ booking: { conflicts, open } }: { booking: StaffBookingView }) {
  if (!open) return null
  if (conflicts.length === 0) {
    return <Alert tone="good">Nothing stands against these dates.</Alert>
  }
  return (
    <Alert tone="bad" title="This stands against it">
      <ul className={styles.conflicts}>
        {conflicts.map((conflict) => (
          <li key={conflict}>{conflict}</li>
        ))}
      </ul>
    </Alert>
  )
}

function Decide({ text }: { text: string }) {
  const busy = useNavigation().state !== 'idle' || undefined
  return (
    <section aria-labelledby="decide-title">
      <h2 id="decide-title" className={styles.title}>
        Your decision
      </h2>
      <Form method="post" className={styles.decide}>
        <Field
          label="Text for the visitor"
          name="text"
          type="textarea"
          optional
          rows={5}
          maxLength={bookingLimits.messageMost}
          defaultValue={text}
          hint="Goes into the mail. Without it, they get our usual words."
        />
        <div className={styles.buttons}>
          <button name="act" value="confirm" className={button.button} aria-disabled={busy}>
            Confirm
          </button>
          <button
            name="act"
            value="decline"
            className={`${button.button} ${button.danger}`}
            aria-disabled={busy}
          >
            Decline
          </button>
        </div>
      </Form>
    </section>
  )
}
