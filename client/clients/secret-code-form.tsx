import { useState } from 'react'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { ArrowIcon } from '../ui/icons.tsx'
import styles from './secret-code-form.module.css'
import { useSignIn } from './use-sign-in.ts'

type Props = {
  /** Where to go with a right code; the client's panel where not said. */
  to?: string
}

/**
 * The form for a secret code (docs/contract.md, Clients and panels). It works without scripts, too.
 */
export function SecretCodeForm({ to }: Props) {
  const { message, isSending, formProps, prepare } = useSignIn(to)
  return (
    <form
      method="post"
      action={paths.clientZone()}
      className={styles.form}
      noValidate
      {...formProps}
    >
      <label htmlFor="secret-code">Secret code</label>
      <CodeField isWrong={message !== undefined} onFocus={prepare} />
      <p id="secret-code-message" role="alert" className={styles.message}>
        {message}
      </p>
      <details className={styles.person}>
        <summary>Sharing a code?</summary>
        <label htmlFor="code-person">
          Your name <span>optional, shown in the activity log</span>
        </label>
        <input id="code-person" name="name" autoComplete="name" maxLength={80} />
      </details>
      {to && <input type="hidden" name="next" value={to.replace(/\?.*/, '')} />}
      <button className={button.button} aria-disabled={isSending || undefined}>
        {isSending ? 'Checking...' : 'Sign in'} <ArrowIcon />
      </button>
    </form>
  )
}

/** The field for the code, which is hidden until someone wants to see it. */
function CodeField({ isWrong, onFocus }: { isWrong: boolean; onFocus: () => void }) {
  const [visible, setVisible] = useState(false)
  return (
    <div className={styles.field}>
      <input
        id="secret-code"
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
