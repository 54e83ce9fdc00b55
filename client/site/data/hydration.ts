import type { HydrationState } from 'react-router'
import type { Part, PendingPart } from './loading.ts'

/**
 * Gives the server's route data its promises back: a part that was late when the shell left is
 * written into the document as inert JSON when it comes.
 */
export function restoreParts(state: HydrationState): HydrationState {
  for (const data of Object.values(state.loaderData ?? {})) {
    if (!(data instanceof Object)) continue
    for (const value of Object.values(data as Record<string, unknown>)) {
      if (value instanceof Object && 'pending' in value && 'id' in value) {
        const late = value as PendingPart<unknown> & { id: string }
        late.pending = arrivalOf(late.id)
      }
    }
  }
  return state
}

/** Resolves when the part with an id is in the document; a connection that breaks first fails it. */
function arrivalOf(id: string): Promise<Part<unknown>> {
  return new Promise((resolve) => {
    const look = () => {
      const part = partIn(document.querySelector(`[data-late="${id}"]`))
      if (!part && document.readyState === 'loading') return
      observer.disconnect()
      document.removeEventListener('DOMContentLoaded', look)
      resolve(part ?? { ok: false, message: 'An unknown error occurred' })
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { childList: true, subtree: true, characterData: true })
    document.addEventListener('DOMContentLoaded', look)
    look()
  })
}

/** What a script holds; null while its text is not there, or only in part. */
function partIn(script: Element | null): Part<unknown> | null {
  try {
    return JSON.parse(script?.textContent ?? '') as Part<unknown>
  } catch {
    return null
  }
}
