import type { ReactNode } from 'react'
import { Form, useNavigation } from 'react-router'
import { bookingLimits } from '#shared/bookings/limits.ts'
import { priceInWords } from '#shared/bookings/price.ts'
import type { CancelReason, StaffBookingView } from '#shared/bookings/staff-page.ts'
import { cancelReasonTexts, lostTravelLabel } from '#shared/bookings/page-texts.ts'
import { decimal } from '#shared/money.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import button from '../ui/button.module.css'
import danger from '../ui/danger.module.css'
import fold from '../ui/fold.module.css'
import { Checkbox } from '../forms/checkbox.tsx'
import { Field, SelectField, fieldsOf } from '../forms/field.tsx'
import type { FormAnswer } from '../forms/form-action.ts'
import { useOwnResult } from '../forms/result.ts'
import styles from './signed-page.module.css'
import { instantInWords } from './state.tsx'

const cancelReasons = Object.keys(cancelReasonTexts) as CancelReason[]

/** `refused` is the form of the page that came back, whichever it was. */
type Props = { booking: StaffBookingView; refused: FormAnswer | undefined }

type Act = 'confirm' | 'decline' | 'offer' | 'cancel' | 'undo'

/** The fields of an act, with what was entered for it before. */
const fieldsFor = (act: Act, refused: FormAnswer | undefined) =>
  fieldsOf(act, refused?.entries.act === act ? refused : undefined)

/**
 * A form of this page. With each decision it sends which version of the booking staff saw, so that
 * nothing that changed meanwhile is decided unseen.
 */
function StaffForm({
  booking,
  acts,
  children,
}: {
  booking: StaffBookingView
  /** Its buttons. */
  acts: readonly { act: Act; label: string; look?: string | undefined }[]
  children: ReactNode
}) {
  const isBusy = useNavigation().state !== 'idle'
  return (
    <Form method="post" action={useOwnResult()} className={styles.decide}>
      <input type="hidden" name="sequence" value={booking.sequence} />
      {children}
      <div className={styles.buttons}>
        {acts.map(({ act, label, look = '' }) => (
          <button
            key={act}
            name="act"
            value={act}
            className={`${button.button} ${look}`}
            aria-disabled={isBusy || undefined}
          >
            {label}
          </button>
        ))}
      </div>
    </Form>
  )
}

/** Takes the last decision back, before its email leaves. */
export const Undo = ({ booking, until }: { booking: StaffBookingView; until: string }) => (
  <StaffForm
    booking={booking}
    acts={[{ act: 'undo', label: 'Undo the decision', look: button.quiet }]}
  >
    <p className={styles.text}>The email about it goes out on {instantInWords(until)}.</p>
  </StaffForm>
)

/** Confirms or declines, with a message. */
export function Decide({ booking, refused }: Props) {
  const { can, change, lines, total, travelQuoted } = booking
  const isDeclined = refused?.entries.act === 'decline'
  return (
    <section aria-labelledby="decide-title">
      <h2 id="decide-title" className={styles.title}>
        Your decision
      </h2>
      {can.confirm && !change && (
        <p className={styles.text}>
          {lines.length > 0
            ? `Confirming agrees on ${priceInWords(total)}${travelQuoted ? ', without any travel costs' : ''}.`
            : 'There’s no price yet, so confirming agrees on none.'}
        </p>
      )}
      <StaffForm
        booking={booking}
        acts={[
          ...(can.confirm ? [{ act: 'confirm', label: 'Confirm' } as const] : []),
          ...(can.decline
            ? [
                {
                  act: 'decline',
                  label: 'Decline',
                  look: `${button.quiet} ${danger.danger}`,
                } as const,
              ]
            : []),
        ]}
      >
        <Field
          label="Message to the client"
          {...fieldsFor(isDeclined ? 'decline' : 'confirm', refused)('text')}
          type="textarea"
          optional
          rows={5}
          maxLength={bookingLimits.maxMessage}
          hint="Added to our standard email."
        />
      </StaffForm>
    </section>
  )
}

/** Lines that the form has room for. */
const rows = [1, 2, 3, 4, 5]

/** Lines of our own, other dates, and until when: the visitor accepts or turns them down. */
export function Offer({ booking, refused }: Props) {
  const control = fieldsFor('offer', refused)
  const work = booking.lines.filter(({ kind }) => kind === 'service')
  const amountOf = (kind: 'travel' | 'discount') => {
    const found = booking.lines.find((line) => line.kind === kind)
    return found ? decimal(Math.abs(found.net)) : ''
  }
  return (
    <details className={`${fold.fold} ${styles.billing}`} open={refused?.entries.act === 'offer'}>
      <summary>
        <h2 className={styles.title}>
          {booking.state === 'offered' ? 'Change the offer' : 'Make an offer'}
        </h2>
      </summary>
      <p className={styles.text}>
        Net prices in euros. The client accepts or declines with their link
        {isByDates(booking.unit) && '; until then the dates are held'}.
      </p>
      <StaffForm booking={booking} acts={[{ act: 'offer', label: 'Send offer' }]}>
        {refused?.errors.lines && (
          <p id="offer-lines" className={styles.text}>
            {refused.errors.lines}
          </p>
        )}
        {rows.map((row) => {
          const line = work[row - 1]
          return (
            <div key={row} className={styles.offered}>
              <Field
                label={`Line ${row}`}
                {...control(`text-${row}`, line?.text)}
                optional={row > 1}
                maxLength={bookingLimits.maxLine}
              />
              <Field
                label="Quantity"
                {...control(`quantity-${row}`, line ? String(line.quantity) : '')}
                inputMode="numeric"
                optional
              />
              <Field
                label="Price each"
                {...control(`price-${row}`, line && decimal(line.price))}
                inputMode="decimal"
                optional={row > 1}
              />
            </div>
          )
        })}
        <div className={styles.fields}>
          <Field
            label="Travel"
            {...control('travel', amountOf('travel'))}
            inputMode="decimal"
            optional
          />
          <Field
            label="Discount"
            {...control('discount', amountOf('discount'))}
            inputMode="decimal"
            optional
          />
          <Field
            label={isByDates(booking.unit) ? 'First day' : 'Start'}
            {...control('from', booking.from)}
            type="date"
          />
          {isByDates(booking.unit) && (
            <Field label="Last day" {...control('to', booking.to)} type="date" />
          )}
          <Field
            label="Open until"
            {...control('validUntil', booking.offerUntil)}
            type="date"
            hint="The last day to accept it"
          />
        </div>
        {(refused?.errors.keepLines || refused?.entries.keepLines) && (
          <Checkbox
            id="offer-keepLines"
            name="keepLines"
            value="on"
            label="The lines keep their price"
            error={refused.errors.keepLines}
            defaultChecked={Boolean(refused.entries.keepLines)}
          />
        )}
        <Field
          label="Note to the client"
          {...control('note')}
          type="textarea"
          optional
          rows={4}
          maxLength={bookingLimits.maxMessage}
        />
      </StaffForm>
    </details>
  )
}

/** Cancels what was agreed, after saying what that costs and settles. */
export function Cancel({ booking, refused }: Props) {
  const { cancellingBecause } = booking
  const control = fieldsFor('cancel', refused)
  return (
    <section aria-labelledby="staff-cancel-title">
      <h2 id="staff-cancel-title" className={styles.title}>
        Cancel
      </h2>
      <dl className={styles.text}>
        {cancelReasons.map((reason) => (
          <div key={reason}>
            <dt>
              <strong>{cancelReasonTexts[reason]}</strong>
            </dt>
            <dd>{cancellingBecause[reason].join(' ')}</dd>
          </div>
        ))}
      </dl>
      <StaffForm
        booking={booking}
        acts={[
          { act: 'cancel', label: 'Cancel this booking', look: `${button.quiet} ${danger.danger}` },
        ]}
      >
        <SelectField
          label="Why"
          {...control('because', '')}
          required
          options={cancelReasons.map((value) => ({ value, label: cancelReasonTexts[value] }))}
        />
        {booking.lines.some(({ kind }) => kind === 'travel') && (
          <Field label={lostTravelLabel} {...control('travel', '')} inputMode="decimal" optional />
        )}
        <Field
          label="Message to the client"
          {...control('text')}
          type="textarea"
          optional
          rows={3}
          maxLength={bookingLimits.maxMessage}
        />
      </StaffForm>
    </section>
  )
}
