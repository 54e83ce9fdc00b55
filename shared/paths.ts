import { serviceSlug } from './text/slug.ts'

/** A path with those query fields that have a value. */
function withQuery(path: string, fields: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(fields)
    .filter(([, value]) => value)
    // A space as forms write it, which is the spelling that the server does not redirect.
    .map(([name, value]) => `${name}=${encodeURIComponent(value!).replaceAll('%20', '+')}`)
    .join('&')
  return query ? `${path}?${query}` : path
}

/**
 * A text as a segment of a path, in the spelling that the server doesn't redirect (RFC 3986, 3.3); `:id`
 * stays, so a path can be a pattern.
 */
const segment = (text: string) =>
  text.startsWith(':') ? text : encodeURI(text).replaceAll(/[/?#]/g, encodeURIComponent)

/** Every address of the site, built in one place; pages, email, feeds and tests ask here. */
export const paths = {
  home: () => '/',
  services: () => '/#services',
  /** What comes after the hero. */
  explore: () => '/#explore',
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
  calendarEvent: (id: string) => `/calendar/${segment(id)}`,
  /** One event as a calendar file. */
  calendarEventFile: (id: string) => `/calendar/${segment(id)}/event.ics`,
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
  withdraw: () => '/shop/withdraw',
  /** Where the shop delivers to, for how much, and the legal guarantee. */
  delivery: () => '/shop/delivery',
  /** The visitor's signed page of a booking. */
  bookingPage: (token: string, shown?: { from?: string; to?: string; month?: string }) =>
    withQuery(`/booking/${token}`, shown ?? {}),
  bookingCalendar: (token: string) => `/booking/${token}.ics`,
  bookingCancel: (token: string) => `/booking/${token}/cancel`,
  bookingMove: (token: string) => `/booking/${token}/move`,
  bookingAccept: (token: string) => `/booking/${token}/accept`,
  bookingRefuse: (token: string) => `/booking/${token}/refuse`,
  bookingBilling: (token: string) => `/booking/${token}/billing`,
  /** What leads to the payment of an invoice by card. */
  bookingPay: (token: string) => `/booking/${token}/pay`,
  /** Where a payer comes back to. @param order the one that was paid */
  bookingPaid: (token: string, order: string) => `/booking/${token}?paid=${order}`,
  /** What was agreed, for who opens the booking by the address before. */
  bookingAgreement: (page: string) => `${page}/agreement.pdf`,
  /** Staff's signed page of a booking. */
  bookingStaff: (token: string) => `/booking/staff/${token}`,
  about: () => '/about-us',
  news: () => '/news',
  article: (slug: string) => `/news/${segment(slug)}`,
  feed: () => '/news/rss.xml',
  clientZone: () => '/client-zone',
  /** A panel; without its code, the visitor's own. */
  panel: (code?: string) => (code === undefined ? '/panel' : `/panel/${code}`),
  shortLinks: () => '/links',
  shortLink: (code: string) => `/l/${code}`,
  logs: () => '/debug/logs',
  /** The staff's desk, or a search of it. */
  desk: ({ q }: { q?: string } = {}) =>
    q === undefined ? '/desk' : `/desk?q=${encodeURIComponent(q)}`,
  /** A group of what waits at the desk, by its title. */
  deskGroup: (title: string) => `/desk?group=${encodeURIComponent(title)}`,
  /** Who is signed in with a staff code, and from where. */
  deskSessions: () => '/desk/sessions',
  /** What the site counted of its visitors, of a period. */
  deskStats: (period?: string) => (period ? `/desk/stats?period=${period}` : '/desk/stats'),
  /** Where files are sent to a folder from the desk: by a form, and in pieces. */
  deskFolderFiles: (key: string) => `/desk/folders/${segment(key)}/files`,
  deskUploads: () => '/api/desk/uploads',
  /** A thing for staff, by its name with a code, or by the token of the link in their email. */
  deskThing: (thing: string, idOrToken: string) => `/desk/${thing}/${segment(idOrToken)}`,
  /** What a link in a staff email opens: the page of one thing. */
  deskLink: (token: string) => `/desk/${token}`,
  /** A ticket for staff, by its number or by the token of the link in their email. */
  deskTicket: (ticketOrToken: string) => `/desk/tickets/${ticketOrToken}`,
  /** The visitor's signed page of a ticket. */
  ticket: (token: string) => `/ticket/${token}`,
  ticketClaim: (token: string) => `/ticket/${token}/claim`,
  privacyPolicy: () => '/privacy-policy',
  termsOfService: () => '/terms-of-service',
  /** A version of them, as it was agreed to. */
  termsPdf: (version: string) => `/terms-of-service/${version}.pdf`,
  cookiePolicy: () => '/cookie-policy',
  accessibility: () => '/accessibility',
  /** The page of a case. */
  project: (slug: string) => `/portfolio/${segment(slug)}`,
  selfCheck: () => '/test',
  search: (term?: string) =>
    term === undefined ? '/search' : `/search?q=${encodeURIComponent(term)}`,
  asset: (id: string) => `/assets/${id}`,
  folder: (id: string) => `/s/${id}`,
  folderFile: (id: string, file: number) => `/s/${id}/files/${file}`,
  /** Shown in place: films and sounds as they are. */
  folderView: (id: string, file: number, version: string) => `/s/${id}/view/${file}?v=${version}`,
  folderThumb: (id: string, file: number, version: string) => `/s/${id}/thumb/${file}?v=${version}`,
  folderCover: (id: string, file: number, version: string) => `/s/${id}/cover/${file}?v=${version}`,
  folderWeb: (id: string, file: number, version: string) => `/s/${id}/web/${file}?v=${version}`,
  folderZip: (id: string) => `/s/${id}/zip`,
  folderPassword: (id: string) => `/s/${id}/password`,
  folderPicks: (id: string) => `/s/${id}/picks`,
} as const

/** Route patterns of the pages that links open without loading a new document, by page id. */
export const pagePaths = {
  home: paths.home(),
  'contact-window': paths.contactWindow(),
  search: paths.search(),
  service: paths.service(':slug'),
  news: paths.news(),
  article: paths.article(':slug'),
  portfolio: paths.portfolio(),
  project: paths.project(':slug'),
  about: paths.about(),
  privacy: paths.privacyPolicy(),
  terms: paths.termsOfService(),
  cookies: paths.cookiePolicy(),
  accessibility: paths.accessibility(),
  'self-check': paths.selfCheck(),
  'client-zone': paths.clientZone(),
  'own-panel': paths.panel(),
  panel: paths.panel(':code'),
  shop: paths.shop(),
  product: paths.product(':handle'),
  cart: paths.cart(),
  checkout: paths.checkout(),
  order: paths.orderPage(),
  withdraw: paths.withdraw(),
  delivery: paths.delivery(),
  booking: paths.booking(),
  'visitor-booking': paths.bookingPage(':token'),
  'booking-cancel': paths.bookingCancel(':token'),
  'booking-move': paths.bookingMove(':token'),
  'booking-accept': paths.bookingAccept(':token'),
  'booking-refuse': paths.bookingRefuse(':token'),
  'booking-billing': paths.bookingBilling(':token'),
  'booking-pay': paths.bookingPay(':token'),
  'staff-booking': paths.bookingStaff(':token'),
  calendar: paths.calendar(),
  event: paths.calendarEvent(':id'),
  links: paths.shortLinks(),
  logs: paths.logs(),
  desk: paths.desk(),
  'desk-sessions': paths.deskSessions(),
  'desk-stats': paths.deskStats(),
  'desk-ticket': paths.deskTicket(':ticket'),
  'desk-link': paths.deskLink(':token'),
  'desk-thing': paths.deskThing(':thing', ':id'),
  ticket: paths.ticket(':token'),
  'ticket-claim': paths.ticketClaim(':token'),
}

/**
 * Route patterns of pages whose links are left to the browser: the server may answer them with
 * something else, such as a file of a folder or the target of a short link.
 */
export const documentPaths = {
  folder: paths.folder(':id'),
  'below-folder': paths.folder(':id/*'),
  link: paths.shortLink(':code'),
  'not-found': '*',
}

/**
 * Whether a path leads to what someone works with rather than reads: a panel, a folder, a staff
 * tool, or the page of a ticket, a booking or an order. Such pages have the slim header and foot.
 */
export const isTool = (path: string): boolean =>
  /^\/(panel|s|links|debug|desk|ticket|booking\/.+|shop\/checkout\/success)(\/|$)/.test(path)

/** The ids of all pages; client/pages.ts says what each is made of. */
export type PageId = keyof typeof pagePaths | keyof typeof documentPaths

/**
 * The path of a service from the `url` of its record, which comes with or without the /services/
 * prefix (docs/contract.md, Content service), with or without slashes at its ends, and as editors
 * write it; a whole address is that of a page elsewhere.
 */
export const servicePath = (url: string): string =>
  /^https?:/.test(url) ? url : paths.service(serviceSlug(url))
