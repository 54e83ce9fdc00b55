import { shared, sum, times } from '#shared/money.ts'
import { placeOf } from '#shared/shop/tax.ts'
import type { Order } from '../order.ts'
import type { LineProgress } from './parcels.ts'

/** A kind of goods in a parcel, as the customs form lists it. */
export type CustomsItem = {
  readonly title: string
  readonly quantity: number
  /** Grams of all pieces; null where the catalogue doesn't say. */
  readonly weight: number | null
  /** Cents of all pieces, without VAT where none was charged. */
  readonly value: number
  /** Tariff number, and country of origin; null where the catalogue doesn't say. */
  readonly code: string | null
  readonly origin: string | null
}

/** What the customs form of a parcel says. */
export type CustomsForm = {
  /** CN 22 for what is light and worth little, CN 23 for everything else. */
  readonly form: 'CN22' | 'CN23'
  readonly category: 'Sale of goods'
  readonly items: readonly CustomsItem[]
  readonly weight: number
  readonly value: number
  /** The part of the postage that was paid for this; cents. */
  readonly postage: number
  /** What is still missing on it. */
  readonly missing: readonly string[]
}

/**
 * The most that a parcel with a CN 22 may be worth: 300 special drawing rights (Universal Postal
 * Convention, regulations 08-002). Their rate moves, so this stays well below it; cents.
 */
const maxValueOnCn22 = 34_000
/** Grams of the heaviest one. */
const maxWeightOnCn22 = 2_000

/**
 * Whether a parcel to an address passes customs. Åland is in the customs area: a copy of the invoice
 * goes there, and whoever receives the parcel declares it at the VAT border.
 */
const passesCustoms = ({
  country,
  postcode,
  pickup,
}: Pick<Order, 'country' | 'postcode' | 'pickup'>): boolean =>
  !pickup && placeOf({ country, postcode }).area === 'outside'

/**
 * What the customs form of the goods that are left of an order says; null where it needs none. The
 * postage is split by value between what has left and what is left.
 */
export function customsForm(order: Order, lines: readonly LineProgress[]): CustomsForm | null {
  if (!passesCustoms(order)) return null
  const items = lines
    .filter(({ rest }) => rest > 0)
    .map(({ line, rest }) => ({
      title: line.title,
      quantity: rest,
      weight: line.weight === null ? null : times(line.weight, rest),
      // What was paid for them: a discount code lowers the value that customs ask about.
      value: shared(line.total, [rest, line.quantity - rest])[0]!,
      code: line.customs?.code ?? null,
      origin: line.customs?.origin ?? null,
    }))
  const value = sum(items.map((item) => item.value))
  const weight = sum(items.map((item) => item.weight ?? 0))
  const goods = sum(order.lines.map(({ kind, total }) => (kind === 'physical' ? total : 0)))
  const missing = [
    ...items.flatMap((item) => [
      ...(item.weight === null ? [`the weight of ${item.title}`] : []),
      ...(item.code === null ? [`the tariff number of ${item.title}`] : []),
      ...(item.origin === null ? [`the origin of ${item.title}`] : []),
    ]),
    ...(order.phone === null ? ['a phone number of the buyer'] : []),
  ]
  return {
    form: value <= maxValueOnCn22 && weight <= maxWeightOnCn22 ? 'CN22' : 'CN23',
    category: 'Sale of goods',
    items,
    weight,
    value,
    postage: shared(order.shipping, [value, Math.max(0, goods - value)])[0]!,
    missing,
  }
}
