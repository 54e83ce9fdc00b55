import { loginKeys } from '#shared/secret-code.ts'

/** Fires in the window that changes the flag; other windows get a storage event. */
const changed = 'login-flag'

/** Whether the client login flag is present (spec 2.4). It shows a button and opens nothing. */
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
  addEventListener(changed, listener)
  return () => {
    removeEventListener('storage', heard)
    removeEventListener(changed, listener)
  }
}

/** Sets the flag, with harmless facts beside it. */
export function setFlag(user: object): void {
  try {
    localStorage.setItem(loginKeys.flag, 'true')
    localStorage.setItem(loginKeys.user, JSON.stringify(user))
  } catch {
    // Without storage there is no logout button in the bar; the panel has one of its own.
  }
  dispatchEvent(new Event(changed))
}

/** Removes the stored login data and ends the session; a server out of reach does not hold it up for long. */
export async function logOut(): Promise<void> {
  try {
    for (const key of Object.values(loginKeys)) localStorage.removeItem(key)
  } catch {
    // Nothing was stored then.
  }
  dispatchEvent(new Event(changed))
  await fetch('/api/logout', {
    method: 'POST',
    keepalive: true,
    signal: AbortSignal.timeout(4000),
  }).catch(() => {})
}
