import { withoutOuterSlashes } from './slashes.ts'

/** A path with those query fields that have a value. */
function withQuery(path: string, fields: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(fields)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}=${encodeURIComponent(value!)}`)
    .join('&')
  return query ? `${path}?${query}` : path
}

/** Every address of the site, built in one place; pages, mail, feeds and tests ask here. */
export const paths = {
  home: () => '/',
  services: () => '/#services',
  contact: () => '/#contact',
  contactPage: () => '/contact',
  contactWindow: () => '/contactwindow',
  mediaOutsourcing: () => '/services/media-outsourcing',
  service: (slug: string) => `/services/${slug}`,
  portfolio: () => '/portfolio',
  booking: (prefill?: { service?: string; from?: string; to?: string; event?: string }) =>
    withQuery('/booking', prefill ?? {}),
  /** The season, by month and series. */
  calendar: (view?: { month?: string; series?: string }) => withQuery('/calendar', view ?? {}),
  /** An event in the list of its month. */
  calendarEvent: (id: string, from = '') =>
    `/calendar?month=${from.slice(0, 7)}#event-${encodeURIComponent(id)}`,
  /** The season as a calendar to subscribe to; all of it, or one series. */
  calendarFeed: (series?: string) =>
    series === undefined ? '/calendar.ics' : `/calendar/${series}.ics`,
  shop: (view?: {
    category?: string | undefined
    kind?: string | undefined
    page?: string | undefined
    prices?: string | undefined
    q?: string | undefined
    sort?: string | undefined
  }) => withQuery('/shop', view ?? {}),
  product: (handle: string) => `/shop/products/${handle}`,
  cart: () => '/shop/cart',
  checkout: () => '/shop/checkout',
  checkoutSuccess: (token: string) => `/shop/checkout/success?order=${token}`,
  /** {@link checkoutSuccess} without its token. */
  orderPage: () => '/shop/checkout/success',
  invoicePdf: (token: string) => `/shop/orders/${token}/invoice.pdf`,
  download: (token: string, file: string) => `/shop/downloads/${token}/${encodeURIComponent(file)}`,
  withdraw: () => '/shop/withdraw',
  stripeWebhook: () => '/api/shop/stripe/webhook',
  /** The visitor's signed page of a booking. */
  bookingPage: (token: string, shown?: { from?: string; to?: string; month?: string }) =>
    withQuery(`/booking/${token}`, shown ?? {}),
  bookingCalendar: (token: string) => `/booking/${token}.ics`,
  bookingCancel: (token: string) => `/booking/${token}/cancel`,
  bookingMove: (token: string) => `/booking/${token}/move`,
  /** Staff's signed page of a booking. */
  bookingStaff: (token: string) => `/booking/staff/${token}`,
  /** All bookings as a calendar, for holders of the secret address. */
  bookingFeed: (token: string) => `/booking/feed/${token}.ics`,
  about: () => '/about-us',
  news: () => '/news',
  article: (slug: string) => `/news/${slug}`,
  feed: () => '/news/rss.xml',
  clientZone: () => '/client-zone',
  /** A panel; without its code, the visitor's own. */
  panel: (code?: string) => (code === undefined ? '/panel' : `/panel/${code}`),
  panelFile: (code: string, id: string) => `/panel/${code}/files/${id}`,
  shortLinks: () => '/links',
  shortLink: (code: string) => `/l/${code}`,
  logs: () => '/debug/logs',
  privacyPolicy: () => '/privacy-policy',
  termsOfService: () => '/terms-of-service',
  cookiePolicy: () => '/cookie-policy',
  accessibility: () => '/accessibility',
  project: (slug: string) => `/portfolio?project=${encodeURIComponent(slug)}`,
  selfCheck: () => '/test',
  search: (term?: string) =>
    term === undefined ? '/search' : `/search?q=${encodeURIComponent(term)}`,
  asset: (id: string) => `/assets/${id}`,
  folder: (id: string) => `/s/${id}`,
  folderFile: (id: string, file: number) => `/s/${id}/files/${file}`,
  /** Shown in place: films and sounds as they are. */
  folderView: (id: string, file: number, version: string) => `/s/${id}/view/${file}?v=${version}`,
  folderThumb: (id: string, file: number, version: string) => `/s/${id}/thumb/${file}?v=${version}`,
  folderWeb: (id: string, file: number, version: string) => `/s/${id}/web/${file}?v=${version}`,
  folderZip: (id: string) => `/s/${id}/zip`,
  folderPassword: (id: string) => `/s/${id}/password`,
  folderPicks: (id: string) => `/s/${id}/picks`,
} as const

/**
 * The path of a service from the `url` of its record, which comes with or without the /services/
 * prefix (docs/contract.md, Content service), with or without slashes at its ends.
 */
export function servicePath(url: string): string {
  const trimmed = withoutOuterSlashes(url)
  return /^https?:/.test(url) ? url : paths.service(trimmed.replace(/^services\//, ''))
}
