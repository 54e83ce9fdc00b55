/** Milliseconds that a tab waits for another one, which may sleep in the background. */
const longestWait = 10_000

/**
 * Adds to the cart once other tabs of this browser have. Two first pieces at the same moment would begin
 * a cart each, of which the browser keeps one; two of the same product would both count from what was
 * there before.
 */
export async function inTurn<Answer>(add: () => Promise<Answer>): Promise<Answer> {
  // On the server all visitors would wait for each other. Browsers have locks in secure contexts only.
  if (import.meta.env.SSR || !navigator.locks) return add()
  try {
    return await navigator.locks.request('cart', { signal: AbortSignal.timeout(longestWait) }, add)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return add()
    throw error
  }
}
