import type { OrderState, PaymentMethod } from '#shared/orders.ts'
import type { ProductKind } from '#shared/shop-limits.ts'

/** A line of an order, as it was bought. Cents; `rate` in per cent. */
export type OrderLine = {
  readonly id: number
  readonly handle: string | null
  readonly variant: string | null
  readonly variantId: number | null
  readonly title: string
  readonly kind: ProductKind
  readonly quantity: number
  readonly unit: number
  readonly total: number
  readonly rate: number
  readonly madeToOrder: boolean
  readonly licence: string | null
  readonly licenceVersion: string | null
  readonly files: readonly string[]
}

/** An order. Cents, milliseconds of the epoch. */
export type Order = {
  readonly id: number
  readonly number: string
  readonly state: OrderState
  readonly sequence: number
  readonly payment: PaymentMethod
  readonly email: string
  readonly name: string
  readonly company: string | null
  readonly vatId: string | null
  readonly street: string | null
  readonly postcode: string | null
  readonly city: string | null
  readonly country: string
  readonly reverseCharge: boolean
  readonly shipping: number
  readonly shippingRate: number | null
  readonly total: number
  readonly termsVersion: string
  readonly digitalWaiver: boolean
  readonly booking: string | null
  /** What all of the booking costs; the order may be over a part of it. */
  readonly bookingWhole: number | null
  /** The order of the same cart that took the place of this one before it was paid. */
  readonly replacedBy: number | null
  readonly placedAt: number
  readonly changedAt: number
  readonly reservedUntil: number | null
  readonly paidAt: number | null
  readonly shippedAt: number | null
  readonly session: string | null
  readonly sessionUrl: string | null
  readonly paymentIntent: string | null
  readonly lines: readonly OrderLine[]
}

/** What a new order is made from. */
export type NewOrder = Omit<
  Order,
  | 'id'
  | 'sequence'
  | 'changedAt'
  | 'paidAt'
  | 'shippedAt'
  | 'session'
  | 'sessionUrl'
  | 'paymentIntent'
  | 'replacedBy'
  | 'lines'
> & { cartKey: string | null; contentHash: string; lines: readonly Omit<OrderLine, 'id'>[] }

/** What changes of an order; what is left out stays. */
export type OrderChange = Partial<
  Pick<
    Order,
    'state' | 'reservedUntil' | 'paidAt' | 'shippedAt' | 'session' | 'sessionUrl' | 'paymentIntent'
  >
>

/** Which orders to list: placed from (inclusive) and before, in some state. */
export type OrderFilter = { from?: number; before?: number; state?: OrderState }
