import { startTransition, useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { onStored, storedValue } from '../site/stored-value.ts'
import { loginKeys } from './login-keys.ts'
import { setFlag } from './signing.ts'

/**
 * Keeps a page in step with the session: it shows the logout button when a form without scripts
 * has signed in, and asks the server again when another window signs in or out, or with another code.
 * @param user harmless facts of who is signed in, or null
 */
export function useSessionPage(user: { name: string; panel: string } | null): void {
  const { revalidate } = useRevalidator()
  const [isConfirmed, setConfirmed] = useState(false)
  const name = user?.name
  const panel = user?.panel
  useEffect(() => {
    if (panel === undefined || storedValue(loginKeys.flag)) return
    if (isConfirmed) setFlag({ name, panel })
    // The document may be older than a logout in another window.
    else void revalidate().then(() => startTransition(() => setConfirmed(true)))
  }, [isConfirmed, name, panel, revalidate])
  useEffect(() => {
    // The flag is the same for every code; the facts beside it tell them apart.
    const keys = [loginKeys.flag, loginKeys.user]
    const login = () => keys.map(storedValue).join()
    let before = login()
    return onStored(keys, (written) => {
      const now = login()
      // The window that logs out leaves the page, and one that has just asked needs no second answer.
      const isLeaving = written !== null && !storedValue(loginKeys.flag)
      const isShown = written?.[loginKeys.user] === JSON.stringify({ name, panel })
      if (now !== before && !isLeaving && !isShown) void revalidate()
      before = now
    })
  }, [name, panel, revalidate])
}
