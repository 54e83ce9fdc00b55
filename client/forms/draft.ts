/** A field that can be typed into or chosen from. */
export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** What is asked again each time; hidden fields and boxes are never kept. */
const askedAgain = new Set(['captcha', 'website'])

/** The fields of a form that a draft of it keeps. */
export const controlsOf = (form: HTMLFormElement): Control[] =>
  Array.from(form.elements).filter(
    (each): each is Control =>
      (each instanceof HTMLInputElement ||
        each instanceof HTMLTextAreaElement ||
        each instanceof HTMLSelectElement) &&
      !['hidden', 'checkbox', 'radio'].includes(each.type) &&
      each.name !== '' &&
      !askedAgain.has(each.name),
  )

/** What was entered in a form before, from session storage. @param key of the storage registry */
export function readDraft(key: string): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    const entries = Object.entries(kept ?? {}).filter(([, value]) => typeof value === 'string')
    return Object.fromEntries(entries)
  } catch {
    return {}
  }
}

/** Keeps what is entered in a form until the tab closes. */
export function writeDraft(key: string, draft: Readonly<Record<string, string>>): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // Closed or full: the form works all the same.
  }
}

/** Forgets every draft under a beginning of keys. */
export function removeDrafts(prefix: string): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix)) sessionStorage.removeItem(key)
    }
  } catch {
    // Where storage is closed there is nothing to forget.
  }
}

/** Forgets what was entered in a form. */
export function removeDraft(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Where storage is closed there is nothing to forget.
  }
}
