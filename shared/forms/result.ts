/**
 * Where a form's result begins: the heading of what was done, or the summary of what is wrong. A form
 * or its redirect names it in the address, so the browser scrolls there and gives it the focus,
 * with scripts (`useFragmentFocus`) and without.
 */
export const resultId = 'result'

/** An address that opens at the result of a form. */
export const toResult = (address: string): string => `${address.split('#')[0]}#${resultId}`
