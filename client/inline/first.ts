/**
 * Runs in the document before first paint: sets the `dark` class as the stored theme or the system
 * says (docs/contract.md, Theme), holds back the pictures further down, and the layout of what is marked
 * as below, until the first view is painted (`start.ts`), notes whether the page is scrolled, for the bar
 * above it, and keeps the click on a button that comes before its code, for `replayEarlyClick`. What
 * would lead to another page is held back for it; links are not. The home page scrolls smoothly to the
 * fragment of its address, which a browser goes to before the page's code is there.
 */
import type { EarlyRoot } from './early.ts'

/**
 * Pixels of scrolling after which the bar gets its own ground
 * (docs/contract.md, Limits and constants).
 */
const solidAfter = 50

/** Milliseconds in which a browser has found the fragment of an address. */
const maxArrival = 2000

/** Milliseconds that pictures and layout wait where the end of the document, which lets them go, never comes. */
const maxFirstView = 3000

const root = document.documentElement as EarlyRoot

function storedTheme() {
  try {
    return localStorage.getItem('theme')
  } catch {
    // Storage may be closed to us; the system decides then.
    return null
  }
}

const theme = storedTheme()
if (theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)) {
  root.classList.add('dark')
}
root.classList.add('js')
// The style sheets look for open dialogs only once the page is alive or something was pressed.
root.setAttribute('data-loading', '')
if (location.pathname === '/' && location.hash) {
  root.classList.add('smooth')
  setTimeout(() => root.classList.remove('smooth'), maxArrival)
}

const showPictures = () => root.removeAttribute('data-first-view')
const layOutAll = () => root.removeAttribute('data-layout-waits')
root.setAttribute('data-first-view', '')
// Where a visitor is taken to a place further down, what is above it needs its height.
const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
if (!location.hash && arrival?.type === 'navigate') root.setAttribute('data-layout-waits', '')
setTimeout(() => {
  showPictures()
  if (document.readyState === 'loading') layOutAll()
}, maxFirstView)

addEventListener(
  'scroll',
  () => {
    root.toggleAttribute('data-scrolled', scrollY > solidAfter)
    showPictures()
  },
  { passive: true },
)

root.addEventListener('click', (event) => {
  root.removeAttribute('data-loading')
  const { target, ctrlKey, metaKey, shiftKey, altKey } = event
  if ((target as Element).closest('a[href*="#"]')) layOutAll()
  const pressed = (target as Element).closest<HTMLElement>('button,[data-contact]')
  if (root.early === null || !pressed || pressed.hasAttribute('command')) return
  if (ctrlKey || metaKey || shiftKey || altKey) return
  if (pressed.hasAttribute('data-contact')) event.preventDefault()
  // Forms are sent by the browser.
  else if (pressed instanceof HTMLButtonElement && pressed.form && pressed.type === 'submit') return
  root.early = pressed
})
