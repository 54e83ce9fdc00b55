import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { paths } from '#shared/paths.ts'
import type { SiteConfig } from '#shared/site-config.ts'
import { useOwnCounting } from '../analytics/use-own-counting.ts'
import { ConsentHost } from '../consent/consent-host.tsx'
import { outboxKey } from '../contact/outbox-key.ts'
import { FeedLink, hasFeedLink } from '../news/feed-link.tsx'
import { useLinkClicks } from './link-clicks.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { useSite } from './identity.ts'
import { replayEarlyPress } from './inline-scripts.ts'
import styles from './layout.module.css'
import { logError } from './log.ts'
import { storedValue } from './stored-value.ts'
import { Stream } from './stream.tsx'
import { ThemeToast } from './theme-toast.tsx'
import { useOnDemand } from './use-on-demand.ts'

const loadAnalytics = () => import('../analytics/analytics-host.tsx')
const loadContactModal = () => import('../contact/contact-modal.tsx')

/** The shell around every page; the contact window goes without. */
export function Layout({
  prepareToLeave,
  children,
}: {
  /** Told when a link to another page is about to be followed. */
  prepareToLeave: () => void
  children: ReactNode
}) {
  const { pathname } = useLocation()
  const bare = pathname === paths.contactWindow()
  const { settings, config } = useSite() ?? {}
  const analytics = config?.analytics
  useEffect(sendWaitingMessages, [])
  useEffect(replayEarlyPress, [])
  useOwnCounting(pathname)
  return (
    <>
      {hasFeedLink(pathname) && <FeedLink />}
      {!bare && <ConsentHost />}
      {/* The card comes before it, so it needs a landmark of its own to be found. */}
      <nav aria-label="Skip">
        <a href="#main" className={styles.skip}>
          Skip to content
        </a>
      </nav>
      {!bare && <Header />}
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      {!bare && <Footer />}
      <Loading />
      <ThemeToast />
      <ContactHost prepareToLeave={prepareToLeave} />
      {/* Late settings travel with every page, not only with those that wait for them. */}
      {settings && (
        <Stream value={settings} fallback={null}>
          {() => null}
        </Stream>
      )}
      {analytics && <Analytics config={analytics} />}
    </>
  )
}

/** Covers the page while another one is on its way, except the home page. */
function Loading() {
  const { pathname } = useLocation()
  const to = useNavigation().location?.pathname
  const shown = to && to !== paths.home() && to !== pathname
  return (
    <div role="status" className={styles.loading} data-shown={shown ? '' : undefined}>
      {shown && 'Loading...'}
    </div>
  )
}

/** Only where the configuration names a measuring service; without its code nothing is measured. */
function Analytics({ config }: { config: NonNullable<SiteConfig['analytics']> }) {
  const [code, load] = useOnDemand(loadAnalytics)
  useEffect(() => void load().catch(() => {}), [load])
  return code && <code.AnalyticsHost config={config} />
}

/** Opens the contact modal for any contact link; its code comes with the first of them. */
function ContactHost({ prepareToLeave }: { prepareToLeave: () => void }) {
  const [code, load] = useOnDemand(loadContactModal)
  const [{ subject, opened }, setWish] = useState({ subject: '', opened: 0 })
  const open = useCallback(
    async (wanted: string) => {
      try {
        await load()
        setWish((last) => ({ subject: wanted, opened: last.opened + 1 }))
      } catch {
        // Without the code there is still the page that works without any.
        location.assign(paths.contactWindow())
      }
    },
    [load],
  )
  useLinkClicks(open, prepareToLeave)
  return code && <code.ContactModal subject={subject} opened={opened} />
}

/** Sends what an earlier visit could not. */
function sendWaitingMessages() {
  if (!storedValue(outboxKey)) return
  import('../contact/outbox.ts').then(({ sendWaiting }) => sendWaiting(), logError)
}
