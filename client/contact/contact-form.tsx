import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import {
  contactLimits,
  contactMessages,
  thankYouText,
  verificationFailed,
  verificationQuestion,
} from '#shared/contact.ts'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { logError } from '../site/log.ts'
import styles from './contact-form.module.css'
import { Field } from './field.tsx'
import { isWaiting, outboxChanged } from './outbox.ts'
import { outboxKey } from './outbox-key.ts'
import { Popup } from './popup.tsx'
import { useQuestion } from './question.ts'
import { securityToken } from './security-token.ts'
import { check, submit, type Agency } from './submission.ts'
import { WithoutScripts } from './without-scripts.tsx'

type Props = Agency & {
  /** Fills in the subject. */
  subject?: string
  /** Called when the thank-you popup closes by itself. */
  onDone?: () => void
}

type Errors = Partial<Record<string, string>>

/** The contact form with everything that belongs to it (spec 3.3, 4, 5, 8). */
export function ContactForm({ brand, email, subject, onDone }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<Errors>({})
  const [sending, setSending] = useState(false)
  const [ticketId, setTicketId] = useState<string | null>(null)
  const [popup, setPopup] = useState<'thanks' | 'failed' | null>(null)
  const [question, drawQuestion] = useQuestion()
  const unsent = useUnsent(ticketId)

  useEffect(() => {
    // The browser's own bubbles are for visitors without scripts.
    if (form.current) form.current.noValidate = true
  }, [])
  useEffect(() => {
    const control = form.current?.elements.namedItem('subject')
    if (subject && control instanceof HTMLInputElement) control.value = subject
  }, [subject])
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [errors])

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (sending || !question) return
    const element = event.currentTarget
    const data = new FormData(element)
    const entry = (name: string) => String(data.get(name) ?? '')
    const { record, errors: wrong } = check({
      name: entry('name'),
      email: entry('email'),
      subject: entry('subject'),
      message: entry('message'),
    })
    const answer = entry('captcha').trim()
    if (!record || !answer) {
      return setErrors({ ...wrong, ...(!answer && { captcha: contactMessages.captcha }) })
    }
    setErrors({})
    if (entry('website') || Number(answer) !== question.x + question.y) {
      setPopup('failed')
      return
    }
    setTicketId(null)
    setSending(true)
    const lock = delay(contactLimits.submitLockMs)
    void lock.then(() => setSending(false))
    // A slow server does not keep the visitor waiting: what is not saved by then waits in the outbox.
    const sent = submit(record, question.proof, { brand, email }).catch((error: unknown) => {
      logError(error)
      return record['Ticket ID']
    })
    setTicketId(await Promise.race([sent, lock.then(() => record['Ticket ID'])]))
    setPopup('thanks')
    element.reset()
    drawQuestion()
  }

  const close = (byItself: boolean) => {
    if (popup === 'failed') {
      answerAgain(form.current)
      drawQuestion()
    }
    setPopup(null)
    if (popup === 'thanks' && byItself) onDone?.()
  }
  const notYet = email
    ? `We could not reach the server yet. We keep trying; you can also e-mail ${email}.`
    : 'We could not reach the server yet. We keep trying.'

  return (
    <>
      <form
        ref={form}
        method="post"
        action={paths.contactWindow()}
        className={styles.form}
        onSubmit={(event) => void send(event)}
        onFocus={({ currentTarget }) => fillToken(currentTarget)}
        onInput={({ target }) => {
          const { name } = target as HTMLInputElement
          if (errors[name]) setErrors(({ [name]: _, ...rest }) => rest)
        }}
      >
        <Field label="Name" name="name" autoComplete="name" required error={errors.name} />
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          required
          error={errors.email}
        />
        <Field
          label="Subject"
          name="subject"
          required
          defaultValue={subject}
          error={errors.subject}
          className={styles.wide}
        />
        <Field
          label="Message"
          name="message"
          type="textarea"
          required
          minLength={contactLimits.messageLeast}
          error={errors.message}
          className={styles.wide}
        />
        <Field
          label={question ? verificationQuestion(question.x, question.y) : 'Verification'}
          name="captcha"
          inputMode="numeric"
          autoComplete="off"
          required
          disabled={!question}
          error={errors.captcha}
          className={styles.question}
        />
        <WithoutScripts />
        <div className={styles.trap} aria-hidden="true">
          <label>
            Website <input name="website" tabIndex={-1} autoComplete="off" />
          </label>
        </div>
        <input type="hidden" name="csrfToken" defaultValue="" />
        <div className={styles.send}>
          <button className={button.button} aria-disabled={sending || undefined}>
            {sending ? 'Sending...' : 'Send Message'}
          </button>
          <p>
            We use what you write to answer you, and for nothing else. See our{' '}
            <a href={paths.privacyPolicy()}>privacy policy</a>.
          </p>
        </div>
        <div role="status" className={styles.status}>
          {ticketId && (
            <p>
              Your ticket number: <strong>{ticketId}</strong>
            </p>
          )}
          {unsent && <p>{notYet}</p>}
        </div>
      </form>
      {popup === 'thanks' && ticketId && (
        <Popup title="Message sent" after={contactLimits.thanksMs} onClose={close}>
          <p>{thankYouText(ticketId)}</p>
          {unsent && <p>{notYet}</p>}
        </Popup>
      )}
      {popup === 'failed' && (
        <Popup
          title={verificationFailed.title}
          after={contactLimits.verificationFailedMs}
          anywhere
          onClose={close}
        >
          <p>{verificationFailed.text}</p>
        </Popup>
      )}
    </>
  )
}

const delay = (milliseconds: number) =>
  new Promise<void>((resolve) => void setTimeout(resolve, milliseconds))

/** Empties the answer, since the next question is another one. */
function answerAgain(form: HTMLFormElement | null) {
  const control = form?.elements.namedItem('captcha')
  if (control instanceof HTMLInputElement) control.value = ''
}

/** Writes the security token into its hidden field, once the visitor begins to write. */
function fillToken(form: HTMLFormElement) {
  const control = form.elements.namedItem('csrfToken')
  if (control instanceof HTMLInputElement && !control.value) control.value = securityToken()
}

/** Whether the message of a ticket still waits in the outbox. */
function useUnsent(ticketId: string | null): boolean {
  const [unsent, setUnsent] = useState(false)
  useEffect(() => {
    const look = () => setUnsent(ticketId !== null && isWaiting(ticketId))
    look()
    const { signal, abort } = listening()
    addEventListener(outboxChanged, look, { signal })
    addEventListener('storage', ({ key }) => key === outboxKey && look(), { signal })
    return abort
  }, [ticketId])
  return unsent
}

function listening() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
