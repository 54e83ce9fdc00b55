import { countryName } from '#shared/shop/countries.ts'
import type { NewOrderLine, NewOrderRow, OrderLineRow, OrderRow } from './schema.ts'
import { hasStates, townLine } from '#shared/shop/address-rules.ts'
import type { BuyerEntries, OrderState } from '#shared/shop/orders.ts'

/** A line of an order, as it was bought. Cents; `rate` in per cent. */
export type OrderLine = Omit<OrderLineRow, 'order'>

/** An order with its lines; what its links are signed over stays in the store. */
export type Order = Omit<OrderRow, 'secret' | 'contentHash'> &
  BuyerEntries & {
    readonly lines: readonly OrderLine[]
  }

/** How an order is paid, as people call it. */
export const paymentInWords = (payment: Order['payment']): string =>
  payment === 'stripe' ? 'card' : 'bank transfer'

/** What is left to pay in money once the gift card has paid its part, in cents. */
export const dueOf = ({ total, giftCardAmount }: Pick<Order, 'total' | 'giftCardAmount'>): number =>
  total - giftCardAmount

/** What a new order is made from. */
export type NewOrder = Omit<NewOrderRow, 'id' | 'secret' | 'changedAt'> &
  BuyerEntries & {
    readonly lines: readonly NewOrderLine[]
  }

/** What a buyer entered, as staff read it; null for what is in the address. */
const entryLabels: Readonly<Record<keyof BuyerEntries, string | null>> = {
  name: 'Name',
  company: 'Company',
  vatId: 'VAT ID',
  email: 'Email',
  phone: 'Phone',
  street: null,
  street2: null,
  postcode: null,
  city: null,
  region: null,
  country: null,
}

/** What a buyer entered, with names for people and the address in one line; without what was left out. */
export const entriesOf = (order: BuyerEntries): [label: string, value: string][] => [
  ...(Object.entries(entryLabels) as [keyof BuyerEntries, string | null][]).flatMap(
    ([name, label]): [string, string][] => {
      const value = order[name]
      return label === null || value === null ? [] : [[label, value]]
    },
  ),
  ['Address', addressOf(order).join(', ')],
]

/** What changes of an order; what is left out stays. */
export type OrderChange = Partial<
  Pick<
    Order,
    | 'state'
    | 'payment'
    | 'reservedUntil'
    | 'paidAt'
    | 'shippedAt'
    | 'readyAt'
    | 'digitalWaiver'
    | 'waivedAt'
    | 'session'
    | 'sessionUrl'
    | 'paymentIntent'
    | 'street'
    | 'street2'
    | 'postcode'
    | 'city'
    | 'region'
    | 'phone'
  >
>

/** Which orders to list: placed from (inclusive) and before, in some state. */
export type OrderFilter = { from?: number; before?: number; state?: OrderState }

/** The address of a buyer, a line each, as the post of its country wants it; without empty fields. */
export function addressOf({
  street,
  street2,
  postcode,
  city,
  region,
  country,
}: Pick<Order, 'street' | 'street2' | 'postcode' | 'city' | 'region' | 'country'>): string[] {
  const place = townLine({ postcode, city, region, country })
  const lines = [street, street2, place, hasStates(country) ? null : region]
  return [...lines, countryName(country) ?? country].filter((line): line is string => Boolean(line))
}

/** Whether nothing more comes of an order: it is off, or paid back whole. */
export const isOver = ({ state }: Pick<Order, 'state'>): boolean =>
  state === 'cancelled' || state === 'expired' || state === 'refunded'
