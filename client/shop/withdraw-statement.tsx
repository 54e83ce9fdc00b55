import { Form, useLoaderData, useNavigation, useSearchParams } from 'react-router'
import { paths } from '#shared/paths.ts'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { Field } from '../ui/field.tsx'
import { FieldSet } from '../ui/field-set.tsx'
import { RobotCheck } from '../ui/robot-check.tsx'
import type { Withdrawal } from './withdraw-action.ts'
import type { WithdrawData } from './withdraw-loader.ts'
import styles from './withdraw-page.module.css'

/** The first step of a withdrawal: which contract, and who withdraws from it. */
export function WithdrawStatement({ state }: { state: Withdrawal | undefined }) {
  const [query] = useSearchParams()
  const busy = useNavigation().state !== 'idle'
  const { sum } = useLoaderData<WithdrawData>()
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
      <RobotCheck
        id="withdraw-captcha"
        sum={sum}
        entries={entries}
        error={errors.captcha}
        optional
        hint="This tells people from robots. Your withdrawal counts without an answer, too."
      />
      <button className={button.button} aria-disabled={busy || undefined}>
        Continue
      </button>
    </Form>
  )
}
