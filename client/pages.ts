import type { ComponentType } from 'react'
import type { ActionFunction, LoaderFunction } from 'react-router'
import type { PageFacts } from '#shared/rendering.ts'
import type { PageId } from '#shared/paths.ts'

/** The module of a page. */
export type PageModule = {
  Component: ComponentType
  /**
   * Fulfilled once the rest of its code is there, which comes after that of what is seen first: a
   * module `<name>.rest.tsx`, by which ending the build finds the styles that the server needs for it.
   */
  rest?: Promise<void>
}

/** The modules of all pages, as the build finds them. */
const modules = import.meta.glob<PageModule>('./*/**/{page,*-page}.tsx')

/** What a page is made from, each in its own chunk; they are loaded side by side. */
export type Page = PageFacts & {
  /** Its module in the manifest of the build. */
  source: string
  module: () => Promise<PageModule>
  loader: (() => Promise<{ loader: LoaderFunction }>) | null
  /** Takes the form of the page, so it works without scripts. */
  action: (() => Promise<{ action: ActionFunction }>) | null
}

/** What the declaration of a page may leave out. */
type Details = Partial<PageFacts & Pick<Page, 'loader' | 'action'>>

/**
 * A page that is the same for everyone.
 * @param file its module, from this folder
 */
function publicPage(file: string, details: Details = {}): Page {
  const module = modules[`./${file}`]
  if (!module) throw new Error(`There is no page ${file}.`)
  return {
    source: `client/${file}`,
    module,
    loader: null,
    action: null,
    keep: { query: [] },
    personal: false,
    openedByAddress: false,
    variants: 1,
    headers: {},
    ...details,
  }
}

/** A page that depends on who is signed in: never kept, not indexed, and its address goes nowhere. */
const personalPage = (file: string, details: Details = {}): Page =>
  publicPage(file, {
    keep: null,
    personal: true,
    headers: { 'X-Robots-Tag': 'noindex, nofollow', 'Referrer-Policy': 'no-referrer' },
    ...details,
  })

/** What reads a page and takes its form, which one module says. */
const withForm = (data: NonNullable<Page['loader']> & NonNullable<Page['action']>) => ({
  loader: data,
  action: data,
})

const panel = personalPage('clients/panel-page.tsx', {
  loader: () => import('./clients/panel-loader.ts'),
})

const folder = personalPage('folders/page.tsx', {
  loader: () => import('./folders/loader.ts'),
  openedByAddress: true,
  headers: { 'X-Robots-Tag': 'noindex, nofollow, noarchive', 'Referrer-Policy': 'no-referrer' },
})

/** The signed page of a booking for its visitor, and where its forms are sent. */
const visitorBooking = personalPage('bookings/visitor-page.tsx', {
  ...withForm(() => import('./bookings/visitor-data.ts')),
  openedByAddress: true,
})

/** The signed page of a ticket for its visitor, and where its forms are sent. */
const visitorTicket = personalPage('tickets/page.tsx', {
  ...withForm(() => import('./tickets/data.ts')),
  openedByAddress: true,
})

/**
 * Every page: its code, and what the server knows of it beside. Visitors load this table when they
 * are about to leave the page that they came to.
 */
export const pages: Readonly<Record<PageId, Page>> = {
  home: publicPage('home/page.tsx', { loader: () => import('./home/loader.ts'), variants: 6 }),
  'contact-window': publicPage('contact/window-page.tsx'),
  search: publicPage('search/results-page.tsx', {
    loader: () => import('./search/loader.ts'),
    // Everyone gets the same, but there is no end of terms.
    keep: null,
    headers: { 'X-Robots-Tag': 'noindex, follow' },
  }),
  service: publicPage('services/page.tsx', { loader: () => import('./services/loader.ts') }),
  news: publicPage('news/list-page.tsx', {
    loader: () => import('./news/list-loader.ts'),
    keep: { query: ['category', 'page'] },
  }),
  article: publicPage('news/article-page.tsx', {
    loader: () => import('./news/article-loader.ts'),
  }),
  portfolio: publicPage('portfolio/page.tsx', {
    loader: () => import('./portfolio/loader.ts'),
    keep: { query: ['discipline', 'service', 'series', 'year', 'page', 'project'] },
  }),
  project: publicPage('portfolio/case-page.tsx', {
    loader: () => import('./portfolio/case-loader.ts'),
  }),
  about: publicPage('about/page.tsx', { loader: () => import('./about/loader.ts') }),
  privacy: publicPage('legal/privacy-page.tsx', {
    loader: () => import('./legal/privacy-loader.ts'),
  }),
  terms: publicPage('legal/terms-page.tsx', { loader: () => import('./legal/terms-loader.ts') }),
  cookies: publicPage('legal/cookie-page.tsx'),
  accessibility: publicPage('legal/accessibility-page.tsx'),
  'self-check': publicPage('self-check/page.tsx', { headers: { 'X-Robots-Tag': 'noindex' } }),
  'client-zone': personalPage('clients/zone-page.tsx', {
    loader: () => import('./clients/zone-loader.ts'),
  }),
  'own-panel': panel,
  panel,
  shop: publicPage('shop/list/list-page.tsx', {
    loader: () => import('./shop/list/list-loader.ts'),
    keep: { query: ['category', 'kind', 'sort', 'q', 'prices', 'page'] },
  }),
  product: publicPage('shop/product/product-page.tsx', {
    ...withForm(() => import('./shop/product/product-data.ts')),
    // Its stock is told as it is at this moment.
    keep: null,
  }),
  cart: personalPage('shop/cart/cart-page.tsx', {
    ...withForm(() => import('./shop/cart/cart-data.ts')),
  }),
  checkout: personalPage('shop/checkout/checkout-page.tsx', {
    ...withForm(() => import('./shop/checkout/checkout-data.ts')),
  }),
  order: personalPage('shop/order/order-page.tsx', {
    ...withForm(() => import('./shop/order/order-data.ts')),
  }),
  withdraw: publicPage('shop/withdrawal/withdraw-page.tsx', {
    ...withForm(() => import('./shop/withdrawal/withdraw-data.ts')),
    // Every visitor gets a sum of their own, here and on the booking form.
    keep: null,
  }),
  delivery: publicPage('shop/delivery/delivery-page.tsx', {
    loader: () => import('./shop/delivery/delivery-loader.ts'),
  }),
  booking: publicPage('bookings/form-page.tsx', {
    ...withForm(() => import('./bookings/form-data.ts')),
    keep: null,
  }),
  'visitor-booking': { ...visitorBooking, action: null },
  'booking-cancel': visitorBooking,
  'booking-accept': visitorBooking,
  'booking-refuse': visitorBooking,
  'booking-billing': visitorBooking,
  'booking-pay': visitorBooking,
  'booking-move': visitorBooking,
  'staff-booking': personalPage('bookings/staff-page.tsx', {
    ...withForm(() => import('./bookings/staff-data.ts')),
  }),
  calendar: publicPage('calendar/page.tsx', {
    loader: () => import('./calendar/loader.ts'),
    keep: { query: ['month', 'series'] },
  }),
  event: publicPage('calendar/event-page.tsx', {
    loader: () => import('./calendar/event-loader.ts'),
  }),
  links: personalPage('links/page.tsx', { loader: () => import('./links/loader.ts') }),
  desk: personalPage('desk/desk-page.tsx', { loader: () => import('./desk/loader.ts') }),
  'desk-sessions': personalPage(
    'desk/sessions/sessions-page.tsx',
    withForm(() => import('./desk/sessions/sessions-data.ts')),
  ),
  'desk-stats': personalPage('desk/stats/stats-page.tsx', {
    loader: () => import('./desk/stats/stats-loader.ts'),
  }),
  'desk-ticket': personalPage('desk/things/ticket-page.tsx', {
    ...withForm(() => import('./desk/things/ticket-data.ts')),
  }),
  'desk-link': personalPage('desk/desk-page.tsx', {
    loader: () => import('./desk/things/link-loader.ts'),
  }),
  'desk-thing': personalPage(
    'desk/things/thing-page.tsx',
    withForm(() => import('./desk/things/thing-data.ts')),
  ),
  ticket: visitorTicket,
  'ticket-claim': visitorTicket,
  logs: personalPage('log-viewer/page.tsx', { loader: () => import('./log-viewer/loader.ts') }),
  folder,
  'below-folder': folder,
  link: personalPage('links/redirect-page.tsx', {
    loader: () => import('./links/redirect-loader.ts'),
  }),
  'not-found': publicPage('site/errors/not-found-page.tsx', {
    loader: () => import('./site/errors/not-found-page.tsx'),
    keep: null,
  }),
}

/** The page of a route; null for a route that is none, such as the shell. */
export const pageOf = (routeId: string): Page | null =>
  (pages as Record<string, Page>)[routeId] ?? null
