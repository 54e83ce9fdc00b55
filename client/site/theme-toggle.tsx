import { useEffect, useState } from 'react'
import { Icon } from '../ui/icons.tsx'
import { themeToastMs, toggleTheme, type Theme } from './theme.ts'
import styles from './theme-toggle.module.css'

/** Switches between light and dark, and says so for 2 s (spec 2.9). Style decides which icon shows. */
export function ThemeToggle() {
  const [changed, setChanged] = useState<{ theme: Theme } | null>(null)
  useEffect(() => {
    if (!changed) return undefined
    const timer = setTimeout(setChanged, themeToastMs, null)
    return () => clearTimeout(timer)
  }, [changed])
  return (
    <>
      <button
        type="button"
        className={styles.toggle}
        aria-label="Switch the theme"
        onClick={() => setChanged({ theme: toggleTheme() })}
      >
        <Icon size={20}>
          <circle cx="12" cy="12" r="8.5" />
          <path d="M12 3.5a8.5 8.5 0 0 1 0 17z" fill="currentColor" />
        </Icon>
      </button>
      <div role="status" className={styles.toast} data-shown={changed ? '' : undefined}>
        {changed && `${changed.theme === 'dark' ? 'Dark' : 'Light'} mode activated`}
      </div>
    </>
  )
}
