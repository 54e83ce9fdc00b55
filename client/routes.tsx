import { Outlet, type RouteObject } from 'react-router'
import { paths } from '#shared/paths.ts'
import { PageError, RootError } from './site/error-page.tsx'
import { Document } from './site/document.tsx'
import { Layout } from './site/layout.tsx'
import { page, redirection } from './page-route.tsx'
import { loadCode } from './site/page-code.ts'

/**
 * The route table (docs/contract.md, Pages). A fresh one each time, since the router writes into
 * it.
 */
export function createRoutes(): RouteObject[] {
  return [
    {
      id: 'site',
      Component: () => (
        <Document>
          <Layout>
            <Outlet />
          </Layout>
        </Document>
      ),
      ErrorBoundary: RootError,
      loader: async (args) => (await loadCode(() => import('./site/loader.ts'))).loader(args),
      shouldRevalidate: () => false,
      children: [
        {
          id: 'pages',
          ErrorBoundary: PageError,
          loader: async (args) =>
            (await loadCode(() => import('./site/seo-loader.ts'))).loader(args),
          shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
          children: pages(),
        },
      ],
    },
  ]
}

const pages = () => [
  page({
    id: 'home',
    path: '/',
    module: () => import('./home/page.tsx'),
    loader: () => import('./home/loader.ts'),
  }),
  page({
    id: 'contact-window',
    path: paths.contactWindow(),
    module: () => import('./contact/window-page.tsx'),
  }),
  page({
    id: 'search',
    path: paths.search(),
    module: () => import('./search/results-page.tsx'),
    loader: () => import('./search/loader.ts'),
  }),
  redirection('services', '/services', paths.services()),
  redirection('contact', paths.contactPage(), paths.contact()),
  page({
    id: 'service',
    path: paths.service(':slug'),
    module: () => import('./services/page.tsx'),
    loader: () => import('./services/loader.ts'),
  }),
  page({
    id: 'news',
    path: paths.news(),
    module: () => import('./news/list-page.tsx'),
    loader: () => import('./news/list-loader.ts'),
  }),
  page({
    id: 'article',
    path: paths.article(':slug'),
    module: () => import('./news/article-page.tsx'),
    loader: () => import('./news/article-loader.ts'),
  }),
  page({
    id: 'portfolio',
    path: paths.portfolio(),
    module: () => import('./portfolio/page.tsx'),
    loader: () => import('./portfolio/loader.ts'),
  }),
  page({
    id: 'about',
    path: paths.about(),
    module: () => import('./about/page.tsx'),
    loader: () => import('./about/loader.ts'),
  }),
  page({
    id: 'privacy',
    path: paths.privacyPolicy(),
    module: () => import('./legal/privacy-page.tsx'),
    loader: () => import('./legal/privacy-loader.ts'),
  }),
  page({
    id: 'terms',
    path: paths.termsOfService(),
    module: () => import('./legal/terms-page.tsx'),
  }),
  page({
    id: 'cookies',
    path: paths.cookiePolicy(),
    module: () => import('./legal/cookie-page.tsx'),
  }),
  page({
    id: 'accessibility',
    path: paths.accessibility(),
    module: () => import('./legal/accessibility-page.tsx'),
  }),
  page({
    id: 'self-check',
    path: paths.selfCheck(),
    module: () => import('./self-check/page.tsx'),
  }),
  page({
    id: 'client-zone',
    path: paths.clientZone(),
    module: () => import('./clients/zone-page.tsx'),
    loader: () => import('./clients/zone-loader.ts'),
  }),
  ...[paths.panel(), paths.panel(':code')].map((path) =>
    page({
      id: path === paths.panel() ? 'own-panel' : 'panel',
      path,
      module: () => import('./clients/panel-page.tsx'),
      loader: () => import('./clients/panel-loader.ts'),
    }),
  ),
  ...shopPages(),
  ...bookingPages(),
  page({
    id: 'calendar',
    path: paths.calendar(),
    module: () => import('./calendar/page.tsx'),
    loader: () => import('./calendar/loader.ts'),
  }),
  ...folderPages(),
  redirection('link-root', '/l', paths.home()),
  page({
    id: 'link',
    path: paths.shortLink(':code'),
    module: () => import('./links/redirect-page.tsx'),
    loader: () => import('./links/redirect-loader.ts'),
  }),
  page({
    id: 'links',
    path: paths.shortLinks(),
    module: () => import('./links/page.tsx'),
    loader: () => import('./links/loader.ts'),
  }),
  page({
    id: 'logs',
    path: paths.logs(),
    module: () => import('./logs/page.tsx'),
    loader: () => import('./logs/loader.ts'),
  }),
  page({
    id: 'not-found',
    path: '*',
    module: () => import('./site/not-found-page.tsx'),
    loader: () => import('./site/not-found-loader.ts'),
  }),
]

/** A folder, and whatever is asked for below it that the server has no file for. */
const folderPages = () =>
  ['/s/:id', '/s/:id/*'].map((path, index) =>
    page({
      id: index === 0 ? 'folder' : 'below-folder',
      path,
      module: () => import('./folders/page.tsx'),
      loader: () => import('./folders/loader.ts'),
    }),
  )

/** The shop, from its list to what can be done after an order. */
const shopPages = () => [
  page({
    id: 'shop',
    path: paths.shop(),
    module: () => import('./shop/list-page.tsx'),
    loader: () => import('./shop/list-loader.ts'),
  }),
  page({
    id: 'product',
    path: paths.product(':handle'),
    module: () => import('./shop/product-page.tsx'),
    loader: () => import('./shop/product-loader.ts'),
    action: () => import('./shop/product-action.ts'),
  }),
  page({
    id: 'cart',
    path: paths.cart(),
    module: () => import('./shop/cart-page.tsx'),
    loader: () => import('./shop/cart-loader.ts'),
    action: () => import('./shop/cart-action.ts'),
  }),
  page({
    id: 'checkout',
    path: paths.checkout(),
    module: () => import('./shop/checkout-page.tsx'),
    loader: () => import('./shop/checkout-loader.ts'),
    action: () => import('./shop/checkout-action.ts'),
  }),
  page({
    id: 'order',
    path: paths.orderPage(),
    module: () => import('./shop/order-page.tsx'),
    loader: () => import('./shop/order-loader.ts'),
    action: () => import('./shop/order-action.ts'),
  }),
  page({
    id: 'withdraw',
    path: paths.withdraw(),
    module: () => import('./shop/withdraw-page.tsx'),
    loader: () => import('./shop/withdraw-loader.ts'),
    action: () => import('./shop/withdraw-action.ts'),
  }),
]

/** The booking form, and the signed pages of a booking for its visitor and for staff. */
function bookingPages() {
  const visitor = {
    module: () => import('./bookings/visitor-page.tsx'),
    loader: () => import('./bookings/visitor-loader.ts'),
  }
  return [
    page({
      id: 'booking',
      path: paths.booking(),
      module: () => import('./bookings/form-page.tsx'),
      loader: () => import('./bookings/form-loader.ts'),
      action: () => import('./bookings/form-action.ts'),
    }),
    page({ id: 'visitor-booking', path: paths.bookingPage(':token'), ...visitor }),
    page({
      id: 'booking-cancel',
      path: paths.bookingCancel(':token'),
      ...visitor,
      action: () => import('./bookings/cancel-action.ts'),
    }),
    page({
      id: 'booking-move',
      path: paths.bookingMove(':token'),
      ...visitor,
      action: () => import('./bookings/move-action.ts'),
    }),
    page({
      id: 'staff-booking',
      path: paths.bookingStaff(':token'),
      module: () => import('./bookings/staff-page.tsx'),
      loader: () => import('./bookings/staff-loader.ts'),
      action: () => import('./bookings/staff-action.ts'),
    }),
  ]
}
