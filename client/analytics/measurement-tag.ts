import { loadScript } from './load-script.ts'
import type { PageView, Tracker } from './tracker.ts'

type Window = Record<string, unknown> & { dataLayer?: unknown[] }

/**
 * The tag behind a measurement id. Page views are sent by us, so they carry what we allow;
 * advertising stays denied whatever the id is set up for.
 * @param options `debug` shows the events in the service's debug view (`gadebug=true`)
 */
export function measurementTag(id: string, { debug }: { debug: boolean }): Tracker {
  const page = globalThis as Window
  const queue = (page.dataLayer ??= [])
  // The tag reads the arguments object itself; an array means something else to it.
  function gtag(..._words: unknown[]) {
    queue.push(arguments)
  }
  const about = ({ path, title, referrer }: PageView) => ({
    page_location: location.origin + path,
    page_title: title,
    page_referrer: referrer,
  })
  const off = `ga-disable-${id}`
  page[off] = false
  gtag('consent', 'default', {
    analytics_storage: 'granted',
    ad_storage: 'denied',
    ad_user_data: 'denied',
    ad_personalization: 'denied',
  })
  gtag('js', new Date())
  let script: HTMLScriptElement | null = null

  return {
    pageView(view) {
      gtag('set', about(view))
      if (!script) {
        gtag('config', id, { send_page_view: false, ...(debug && { debug_mode: true }) })
        const address = new URL('https://www.googletagmanager.com/gtag/js')
        address.searchParams.set('id', id)
        script = loadScript(address.href)
      }
      gtag('event', 'page_view', about(view))
    },
    event: (name, view) => gtag('event', name, about(view)),
    stop() {
      page[off] = true
      script?.remove()
      deleteCookies(/^_ga/)
    },
  }
}

/** Deletes cookies of this host and of the domains above it, where such tags put them. */
function deleteCookies(name: RegExp) {
  const labels = location.hostname.split('.')
  const domains = labels.map((_, index) => `; Domain=${labels.slice(index).join('.')}`)
  for (const cookie of document.cookie.split('; ')) {
    const [found = ''] = cookie.split('=')
    if (!name.test(found)) continue
    for (const domain of ['', ...domains]) {
      document.cookie = `${found}=; Max-Age=0; Path=/${domain}`
    }
  }
}
