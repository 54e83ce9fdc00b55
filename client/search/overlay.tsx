import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { checkTerm, longestTerm, searchHref } from '#shared/search.ts'
import { track } from '../analytics/track.ts'
import { closeByBackdrop } from '../ui/close-by-backdrop.ts'
import { Icon } from '../ui/icons.tsx'
import form from './form.module.css'
import styles from './overlay.module.css'
import { PopularSearches } from './popular-searches.tsx'

/** Milliseconds that the spinner shows before the results (spec section 9). */
const spinnerMs = 500

/** A wish to see the overlay; each is another object. */
export type SearchRequest = object

/** What the overlay needs. */
export type OverlayProps = { request: SearchRequest }

/** The search overlay (spec 2.5). */
export function SearchOverlay({ request }: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [message, setMessage] = useState<string | null>(null)
  const [searching, setSearching] = useState(false)
  const navigate = useNavigate()
  const id = useId()

  useEffect(() => {
    if (!request || dialog.current?.open) return
    dialog.current?.showModal()
    field.current?.select()
  }, [request])
  useEffect(() => closeByBackdrop(dialog.current), [])
  useEffect(() => () => clearTimeout(waiting.current), [])

  const close = () => dialog.current?.close()
  function submit(event: FormEvent) {
    event.preventDefault()
    if (searching) return
    const checked = checkTerm(field.current?.value ?? '')
    if (checked.state === 'empty') return
    if (checked.state === 'wrong') {
      setMessage(checked.message)
      return
    }
    setSearching(true)
    waiting.current = setTimeout(() => {
      close()
      track('search')
      void navigate(searchHref(checked.term))
    }, spinnerMs)
  }

  return (
    <dialog
      ref={dialog}
      className={`night ${styles.overlay}`}
      aria-labelledby={`${id}-title`}
      onClose={() => {
        clearTimeout(waiting.current)
        setSearching(false)
        setMessage(null)
      }}
    >
      <div className={styles.sheet}>
        <div className={`wrap ${styles.top}`}>
          <h2 id={`${id}-title`} className="label">
            Search the site
          </h2>
          <button
            type="button"
            className={styles.close}
            aria-label="Close the search"
            onClick={close}
          >
            <Icon>
              <path d="m5 5 14 14M19 5 5 19" />
            </Icon>
          </button>
        </div>
        <div className={`wrap ${styles.body}`}>
          <form role="search" className={form.form} noValidate onSubmit={submit}>
            <input
              ref={field}
              name="q"
              className={form.field}
              aria-label="Search term"
              aria-invalid={message !== null}
              aria-describedby={`${id}-message`}
              placeholder="Rally, film"
              maxLength={longestTerm}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              enterKeyHint="search"
              readOnly={searching}
              onInput={() => setMessage(null)}
            />
            <button type="submit" className={form.go} aria-disabled={searching}>
              {searching ? (
                <>
                  <span className={form.spinner} /> <span className="unseen">Searching</span>
                </>
              ) : (
                <>
                  Search
                  <Icon size={20}>
                    <path d="M3 12h17m-6-6 6 6-6 6" />
                  </Icon>
                </>
              )}
            </button>
          </form>
          <p id={`${id}-message`} role="alert" className={form.message}>
            {message}
          </p>
          <PopularSearches onFollow={close} />
          <p className={styles.keys}>
            <kbd>/</kbd> opens the search, <kbd>Esc</kbd> closes it
          </p>
        </div>
      </div>
    </dialog>
  )
}
