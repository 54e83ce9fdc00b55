import { contactLimits } from '#shared/contact-limits.ts'
import { paths } from '#shared/paths.ts'
import { verificationQuestion } from '#shared/form-proof.ts'
import button from '../ui/button.module.css'
import { Honeypot } from '../ui/honeypot.tsx'
import styles from './contact-form.module.css'
import { Field } from './field.tsx'
import type { Errors } from './form-state.ts'
import { useContactForm, type ContactFormOptions } from './use-contact-form.ts'
import { WithoutScripts } from './without-scripts.tsx'

/** The contact form with everything that belongs to it. */
export function ContactForm({ subject, onDone }: ContactFormOptions) {
  const { form, state, question, wasAsked, lines, Outcome, ...does } = useContactForm({
    subject,
    onDone,
  })
  const { errors, phase, ticketId, popup } = state
  return (
    <>
      <form
        ref={form}
        method="post"
        action={paths.contactWindow()}
        className={styles.form}
        onSubmit={does.onSubmit}
      >
        <Fields {...{ subject, question, wasAsked, errors }} onTyped={does.onTyped} />
        <WithoutScripts />
        <Honeypot label="Website" />
        <input type="hidden" name="csrfToken" defaultValue="" />
        <div className={styles.send}>
          <button className={button.button} aria-disabled={phase === 'sending' || undefined}>
            {phase === 'sending' ? 'Sending...' : 'Send Message'}
          </button>
          <p>
            We use what you write to answer you, and for nothing else. See our{' '}
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
  const control = (name: keyof Errors) => ({
    name,
    error: errors[name],
    onInput: () => onTyped(name),
  })
  return (
    <>
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
