/** What the theme may be set to (spec section 4, Theme). */
export type Theme = 'light' | 'dark' | 'system'

/** Milliseconds that the message about a change is shown. */
export const themeToastMs = 2000

/** Shows a theme and keeps it for the next visit. */
export function setTheme(theme: Theme) {
  const system = matchMedia('(prefers-color-scheme: dark)').matches
  const dark = theme === 'dark' || (theme === 'system' && system)
  document.documentElement.classList.toggle('dark', dark)
  try {
    localStorage.setItem('theme', theme)
  } catch {
    // Storage may be closed to us; the theme then lasts as long as the page.
  }
}

/** Switches between light and dark. @returns the new theme */
export function toggleTheme(): Theme {
  const theme = document.documentElement.classList.contains('dark') ? 'light' : 'dark'
  setTheme(theme)
  return theme
}
