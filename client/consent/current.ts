import { consentKeys, readConsent, type ConsentState } from '#shared/consent/consent.ts'
import { onStored, storedValue } from '../site/stored-value.ts'

/** What the visitor has decided so far, as local storage has it. */
export const currentConsent = (): ConsentState => readConsent(storedValue)

/** Calls back whenever that may have changed, here or in another tab. @returns what ends it */
export const onConsent = (listener: () => void): (() => void) =>
  onStored(Object.values(consentKeys), listener)
