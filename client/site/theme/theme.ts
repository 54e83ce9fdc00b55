import { onStored, storedValue, storeValues } from '../stored-value.ts'

/** What the theme may be set to (docs/contract.md, Theme). */
export type Theme = 'light' | 'dark' | 'system'

/** Milliseconds that the message about a change is shown. */
export const themeToastMs = 2000

const key = 'theme'

const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)')

/** The theme that is stored; anything but light and dark follows the system. */
export const storedTheme = (): Theme => themeIn(storedValue(key))

const themeIn = (value: string | null | undefined): Theme =>
  value === 'light' || value === 'dark' ? value : 'system'

function show(theme: Theme) {
  const dark = theme === 'dark' || (theme === 'system' && systemIsDark().matches)
  document.documentElement.classList.toggle('dark', dark)
}

/** Shows a theme, keeps it for the next visit, and tells of the change. */
export function setTheme(theme: Theme) {
  show(theme)
  // Storage may be closed to us; the theme then lasts as long as the page.
  storeValues({ [key]: theme })
}

/** Switches between light and dark. */
export function toggleTheme() {
  setTheme(document.documentElement.classList.contains('dark') ? 'light' : 'dark')
}

/**
 * Keeps the page in step with changes elsewhere: the system's, another tab's, and those of the
 * time that a page spent in the browser's history.
 * @param onChange called when the theme changes, here or in another tab
 * @returns what ends it
 */
export function followTheme(onChange: (theme: Theme) => void): () => void {
  const over = new AbortController()
  const again = () => show(storedTheme())
  // Nothing listened yet to what was stored or changed since the first script ran.
  again()
  systemIsDark().addEventListener('change', again, over)
  addEventListener('pageshow', ({ persisted }) => persisted && again(), over)
  const endListening = onStored([key], (written) => {
    const theme = written ? themeIn(written[key]) : storedTheme()
    show(theme)
    onChange(theme)
  })
  return () => {
    over.abort()
    endListening()
  }
}
