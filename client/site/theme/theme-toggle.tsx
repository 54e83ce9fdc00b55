import { useEffect, useState } from 'react'
import { Icon } from '../../ui/icons.tsx'
import { followTheme, themeToastMs, toggleTheme, type Theme } from './theme.ts'
import styles from './theme-toggle.module.css'

/**
 * Switches between light and dark (docs/contract.md, Navigation). Style decides which way the icon
 * is turned.
 */
export function ThemeToggle() {
  return (
    <button
      type="button"
      className={styles.toggle}
      data-early=""
      aria-label="Switch theme"
      onClick={toggleTheme}
    >
      <Icon size={20}>
        <circle cx="12" cy="12" r="8.5" />
        <path d="M12 3.5a8.5 8.5 0 0 1 0 17z" fill="currentColor" />
      </Icon>
    </button>
  )
}

const names: Record<Theme, string> = { light: 'Light', dark: 'Dark', system: 'System' }

/**
 * Says for 2 s at the top right which theme was chosen (docs/contract.md, Theme), and keeps the
 * page in step.
 */
export function ThemeToast() {
  const [changed, setChanged] = useState<{ theme: Theme } | null>(null)
  useEffect(() => followTheme((theme) => setChanged({ theme })), [])
  useEffect(() => {
    if (!changed) return undefined
    const timer = setTimeout(setChanged, themeToastMs, null)
    return () => clearTimeout(timer)
  }, [changed])
  return (
    <div role="status" className={styles.toast} data-shown={changed ? '' : undefined}>
      {changed && `${names[changed.theme]} mode activated`}
    </div>
  )
}
