import { lazy, startTransition, Suspense, useEffect, useState } from 'react'
import { consentCardMs, consentChanged } from '#shared/consent.ts'
import type { PanelProps } from './consent-panel.tsx'
import { currentConsent } from './current.ts'

const load = () => import('./consent-panel.tsx')
const Panel = lazy(async () => ({ default: (await load()).ConsentPanel }))

/**
 * Asks for consent: as a card in the corner while it is not given, as a modal from any
 * "Cookie preferences" button. It stands first in the document, so that the keyboard meets the
 * card first; its code comes when it is shown.
 */
export function ConsentHost() {
  const [shown, setShown] = useState<PanelProps['as'] | null>(null)
  useEffect(() => {
    const show = async (as: PanelProps['as']) => {
      try {
        await load()
        // Whoever has asked for the preferences keeps them. A transition, since the fallback of a lazy
        // component stays for 300 ms.
        startTransition(() => setShown((now) => (now === 'modal' ? now : as)))
      } catch {
        // Without the panel nothing is granted, which is the safe side.
      }
    }
    const ask = () => {
      if (!currentConsent().given) void show('card')
    }
    const timer = setTimeout(ask, consentCardMs)
    const over = new AbortController()
    const { signal } = over
    // Caught on its way down: React stops clicks on parts that it has not come to yet.
    addEventListener(
      'click',
      ({ target }) => {
        if (target instanceof Element && target.closest('[data-cookie-preferences]')) {
          void show('modal')
        }
      },
      { capture: true, signal },
    )
    // Decided here, or in another tab.
    const look = () => currentConsent().given && setShown((as) => (as === 'card' ? null : as))
    addEventListener(consentChanged, look, { signal })
    addEventListener('storage', look, { signal })
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [])
  return <Suspense>{shown && <Panel as={shown} onClose={() => setShown(null)} />}</Suspense>
}
