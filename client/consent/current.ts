import { readConsent, type ConsentState } from '#shared/consent.ts'

/** What the visitor has decided so far, as local storage has it. */
export function currentConsent(): ConsentState {
  return readConsent((key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  })
}
