import { Form, useNavigation } from 'react-router'
import type { WithdrawReply } from '#shared/orders.ts'
import { paths } from '#shared/paths.ts'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { Facts } from '../ui/facts.tsx'
import type { Entries } from './entries.ts'
import styles from './withdraw-page.module.css'

/** The second step: the statement as it will be recorded, and the button that makes it binding. */
export function ConfirmWithdrawal({
  entries,
  exempt,
}: {
  entries: Entries
  exempt: WithdrawReply['exempt']
}) {
  const busy = useNavigation().state !== 'idle'
  return (
    <Form method="post" action={paths.withdraw()} className={styles.form}>
      <h2 className={styles.title}>Please confirm</h2>
      <p>
        I withdraw from the contract of order <strong>{entries.order}</strong>.
      </p>
      <Contents entries={entries} />
      <Exempt exempt={exempt} />
      {kept
        .filter((name) => entries[name] !== undefined)
        .map((name) => (
          <input key={name} type="hidden" name={name} value={entries[name]} />
        ))}
      <div className={styles.ways}>
        <button
          name="confirm"
          value="true"
          className={button.button}
          aria-disabled={busy || undefined}
        >
          Confirm withdrawal
        </button>
        <button name="change" value="true" className={`${button.button} ${button.quiet}`}>
          Change details
        </button>
      </div>
    </Form>
  )
}

/** What the first step has entered, with its sum and the field that people never see. */
const kept = ['order', 'name', 'email', 'captcha', 'x', 'y', 'proof', 'cameAt', 'website']

/** The acknowledgement on the page, with its time in Helsinki. */
export function WithdrawalReceived({ entries, reply }: { entries: Entries; reply: WithdrawReply }) {
  const at = reply.receivedAt ? instant(reply.receivedAt) : null
  return (
    <div className={styles.form}>
      <Alert tone="good" title="We have received your withdrawal" role="status">
        <p>
          Received on {at} (Helsinki). The acknowledgement is on its way to {entries.email}; we pay
          back what is due within 14 days.
        </p>
      </Alert>
      <Contents entries={entries} />
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

/** The contents of the statement. */
const Contents = ({ entries }: { entries: Entries }) => (
  <Facts
    facts={[
      ['Order', entries.order],
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
            {title}: {why}
          </li>
        ))}
      </ul>
      <p>Your statement is recorded for these as well, and we answer it.</p>
    </Alert>
  )
}
