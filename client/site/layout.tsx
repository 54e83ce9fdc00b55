import {
  lazy,
  Suspense,
  use,
  useCallback,
  useEffect,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react'
import { useLocation } from 'react-router'
import { isTool, paths } from '#shared/paths.ts'
import { ConsentHost } from '../consent/consent-host.tsx'
import { useFragmentFocus } from '../forms/result.ts'
import { replayEarlyClick } from '../inline/early.ts'
import { FeedLink, hasFeedLink } from '../news/feed-link.tsx'
import { DeferredContext } from './deferred.tsx'
import { useLinkClicks } from './link-clicks.ts'
import { Footer } from './footer/footer.tsx'
import { Header } from './header/header.tsx'
import { useSite } from './data/identity.ts'
import styles from './layout.module.css'
import { Stream } from './data/stream.tsx'
import { ThemeToast } from './theme/theme-toggle.tsx'
import { useOnDemand } from './use-on-demand.ts'

// Imported here, since from a chunk that came later the bundler would bring the shell's styles again.
const loadCount = () => import('../analytics/count.ts')
const loadContactModal = () => import('../contact/contact-modal.tsx')
// On the server it's there at once: what comes later in the stream needs scripts to be shown.
const LaterToolBar = import.meta.env.SSR
  ? (await import('./tool-bar.tsx')).ToolBar
  : lazy(async () => ({ default: (await import('./tool-bar.tsx')).ToolBar }))

/** The shell around every page; the contact window goes without. */
export function Layout({
  prepareToLeave,
  toolBar: ToolBar = LaterToolBar,
  children,
}: {
  /** Told when a link to another page is about to be followed. */
  prepareToLeave: () => void
  /** The bar of tools, where the first page is one. */
  toolBar?: ComponentType | undefined
  children: ReactNode
}) {
  const { pathname } = useLocation()
  const tool = isTool(pathname)
  const bare = pathname === paths.contactWindow()
  const settings = useSite()?.settings
  const code = use(DeferredContext)
  useEffect(replayEarlyClick, [])
  useFragmentFocus()
  return (
    <>
      {hasFeedLink(pathname) && <FeedLink />}
      {!bare && <ConsentHost />}
      {/* The card comes before it, so it needs its own landmark to be found. */}
      <nav aria-label="Skip">
        <a href="#main" className={styles.skip}>
          Skip to content
        </a>
      </nav>
      {tool ? (
        <Suspense fallback={null}>
          <ToolBar />
        </Suspense>
      ) : (
        !bare && <Header />
      )}
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      {!bare && <Footer key={`${tool}`} slim={tool} />}
      {!import.meta.env.SSR && code && <code.Loading />}
      <ThemeToast />
      <ContactHost />
      {/* Late settings travel with every page, not only with those that wait for them. */}
      {settings && (
        <Stream value={settings} fallback={null}>
          {() => null}
        </Stream>
      )}
      {!import.meta.env.SSR && code && (
        <code.Background prepareToLeave={prepareToLeave} loadCount={loadCount} />
      )}
    </>
  )
}

/** Opens the contact modal for any contact link; its code comes with the first of them. */
function ContactHost() {
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
  useLinkClicks(open)
  return code && <code.ContactModal subject={subject} opened={opened} />
}
