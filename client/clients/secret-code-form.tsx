import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { paths } from '#shared/paths.ts'
import { codeMessages, shortestCode } from '#shared/secret-code.ts'
import button from '../ui/button.module.css'
import { ArrowIcon } from '../ui/icons.tsx'
import { setFlag } from './signing.ts'
import styles from './secret-code-form.module.css'

type Props = {
  /** Where to go with a right code; the client's panel where not said. */
  to?: string
}

const load = () => import('./authenticate.ts')

/** What a form without scripts was answered, by the word in its address. */
const problems: Readonly<Record<string, string>> = {
  short: codeMessages.short,
  wrong: codeMessages.wrong,
  wait: 'Too many wrong codes. Please wait a moment and try again.',
}

/**
 * The form for a secret code (docs/contract.md, Clients and panels). It works without scripts, too.
 */
export function SecretCodeForm({ to }: Props) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const field = useRef<HTMLInputElement>(null)
  const person = useRef<HTMLInputElement>(null)
  const [message, setMessage] = useState(
    () => problems[new URLSearchParams(search).get('problem') ?? ''] ?? null,
  )
  const [checking, setChecking] = useState(false)
  const [visible, setVisible] = useState(false)
  useEffect(() => {
    if (message && !checking) field.current?.focus()
  }, [message, checking])

  async function enter(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (checking) return
    const code = field.current?.value.trim() ?? ''
    if (Array.from(code).length < shortestCode) return setMessage(codeMessages.short)
    setMessage(null)
    setChecking(true)
    const reply = await load().then(
      ({ authenticate }) => authenticate(code, person.current?.value.trim() ?? ''),
      () => ({ problem: codeMessages.unreachable }),
    )
    if ('problem' in reply) {
      setChecking(false)
      setMessage(reply.problem)
      return
    }
    setFlag(reply.signedIn)
    const target = to ?? paths.panel(reply.signedIn.panel || undefined)
    if (isDownload(target)) location.assign(target)
    else if (target === pathname && !search) await revalidate()
    else await navigate(target)
    setChecking(false)
  }

  return (
    <form
      method="post"
      action={paths.clientZone()}
      className={styles.form}
      noValidate
      onSubmit={(event) => void enter(event)}
    >
      <label htmlFor="secret-code">Secret code</label>
      <div className={styles.field}>
        <input
          ref={field}
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
          aria-invalid={message ? true : undefined}
          aria-describedby="secret-code-message"
          onFocus={() => void load().catch(() => {})}
          onInput={() => setMessage(null)}
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

/** What stands below a folder is a file, not a page that can be navigated to. */
const isDownload = (address: string) => /^\/s\/[^/?]+\//.test(address)
