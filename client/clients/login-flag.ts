import { loginKeys } from '#shared/secret-code.ts'

/** Fires in the window that changes the flag; other windows get a storage event. */
export const flagChanged = 'login-flag'

/**
 * Whether the client login flag is present (docs/contract.md, Navigation). It shows a button and
 * opens nothing.
 */
export function isFlagged(): boolean {
  try {
    return Boolean(localStorage.getItem(loginKeys.flag))
  } catch {
    return false
  }
}

/** Calls back whenever the flag may have changed, in this window or another. */
export function onFlag(listener: () => void): () => void {
  const heard = ({ key }: StorageEvent) => {
    if (key === null || key === loginKeys.flag) listener()
  }
  addEventListener('storage', heard)
  addEventListener(flagChanged, listener)
  return () => {
    removeEventListener('storage', heard)
    removeEventListener(flagChanged, listener)
  }
}
