/** What the server knows of a page beside its path and its code. */
export type PageHandle = {
  /** The module in the build's manifest. */
  source: string
  /** How its page may be cached: for everybody, by these names in the query; or not at all. */
  keep: { query: readonly string[] } | null
  /** Whether it may hold a secret of its visitor. */
  personal: boolean
  /** How many variants of the page exist for visitors to get at random. */
  variants: number
  /** Whether it is posted to by a form of its own, so that it works without scripts. */
  form: boolean
  /** Added to the reply. */
  headers: Readonly<Record<string, string>>
}

/** A page that is the same for everybody. */
const shared = (source: string, more: Partial<PageHandle> = {}): PageHandle => ({
  source,
  keep: { query: [] },
  personal: false,
  variants: 1,
  form: false,
  headers: {},
  ...more,
})

/** A page that depends on who is signed in: never kept, not indexed, and its address goes nowhere. */
const personal = (source: string, more: Partial<PageHandle> = {}): PageHandle =>
  shared(source, {
    keep: null,
    personal: true,
    headers: { 'X-Robots-Tag': 'noindex, nofollow', 'Referrer-Policy': 'no-referrer' },
    ...more,
  })

const folder = personal('client/folders/page.tsx', {
  headers: { 'X-Robots-Tag': 'noindex, nofollow, noarchive', 'Referrer-Policy': 'no-referrer' },
})

/** Every page of `routes.tsx`, by its route's id. */
export const pageHandles = {
  home: shared('client/home/page.tsx', { variants: 6 }),
  'contact-window': shared('client/contact/window-page.tsx'),
  // Everybody gets the same, but there is no end of terms.
  search: shared('client/search/results-page.tsx', {
    keep: null,
    headers: { 'X-Robots-Tag': 'noindex, follow' },
  }),
  service: shared('client/services/page.tsx'),
  news: shared('client/news/list-page.tsx', { keep: { query: ['category', 'page'] } }),
  article: shared('client/news/article-page.tsx'),
  portfolio: shared('client/portfolio/page.tsx', {
    keep: { query: ['discipline', 'service', 'year', 'page', 'project'] },
  }),
  about: shared('client/about/page.tsx'),
  privacy: shared('client/legal/privacy-page.tsx'),
  terms: shared('client/legal/terms-page.tsx'),
  cookies: shared('client/legal/cookie-page.tsx'),
  accessibility: shared('client/legal/accessibility-page.tsx'),
  'self-check': shared('client/self-check/page.tsx', { headers: { 'X-Robots-Tag': 'noindex' } }),
  shop: shared('client/shop/list-page.tsx', {
    keep: { query: ['category', 'kind', 'sort', 'q', 'prices', 'page'] },
  }),
  // Its stock is told as it is at this moment.
  product: shared('client/shop/product-page.tsx', { keep: null, form: true }),
  cart: personal('client/shop/cart-page.tsx', { form: true }),
  checkout: personal('client/shop/checkout-page.tsx', { form: true }),
  order: personal('client/shop/order-page.tsx', { form: true }),
  // Everybody gets a sum of their own, here and on the booking form.
  withdraw: shared('client/shop/withdraw-page.tsx', { keep: null, form: true }),
  calendar: shared('client/calendar/page.tsx', { keep: { query: ['month', 'series'] } }),
  booking: shared('client/bookings/form-page.tsx', { keep: null, form: true }),
  'visitor-booking': personal('client/bookings/visitor-page.tsx'),
  'booking-cancel': personal('client/bookings/visitor-page.tsx', { form: true }),
  'booking-move': personal('client/bookings/visitor-page.tsx', { form: true }),
  'staff-booking': personal('client/bookings/staff-page.tsx', { form: true }),
  'client-zone': personal('client/clients/zone-page.tsx'),
  'own-panel': personal('client/clients/panel-page.tsx'),
  panel: personal('client/clients/panel-page.tsx'),
  link: personal('client/links/redirect-page.tsx'),
  links: personal('client/links/page.tsx'),
  logs: personal('client/logs/page.tsx'),
  'not-found': shared('client/site/not-found-page.tsx', { keep: null }),
  folder,
  'below-folder': folder,
} as const satisfies Record<string, PageHandle>

/** The ids of the pages. */
export type PageId = keyof typeof pageHandles

/** The handle of a route, where it is a page. */
export const handleOf = (routeId: string): PageHandle | null =>
  (pageHandles as Record<string, PageHandle>)[routeId] ?? null
