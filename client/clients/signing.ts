import { loginKeys } from '#shared/secret-code.ts'
import { flagChanged } from './login-flag.ts'

/** Sets the flag, with harmless facts beside it. */
export function setFlag(user: object): void {
  try {
    localStorage.setItem(loginKeys.flag, 'true')
    localStorage.setItem(loginKeys.user, JSON.stringify(user))
  } catch {
    // Without storage there is no logout button in the bar; the panel has one of its own.
  }
  dispatchEvent(new Event(flagChanged))
}

/**
 * Ends the session and removes the stored login data; a server out of reach does not hold it up for
 * long. Other windows ask the server again when the data goes, so the session ends before.
 */
export async function logOut(): Promise<void> {
  await fetch('/api/logout', {
    method: 'POST',
    keepalive: true,
    signal: AbortSignal.timeout(4000),
  }).catch(() => {})
  try {
    for (const key of Object.values(loginKeys)) localStorage.removeItem(key)
  } catch {
    // Nothing was stored then.
  }
  dispatchEvent(new Event(flagChanged))
}
