import { paths } from '#shared/paths.ts'
import type { Platform } from '../feature.ts'
import { buyerActions } from './buyer-actions.ts'
import { checkoutActions } from './checkout-actions.ts'
import type { Invoice } from './invoices.ts'
import { paymentActions } from './payment-actions.ts'
import { staffActions } from './staff-actions.ts'
import type { Order } from './order.ts'
import type { OrderDeps } from './order-deps.ts'

/** What may be done with orders, by buyers and staff. */
export type OrderActions = ReturnType<typeof orderActions>

/** Makes the actions: each is one transaction with its documents, mails and timeline entry. */
export function orderActions(platform: Platform, deps: OrderDeps) {
  const { orders, invoices, access } = deps
  const successUrl = (order: Order) =>
    platform.config.siteUrl + paths.checkoutSuccess(access.tokenOf(order))
  const payment = paymentActions(platform, deps)
  return {
    orders,
    invoices,
    successUrl,
    /** The invoice of an order; null while it has none. */
    invoiceOf: (order: Order): Invoice | null => invoices.invoiceOf(order.id),
    ...checkoutActions(platform, deps, { successUrl, refreshed: payment.refreshed }),
    ...buyerActions(platform, deps, payment.refreshed),
    ...payment,
    ...staffActions(platform, deps),
  }
}
