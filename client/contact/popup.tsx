import { useEffect, useEffectEvent, useId, useRef, type ReactNode } from 'react'
import button from '../ui/button.module.css'
import styles from './contact-form.module.css'

type Props = {
  title: ReactNode
  children: ReactNode
  /** Milliseconds after which it closes by itself. */
  after: number
  /** Any click closes it, not only the button. */
  anywhere?: boolean
  /** @param byItself true when its time was over */
  onClose: (byItself: boolean) => void
}

/** A message above everything, which closes by its button, by Escape, and by itself. */
export function Popup({ title, children, after, anywhere = false, onClose }: Props) {
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
