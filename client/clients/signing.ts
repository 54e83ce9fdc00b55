import { forgetTyped } from '../desk/things/typed-storage.ts'
import { removeDrafts } from '../forms/draft.ts'
import { storeValues } from '../site/stored-value.ts'
import { loginKeys } from './login-keys.ts'

/** Sets the flag, with harmless facts beside it. */
export function setFlag(user: object): void {
  // Without storage there is no logout button in the bar; the client zone has one of its own.
  storeValues({ [loginKeys.flag]: 'true', [loginKeys.user]: JSON.stringify(user) })
}

/** Ends every session of the code. */
export const logOutEverywhere = '/api/logout?everywhere'

/**
 * Ends the session, or with it all others of its code, and removes the stored login data; a server out of reach does not hold it up for
 * long. Other windows ask the server again when the data goes, so the session ends before.
 */
export async function logOut(isEverywhere = false): Promise<void> {
  await fetch(isEverywhere ? logOutEverywhere : '/api/logout', {
    method: 'POST',
    keepalive: true,
    signal: AbortSignal.timeout(4000),
  })
    // One that isn't read keeps its connection.
    .then((response) => response.text())
    .catch(() => {})
  forgetTyped()
  removeDrafts('folder_typed:')
  storeValues(Object.fromEntries(Object.values(loginKeys).map((key) => [key, null])))
}
