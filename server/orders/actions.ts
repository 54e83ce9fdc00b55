import { paths } from '#shared/paths.ts'
import type { Platform } from '../feature.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { OrderAccess } from './access.ts'
import { buyerActions } from './buyer-actions.ts'
import { checkoutActions } from './checkout-actions.ts'
import type { ShopParts } from './checkout.ts'
import type { ProductFiles } from './files.ts'
import type { Seller } from './invoice-document.ts'
import type { Invoice, Invoices } from './invoices.ts'
import { paymentActions } from './payment-actions.ts'
import { staffActions } from './staff-actions.ts'
import type { StripePayments } from './stripe.ts'
import type { Order, OrderStore } from './store.ts'

/** What may be done with orders, by whoever it is. */
export type OrderActions = ReturnType<typeof orderActions>

/** What the actions are made from. */
export type OrderParts = {
  shop: ShopParts & { cartOf(requestContext: RequestContext): number | null }
  orders: OrderStore
  invoices: Invoices
  access: OrderAccess
  files: ProductFiles
  stripe: StripePayments | null
  seller: () => Promise<Seller>
  countries: readonly { code: string; name: string }[]
}

/** Makes the actions: each is one transaction with its documents, mails and timeline entry. */
export function orderActions(platform: Platform, parts: OrderParts) {
  const { orders, invoices, access } = parts
  const successUrl = (order: Order) =>
    platform.config.siteUrl + paths.checkoutSuccess(access.tokenOf(order))
  const payment = paymentActions(platform, parts)
  return {
    orders,
    invoices,
    successUrl,
    /** The invoice of an order; null while it has none. */
    invoiceOf: (order: Order): Invoice | null => invoices.invoiceOf(order.id),
    ...checkoutActions(platform, parts, successUrl),
    ...buyerActions(platform, parts, payment.refreshed),
    ...payment,
    ...staffActions(platform, parts),
  }
}
