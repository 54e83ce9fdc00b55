/**
 * Keeps the site from starting, and the operator can mend it: the message says all, so it is
 * printed without a stack.
 */
export class StartError extends Error {}
