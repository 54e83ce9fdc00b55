import type { ComponentType } from 'react'
import type { ActionFunction, LoaderFunction } from 'react-router'
import type { PageFacts } from '#shared/rendering.ts'
import type { PageId } from './page-paths.ts'

/** The module of a page. */
export type PageModule = { Component: ComponentType }

/** The modules of all pages, as the build finds them. */
const modules = import.meta.glob<PageModule>('./*/{page,*-page}.tsx')

/** What a page is made from, each in a chunk of its own; they are loaded side by side. */
export type Page = PageFacts & {
  /** Its module in the manifest of the build. */
  source: string
  module: () => Promise<PageModule>
  loader: (() => Promise<{ loader: LoaderFunction }>) | null
  /** Takes the form of the page, so that it works without scripts. */
  action: (() => Promise<{ action: ActionFunction }>) | null
}

/** What the declaration of a page may leave out. */
type Details = Partial<PageFacts & Pick<Page, 'loader' | 'action'>>

/**
 * A page that is the same for everybody.
 * @param file its module, from this folder
 */
function shared(file: string, details: Details = {}): Page {
  const module = modules[`./${file}`]
  if (!module) throw new Error(`There is no page ${file}.`)
  return {
    source: `client/${file}`,
    module,
    loader: null,
    action: null,
    keep: { query: [] },
    personal: false,
    variants: 1,
    headers: {},
    ...details,
  }
}

/** A page that depends on who is signed in: never kept, not indexed, and its address goes nowhere. */
const personal = (file: string, details: Details = {}): Page =>
  shared(file, {
    keep: null,
    personal: true,
    headers: { 'X-Robots-Tag': 'noindex, nofollow', 'Referrer-Policy': 'no-referrer' },
    ...details,
  })

const panel = personal('clients/panel-page.tsx', {
  loader: () => import('./clients/panel-loader.ts'),
})

const folder = personal('folders/page.tsx', {
  loader: () => import('./folders/loader.ts'),
  headers: { 'X-Robots-Tag': 'noindex, nofollow, noarchive', 'Referrer-Policy': 'no-referrer' },
})

/** The signed page of a booking for its visitor, and what its forms are posted to. */
const visitorBooking = (action: Page['action'] = null) =>
  personal('bookings/visitor-page.tsx', {
    loader: () => import('./bookings/visitor-loader.ts'),
    action,
  })

/**
 * Every page: its code, and what the server knows of it beside. Visitors load this table when they
 * are about to leave the page that they came to.
 */
export const pages: Readonly<Record<PageId, Page>> = {
  home: shared('home/page.tsx', { loader: () => import('./home/loader.ts'), variants: 6 }),
  'contact-window': shared('contact/window-page.tsx'),
  search: shared('search/results-page.tsx', {
    loader: () => import('./search/loader.ts'),
    // Everybody gets the same, but there is no end of terms.
    keep: null,
    headers: { 'X-Robots-Tag': 'noindex, follow' },
  }),
  service: shared('services/page.tsx', { loader: () => import('./services/loader.ts') }),
  news: shared('news/list-page.tsx', {
    loader: () => import('./news/list-loader.ts'),
    keep: { query: ['category', 'page'] },
  }),
  article: shared('news/article-page.tsx', { loader: () => import('./news/article-loader.ts') }),
  portfolio: shared('portfolio/page.tsx', {
    loader: () => import('./portfolio/loader.ts'),
    keep: { query: ['discipline', 'service', 'year', 'page', 'project'] },
  }),
  about: shared('about/page.tsx', { loader: () => import('./about/loader.ts') }),
  privacy: shared('legal/privacy-page.tsx', { loader: () => import('./legal/privacy-loader.ts') }),
  terms: shared('legal/terms-page.tsx'),
  cookies: shared('legal/cookie-page.tsx'),
  accessibility: shared('legal/accessibility-page.tsx'),
  'self-check': shared('self-check/page.tsx', { headers: { 'X-Robots-Tag': 'noindex' } }),
  'client-zone': personal('clients/zone-page.tsx', {
    loader: () => import('./clients/zone-loader.ts'),
  }),
  'own-panel': panel,
  panel,
  shop: shared('shop/list-page.tsx', {
    loader: () => import('./shop/list-loader.ts'),
    keep: { query: ['category', 'kind', 'sort', 'q', 'prices', 'page'] },
  }),
  product: shared('shop/product-page.tsx', {
    loader: () => import('./shop/product-loader.ts'),
    action: () => import('./shop/product-action.ts'),
    // Its stock is told as it is at this moment.
    keep: null,
  }),
  cart: personal('shop/cart-page.tsx', {
    loader: () => import('./shop/cart-loader.ts'),
    action: () => import('./shop/cart-action.ts'),
  }),
  checkout: personal('shop/checkout-page.tsx', {
    loader: () => import('./shop/checkout-loader.ts'),
    action: () => import('./shop/checkout-action.ts'),
  }),
  order: personal('shop/order-page.tsx', {
    loader: () => import('./shop/order-loader.ts'),
    action: () => import('./shop/order-action.ts'),
  }),
  withdraw: shared('shop/withdraw-page.tsx', {
    loader: () => import('./shop/withdraw-loader.ts'),
    action: () => import('./shop/withdraw-action.ts'),
    // Everybody gets a sum of their own, here and on the booking form.
    keep: null,
  }),
  booking: shared('bookings/form-page.tsx', {
    loader: () => import('./bookings/form-loader.ts'),
    action: () => import('./bookings/form-action.ts'),
    keep: null,
  }),
  'visitor-booking': visitorBooking(),
  'booking-cancel': visitorBooking(() => import('./bookings/cancel-action.ts')),
  'booking-move': visitorBooking(() => import('./bookings/move-action.ts')),
  'staff-booking': personal('bookings/staff-page.tsx', {
    loader: () => import('./bookings/staff-loader.ts'),
    action: () => import('./bookings/staff-action.ts'),
  }),
  calendar: shared('calendar/page.tsx', {
    loader: () => import('./calendar/loader.ts'),
    keep: { query: ['month', 'series'] },
  }),
  links: personal('links/page.tsx', { loader: () => import('./links/loader.ts') }),
  logs: personal('logs/page.tsx', { loader: () => import('./logs/loader.ts') }),
  folder,
  'below-folder': folder,
  link: personal('links/redirect-page.tsx', {
    loader: () => import('./links/redirect-loader.ts'),
  }),
  'not-found': shared('site/not-found-page.tsx', {
    loader: () => import('./site/not-found-loader.ts'),
    keep: null,
  }),
}

/** The page of a route; null for a route that is none, such as the shell. */
export const pageOf = (routeId: string): Page | null =>
  (pages as Record<string, Page>)[routeId] ?? null
