import { storedValue } from '../site/stored-value.ts'

/** Where messages that are not known to be saved wait, in local storage. */
export const unsentKey = 'contact_outbox'

/** Whether there are any. Every page asks, so what sends them is another file, loaded when it is needed. */
export const hasUnsent = (): boolean => storedValue(unsentKey) !== null
