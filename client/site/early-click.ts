/**
 * Carries out the press of a `data-early` button that came before its code, which theme-script.ts
 * has remembered. Called once the page is alive.
 */
export function replayEarlyClick() {
  const root = document.documentElement as HTMLElement & { early?: HTMLElement | null }
  const { early } = root
  root.early = null
  early?.click()
}
