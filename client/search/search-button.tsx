import { useCallback, useEffect, useState } from 'react'
import { paths } from '#shared/paths.ts'
import { useOnDemand } from '../site/use-on-demand.ts'
import { Icon } from '../ui/icons.tsx'
import styles from './search-button.module.css'

const loadOverlay = () => import('./overlay.tsx')

/**
 * Opens the search overlay (docs/contract.md, Search); so does the key /. Its code comes when it is
 * about to be needed. Without any code the button asks for the search page.
 */
export function SearchButton() {
  const [code, load] = useOnDemand(loadOverlay)
  const [opened, setOpened] = useState(0)
  const show = useCallback(async () => {
    try {
      await load()
      setOpened((times) => times + 1)
    } catch {
      location.assign(paths.search())
    }
  }, [load])
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
  }, [show])
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
      {code && opened > 0 && <code.SearchOverlay opened={opened} />}
    </>
  )
}

/** True where a / is typed into a field. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select'))
