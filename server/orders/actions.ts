import { paths } from '#shared/paths.ts'
import { normalReference } from '../secrets/ids.ts'
import type { Platform } from '../feature.ts'
import { buyerActions } from './order-page/buyer-actions.ts'
import { checkoutActions } from './checkout/checkout.ts'
import type { Invoice } from './schema.ts'
import { creditActions } from './payment/credit-actions.ts'
import { correctPaymentActions } from './payment/correct-payment.ts'
import { paymentActions } from './payment/payment-actions.ts'
import { staffActions } from './staff-actions.ts'
import { paymentOf } from './documents/bookkeeping.ts'
import { nationalReference, plainReference } from './documents/reference-number.ts'
import { paidLicences, type LicenceDocument } from './documents/licence-document.ts'
import type { Order } from './order.ts'
import { addressActions } from './shipping/address-actions.ts'
import { shipActions } from './shipping/ship-actions.ts'
import { waitingActions } from './waiting-actions.ts'
import type { OrderDeps } from './order-deps.ts'
import { withdrawalDesk } from './withdrawal/withdrawal-desk.ts'

/** What may be done with orders, by buyers and staff. */
export type OrderActions = ReturnType<typeof orderActions>

/** Makes the actions: each is one transaction with its documents, emails and timeline entry. */
export function orderActions(platform: Platform, deps: OrderDeps) {
  const { orders, invoices, access, takenBackOf } = deps
  const successUrl = (order: Order) =>
    platform.config.siteUrl + paths.checkoutSuccess(access.tokenOf(order))
  const payment = paymentActions(platform, deps)
  const { creditWithin, ...credit } = creditActions(platform, deps)
  return {
    orders,
    invoices,
    successUrl,
    /** An order by its number, however it is spelt; null for none. */
    ofNumber: (number: string): Order | null => orders.find(normalReference(number)),
    /**
     * The orders whose invoice or credit note has this number, or whose invoice has this payment
     * reference in either form; two at most, since a number can be another invoice's reference.
     */
    ofDocument(text: string): Order[] {
      const plain = nationalReference(text) ?? plainReference(text)
      if (!/^\d{1,20}$/.test(plain)) return []
      const documents = [invoices.find(Number(plain)), invoices.ofReference(plain)]
      const ids = new Set(documents.flatMap((document) => (document ? [document.order] : [])))
      return Array.from(ids).flatMap((id) => orders.findId(id) ?? [])
    },
    /** The invoice of an order; null while it has none. */
    invoiceOf: (order: Order): Invoice | null => invoices.invoiceOf(order.id),
    /** The licences of an order; none before it is paid, nor of lines that are taken back. */
    licencesOf: (order: Order): LicenceDocument[] =>
      paidLicences(order, { invoiceOf: invoices.invoiceOf, takenBackOf }),
    takenBackOf,
    /** The way that was chosen to pay, with the gift card that pays a part, or all. */
    paymentOf: (order: Order): string =>
      order.giftCardAmount === 0 ? order.payment : paymentOf(orders, order),
    ...checkoutActions(platform, deps, { successUrl, refreshed: payment.refreshed }),
    ...buyerActions(platform, deps, payment.viewed),
    ...payment,
    ...correctPaymentActions(platform, deps),
    ...staffActions(platform, deps),
    ...shipActions(platform, deps),
    ...addressActions(platform, deps),
    ...waitingActions(platform, deps),
    ...credit,
    /** What staff do about withdrawals. */
    withdrawals: withdrawalDesk(platform, deps, { creditWithin, cases: deps.withdrawalCases }),
    /** Companies that staff let pay after delivery. */
    accounts: deps.accounts,
  }
}
