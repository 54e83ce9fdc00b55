import { useEffect, useState } from 'react'
import { consentCardMs } from '#shared/consent/consent-card.ts'
import { logError } from '../site/log.ts'
import { useOnDemand } from '../site/use-on-demand.ts'
import type { PanelProps } from './consent-panel.tsx'

const loadPanel = () => import('./consent-panel.tsx')

/**
 * Asks for consent: as a card in the corner while it is not given, as a modal from any
 * "Cookie preferences" button. It is first in the document, so the keyboard meets the
 * card first; its code comes when it is shown.
 */
export function ConsentHost() {
  const [code, load] = useOnDemand(loadPanel)
  const [shown, setShown] = useState<PanelProps['as'] | null>(null)
  useEffect(() => {
    const show = (as: PanelProps['as']) => {
      // Preferences that were asked for stay open.
      setShown((now) => (now === 'modal' ? now : as))
      // Without the panel nothing is granted, which is the safe side.
      load().catch(() => setShown(null))
    }
    const ask = async () => {
      const { currentConsent } = await import('./current.ts')
      if (!currentConsent().given) show('card')
    }
    const timer = setTimeout(() => void ask().catch(logError), consentCardMs)
    // Caught on its way down: React stops clicks on parts that it has not come to yet.
    const press = ({ target }: Event) => {
      if (target instanceof Element && target.closest('[data-cookie-preferences]')) show('modal')
    }
    addEventListener('click', press, true)
    return () => {
      clearTimeout(timer)
      removeEventListener('click', press, true)
    }
  }, [load])
  return code && shown && <code.ConsentPanel as={shown} onClose={() => setShown(null)} />
}
