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

/** Removes the stored login data and ends the session; a server out of reach does not hold it up for long. */
export async function logOut(): Promise<void> {
  try {
    for (const key of Object.values(loginKeys)) localStorage.removeItem(key)
  } catch {
    // Nothing was stored then.
  }
  dispatchEvent(new Event(flagChanged))
  await fetch('/api/logout', {
    method: 'POST',
    keepalive: true,
    signal: AbortSignal.timeout(4000),
  }).catch(() => {})
}
