import { paths } from '#shared/paths.ts'
import { isTypedStored, storeTyped, takeTyped } from '../desk/things/typed-storage.ts'

/** What is never written down: it opens something. */
const secret = 'password'

/** What the form of a link is stored under; null for a new one. */
const actOf = (code: string | null): string => (code === null ? 'new' : `edit:${code}`)

const controlsOf = (form: HTMLFormElement): HTMLInputElement[] =>
  Array.from(form.elements).filter(
    (each): each is HTMLInputElement =>
      each instanceof HTMLInputElement && each.name !== '' && each.name !== secret,
  )

const valueOf = ({ type, value, checked }: HTMLInputElement): string =>
  type === 'checkbox' ? (checked ? 'on' : '') : value

/** Whether a control shows something else than at first. */
export const isTouched = (control: HTMLInputElement): boolean =>
  control.type === 'checkbox'
    ? control.checked !== control.defaultChecked
    : control.value !== control.defaultValue

/**
 * Keeps the form of a link as far as it's typed, since its page may give way to the field for a code: a new
 * one with the key of its form, of a change what was touched, as someone else may change the rest meanwhile.
 * @param code of the link that is changed; null for a new one
 */
export function keepTypedLink(form: HTMLFormElement, code: string | null): void {
  const controls = controlsOf(form).filter((each) => code === null || isTouched(each))
  if (controls.length === 0) return forgetTypedLink(code)
  const typed = Object.fromEntries(controls.map((each) => [each.name, valueOf(each)]))
  storeTyped(paths.shortLinks(), actOf(code), typed)
}

/**
 * Fills in what was typed into the form of a link before.
 * @param code of the link that is changed; null for a new one
 * @returns the names of fields that aren't empty any more
 */
export function fillTypedLink(form: HTMLFormElement, code: string | null): readonly string[] {
  const typed = takeTyped(paths.shortLinks(), actOf(code))
  if (!typed) return []
  const filled = controlsOf(form).filter(({ name }) =>
    code === null ? Boolean(typed[name]) : typed[name] !== undefined,
  )
  for (const control of filled) {
    if (control.type === 'checkbox') control.checked = typed[control.name] === 'on'
    else control.value = typed[control.name]!
  }
  keepTypedLink(form, code)
  return filled.map(({ name }) => name)
}

/** Whether a change of a link was begun in this tab and neither saved nor cancelled. */
export const isLinkTyped = (code: string): boolean => isTypedStored(paths.shortLinks(), actOf(code))

/** Forgets what was typed: a new link was made, a change saved or cancelled. */
export const forgetTypedLink = (code: string | null): void =>
  void takeTyped(paths.shortLinks(), actOf(code))
