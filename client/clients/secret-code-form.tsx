import { useState } from 'react'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { ArrowIcon } from '../ui/icons.tsx'
import styles from './secret-code-form.module.css'
import { codeFieldId, useSignIn } from './use-sign-in.ts'

type Props = {
  /** Where to go with a right code; the client's panel where not said. */
  to?: string
}

/**
 * The form for a secret code (docs/contract.md, Clients and panels). It works without scripts, too.
 */
export function SecretCodeForm({ to }: Props) {
  const { message, isSending, isNumber, formProps, prepare } = useSignIn(to)
  return (
    <form
      method="post"
      action={paths.clientZone()}
      className={styles.form}
      noValidate
      {...formProps}
    >
      <label htmlFor={codeFieldId}>{isNumber ? 'Number from your app' : 'Secret code'}</label>
      {isNumber ? (
        <NumberField isWrong={message !== undefined} onFocus={prepare} />
      ) : (
        <CodeField isWrong={message !== undefined} onFocus={prepare} />
      )}
      <p id="secret-code-message" role="alert" className={styles.message}>
        {message}
      </p>
      {isNumber ? (
        <p id="number-hint" className={styles.hint}>
          Your code is right. It also asks for the 6 digits in your authenticator app. Lost your
          phone? Enter a recovery code.
        </p>
      ) : (
        <Person />
      )}
      {to && <input type="hidden" name="next" value={to} />}
      <button className={button.button} aria-disabled={isSending || undefined}>
        {isSending ? 'Checking...' : 'Sign in'} <ArrowIcon />
      </button>
    </form>
  )
}

/** The field for who of several people it is. */
const Person = () => (
  <details className={styles.person}>
    <summary>Sharing a code?</summary>
    <label htmlFor="code-person">
      Your name <span>optional, shown in the activity log</span>
    </label>
    <input id="code-person" name="name" autoComplete="name" maxLength={80} />
  </details>
)

/** The field for the number of an authenticator app, or for a recovery code. */
const NumberField = ({ isWrong, onFocus }: { isWrong: boolean; onFocus: () => void }) => (
  <div className={`${styles.field} ${styles.number}`}>
    <input
      // Not the field of the code, whose text it would keep.
      key="number"
      id={codeFieldId}
      name="number"
      autoComplete="one-time-code"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      inputMode="numeric"
      enterKeyHint="go"
      required
      maxLength={40}
      aria-invalid={isWrong || undefined}
      aria-describedby="secret-code-message number-hint"
      onFocus={onFocus}
    />
  </div>
)

/** The field for the code, which is hidden until someone wants to see it. */
function CodeField({ isWrong, onFocus }: { isWrong: boolean; onFocus: () => void }) {
  const [visible, setVisible] = useState(false)
  return (
    <div className={styles.field}>
      <input
        id={codeFieldId}
        name="secretCode"
        type={visible ? 'text' : 'password'}
        autoComplete="current-password"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        required
        maxLength={200}
        aria-invalid={isWrong || undefined}
        aria-describedby="secret-code-message"
        onFocus={onFocus}
      />
      <button
        type="button"
        className={styles.reveal}
        aria-pressed={visible}
        onClick={() => setVisible(!visible)}
      >
        {visible ? 'Hide' : 'Show'}
      </button>
    </div>
  )
}
