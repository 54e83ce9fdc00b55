import { storedValue } from '../site/stored-value.ts'

/** Local storage key of messages not yet known to be saved. */
export const unsentKey = 'contact_outbox'

/**
 * Whether there are any. Every page checks this; the code that sends them is loaded only when needed.
 */
export const hasUnsent = (): boolean => storedValue(unsentKey) !== null
