import { isTool } from '../paths.ts'

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

/** How staff read them. */
export const pageKindNames: Readonly<Record<PageKind, string>> = {
  home: 'Home',
  services: 'Service pages',
  portfolio: 'Portfolio',
  news: 'News',
  article: 'Articles',
  'about-us': 'About us',
  search: 'Search',
  contactwindow: 'Contact window',
  booking: 'Booking',
  calendar: 'Calendar',
  shop: 'Shop',
  'client-area': 'Client area',
  other: 'Other pages',
}

/** What is counted of a page: that it was seen, and what was done on it. */
export const countedEvents = [
  'view',
  'contact_sent',
  'booking_requested',
  'order_placed',
  'newsletter_subscribed',
  'search',
] as const

/** One of {@link countedEvents}. */
export type CountedEvent = (typeof countedEvents)[number]

/** Pages of which each one is counted by itself, as long as it is published. */
export const readKinds = ['article', 'service', 'case', 'product'] as const

/** One of {@link readKinds}. */
export type ReadKind = (typeof readKinds)[number]

/** The longest name of a page that is counted by itself. */
export const maxSlugLength = 200

const readAreas: Readonly<Record<string, ReadKind>> = {
  '/news': 'article',
  '/services': 'service',
  '/portfolio': 'case',
  '/shop/products': 'product',
}

/** Which article, service, case or product the page at a path is about; null for all other pages. */
export function readingAt(pathname: string): { kind: ReadKind; slug: string } | null {
  const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  const end = path.lastIndexOf('/')
  const encoded = path.slice(end + 1)
  const kind = readAreas[path.slice(0, end)]
  if (kind === undefined || encoded === '') return null
  try {
    const slug = decodeURIComponent(encoded)
    return slug.length <= maxSlugLength ? { kind, slug } : null
  } catch {
    return null
  }
}

/** The kind of the page at a path; what a secret code or a private address opens is the client area. */
export function pageKind(pathname: string): PageKind {
  const [, area = '', below] = pathname.split('/')
  if (area === '') return 'home'
  if (area === 'client-zone' || isTool(pathname)) return 'client-area'
  if (area === 'news' && below) return 'article'
  return pageKinds.find((kind) => kind === area) ?? 'other'
}
