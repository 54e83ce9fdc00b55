import { useEffect, useRef } from 'react'
import { SocialLinks } from '../site/footer/social-links.tsx'
import { useIdentity } from '../site/data/identity.ts'
import { closeByBackdrop } from '../ui/close-by-backdrop.ts'
import { Icon } from '../ui/icons.tsx'
import { useCloseOnStep } from '../ui/use-close-on-step.ts'
import { ContactDetails } from './contact-details.tsx'
import { ContactForm } from './contact-form.tsx'
import styles from './contact-modal.module.css'

/** What the modal needs. */
export type ModalProps = {
  /** Fills in the subject of the form. */
  subject: string
  /** How often it was asked for; each time more opens it. */
  opened: number
}

/** The contact modal. It stays mounted, so a ticket number can be read again. */
export function ContactModal({ subject, opened }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const identity = useIdentity()
  const close = () => dialog.current?.close()
  useEffect(() => {
    if (opened > 0) dialog.current?.showModal()
  }, [opened])
  useEffect(() => closeByBackdrop(dialog.current), [])
  // What was typed stays.
  useCloseOnStep(dialog)
  return (
    <dialog ref={dialog} aria-labelledby="contact-modal-title" className={`night ${styles.modal}`}>
      <div className={styles.inner}>
        <button type="button" className={styles.close} aria-label="Close contact" onClick={close}>
          <Icon>
            <path d="m5 5 14 14M19 5 5 19" />
          </Icon>
        </button>
        <div className={styles.details}>
          <h2 id="contact-modal-title">Contact us</h2>
          <ContactDetails identity={identity} />
          <h3 className="label">Follow Us</h3>
          <SocialLinks identity={identity} />
        </div>
        <div className={styles.form}>
          <h3>Send us a message</h3>
          <ContactForm subject={subject} onDone={close} />
        </div>
      </div>
    </dialog>
  )
}
