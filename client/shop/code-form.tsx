import { Form, useActionData, useNavigation } from 'react-router'
import { paths } from '#shared/paths.ts'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { Field } from '../ui/field.tsx'
import type { CodeOutcome } from './order-action.ts'
import styles from './order-page.module.css'

/** Opens an order again with a code that goes to the buyer's own mailbox. */
export function CodeForm({ token }: { token: string }) {
  const outcome = useActionData<CodeOutcome>()
  const busy = useNavigation().state !== 'idle'
  const own = paths.checkoutSuccess(encodeURIComponent(token))
  const { isSent = false, error = null } = outcome ?? {}
  return (
    <section className={`wrap ${styles.code}`} aria-labelledby="code-title">
      <h2 id="code-title" className={styles.title}>
        Show everything again
      </h2>
      <p className={styles.explained}>
        A code of six digits goes to the mailbox of this order, and opens it for an hour.
      </p>
      {error && (
        <ErrorSummary
          title="The order stays closed"
          errors={[{ id: 'order-code', message: error }]}
        />
      )}
      <div role="status">
        {isSent && !error && (
          <Alert tone="good">
            A code is on its way to the address of this order. It works for 15 minutes.
          </Alert>
        )}
      </div>
      {isSent && (
        <Form method="post" action={own} className={styles.enter} noValidate>
          <input type="hidden" name="token" value={token} />
          <Field
            id="order-code"
            name="code"
            label="Code from the mail"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={20}
            error={error ?? undefined}
          />
          <button className={button.button} aria-disabled={busy || undefined}>
            Show the order
          </button>
        </Form>
      )}
      <Form method="post" action={own}>
        <input type="hidden" name="token" value={token} />
        <button
          className={`${button.button} ${isSent ? `${button.quiet} ${button.small}` : ''}`}
          aria-disabled={busy || undefined}
        >
          {isSent ? 'Send another code' : 'Send me a code by mail'}
        </button>
      </Form>
    </section>
  )
}
