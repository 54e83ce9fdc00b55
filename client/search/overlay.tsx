import { useEffect, useId, useRef, type KeyboardEvent } from 'react'
import { closeByBackdrop } from '../ui/close-by-backdrop.ts'
import { Icon } from '../ui/icons.tsx'
import { useCloseOnStep } from '../ui/use-close-on-step.ts'
import styles from './overlay.module.css'
import { PopularSearches } from './popular-searches.tsx'
import { SearchForm } from './search-form.tsx'
import { Suggestions, useSuggestions } from './suggestions.tsx'
import { useSearch } from './use-search.ts'

/**
 * What the sheet, as wide as the window, holds; all around it is outside
 * (docs/contract.md, Search).
 */
const content = 'form, nav, button, h2, p:not(:empty)'

/** What the overlay needs. */
export type OverlayProps = {
  /** How often it was asked for; each time more opens it. */
  opened: number
}

/** The search overlay (docs/contract.md, Search). */
export function SearchOverlay({ opened }: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => dialog.current?.close()
  const suggestions = useSuggestions()
  const search = useSearch({ onLeave: close, onType: suggestions.typed })
  const { field } = search
  const id = useId()

  useCloseOnStep(dialog)
  useEffect(() => {
    if (opened === 0 || dialog.current?.open) return
    dialog.current?.showModal()
    field.current?.select()
  }, [opened, field])
  useEffect(() => closeByBackdrop(dialog.current, content), [])

  return (
    <dialog
      ref={dialog}
      className={`night ${styles.overlay}`}
      aria-labelledby={`${id}-title`}
      onClose={() => {
        search.reset()
        suggestions.typed('')
      }}
      onKeyDown={stepThroughLinks}
    >
      <div className={styles.sheet}>
        <div className={`wrap ${styles.top}`}>
          <h2 id={`${id}-title`} className="label">
            Search the site
          </h2>
          <button type="button" className={styles.close} aria-label="Close search" onClick={close}>
            <Icon>
              <path d="m5 5 14 14M19 5 5 19" />
            </Icon>
          </button>
        </div>
        <div className={`wrap ${styles.body}`}>
          <SearchForm search={search} />
          <Suggestions found={suggestions.found} onFollow={close} />
          <PopularSearches onFollow={close} />
          <p className={styles.keys}>
            <kbd>/</kbd> to open, <kbd>Esc</kbd> to close
          </p>
        </div>
      </div>
    </dialog>
  )
}

/** Up and down go from the field through the suggestions and back. */
function stepThroughLinks(event: KeyboardEvent<HTMLDialogElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  // In an input method the arrows choose among its words.
  if (!step || event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey)
    return
  const places = [
    ...event.currentTarget.querySelectorAll<HTMLElement>('input[name=q], [data-suggestion]'),
  ]
  const next = places[places.indexOf(document.activeElement as HTMLElement) + step]
  if (!next || places.length < 2) return
  event.preventDefault()
  next.focus()
}
