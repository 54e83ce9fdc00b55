/** Tells the browser's console of an error that the visitor is not bothered with. */
export function logError(...what: unknown[]) {
  // oxlint-disable-next-line no-console
  console.error(...what)
}
