import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react'
import { useLocation } from 'react-router'
import { paths } from '#shared/paths.ts'
import { OwnCounting } from '../analytics/own-counting.tsx'
import { ConsentHost } from '../consent/consent-host.tsx'
import type { ContactRequest, ModalProps } from '../contact/contact-modal.tsx'
import { outboxKey } from '../contact/outbox-key.ts'
import { FeedLink, hasFeedLink } from '../news/feed-link.tsx'
import { lazily } from '../ui/lazily.tsx'
import { departure } from './departure.ts'
import { useFollow } from './follow.ts'
import { Header } from './header.tsx'
import { useSite } from './identity.ts'
import { replayEarlyPress } from './inline-scripts.ts'
import styles from './layout.module.css'
import { Stream } from './stream.tsx'
import { ThemeToast } from './theme-toast.tsx'

/** Only where the configuration names a measuring service. */
const AnalyticsHost = lazy(async () => ({
  default: (await import('../analytics/analytics-host.tsx')).AnalyticsHost,
}))

const Footer = lazily(async () => (await import('./footer.tsx')).Footer)

/** The shell around every page (spec 2.3); the contact window goes without. */
export function Layout({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  const bare = pathname === paths.contactWindow()
  const { settings, config } = useSite() ?? {}
  const analytics = config?.analytics
  useEffect(sendWaitingMessages, [])
  useEffect(replayEarlyPress, [])
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
      <ContactHost />
      <OwnCounting />
      {/* Late settings travel with every page, not only with those that wait for them. */}
      {settings && (
        <Stream value={settings} fallback={null}>
          {() => null}
        </Stream>
      )}
      <Suspense>{analytics && <AnalyticsHost config={analytics} />}</Suspense>
    </>
  )
}

/** Covers the page while another one is on its way, except the home page (spec 2.1). */
function Loading() {
  const { pathname, key } = useLocation()
  // Not from the router, whose state comes as a transition: what waits for code would keep it back.
  const [leaving, leave] = useState<{ from: string; to: string }>()
  useEffect(() => {
    const note = ({ detail: to }: Event & { detail?: string }) => to && leave({ from: key, to })
    addEventListener(departure, note)
    return () => removeEventListener(departure, note)
  }, [key])
  const to = leaving?.from === key && leaving.to
  const shown = to && to !== paths.home() && to !== pathname
  return (
    <div role="status" className={styles.loading} data-shown={shown ? '' : undefined}>
      {shown && 'Loading...'}
    </div>
  )
}

/** Opens the contact modal for any contact link; its code comes with the first of them. */
function ContactHost() {
  const [request, setRequest] = useState<ContactRequest | null>(null)
  const [Modal, setModal] = useState<ComponentType<ModalProps> | null>(null)
  const open = useCallback(async (subject: string) => {
    try {
      const { ContactModal } = await import('../contact/contact-modal.tsx')
      setModal(() => ContactModal)
      setRequest({ subject })
    } catch {
      // Without the code there is still the page that works without any.
      location.assign(paths.contactWindow())
    }
  }, [])
  useFollow(open)
  return Modal && request && <Modal request={request} />
}

/** Sends what an earlier visit could not (design 1.3). */
function sendWaitingMessages() {
  try {
    if (!localStorage.getItem(outboxKey)) return
  } catch {
    return
  }
  void resend()
}

async function resend() {
  const { sendWaiting } = await import('../contact/outbox.ts')
  await sendWaiting()
}
