/** Where the browser tells that a page was seen or used. */
export const collectPath = '/api/collect'

/** The kinds of pages that are counted; never a single address, so no personal one is among them. */
export const pageKinds = [
  'home',
  'services',
  'portfolio',
  'news',
  'article',
  'about-us',
  'search',
  'contactwindow',
  'booking',
  'calendar',
  'shop',
  'client-area',
  'other',
] as const

/** One of {@link pageKinds}. */
export type PageKind = (typeof pageKinds)[number]

/** What is counted of a page: that it was seen, and what was done on it. */
export const countedEvents = ['view', 'contact_sent', 'search', 'newsletter_subscribed'] as const

/** One of {@link countedEvents}. */
export type CountedEvent = (typeof countedEvents)[number]

/** Areas that a secret code or a private address opens. */
const clientArea: ReadonlySet<string> = new Set([
  'client-zone',
  'panel',
  's',
  'links',
  'desk',
  'ticket',
  'debug',
])

/** The kind of the page at a path. */
export function pageKind(pathname: string): PageKind {
  const [, area = '', below] = pathname.split('/')
  if (area === '') return 'home'
  if (clientArea.has(area)) return 'client-area'
  if (area === 'news' && below) return 'article'
  return pageKinds.find((kind) => kind === area) ?? 'other'
}
