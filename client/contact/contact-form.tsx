import { contactLimits } from '#shared/contact/contact-form.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import type { ContactField } from '#shared/contact/contact.ts'
import { formProofLimits, verificationQuestion } from '#shared/forms/form-proof.ts'
import { useId, type ComponentProps, type ReactNode } from 'react'
import button from '../ui/button.module.css'
import { Honeypot } from '../forms/honeypot.tsx'
import { useHydrated } from '../ui/use-hydrated.ts'
import styles from './contact-form.module.css'
import type { Errors } from './form-state.ts'
import { useContactForm, type ContactFormOptions } from './use-contact-form.ts'

/** The contact form with everything that belongs to it. */
export function ContactForm({ subject, onDone }: ContactFormOptions) {
  const { form, state, question, wasAsked, lines, Outcome, ...does } = useContactForm({
    subject,
    onDone,
  })
  const { errors, phase, ticketId, popup } = state
  const isSending = phase === 'sending' || phase === 'loading'
  return (
    <>
      <form
        ref={form}
        method="post"
        action={toResult(paths.contactWindow())}
        className={styles.form}
        onSubmit={does.onSubmit}
      >
        <Fields {...{ subject, question, wasAsked, errors }} onTyped={does.onTyped} />
        <WithoutScripts />
        <Honeypot label="Website" />
        <input type="hidden" name="csrfToken" defaultValue="" />
        <div className={styles.send}>
          <button className={button.button} aria-disabled={isSending || undefined}>
            {isSending ? 'Sending...' : 'Send Message'}
          </button>
          <p>
            We only use your details to reply. See our{' '}
            <a href={paths.privacyPolicy()}>privacy policy</a>.
          </p>
        </div>
        <Status ticketId={ticketId} lines={lines} isBad={Boolean(state.problem)} />
      </form>
      {popup && Outcome && (
        <Outcome
          shown={popup}
          ticketId={ticketId}
          notYet={state.delivery === 'waiting' ? lines : null}
          onClose={does.closePopup}
        />
      )}
    </>
  )
}

type FieldsProps = Pick<ReturnType<typeof useContactForm>, 'question' | 'wasAsked' | 'onTyped'> & {
  subject: string | undefined
  errors: Errors
}

/** What the visitor fills in. */
function Fields({ subject, question, wasAsked, errors, onTyped }: FieldsProps) {
  const hasScripts = useHydrated()
  const control = (name: keyof Errors) => ({
    name,
    error: errors[name],
    onInput: () => onTyped(name),
  })
  const fields: Record<ContactField, ReactNode> = {
    name: <Field key="name" label="Name" {...control('name')} autoComplete="name" required />,
    email: (
      <Field
        key="email"
        label="Email"
        {...control('email')}
        type="email"
        autoComplete="email"
        required
      />
    ),
    subject: (
      <Field
        key="subject"
        label="Subject"
        {...control('subject')}
        required
        defaultValue={subject}
        className={styles.wide}
      />
    ),
    message: (
      <Field
        key="message"
        label="Message"
        {...control('message')}
        type="textarea"
        required
        minLength={contactLimits.minMessage}
        className={styles.wide}
      />
    ),
  }
  return (
    <>
      {Object.values(fields)}
      <Field
        label={question ? verificationQuestion(question.x, question.y) : 'Verification'}
        {...control('captcha')}
        // Without scripts another field has the name.
        name={hasScripts ? 'captcha' : undefined}
        inputMode="numeric"
        autoComplete="off"
        required
        // Off until there is a first question; between two of them it keeps the focus.
        disabled={!question && !wasAsked}
        readOnly={!question}
        className={styles.question}
      />
    </>
  )
}

/** What has become of the message. */
function Status({
  ticketId,
  lines,
  isBad,
}: {
  ticketId: string | null
  lines: readonly string[]
  isBad: boolean
}) {
  return (
    <div role="status" className={styles.status} data-bad={isBad ? '' : undefined}>
      {ticketId && (
        <p>
          Your ticket number: <strong>{ticketId}</strong>
        </p>
      )}
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  )
}

type FieldProps = {
  label: ReactNode
  name: string | undefined
  error: string | undefined
  className?: string
} & Omit<ComponentProps<'input'>, 'name' | 'id' | 'className'>

/** A label, its control and what is wrong with it. A `type` of textarea makes it one. */
function Field({ label, name, error, className = '', type = 'text', ...rest }: FieldProps) {
  const id = useId()
  const attributes = {
    ...rest,
    id,
    name,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}-error` : undefined,
  }
  return (
    <div className={`${styles.field} ${className}`}>
      <label htmlFor={id}>{label}</label>
      {type === 'textarea' ? (
        <textarea {...(attributes as ComponentProps<'textarea'>)} rows={6} />
      ) : (
        <input {...attributes} type={type} />
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}

const operand = () => 1 + Math.floor(Math.random() * formProofLimits.maxOperand)

/** The question of a browser without scripts, which the server checks. React leaves it alone in all others. */
function WithoutScripts() {
  const id = useId()
  if (!import.meta.env.SSR) return <noscript />
  const [x, y] = [operand(), operand()]
  return (
    <noscript>
      <div className={styles.field}>
        <label htmlFor={id}>{verificationQuestion(x, y)}</label>
        <input id={id} name="captcha" inputMode="numeric" autoComplete="off" required />
        <input type="hidden" name="x" value={x} />
        <input type="hidden" name="y" value={y} />
      </div>
    </noscript>
  )
}
