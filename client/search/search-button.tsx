import { lazy, startTransition, Suspense, useEffect, useState } from 'react'
import { paths } from '#shared/paths.ts'
import { Icon } from '../ui/icons.tsx'
import type { SearchRequest } from './overlay.tsx'
import styles from './search-button.module.css'

const load = () => import('./overlay.tsx')
const Overlay = lazy(async () => ({ default: (await load()).SearchOverlay }))

/**
 * Opens the search overlay (docs/contract.md, Search); so does the key /. Its code comes when it is
 * about to be needed. Without any code the button asks for the search page.
 */
export function SearchButton() {
  const [request, setRequest] = useState<SearchRequest | null>(null)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.defaultPrevented || isTyping(event.target)) return
      if (document.querySelector('dialog:modal')) return
      event.preventDefault()
      void show()
    }
    document.addEventListener('keydown', open)
    return () => document.removeEventListener('keydown', open)
  }, [])

  async function show() {
    try {
      await load()
      // A transition, since the fallback of a lazy component stays for 300 ms.
      startTransition(() => setRequest({}))
    } catch {
      location.assign(paths.search())
    }
  }
  const prepare = () => void load().catch(() => {})

  return (
    <>
      <form
        action={paths.search()}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void show()
        }}
      >
        <button
          type="submit"
          className={styles.open}
          aria-label="Search"
          aria-keyshortcuts="/"
          onPointerEnter={prepare}
          onFocus={prepare}
        >
          <Icon size={20}>
            <circle cx="10.5" cy="10.5" r="7" />
            <path d="m15.5 15.5 6 6" />
          </Icon>
        </button>
      </form>
      <Suspense>{request && <Overlay request={request} />}</Suspense>
    </>
  )
}

/** True where a / belongs into a text. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select'))
