import { useState, type Ref } from 'react'
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
  const { field, person, message, checking, enter, prepare, clear } = useSignIn(to)
  return (
    <form
      method="post"
      action={paths.clientZone()}
      className={styles.form}
      noValidate
      onSubmit={(event) => void enter(event)}
    >
      <label htmlFor="secret-code">Secret code</label>
      <CodeField ref={field} isWrong={message !== null} onFocus={prepare} onInput={clear} />
      <p id="secret-code-message" role="alert" className={styles.message}>
        {message}
      </p>
      <details className={styles.person}>
        <summary>Several of you share a code?</summary>
        <label htmlFor="code-person">
          Your name <span>for the list of what happened, if you like</span>
        </label>
        <input ref={person} id="code-person" name="name" autoComplete="name" maxLength={80} />
      </details>
      {to && <input type="hidden" name="next" value={to.replace(/\?.*/, '')} />}
      <button className={button.button} aria-disabled={checking || undefined}>
        {checking ? 'Checking...' : 'Enter'} <ArrowIcon />
      </button>
    </form>
  )
}

type CodeFieldProps = {
  ref: Ref<HTMLInputElement>
  isWrong: boolean
  onFocus: () => void
  onInput: () => void
}

/** The field for the code, which is hidden until somebody wants to see it. */
function CodeField({ ref, isWrong, onFocus, onInput }: CodeFieldProps) {
  const [visible, setVisible] = useState(false)
  return (
    <div className={styles.field}>
      <input
        ref={ref}
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
        onInput={onInput}
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
