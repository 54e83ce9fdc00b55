import { useEffect } from 'react'
import { useLocation } from 'react-router'
import type { SiteConfig } from '#shared/site-config.ts'
import { useOwnCounting, type LoadCount } from '../analytics/use-own-counting.ts'
import { hasUnsent } from '../contact/has-unsent.ts'
import { useSite } from './data/identity.ts'
import { logError } from './log.ts'
import { usePictureTransition } from './picture-transition.ts'
import { useOnDemand } from './use-on-demand.ts'

const loadAnalytics = () => import('../analytics/analytics-host.tsx')

/**
 * What goes on beside the page: counting, measuring, sending what an earlier visit could not,
 * preparing for the page that a visitor points at, and moving pictures from page to page.
 * @param props `prepareToLeave` is told when a link to another page is about to be followed
 */
export function Background({
  prepareToLeave,
  loadCount,
}: {
  prepareToLeave: () => void
  loadCount: LoadCount
}) {
  const { pathname } = useLocation()
  const analytics = useSite()?.config?.analytics
  useEffect(sendWaitingMessages, [])
  useOwnCounting(pathname, loadCount)
  usePictureTransition()
  useEffect(() => {
    const over = new AbortController()
    const foresee = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null
      if (link?.origin !== location.origin) return
      prepareToLeave()
      if (link.pathname.startsWith('/services/')) preloadService(link.pathname)
    }
    document.addEventListener('pointerover', foresee, over)
    document.addEventListener('focusin', foresee, over)
    return () => over.abort()
  }, [prepareToLeave])
  return analytics ? <Analytics config={analytics} /> : null
}

/** Only where the configuration names a measuring service; without its code nothing is measured. */
function Analytics({ config }: { config: NonNullable<SiteConfig['analytics']> }) {
  const [code, load] = useOnDemand(loadAnalytics)
  useEffect(() => void load().catch(() => {}), [load])
  return code && <code.AnalyticsHost config={config} />
}

/** Sends what an earlier visit could not. */
function sendWaitingMessages() {
  if (!hasUnsent()) return
  import('../contact/saving.ts').then(({ sendWaiting }) => sendWaiting(), logError)
}

/** Loads the code of a service page before its link is followed (docs/contract.md, Navigation). */
function preloadService(path: string) {
  import('../pages.ts')
    .then(({ pages: { service } }) => Promise.all([service.module(), service.loader?.()]))
    // It only costs the head start, so it is logged (docs/contract.md, Pages).
    .catch(() => logError(`Failed to preload ${nameOf(path)}Page`))
}

/** `/services/public-relations` as its page's name: `PublicRelations`. */
const nameOf = (path: string) => path.slice(9).replace(/\W./g, (start) => start[1]!.toUpperCase())
