/** The root element, on which the button or link stands that was clicked before its code came. */
export type EarlyRoot = HTMLElement & { early?: HTMLElement | null }

/**
 * Carries out the click that `first.ts` has kept, and lets the style sheets look for open dialogs. Called
 * once the page is alive, or known to stay without code.
 */
export function replayEarlyClick() {
  const root = document.documentElement as EarlyRoot
  const { early } = root
  root.removeAttribute('data-loading')
  root.early = null
  early?.click()
}
