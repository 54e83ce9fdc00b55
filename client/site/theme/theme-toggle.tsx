import { Icon } from '../../ui/icons.tsx'
import { toggleTheme } from './theme.ts'
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
