import { logError } from '../log.ts'
import { followTheme, setTheme, storedTheme, type Theme } from '../theme/theme.ts'

/**
 * Runs what does something in the footer, whose HTML React leaves as the server wrote it.
 * @param signal ends it
 */
export function runFooter(footer: HTMLElement, signal: AbortSignal): void {
  footer.addEventListener('keydown', pressWithSpace, { signal })
  followAppearance(footer, signal)
  hydrateNewsletterOnUse(footer, signal)
}

/** Lets the space bar press links that are buttons, as it does all other buttons. */
function pressWithSpace(event: KeyboardEvent) {
  const { key, target } = event
  if (key !== ' ' || !(target instanceof HTMLAnchorElement) || target.role !== 'button') return
  event.preventDefault()
  target.click()
}

/** Marks the theme among those to choose from, and sets the one that is chosen. */
function followAppearance(footer: HTMLElement, signal: AbortSignal) {
  const choices = footer.querySelectorAll<HTMLInputElement>('[name=appearance]')
  const mark = () => {
    for (const choice of choices) choice.checked = choice.value === storedTheme()
  }
  mark()
  signal.addEventListener('abort', followTheme(mark))
  for (const choice of choices) {
    choice.addEventListener('change', () => setTheme(choice.value as Theme), { signal })
  }
}

/**
 * Loads the code of the newsletter form once someone is about to use it, and sends it then, in case
 * that they were faster. Where the code cannot come the browser sends it, as without scripts.
 */
function hydrateNewsletterOnUse(footer: HTMLElement, signal: AbortSignal) {
  const form = footer.querySelector('form')
  if (!form) return
  const isHydrated = new AbortController()
  let loading: Promise<void> | undefined
  const hydrate = async () => {
    const { hydrateNewsletterForm } = await import('../../newsletter/hydrate-form.tsx')
    await hydrateNewsletterForm(form)
    isHydrated.abort()
  }
  const load = () => (loading ??= hydrate())
  const heard = { signal: AbortSignal.any([signal, isHydrated.signal]) }
  // The messages are those of our code.
  form.noValidate = true
  form.addEventListener('focusin', () => void load().catch(logError), heard)
  form.addEventListener(
    'submit',
    (event) => {
      event.preventDefault()
      load().then(
        () => form.requestSubmit(),
        () => form.submit(),
      )
    },
    heard,
  )
}
