import styles from './appearance.module.css'
import type { Theme } from '../theme/theme.ts'

const choices: readonly [Theme, string][] = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['system', 'System'],
]

/**
 * Sets the theme directly, the system's included (docs/contract.md, Theme). The server marks none:
 * `footer.tsx` marks the visitor's own.
 */
export const Appearance = () => (
  <fieldset className={styles.choices}>
    <legend>Theme</legend>
    {choices.map(([theme, name]) => (
      <label key={theme}>
        <input type="radio" name="appearance" value={theme} />
        {name}
      </label>
    ))}
  </fieldset>
)
