import { useCallback, useSyncExternalStore } from 'react'

/** Values by their keys; null stands for none. */
type Values = Readonly<Record<string, string | null>>

/** Fired on `window` with what this window has stored; others get a storage event. */
const stored = 'stored'

/** What local storage has under a key; null where there is nothing, or storage is closed to us. */
export function storedValue(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/**
 * Puts values into local storage, in their order; null removes one. Listeners are told, also
 * where storage is closed or full.
 * @returns whether all of them are there
 */
export function storeValues(values: Values): boolean {
  let isKept = true
  try {
    for (const [key, value] of Object.entries(values)) {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    }
  } catch {
    isKept = false
  }
  dispatchEvent(new CustomEvent(stored, { detail: values }))
  return isKept
}

/**
 * Calls back whenever what is stored under one of some keys may have changed.
 * @param listener told what this window has stored, which closed storage does not have; null where
 *   another window did
 * @returns what ends it
 */
export function onStored(
  keys: readonly string[],
  listener: (written: Values | null) => void,
): () => void {
  const over = new AbortController()
  // Without a key everything was cleared.
  addEventListener(
    'storage',
    ({ key }) => (key === null || keys.includes(key)) && listener(null),
    over,
  )
  addEventListener(
    stored,
    (event) => {
      const { detail } = event as CustomEvent<Values>
      if (keys.some((key) => key in detail)) listener(detail)
    },
    over,
  )
  return () => over.abort()
}

/** What local storage has under a key, at any time; null on the server. */
export const useStoredValue = (key: string): string | null =>
  useSyncExternalStore(
    useCallback((onChange: () => void) => onStored([key], onChange), [key]),
    () => storedValue(key),
    () => null,
  )
