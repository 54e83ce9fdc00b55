import type { RequestContext } from '../http/request-context.ts'
import type { OrderAccess } from './access.ts'
import type { OrderShop } from './checkout.ts'
import type { ProductFiles } from './files.ts'
import type { Seller } from './invoice-document.ts'
import type { Invoices } from './invoices.ts'
import type { OrderStore } from './store.ts'
import type { StripePayments } from './stripe.ts'

/** What the actions are made from. */
export type OrderDeps = {
  shop: OrderShop & { cartOf(requestContext: RequestContext): number | null }
  orders: OrderStore
  invoices: Invoices
  access: OrderAccess
  files: ProductFiles
  stripe: StripePayments | null
  seller: () => Promise<Seller>
  countries: readonly { code: string; name: string }[]
}
