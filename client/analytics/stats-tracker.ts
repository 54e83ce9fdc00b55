import { loadScript } from './load-script.ts'
import type { PageView, Tracker } from './tracker.ts'

type Payload = Record<string, unknown>

/** What the tracker's script puts on the page (Umami's interface). */
type Stats = { track(change: (payload: Payload) => Payload): unknown }

/**
 * The web-stats tracker: a script with the website's id that is told of page views by us. Until
 * it has arrived what happens is kept; after the end nothing reaches it.
 */
export function statsTracker({
  script: src,
  website,
}: {
  script: string
  website: string | null
}): Tracker {
  const page = globalThis as { umami?: Stats }
  let waiting: ((payload: Payload) => Payload)[] = []
  let over = false
  const flush = () => {
    const { umami } = page
    if (!umami || over) return
    for (const change of waiting) umami.track(change)
    waiting = []
  }
  const send = (more: Payload, { path, title, referrer }: PageView) => {
    waiting.push((payload) => ({ ...payload, url: path, title, referrer, ...more }))
    flush()
  }
  const script = loadScript(src, {
    ...(website && { websiteId: website }),
    autoTrack: 'false',
    excludeSearch: 'true',
  })
  script.addEventListener('load', flush)
  return {
    pageView: (view) => send({}, view),
    event: (name, view) => send({ name }, view),
    stop() {
      over = true
      script.remove()
      delete page.umami
    },
  }
}
