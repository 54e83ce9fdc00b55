import { Form, useActionData, useNavigation } from 'react-router'
import { paths } from '#shared/paths.ts'
import { resultId, toResult } from '#shared/forms/result.ts'
import { Alert } from '../../ui/alert.tsx'
import button from '../../ui/button.module.css'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { Field } from '../../forms/field.tsx'
import type { CodeOutcome } from './order-data.ts'
import styles from './order-page.module.css'

/** Opens an order again with a code that goes to the buyer's own mailbox. */
export function CodeForm({ token }: { token: string }) {
  const outcome = useActionData<CodeOutcome>()
  const busy = useNavigation().state !== 'idle'
  const own = toResult(paths.checkoutSuccess(encodeURIComponent(token)))
  const { isSent = false, error = null } = outcome ?? {}
  const title = isSent && !error ? resultId : 'code-title'
  return (
    <section className={`wrap ${styles.code}`} aria-labelledby={title}>
      <h2 id={title} tabIndex={-1} className={styles.title}>
        Show full details
      </h2>
      <p className={styles.explained}>
        We’ll email a six-digit code to the address on this order. It unlocks the order for an hour.
      </p>
      {error && (
        <ErrorSummary title="The order is still locked" form="order" errors={{ code: error }} />
      )}
      <div role="status">
        {isSent && !error && (
          <Alert tone="good">
            A code is on its way to the address on this order. It works for 15 minutes.
          </Alert>
        )}
      </div>
      {isSent && (
        <Form method="post" action={own} className={styles.enter} noValidate>
          <input type="hidden" name="token" value={token} />
          <Field
            id="order-code"
            name="code"
            label="Code from the email"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={20}
            error={error ?? undefined}
          />
          <button className={button.button} aria-disabled={busy || undefined}>
            Show order
          </button>
        </Form>
      )}
      <Form method="post" action={own}>
        <input type="hidden" name="token" value={token} />
        <button
          className={`${button.button} ${isSent ? `${button.quiet} ${button.small}` : ''}`}
          aria-disabled={busy || undefined}
        >
          {isSent ? 'Send another code' : 'Email me a code'}
        </button>
      </Form>
    </section>
  )
}
