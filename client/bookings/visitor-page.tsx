import type { ReactNode } from 'react'
import { Form, useActionData, useLoaderData, useNavigation } from 'react-router'
import type { BookingView } from '#shared/bookings.ts'
import { paths } from '#shared/paths.ts'
import { Head } from '../site/head.tsx'
import { useIdentity } from '../site/identity.ts'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { Facts } from '../ui/facts.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { WithAside } from '../ui/with-aside.tsx'
import { Move } from './move.tsx'
import type { Refused } from './refused.ts'
import styles from './signed-page.module.css'
import { datesOf, instantInWords, StateBadge, titleOf } from './state.tsx'
import type { VisitorData } from './visitor-loader.ts'

/** The visitor's own page of a booking: where it stands, and what can still be done. */
export function Component() {
  const { token, booking, chosen, room } = useLoaderData<VisitorData>()
  const refusal = useActionData<Refused>()
  const { reference, state, acts } = booking
  return (
    <>
      <Head title={`Booking ${reference}`} hidden />
      <PageHead label={`Booking ${reference}`} title={titleOf(state)} lead={leadOf(booking)} />
      <WithAside label="Your booking" aside={<Summary token={token} booking={booking} />}>
        <div className={styles.main}>
          {refusal && <Refusal refusal={refusal} />}
          {booking.answer && (
            <blockquote className={styles.answer}>
              <p>{booking.answer}</p>
            </blockquote>
          )}
          <Next booking={booking} />
          {acts.reason && (
            <Alert title="Changes by this link are closed">
              <p>{acts.reason}</p>
              <Reach />
            </Alert>
          )}
          {room && (
            <Move
              // Dates that were taken are no longer a choice.
              key={`${booking.from} ${booking.to}`}
              token={token}
              booking={booking}
              room={room}
              shown={chosen}
              refusal={refusal}
            />
          )}
          {acts.cancel && <Cancel token={token} state={state} />}
          {!acts.cancel && !acts.reason && (
            <p>
              <a href={paths.booking({ service: booking.service.slug })} className={button.button}>
                Book other dates <ArrowIcon />
              </a>
            </p>
          )}
        </div>
      </WithAside>
    </>
  )
}

function leadOf({ state, service, heldUntil }: BookingView): ReactNode {
  if (state === 'requested' && heldUntil) {
    return `Thank you. Nobody else can book these dates before ${instantInWords(heldUntil)}, and you have our answer by then.`
  }
  if (state === 'confirmed') return `${service.title}: we look forward to it.`
  if (state === 'declined') return 'The dates are free again, and you owe nothing.'
  if (state === 'cancelled') return 'The dates are free again. Thank you for telling us in time.'
  return 'We did not manage to answer in time, and are sorry. The dates may still be free.'
}

function Summary({ token, booking }: { token: string; booking: BookingView }) {
  const { reference, state, service, place, event, name, email, phone, company } = booking
  const isOn = state === 'requested' || state === 'confirmed'
  return (
    <>
      <p className="label">Reference</p>
      <p className={styles.reference}>{reference}</p>
      <StateBadge state={state} />
      <Facts
        facts={[
          ['Service', service.title],
          ['Dates', datesOf(booking)],
          ['Place', place],
          ['Event', event],
          ['Name', name],
          ['Company', company],
          ['Email', email],
          ['Phone', phone],
        ]}
      />
      {isOn && (
        <a href={paths.bookingCalendar(token)} className={`${button.button} ${button.quiet}`}>
          Add to calendar (.ics)
        </a>
      )}
      <p className={styles.note}>
        This page belongs to whoever has its address: keep it like a key. The link is in your mail,
        too.
      </p>
    </>
  )
}

const steps: Partial<Record<BookingView['state'], readonly string[]>> = {
  requested: [
    'One of us checks crew, travel and accreditation.',
    'You get a mail with our answer. Nothing is binding before that, for you or for us.',
    'Once we confirm, the booking stands and the dates go into your calendar.',
  ],
  confirmed: [
    'We get in touch about schedule, contacts on site and accreditation.',
    'You hear from us a week and a day before the start.',
    'Our crew is there. You get your first files as agreed.',
  ],
}

function Next({ booking: { state } }: { booking: BookingView }) {
  const list = steps[state]
  if (!list) return null
  return (
    <section aria-labelledby="next-title">
      <h2 id="next-title" className={styles.title}>
        What happens next
      </h2>
      <ol className={styles.steps}>
        {list.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  )
}

function Refusal({ refusal: { message, errors } }: { refusal: Refused }) {
  const fields = Object.entries(errors).map(([field, text]) => ({
    id: `move-${field}`,
    message: text,
  }))
  return fields.length > 0 ? (
    <ErrorSummary errors={fields} />
  ) : (
    <Alert tone="bad" role="alert">
      {message}
    </Alert>
  )
}

function Cancel({ token, state }: { token: string; state: BookingView['state'] }) {
  const busy = useNavigation().state !== 'idle'
  return (
    <section aria-labelledby="cancel-title">
      <h2 id="cancel-title" className={styles.title}>
        Cancel
      </h2>
      <p className={styles.text}>
        {state === 'confirmed'
          ? 'The crew is released and the dates are free for others. This cannot be taken back.'
          : 'The dates are free for others at once. This cannot be taken back.'}
      </p>
      <Form method="post" action={paths.bookingCancel(token)}>
        <button className={`${button.button} ${button.danger}`} aria-disabled={busy || undefined}>
          Cancel this booking
        </button>
      </Form>
    </section>
  )
}

/** How to reach us where the link is of no more use. */
function Reach() {
  const { phone, email } = useIdentity()
  return (
    <p>
      {phone && (
        <>
          Call <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</a> or{' '}
        </>
      )}
      {email ? (
        <a href={`mailto:${email}`}>write to {email}</a>
      ) : (
        <a href={paths.contact()}>write to us</a>
      )}
      .
    </p>
  )
}
