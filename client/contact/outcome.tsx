import { useEffect, useEffectEvent, useId, useRef, type ReactNode } from 'react'
import {
  contactLimits,
  thankYouText,
  thankYouTitles,
  verificationFailed,
} from '#shared/contact/contact-form.ts'
import button from '../ui/button.module.css'
import styles from './contact-form.module.css'
import { linesWithoutCode, notSent, type Errors, type FormState } from './form-state.ts'

/**
 * The lines of text below the form's button.
 * @param email of the agency, offered as an alternative; empty while unknown
 */
export function statusLines(state: FormState, email: string): string[] {
  const { phase, problem, errors, delivery } = state
  const lines: string[] = []
  if (phase === 'waiting') {
    lines.push('The verification question is on its way. Please answer it to send your message.')
  }
  if (problem === 'unavailable') lines.push(...linesWithoutCode(state, email))
  if (problem === 'refused') lines.push(notSent(reasonOf(errors), email))
  if (delivery === 'waiting') {
    lines.push(
      email
        ? `Not sent yet. We’ll keep trying. You can also email ${email}.`
        : 'Not sent yet. We’ll keep trying.',
    )
  }
  return lines
}

const reasonOf = (errors: Errors): string =>
  Object.keys(errors).length > 0
    ? 'Please check the highlighted fields.'
    : 'Our server rejected it.'

type OutcomeProps = {
  /** Which popup is open. */
  shown: 'thanks' | 'failed'
  ticketId: string | null
  /** Extra lines while the message hasn't reached the server; null once it has. */
  notYet: readonly string[] | null
  /** @param byItself true when the popup's time was over */
  onClose: (byItself: boolean) => void
}

/** What became of a message, in a popup: thanks with the ticket number, or a wrong answer. */
export function Outcome({ shown, ticketId, notYet, onClose }: OutcomeProps) {
  if (shown === 'failed') {
    return (
      <Popup
        title={verificationFailed.title}
        after={contactLimits.verificationFailedMs}
        anywhere
        onClose={onClose}
      >
        <p>{verificationFailed.text}</p>
      </Popup>
    )
  }
  if (!ticketId) return null
  return (
    <Popup
      title={notYet ? thankYouTitles.waiting : thankYouTitles.saved}
      after={contactLimits.thanksMs}
      onClose={onClose}
    >
      <ThankYou ticketId={ticketId} />
      {notYet?.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Popup>
  )
}

/** The thank-you text, word for word, with its number easy to find. */
function ThankYou({ ticketId }: { ticketId: string }) {
  const [before, after] = thankYouText(ticketId).split(ticketId)
  return (
    <p>
      {before}
      <strong>{ticketId}</strong>
      {after}
    </p>
  )
}

type PopupProps = {
  title: ReactNode
  children: ReactNode
  /** Milliseconds after which it closes by itself. */
  after: number
  /** Any click closes it, not only the button. */
  anywhere?: boolean
  /** @param byItself true when its time was over */
  onClose: (byItself: boolean) => void
}

/** A modal message that closes by its button, by Escape, or after a while. */
function Popup({ title, children, after, anywhere = false, onClose }: PopupProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const leave = useEffectEvent((byItself: boolean) => {
    // Closing first gives the focus back.
    dialog.current?.close()
    onClose(byItself)
  })
  useEffect(() => {
    const element = dialog.current
    if (!element?.open) element?.showModal()
    const timer = setTimeout(() => leave(true), after)
    const cancel = () => leave(false)
    element?.addEventListener('cancel', cancel)
    return () => {
      clearTimeout(timer)
      element?.removeEventListener('cancel', cancel)
    }
  }, [after])
  useEffect(() => {
    if (!anywhere) return undefined
    const click = () => leave(false)
    document.addEventListener('click', click)
    return () => document.removeEventListener('click', click)
  }, [anywhere])
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      className={`night ${styles.popup}`}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <div id={`${id}-text`}>{children}</div>
      <button
        type="button"
        className={`${button.button} ${button.small}`}
        onClick={() => {
          dialog.current?.close()
          onClose(false)
        }}
      >
        Close
      </button>
    </dialog>
  )
}
