import type { ClientFeature } from '../clients/feature.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { LegalFeature } from '../legal/feature.ts'
import type { OrderAccess } from './order-page/access.ts'
import type { OrderShop } from './checkout/place-order.ts'
import type { ProductFiles } from './order-page/files.ts'
import type { Seller } from './documents/invoice-document.ts'
import type { Invoices } from './documents/invoices.ts'
import type { OrderStore } from './store.ts'
import type { CreditAccounts } from './checkout/credit-accounts.ts'
import type { Parcels } from './shipping/parcels.ts'
import type { TakenBackOf } from './withdrawal/taken-back.ts'
import type { WithdrawalCases } from './withdrawal/withdrawal-cases.ts'
import type { WithdrawalStore } from './withdrawal/withdrawal-store.ts'
import type { Payouts } from './payment/payouts.ts'
import type { StripePayments } from './payment/stripe.ts'

/** What the actions are made from. */
export type OrderDeps = {
  shop: OrderShop & { cartOf(requestContext: RequestContext): number | null }
  orders: OrderStore
  invoices: Invoices
  payouts: Payouts
  parcels: Parcels
  withdrawals: WithdrawalStore
  /** Which lines of an order its buyer no longer has. */
  takenBackOf: TakenBackOf
  withdrawalCases: WithdrawalCases
  accounts: CreditAccounts
  access: OrderAccess
  files: ProductFiles
  stripe: StripePayments | null
  seller: () => Promise<Seller>
  /** The client who is signed in. */
  clientIn: ClientFeature['clientIn']
  /** The terms of service that orders are placed under. */
  terms: Pick<LegalFeature['terms'], 'keep'>
  countries: readonly { code: string; name: string }[]
}
