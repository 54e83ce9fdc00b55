import { useEffect, useRef, type ReactNode } from 'react'
import { Form, useActionData, useNavigation, useSearchParams } from 'react-router'
import type { WithdrawReply } from '#shared/orders.ts'
import { paths } from '#shared/paths.ts'
import { Head } from '../site/head.tsx'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { Facts } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { FieldSet } from '../ui/field-set.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Steps } from '../ui/steps.tsx'
import { WithAside } from '../ui/with-aside.tsx'
import type { Entries } from './entries.ts'
import type { Withdrawal } from './withdraw-action.ts'
import styles from './withdraw-page.module.css'

const steps = [{ title: 'Your order' }, { title: 'Confirm' }, { title: 'Received' }]

/** The withdrawal function (Directive 2011/83/EU, art. 11a): two steps, without signing in. */
export function Component() {
  const state = useActionData<Withdrawal>()
  const reply = state?.reply ?? null
  const current = reply === null ? 0 : reply.step === 'confirm' ? 1 : 2
  return (
    <>
      <Head
        title="Withdraw from contract here"
        description="Withdraw from an order within 14 days: two steps, no account, no reason needed. You get an acknowledgement by mail at once."
      />
      <PageHead
        label={<a href={paths.shop()}>Shop</a>}
        title="Withdraw from contract here"
        lead="Two steps, no account and no reason needed. The acknowledgement comes by mail at once."
      />
      <WithAside label="Good to know" aside={<GoodToKnow />}>
        <div className={styles.main}>
          <Steps label="Your withdrawal" steps={steps} current={current} />
          {state && reply ? (
            <Told key={reply.step}>
              {reply.step === 'confirm' ? (
                <Confirm entries={state.entries} exempt={reply.exempt} />
              ) : (
                <Done entries={state.entries} reply={reply} />
              )}
            </Told>
          ) : (
            <Statement state={state} />
          )}
        </div>
      </WithAside>
    </>
  )
}

/** A step that takes the place of the one before it, and the focus. */
function Told({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} tabIndex={-1} className={styles.told}>
      {children}
    </div>
  )
}

function Statement({ state }: { state: Withdrawal | undefined }) {
  const [query] = useSearchParams()
  const busy = useNavigation().state !== 'idle'
  const { entries = {}, errors = {}, message = null } = state ?? {}
  const fieldOf = (name: string) => ({
    id: `withdraw-${name}`,
    name,
    required: true,
    defaultValue: entries[name],
    error: errors[name],
  })
  return (
    <Form method="post" action={paths.withdraw()} className={styles.form} noValidate>
      <ErrorSummary
        errors={Object.entries(errors).map(([field, text]) => ({
          id: `withdraw-${field}`,
          message: text,
        }))}
      />
      {message && (
        <Alert tone="bad" role="alert">
          {message}
        </Alert>
      )}
      <FieldSet legend="Which contract?" className={styles.pair}>
        <Field
          label="Order number"
          hint="It stands in the confirmation mail and on the invoice."
          maxLength={40}
          autoComplete="off"
          className={styles.whole}
          {...fieldOf('order')}
          defaultValue={entries.order ?? query.get('order')?.slice(0, 40) ?? ''}
        />
        <Field label="Name" autoComplete="name" maxLength={100} {...fieldOf('name')} />
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          hint="The acknowledgement goes there."
          {...fieldOf('email')}
        />
      </FieldSet>
      <Trap />
      <button className={button.button} aria-disabled={busy || undefined}>
        Continue
      </button>
    </Form>
  )
}

/** Honeypot: people never see it. */
const Trap = () => (
  <div className={styles.trap} aria-hidden="true">
    <label>
      Leave this empty
      <input name="website" tabIndex={-1} autoComplete="off" />
    </label>
  </div>
)

function Confirm({ entries, exempt }: { entries: Entries; exempt: WithdrawReply['exempt'] }) {
  const busy = useNavigation().state !== 'idle'
  return (
    <Form method="post" action={paths.withdraw()} className={styles.form}>
      <h2 className={styles.title}>Please confirm</h2>
      <p>
        I withdraw from the contract of order <strong>{entries.order}</strong>.
      </p>
      <Contents entries={entries} />
      <Exempt exempt={exempt} />
      {['order', 'name', 'email'].map((name) => (
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

function Done({ entries, reply }: { entries: Entries; reply: WithdrawReply }) {
  const at = reply.receivedAt ? instant.format(new Date(reply.receivedAt)) : null
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

const instant = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'medium',
  timeZone: 'Europe/Helsinki',
})

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

const GoodToKnow = () => (
  <>
    <p className="label">Good to know</p>
    <p>
      You have 14 days: for goods from the day you receive them, for services and downloads from the
      day of the order.
    </p>
    <p>
      Goods go back to us within 14 days of your statement, at your cost. We refund every payment,
      standard delivery included.
    </p>
    <p>
      A mail or the form in our <a href={`${paths.termsOfService()}#withdrawal`}>terms</a> does just
      as well.
    </p>
  </>
)
