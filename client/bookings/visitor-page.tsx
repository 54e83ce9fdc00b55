import type { ReactNode } from 'react'
import { Form, useActionData, useLoaderData, useNavigation } from 'react-router'
import { feeInWords } from '#shared/bookings/price.ts'
import { waitingMessages } from '#shared/bookings/page-texts.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import type { BookingView, BookingDocumentView } from '#shared/bookings/bookings.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { datesFact, instantInWords, lastMinuteOf, StateBadge, titleOf } from './state.tsx'
import { Head } from '../site/head/head.tsx'
import { useIdentity } from '../site/data/identity.ts'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import danger from '../ui/danger.module.css'
import { FormProblems } from '../forms/error-summary.tsx'
import { Facts } from '../ui/lists/facts.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { PageHead } from '../ui/page/page-head.tsx'
import { PaymentPending } from '../ui/page/payment-pending.tsx'
import { WithAside } from '../ui/page/with-aside.tsx'
import { Day } from '../ui/text/day.tsx'
import { Billing, Documents, Offer, Price } from './agreement.tsx'
import { Move } from './move.tsx'
import styles from './signed-page.module.css'
import type { VisitorAnswer, VisitorData } from './visitor-data.ts'
import { euros, sum } from '#shared/money.ts'

/** The visitor's own page of a booking: where it is, and what can still be done. */
export function Component() {
  const { token, booking, chosen, room, paid } = useLoaderData<VisitorData>()
  const busy = useNavigation().state !== 'idle'
  const returned = booking.documents.find(({ order }) => order === paid)
  const answer = useActionData<VisitorAnswer>()
  const { reference, acts } = booking
  return (
    <>
      <Head title={`Booking ${reference}`} hidden />
      <PageHead
        label={`Booking ${reference}`}
        title={booking.waits ? 'Your request is on hold' : titleOf(booking)}
        lead={leadOf(booking)}
        isResult={!answer}
      />
      <WithAside
        label="Your booking"
        aside={<Summary token={token} booking={booking} />}
        rest={
          <div className={styles.main}>
            <Billing token={token} booking={booking} answer={answer} />
            {acts.reason && (
              <Alert title="Online changes have closed">
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
                answer={answer}
              />
            )}
            {acts.cancel && <Cancel token={token} booking={booking} />}
            {!acts.cancel && !acts.reason && (
              <p>
                <a
                  href={paths.booking({ service: booking.service.slug })}
                  className={button.button}
                >
                  {isByDates(booking.unit) ? 'Book other dates' : 'Send another request'}{' '}
                  <ArrowIcon />
                </a>
              </p>
            )}
          </div>
        }
      >
        <div className={styles.main}>
          <FormProblems
            form={answer && 'from' in answer.entries ? 'move' : 'billing'}
            answer={answer}
          />
          {booking.withdrawnAt !== null && (
            <Alert title="We’ve received your withdrawal" tone="good" role="status">
              <p>
                Received on <Day iso={booking.withdrawnAt} long />. We’ll look at your booking and
                reply to you.
              </p>
            </Alert>
          )}
          {returned && <Returned token={token} document={returned} />}
          {booking.answer && (
            <blockquote className={styles.answer}>
              <p>{booking.answer}</p>
            </blockquote>
          )}
          <Price booking={booking} page={paths.bookingPage(token)} />
          <Offer token={token} booking={booking} />
          {booking.change && <Asked booking={booking} change={booking.change} />}
          <Documents documents={booking.documents} paying={{ token, busy }} />
          {booking.waits ? (
            <OnHold waits={booking.waits} unit={booking.unit} />
          ) : (
            booking.withdrawnAt === null && <Next booking={booking} />
          )}
        </div>
      </WithAside>
    </>
  )
}

function leadOf(booking: BookingView): ReactNode {
  const { state, service, unit, from, to, heldUntil, waits, offer, stage, withdrawnAt } = booking
  if (waits) {
    return waitingMessages[waits.for]
  }
  if (state === 'requested' && heldUntil) {
    // What the page says of the dates otherwise is far below on a phone.
    return `Thank you. We’re holding ${dateRange(from, to)} for you until ${instantInWords(heldUntil)}. You’ll have our answer by then.`
  }
  if (state === 'requested') {
    return 'Thank you. We’ll go through what you need and send you our offer within two working days.'
  }
  if (state === 'offered' && offer) {
    return `Accept or decline by ${lastMinuteOf(offer.validUntil)}.${isByDates(unit) ? ' We hold the dates for you until then.' : ''}`
  }
  if (state === 'confirmed' && stage === 'over') return 'Thank you for having us.'
  // Who has withdrawn isn't expected any more.
  if (state === 'confirmed' && withdrawnAt !== null) {
    return isByDates(unit) ? `${service.title}, ${dateRange(from, to)}.` : `${service.title}.`
  }
  if (state === 'confirmed') {
    return isByDates(unit)
      ? `${service.title}, ${dateRange(from, to)}: see you at the track.`
      : `${service.title}: we’re looking forward to working with you.`
  }
  if (state === 'declined') {
    return `${isByDates(unit) ? 'The dates have been released. ' : ''}There’s nothing to pay.`
  }
  if (state === 'cancelled') {
    return `${isByDates(unit) ? 'The dates have been released. ' : ''}${dueAfterwards(booking)}`
  }
  if (offer) return 'Our offer has ended. Still interested? Write to us and we’ll make a new one.'
  return 'Sorry, we missed the deadline. The dates may still be open.'
}

/** What a cancelled booking still costs: a fee, whose invoice may wait for an address, or nothing. */
function dueAfterwards({ fee, documents }: Pick<BookingView, 'fee' | 'documents'>): string {
  if (fee) return feeInWords(fee)
  const open = sum(documents.map((document) => document.open))
  if (open > 0) return `${euros(open)} is left to pay.`
  const hasPaid = documents.some(({ state }) => state === 'paid')
  return `There’s nothing ${hasPaid ? 'left ' : ''}to pay.`
}

function Summary({ token, booking }: { token: string; booking: BookingView }) {
  const { reference, state, service, place, event, name, email, phone, company, acts } = booking
  const isChangeable = acts.cancel || acts.move || acts.accept || acts.billing
  const isOn =
    isByDates(booking.unit) &&
    booking.stage !== 'over' &&
    ['requested', 'offered', 'confirmed'].includes(state)
  return (
    <>
      <p className="label">Reference</p>
      <p className={styles.reference}>{reference}</p>
      <StateBadge state={state} />
      <Facts
        facts={[
          ['Service', service.title],
          datesFact(booking),
          ['Place', place],
          ['Event', event],
          ['Name', name],
          ['Company', company],
          ['Email', email],
          ['Phone', phone],
          ['Scope', booking.scope],
          ['Budget', booking.budget],
          [
            'VAT ID',
            booking.vatId && [booking.vatId, booking.vatProblem].filter(Boolean).join('. '),
          ],
        ]}
      />
      {isOn && (
        <a href={paths.bookingCalendar(token)} className={`${button.button} ${button.quiet}`}>
          Add to calendar (.ics)
        </a>
      )}
      {/* A panel leads here by the reference, which opens nothing without the client's session. */}
      {token !== reference && (
        <p className={styles.note}>
          {`Anyone with this link can see ${isChangeable ? 'and change ' : ''}your booking. Keep it private.`}
          {booking.isEmailed && ' It’s also in your email.'}
        </p>
      )}
    </>
  )
}

/** The other dates that are asked for, beside the current ones. */
const Asked = ({
  booking: { from, to },
  change,
}: {
  booking: BookingView
  change: NonNullable<BookingView['change']>
}) => (
  <Alert title={`You asked for ${dateRange(change.from, change.to)}`} role="status">
    <p>
      We hold these dates, too, and will answer by {instantInWords(change.heldUntil)}. Until we
      confirm them, you’re still booked for {dateRange(from, to)}.
    </p>
    {change.price && <p>Once we confirm them, the price is {change.price}.</p>}
  </Alert>
)

/** What a request waits for that holds no dates yet. */
const OnHold = ({
  waits,
  unit,
}: Pick<BookingView, 'unit'> & { waits: NonNullable<BookingView['waits']> }) => (
  <Alert title={isByDates(unit) ? 'The dates aren’t held yet' : 'It’s in our queue'} role="status">
    <p>
      {waits.for === 'link'
        ? `The link works until ${instantInWords(waits.until)}. No email? Check your spam folder, or contact us.`
        : `You’ll hear from us by ${instantInWords(waits.until)}. If you don’t, the request lapses.`}
    </p>
  </Alert>
)

const atThePrice =
  'We confirm at the price above or make you an offer. Nothing is binding before that.'
const byOffer = 'We make you an offer with a price. Nothing is binding before you accept it.'

const steps: Partial<Record<BookingView['state'], readonly string[]>> = {
  requested: [
    'We check crew, travel and accreditation.',
    atThePrice,
    'Once it’s agreed, you’re booked, and the dates can go in your calendar.',
  ],
  confirmed: [
    'We’ll be in touch about the schedule, contacts on site and accreditation.',
    'We’ll email you a reminder before the first day.',
    'Our crew is on site, and your first files arrive as agreed.',
  ],
}

const projectSteps: typeof steps = {
  requested: [
    'We read your request and ask if anything is unclear.',
    'You’ll have our offer within two working days, to accept or decline.',
  ],
  confirmed: [
    'We’ll be in touch to plan the work.',
    'You’ll see drafts as agreed, and have your say.',
  ],
}

function Next({ booking: { state, unit, stage, lines } }: { booking: BookingView }) {
  const list = (isByDates(unit) ? steps : projectSteps)[state]
  // What comes before and on the first day is over by then.
  if (!list || (isByDates(unit) && stage !== 'ahead')) return null
  return (
    <section aria-labelledby="next-title">
      <h2 id="next-title" className={styles.title}>
        What happens next
      </h2>
      <ol className={styles.steps}>
        {list.map((step) => (
          <li key={step}>{step === atThePrice && lines.length === 0 ? byOffer : step}</li>
        ))}
      </ol>
    </section>
  )
}

function Cancel({ token, booking }: { token: string; booking: BookingView }) {
  const busy = useNavigation().state !== 'idle'
  const { state, unit, acts } = booking
  return (
    <section aria-labelledby="cancel-title">
      <h2 id="cancel-title" className={styles.title}>
        Cancel
      </h2>
      <p className={styles.text}>
        {acts.cancelling.length > 0 && `${ifCancelled(acts.cancelling)} `}
        {state === 'confirmed'
          ? isByDates(unit)
            ? 'This releases the crew and your dates. You can’t undo it.'
            : 'You can’t undo it.'
          : isByDates(unit)
            ? 'This releases the dates. You can’t undo it.'
            : 'This ends your request.'}
      </p>
      <Form method="post" action={toResult(paths.bookingCancel(token))}>
        <input type="hidden" name="due" value={acts.due} />
        <button
          className={`${button.button} ${button.quiet} ${danger.danger}`}
          aria-disabled={busy || undefined}
        >
          Cancel this {state === 'confirmed' || isByDates(unit) ? 'booking' : 'request'}
        </button>
      </Form>
    </section>
  )
}

/** What cancelling costs, of which the first sentence says when: “If you cancel now, there’s nothing to pay.” */
const ifCancelled = (cancelling: readonly string[]): string => {
  const all = cancelling.join(' ')
  return `If you cancel now, ${all.charAt(0).toLowerCase()}${all.slice(1)}`
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

/** What a payer sees who comes back from the payment service: whether the money is here. */
function Returned({ token, document }: { token: string; document: BookingDocumentView }) {
  const { order, state, total, open, invoice } = document
  if (state === 'paid' || (state === 'open' && open === 0)) {
    return (
      <Alert title="Thank you, your payment has arrived" tone="good" role="status">
        <p>
          {euros(total)} for invoice {invoice}. We’ve emailed you a receipt.
        </p>
      </Alert>
    )
  }
  return state === 'open' ? (
    <PaymentPending address={paths.bookingPaid(token, order)}>
      Changed your mind? Nothing was charged.
    </PaymentPending>
  ) : null
}
