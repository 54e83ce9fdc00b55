import { useSyncExternalStore } from 'react'
import styles from './appearance.module.css'
import { followTheme, setTheme, storedTheme, type Theme } from './theme.ts'

const choices: readonly [Theme, string][] = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['system', 'System'],
]

/**
 * Sets the theme directly, the system's included (docs/contract.md, Theme). On the server none is
 * marked.
 */
export function Appearance() {
  const current = useSyncExternalStore(followTheme, storedTheme, () => null)
  return (
    <fieldset className={styles.choices}>
      <legend>Appearance</legend>
      {choices.map(([theme, name]) => (
        <label key={theme}>
          <input
            type="radio"
            name="appearance"
            value={theme}
            checked={current === theme}
            onChange={() => setTheme(theme)}
          />
          {name}
        </label>
      ))}
    </fieldset>
  )
}
