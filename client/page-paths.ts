import { paths } from '#shared/paths.ts'

/** The pages to which links lead without a new document, by id. */
export const pagePaths = {
  home: paths.home(),
  'contact-window': paths.contactWindow(),
  search: paths.search(),
  service: paths.service(':slug'),
  news: paths.news(),
  article: paths.article(':slug'),
  portfolio: paths.portfolio(),
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
  booking: paths.booking(),
  'visitor-booking': paths.bookingPage(':token'),
  'booking-cancel': paths.bookingCancel(':token'),
  'booking-move': paths.bookingMove(':token'),
  'staff-booking': paths.bookingStaff(':token'),
  calendar: paths.calendar(),
  links: paths.shortLinks(),
  logs: paths.logs(),
}

/**
 * Pages at whose addresses the server may have something else: the files of a folder, the target of
 * a short link. Only the server can tell, so links to them are left to the browser.
 */
export const documentPaths = {
  folder: paths.folder(':id'),
  'below-folder': paths.folder(':id/*'),
  link: paths.shortLink(':code'),
  'not-found': '*',
}

/** The ids of all pages; `pages.ts` says what each is made from. */
export type PageId = keyof typeof pagePaths | keyof typeof documentPaths
