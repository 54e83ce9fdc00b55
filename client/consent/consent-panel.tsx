import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import type { ConsentSource } from '#shared/consent/consent.ts'
import {
  consentCategories,
  consentIntro,
  consentTexts,
  measurementText,
  type SwitchText,
} from '#shared/consent/consent-texts.ts'
import { paths } from '#shared/paths.ts'
import { useSite } from '../site/data/identity.ts'
import button from '../ui/button.module.css'
import { closeByBackdrop } from '../ui/close-by-backdrop.ts'
import { Icon } from '../ui/icons.tsx'
import { useCloseOnStep } from '../ui/use-close-on-step.ts'
import styles from './consent-panel.module.css'
import { currentConsent, onConsent } from './current.ts'
import { decide } from './decide.ts'

/** What the panel needs. */
export type PanelProps = {
  /** The first question, in the corner; or the modal, on demand. */
  as: 'card' | 'modal'
  onClose: () => void
}

/** The cookie preferences. Accept and Reject weigh the same. */
export function ConsentPanel({ as, onClose }: PanelProps) {
  const titleId = useId()
  const analytics = useSite()?.config?.analytics ?? null
  const [preferences, setPreferences] = useState(() => currentConsent().preferences)
  const [measurement, setMeasurement] = useState(() => currentConsent().measurement)
  const end = (source: ConsentSource) => {
    decide(source, { preferences, measurement: analytics && measurement })
    onClose()
  }
  const endCard = useEffectEvent(() => as === 'card' && currentConsent().given && onClose())
  // Decided in another tab.
  useEffect(() => onConsent(endCard), [])
  const content = (
    <>
      <h2 id={titleId}>Cookie preferences</h2>
      <p className={styles.intro}>
        {consentIntro(analytics)} <a href={paths.cookiePolicy()}>Cookie policy</a>
      </p>
      <Categories inCard={as === 'card'}>
        {consentCategories.map((category) => (
          <Switch
            key={category}
            name={category}
            says={consentTexts[category]}
            on={preferences[category]}
            onChange={(on) => setPreferences({ ...preferences, [category]: on })}
          />
        ))}
        {analytics && (
          <Switch
            name="measurement"
            says={measurementText(analytics)}
            on={measurement}
            onChange={setMeasurement}
          />
        )}
      </Categories>
      <Decisions onDecide={end} />
    </>
  )
  if (as === 'card') {
    return (
      <section className={`${styles.panel} ${styles.card}`} aria-labelledby={titleId}>
        {content}
      </section>
    )
  }
  return (
    <Modal titleId={titleId} onClose={onClose}>
      {content}
    </Modal>
  )
}

/** Where a card with its switches would cover what the visitor came for (consent-panel.module.css). */
const slim = '(width < 30rem), (width < 80rem) and (height < 60rem)'

/** Cards of small screens show the switches on demand. */
function Categories({ inCard, children }: { inCard: boolean; children: ReactNode }) {
  const [isOpen] = useState(() => !matchMedia(slim).matches)
  const switches = <div className={styles.categories}>{children}</div>
  if (!inCard) return switches
  return (
    <details className={styles.choice} open={isOpen}>
      <summary>Choose</summary>
      {switches}
    </details>
  )
}

function Modal({
  titleId,
  onClose,
  children,
}: {
  titleId: string
  onClose: () => void
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useCloseOnStep(dialog)
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return undefined
    // A link in it leads away.
    const look = ({ target }: MouseEvent) => (target as Element).closest('a') && element.close()
    element.showModal()
    element.addEventListener('click', look)
    const endListening = closeByBackdrop(element)
    return () => {
      element.removeEventListener('click', look)
      endListening()
      // Closing gives the focus back to the button that opened it, which unmounting would not.
      element.close()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={`${styles.panel} ${styles.modal}`}
      onClose={onClose}
    >
      <div className={styles.inner}>
        {children}
        <button
          type="button"
          className={styles.close}
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <Icon>
            <path d="m5 5 14 14M19 5 5 19" />
          </Icon>
        </button>
      </div>
    </dialog>
  )
}

/** The three ways to answer. */
function Decisions({ onDecide }: { onDecide: (source: ConsentSource) => void }) {
  return (
    <div className={styles.buttons}>
      <button type="button" className={button.button} onClick={() => onDecide('reject')}>
        Reject
      </button>
      <button type="button" className={button.button} onClick={() => onDecide('accept')}>
        Accept all
      </button>
      <button
        type="button"
        className={`${button.button} ${button.quiet}`}
        onClick={() => onDecide('save')}
      >
        Save
      </button>
    </div>
  )
}

function Switch({
  name,
  says: { title, text },
  on,
  onChange,
}: {
  name: string
  says: SwitchText
  on: boolean
  onChange: (on: boolean) => void
}) {
  const id = useId()
  return (
    <div className={styles.category}>
      <label>
        <input
          type="checkbox"
          role="switch"
          name={name}
          checked={on}
          aria-checked={on}
          disabled={name === 'necessary'}
          aria-describedby={id}
          onChange={({ target }) => onChange(target.checked)}
        />
        {title}
      </label>
      <p id={id}>{text}</p>
    </div>
  )
}
