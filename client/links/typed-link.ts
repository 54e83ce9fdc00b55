import { paths } from '#shared/paths.ts'
import { storeTyped, takeTyped } from '../desk/things/typed-storage.ts'

/** What is never written down: it opens something. */
const secret = 'password'

const controlsOf = (form: HTMLFormElement): HTMLInputElement[] =>
  Array.from(form.elements).filter(
    (each): each is HTMLInputElement =>
      each instanceof HTMLInputElement && each.name !== '' && each.name !== secret,
  )

/** Keeps a new link as far as it's typed, with the key of its form: its page may give way to the field for a code. */
export function keepTypedLink(form: HTMLFormElement): void {
  const typed = controlsOf(form).map(({ name, type, value, checked }) => [
    name,
    type === 'checkbox' ? (checked ? 'on' : '') : value,
  ])
  storeTyped(paths.shortLinks(), 'new', Object.fromEntries(typed) as Record<string, string>)
}

/** Fills in what was typed of a new link before. @returns the names of fields that aren't empty any more */
export function fillTypedLink(form: HTMLFormElement): readonly string[] {
  const typed = takeTyped(paths.shortLinks(), 'new')
  if (!typed) return []
  const filled = controlsOf(form).filter(({ name }) => Boolean(typed[name]))
  for (const control of filled) {
    if (control.type === 'checkbox') control.checked = true
    else control.value = typed[control.name]!
  }
  keepTypedLink(form)
  return filled.map(({ name }) => name)
}

/** Forgets a new link that was made. */
export const forgetTypedLink = (): void => void takeTyped(paths.shortLinks(), 'new')
