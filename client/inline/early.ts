/** The root element, on which the button or link stands that was clicked before its code came. */
export type EarlyRoot = HTMLElement & { early?: HTMLElement | null }

/** Carries out the click that `first.ts` has kept. Called once the page is alive. */
export function replayEarlyClick() {
  const root = document.documentElement as EarlyRoot
  const { early } = root
  root.early = null
  early?.click()
}
