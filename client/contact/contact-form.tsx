import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { flushSync } from 'react-dom'
import { contactLimits, contactMessages, verificationQuestion } from '#shared/contact.ts'
import { paths } from '#shared/paths.ts'
import { track } from '../analytics/track.ts'
import button from '../ui/button.module.css'
import { logError } from '../site/log.ts'
import styles from './contact-form.module.css'
import { Field } from './field.tsx'
import { Outcome } from './outcome.tsx'
import { useQuestion } from './question.ts'
import { securityToken } from './security-token.ts'
import { check, submit, type Agency } from './submission.ts'
import { useUnsent } from './use-unsent.ts'
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

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (sending || !question) return
    const element = event.currentTarget
    const data = new FormData(element)
    const entry = (name: string) => {
      const value = data.get(name)
      return typeof value === 'string' ? value : ''
    }
    const { record, errors: wrong } = check({
      name: entry('name'),
      email: entry('email'),
      subject: entry('subject'),
      message: entry('message'),
    })
    const answer = entry('captcha').trim()
    if (!record || !answer) {
      // The fields must know before one of them gets the focus.
      flushSync(() => {
        setErrors({ ...wrong, ...(!answer && { captcha: contactMessages.captcha }) })
      })
      element.querySelector<HTMLElement>('[aria-invalid]')?.focus()
      return
    }
    setErrors({})
    if (entry('website') || Number(answer) !== question.x + question.y) {
      setPopup('failed')
      return
    }
    fillToken(element)
    setTicketId(null)
    setSending(true)
    const lock = delay(contactLimits.submitLockMs)
    void lock.then(() => setSending(false))
    // A slow server does not keep the visitor waiting: what is not saved by then waits in the outbox.
    const sent = submit(record, question, { brand, email }).catch((error: unknown) => {
      logError(error)
      return record['Ticket ID']
    })
    setTicketId(await Promise.race([sent, lock.then(() => record['Ticket ID'])]))
    setPopup('thanks')
    track('contact_sent')
    element.reset()
    drawQuestion()
  }

  /** What is written anew is not wrong until it is sent. */
  const forget = (name: string) => {
    if (errors[name]) setErrors(Object.fromEntries(without(errors, name)))
  }

  const close = (byItself: boolean) => {
    if (popup === 'failed') {
      answerAgain(form.current)
      drawQuestion()
    }
    setPopup(null)
    if (popup === 'thanks' && byItself) onDone?.()
  }
  const control = (name: string) => ({ name, error: errors[name], onInput: () => forget(name) })
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
      >
        <Field label="Name" {...control('name')} autoComplete="name" required />
        <Field label="Email" {...control('email')} type="email" autoComplete="email" required />
        <Field
          label="Subject"
          {...control('subject')}
          required
          defaultValue={subject}
          className={styles.wide}
        />
        <Field
          label="Message"
          {...control('message')}
          type="textarea"
          required
          minLength={contactLimits.messageLeast}
          className={styles.wide}
        />
        <Field
          label={question ? verificationQuestion(question.x, question.y) : 'Verification'}
          {...control('captcha')}
          inputMode="numeric"
          autoComplete="off"
          required
          disabled={!question}
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
      <Outcome shown={popup} ticketId={ticketId} notYet={unsent && notYet} onClose={close} />
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

const without = (errors: Errors, name: string) =>
  Object.entries(errors).filter(([other]) => other !== name)

/** Writes the security token into its hidden field. */
function fillToken(form: HTMLFormElement) {
  const control = form.elements.namedItem('csrfToken')
  if (control instanceof HTMLInputElement && !control.value) control.value = securityToken()
}
