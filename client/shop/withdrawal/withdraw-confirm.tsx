import { Form, useNavigation } from 'react-router'
import type { Entries } from '#shared/forms/form.ts'
import type { WithdrawReply } from '#shared/shop/orders.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { withWholeMeasures } from '#shared/text/measures.ts'
import { Alert } from '../../ui/alert.tsx'
import button from '../../ui/button.module.css'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { QuantityInput } from '../../forms/quantity-input.tsx'
import { Facts } from '../../ui/lists/facts.tsx'
import { resultPlace } from '../../forms/result.ts'
import { wholeNumber } from '../../forms/form-action.ts'
import styles from './withdraw-page.module.css'

/** The second step: the statement as it will be recorded, and the button that makes it binding. */
export function ConfirmWithdrawal({
  entries,
  lines,
  error,
}: {
  entries: Entries
  lines: WithdrawReply['lines']
  /** What is wrong with the choice of lines. */
  error: string | undefined
}) {
  const busy = useNavigation().state !== 'idle'
  const isNothingLeft = lines.length > 0 && !isLeft(lines)
  return (
    <Form method="post" action={toResult(paths.withdraw())} className={styles.form}>
      <h2 {...resultPlace} className={styles.title}>
        {isNothingLeft ? 'There’s nothing left to withdraw from' : 'Please confirm'}
      </h2>
      {error && <ErrorSummary form="withdraw" errors={{ lines: error }} />}
      {!isNothingLeft && (
        <p>
          I withdraw from the contract of {thingOf(entries)} <strong>{entries.order}</strong>
          {lines.length > 1 ? ', for the items chosen below.' : '.'}
        </p>
      )}
      <Contents entries={entries} />
      {thingOf(entries) === 'booking' && (
        <p>
          We’ll look at the booking and reply to you. If your 14 days are over or you booked as a
          company, cancel on the booking’s page instead: it says what that costs. Its link is in our
          emails.
        </p>
      )}
      {lines.length > 0 && <Choice lines={lines} entries={entries} />}
      {kept
        .filter((name) => entries[name] !== undefined)
        .map((name) => (
          <input key={name} type="hidden" name={name} value={entries[name]} />
        ))}
      <div className={styles.ways}>
        {!isNothingLeft && (
          <button
            name="confirm"
            value="true"
            className={button.button}
            aria-disabled={busy || undefined}
          >
            Confirm withdrawal
          </button>
        )}
        <button name="change" value="true" className={`${button.button} ${button.quiet}`}>
          Change details
        </button>
      </div>
    </Form>
  )
}

/** Whether anything of the lines hasn't been withdrawn or credited yet. */
const isLeft = (lines: WithdrawReply['lines']) => lines.some(({ quantity }) => quantity > 0)

/** The lines of the order, each with how many pieces of it; 0 keeps it. */
function Choice({ lines, entries }: { lines: WithdrawReply['lines']; entries: Entries }) {
  return (
    <fieldset className={styles.choice} id="withdraw-lines" tabIndex={-1}>
      <legend>{isLeft(lines) ? 'What are you withdrawing from?' : 'The items of the order'}</legend>
      {isLeft(lines) && <p>Enter 0 for anything you’re keeping.</p>}
      <ul>
        {lines.map(({ line, title, quantity, why, sent }) => {
          const name = `quantity-${line}`
          const typed = wholeNumber(entries[name])
          const usual = why === null ? quantity : 0
          return (
            <li key={line}>
              <span>
                <strong>{withWholeMeasures(title)}</strong>
                {why && <small>No right of withdrawal: {why}</small>}
                {why === null && sent > 0 && sent < quantity && (
                  <small>
                    {quantity - sent} not sent yet: you withdraw from{' '}
                    {quantity - sent === 1 ? 'that piece' : 'those pieces'} first
                  </small>
                )}
                {quantity === 0 && <small>Withdrawn or credited already</small>}
              </span>
              {quantity > 0 && (
                <QuantityInput
                  label={`Pieces of ${title}`}
                  isLabelShown={false}
                  name={name}
                  max={quantity}
                  defaultValue={typed <= quantity ? typed : usual}
                />
              )}
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

/** What the first step has entered, with its sum and the field that people never see. */
const kept = ['order', 'name', 'email', 'captcha', 'x', 'y', 'proof', 'cameAt', 'website']

/** The acknowledgement on the page, with its time in Helsinki. */
export function WithdrawalReceived({ entries, reply }: { entries: Entries; reply: WithdrawReply }) {
  const at = reply.receivedAt ? instant(reply.receivedAt) : null
  const { lines } = reply
  const isExempt = lines.length > 0 && lines.every(({ why }) => why !== null)
  return (
    <div className={styles.form}>
      <h2 {...resultPlace} className={styles.title}>
        We have received your withdrawal
      </h2>
      <Alert tone="good" role="status">
        <p>
          Received on {at} (Helsinki). A receipt is on its way to {entries.email}
          {isExempt
            ? '. Nothing you chose has a right of withdrawal, so there’s no refund.'
            : thingOf(entries) === 'booking'
              ? '; we’ll look at the booking and reply.'
              : '; we’ll refund what is due within 14 days.'}
        </p>
      </Alert>
      <Contents entries={entries} />
      {lines.length > 0 && !isExempt && (
        <Facts
          look="stacked"
          facts={lines
            .filter(({ why }) => why === null)
            .map(({ title, quantity }) => [
              title,
              quantity === 1 ? '1 piece' : `${quantity} pieces`,
            ])}
        />
      )}
      <Exempt exempt={reply.exempt} />
    </div>
  )
}

const instant = (iso: string) =>
  new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'medium',
    timeZone: 'Europe/Helsinki',
  }).format(new Date(iso))

/** What is withdrawn from: the references of bookings begin with a letter of their own. */
const thingOf = ({ order = '' }: Entries): 'order' | 'booking' =>
  /^\s*b\s*-/i.test(order) ? 'booking' : 'order'

/** The contents of the statement. */
const Contents = ({ entries }: { entries: Entries }) => (
  <Facts
    facts={[
      [thingOf(entries) === 'booking' ? 'Booking' : 'Order', entries.order],
      ['Name', entries.name],
      ['Email', entries.email],
    ]}
  />
)

/** Lines without a right of withdrawal; the statement counts for the others, and is recorded whole. */
function Exempt({ exempt }: { exempt: WithdrawReply['exempt'] }) {
  if (exempt.length === 0) return null
  return (
    <Alert title="Without a right of withdrawal">
      <ul>
        {exempt.map(({ title, why }) => (
          <li key={title}>
            {withWholeMeasures(title)}: {why}
          </li>
        ))}
      </ul>
      <p>Your statement covers these too, and we’ll reply to it.</p>
    </Alert>
  )
}
