/** What the theme may be set to (docs/contract.md, Theme). */
export type Theme = 'light' | 'dark' | 'system'

/** Milliseconds that the message about a change is shown. */
export const themeToastMs = 2000

const key = 'theme'

/** Fired on `window` with the new theme as its detail. */
const changed = 'themechange'

const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)')

/** The theme that is stored; anything but light and dark follows the system. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(key)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

function show(theme: Theme) {
  const dark = theme === 'dark' || (theme === 'system' && systemIsDark().matches)
  document.documentElement.classList.toggle('dark', dark)
}

/** Shows a theme, keeps it for the next visit, and tells of the change. */
export function setTheme(theme: Theme) {
  show(theme)
  try {
    localStorage.setItem(key, theme)
  } catch {
    // Storage may be closed to us; the theme then lasts as long as the page.
  }
  dispatchEvent(new CustomEvent(changed, { detail: theme }))
}

/** Switches between light and dark. */
export function toggleTheme() {
  setTheme(document.documentElement.classList.contains('dark') ? 'light' : 'dark')
}

/**
 * Keeps the page in step with changes elsewhere: the system's, another tab's, and those of the
 * time that a page spent in the browser's history.
 * @param onChange told of every change of the theme, here or in another tab
 * @returns what ends it
 */
export function followTheme(onChange: (theme: Theme) => void): () => void {
  const over = new AbortController()
  const { signal } = over
  const again = () => show(storedTheme())
  // What was stored or changed since the first script ran, nobody was there to hear.
  again()
  systemIsDark().addEventListener('change', again, { signal })
  addEventListener('pageshow', ({ persisted }) => persisted && again(), { signal })
  addEventListener(changed, (event) => onChange((event as CustomEvent<Theme>).detail), { signal })
  addEventListener(
    'storage',
    (event) => {
      // Without a key everything was cleared.
      if (event.key !== key && event.key !== null) return
      again()
      if (event.key === key) onChange(storedTheme())
    },
    { signal },
  )
  return () => over.abort()
}
