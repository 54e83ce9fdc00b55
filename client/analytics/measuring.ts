import type { SiteConfig } from '#shared/site-config.ts'
import { measurementTag } from './measurement-tag.ts'
import { pageAddress, pageTitle, type VisitedPage } from './page-address.ts'
import { statsTracker } from './stats-tracker.ts'
import type { TrackedEvent } from './track.ts'
import type { PageView, Tracker } from './tracker.ts'

/** The measuring of a page, from an explicit grant to its withdrawal. */
export type Measuring = {
  pageView(page: VisitedPage): void
  event(name: TrackedEvent): void
  stop(): void
}

/** The registry: every measuring service that the configuration can name. */
const services: readonly ((
  config: NonNullable<SiteConfig['analytics']>,
  options: { debug: boolean },
) => Tracker | null)[] = [
  ({ measurementId }, options) => (measurementId ? measurementTag(measurementId, options) : null),
  ({ stats }) => stats && statsTracker(stats),
]

/** Starts the services that are configured. Only to be called under an explicit grant. */
export function createMeasuring(config: NonNullable<SiteConfig['analytics']>): Measuring {
  const debug = new URLSearchParams(location.search).get('gadebug') === 'true'
  const trackers = services.flatMap((start) => start(config, { debug }) ?? [])
  let view: PageView = { path: '/', title: '', referrer: foreignReferrer() }
  return {
    pageView(page) {
      const referrer = view.title ? location.origin + view.path : view.referrer
      view = { path: pageAddress(page), title: pageTitle(page, document.title), referrer }
      for (const tracker of trackers) tracker.pageView(view)
    },
    event(name) {
      for (const tracker of trackers) tracker.event(name, view)
    },
    stop() {
      for (const tracker of trackers) tracker.stop()
    },
  }
}

/** The origin that the visitor came from; nothing for our own pages, whose queries are no one's business. */
function foreignReferrer(): string {
  if (!URL.canParse(document.referrer)) return ''
  const { origin } = new URL(document.referrer)
  return origin === location.origin ? '' : `${origin}/`
}
