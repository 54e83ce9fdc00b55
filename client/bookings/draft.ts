import { controlsOf, readDraft, removeDraft, writeDraft, type Control } from '../forms/draft.ts'
import { showTimesElsewhere } from './own-times.ts'

/** Where session storage has what was entered. */
const storageKey = 'booking_draft'

/** What is chosen rather than typed, since changing it shows other days. */
type Choice = { service?: string; from?: string; to?: string }

/** Whether the form has been sent, after which nothing more is kept of it. */
let isSent = false

/** Whether a draft has been looked for since the document was loaded. */
let isFirst = true

/**
 * What a booking form does once its page works: it is filled with what was entered before it was
 * reloaded or left, keeps what is entered until the tab closes, and says what its hours are
 * elsewhere. What the form begins with wins, such as the place of an event, and so does what its
 * address names, unless the visitor comes back to it.
 * @param options `isBack` when a step back or forward led here; `isRefused` for a form that came back
 *   with its entries; `choose` takes service and dates
 */
export function keepDraft(
  form: HTMLFormElement,
  {
    isBack,
    isRefused,
    choose,
  }: { isBack: boolean; isRefused: boolean; choose: (choice: Choice) => void },
): { save: () => void; stop: () => void } {
  const draft = isRefused ? {} : readDraft(storageKey)
  const returns = isBack && (!isFirst || loadType() !== 'navigate')
  isFirst = false
  isSent = false
  const query = new URLSearchParams(location.search)
  const names = (name: string) => !returns && query.has(name)
  const { service, from, to, ...rest } = draft
  for (const control of controlsOf(form)) {
    const value = rest[control.name]
    if (value !== undefined && control.value === '') fill(control, value)
  }
  const choice: Choice = {
    ...(service !== undefined && !names('service') && check(form, service) && { service }),
    ...(from && !names('from') && !names('event') && { from, to: to ?? from }),
  }
  if (Object.keys(choice).length > 0) choose(choice)

  const save = () => {
    showTimesElsewhere(form)
    if (isSent) return
    const entries = controlsOf(form)
      .filter(({ value }) => value !== '')
      .map(({ name, value }) => [name, value])
    const radio = form.querySelector<HTMLInputElement>('[name="service"]:checked')
    if (radio) entries.push(['service', radio.value])
    writeDraft(storageKey, Object.fromEntries(entries) as Record<string, string>)
  }
  form.addEventListener('input', save)
  showTimesElsewhere(form)
  // What was typed before this code came.
  if (controlsOf(form).some(isTyped)) save()
  return { save, stop: () => form.removeEventListener('input', save) }
}

/** Forgets what was entered once it has been sent. */
export function forgetDraft(): void {
  isSent = true
  removeDraft(storageKey)
}

/** Whether text is in a field that did not begin with it. */
const isTyped = (control: Control): boolean =>
  !(control instanceof HTMLSelectElement) && control.value !== control.defaultValue

/** Fills a control as if it had been typed, so React hears of it. */
function fill(control: Control, value: string): void {
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value') ?? {}
  set?.call(control, value)
  control.dispatchEvent(new Event('input', { bubbles: true }))
  control.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Checks the radio button of a service. @returns false where it isn't offered any more */
function check(form: HTMLFormElement, service: string): boolean {
  const radios = form.querySelectorAll<HTMLInputElement>('[name="service"]')
  const radio = Array.from(radios).find(({ value }) => value === service)
  if (radio) radio.checked = true
  return radio !== undefined
}

const loadType = (): string | undefined => {
  const [entry] = performance.getEntriesByType('navigation')
  return entry instanceof PerformanceNavigationTiming ? entry.type : undefined
}
