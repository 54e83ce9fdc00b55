import { Form, useLoaderData, useNavigation, useSearchParams } from 'react-router'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import button from '../../ui/button.module.css'
import { FormProblems } from '../../forms/error-summary.tsx'
import { Field, fieldsOf } from '../../forms/field.tsx'
import { FieldSet } from '../../forms/field-set.tsx'
import { RobotCheck } from '../../forms/robot-check.tsx'
import type { WithdrawData, Withdrawal } from './withdraw-data.ts'
import styles from './withdraw-page.module.css'

/** The first step of a withdrawal: which contract, and who withdraws from it. */
export function WithdrawStatement({ state }: { state: Withdrawal | undefined }) {
  const [query] = useSearchParams()
  const busy = useNavigation().state !== 'idle'
  const { sum } = useLoaderData<WithdrawData>()
  const { entries = {}, errors = {} } = state ?? {}
  const control = fieldsOf('withdraw', state)
  return (
    <Form method="post" action={toResult(paths.withdraw())} className={styles.form} noValidate>
      <FormProblems form="withdraw" answer={state} />
      <FieldSet legend="Which order?" className={styles.pair}>
        <Field
          label="Order number"
          hint="It’s in your confirmation email and on the invoice. A booking’s reference will do, too."
          maxLength={40}
          autoComplete="off"
          className={styles.whole}
          required
          {...control('order', query.get('order')?.slice(0, 40))}
        />
        <Field label="Name" autoComplete="name" maxLength={100} required {...control('name')} />
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          hint="We’ll send the receipt here."
          required
          {...control('email')}
        />
      </FieldSet>
      <RobotCheck
        id="withdraw-captcha"
        sum={sum}
        entries={entries}
        error={errors.captcha}
        optional
        hint="Spam check. Your withdrawal counts even if you skip it."
      />
      <button className={button.button} aria-disabled={busy || undefined}>
        Continue
      </button>
    </Form>
  )
}
