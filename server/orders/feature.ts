import { paths } from '#shared/paths.ts'
import type { DigestLine, Feature, Platform } from '../feature.ts'
import type { ShopFeature } from '../shop/feature.ts'
import { createOrderAccess } from './access.ts'
import { orderActions, type OrderActions } from './actions.ts'
import { createBookingInvoices, type BookingInvoices } from './booking-invoice.ts'
import { createProductFiles } from './files.ts'
import { createRetention } from './retention.ts'
import type { Seller } from './invoice-document.ts'
import { createInvoices } from './invoices.ts'
import { invoicePdf } from './invoice-pdf.ts'
import { orderMails } from './mails.ts'
import { createMatching, type Matching } from './matching.ts'
import { orderJobs } from './jobs.ts'
import { orderBlock } from './panel-block.ts'
import { orderData } from './personal-data.ts'
import { createDownloadLog, orderRoutes } from './routes.ts'
import { createSeller } from './seller.ts'
import { createOrderStore, type OrderStore } from './store.ts'
import { createStripe } from './stripe.ts'
import { createTermsFile } from './terms-pdf.ts'
import { createWithdrawals, type Withdrawals } from './withdrawal.ts'

/** Checkout, orders, payment, invoices, withdrawal (docs/contract.md, Orders). */
export type OrderFeature = Feature & {
  readonly actions: OrderActions
  readonly withdrawals: Withdrawals
  /** Pays invoices with a bank statement. */
  readonly match: Matching
  readonly invoiceBooking: BookingInvoices
  /** Who sells. */
  readonly seller: () => Promise<Seller>
}

/** Makes the feature. Without keys of a payment service an order is paid by invoice alone. */
export function orderFeature(platform: Platform, shop: ShopFeature): OrderFeature {
  const { config, db, clock } = platform
  const orders = createOrderStore(db, { clock })
  const invoices = createInvoices(db, { clock })
  const access = createOrderAccess(platform, orders)
  const files = createProductFiles(config)
  const seller = createSeller(platform)
  const actions = orderActions(platform, {
    shop,
    orders,
    invoices,
    access,
    files,
    stripe: createStripe(config.stripe),
    seller,
    countries: shop.countries,
  })
  const withdrawals = createWithdrawals(platform, orders)
  const forgetting = createRetention(db, platform)
  return {
    name: 'orders',
    actions,
    withdrawals,
    match: createMatching(platform, { orders, invoices }),
    invoiceBooking: createBookingInvoices(platform, { orders, invoices, seller }),
    seller,
    routes: orderRoutes(platform, {
      actions,
      access,
      files,
      withdrawals,
      logDownload: createDownloadLog(db, { clock }),
    }),
    mailTemplates: orderMails({
      orders,
      invoices,
      mail: config.mail,
      pdf: ({ document }) => invoicePdf(document),
      terms: createTermsFile({ seller, config }),
      successUrl: actions.successUrl,
    }),
    jobs: orderJobs(platform, { actions, forgetting }),
    panelBlocks: [orderBlock(actions)],
    personalData: [orderData(platform, { orders, withdrawals, forgetting })],
    digest: () => [attentionLine(orders)],
    pages: [paths.withdraw()],
    disallowedPaths: [paths.checkout()],
    privatePaths: ['/shop/orders/', '/shop/downloads/'],
    // Without scripts the checkout's form itself is led on to the page of the payment service.
    origins: { form: config.stripe ? [paymentOrigin(config.stripe)] : [] },
    doctor: [
      {
        check: 'payment',
        look: () => ({
          state: 'ok',
          text: config.stripe ? 'by invoice and by Stripe' : 'by invoice; Stripe has no keys',
        }),
      },
    ],
  }
}

/** What staff's digest says of orders that cannot go on without them. */
const attentionLine = (orders: OrderStore): DigestLine => ({
  count: [...orders.list({ state: 'attention' })].length,
  what: 'paid orders that need attention',
  command: 'pitlane orders list --state attention',
})

/** Where the payment pages are: Stripe's own, or beside another base of its API. */
const paymentOrigin = ({ apiBase }: { apiBase: string | null }) =>
  apiBase ? new URL(apiBase).origin : 'https://checkout.stripe.com'
