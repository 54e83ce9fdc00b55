import { orderLimits } from './order-limits.ts'
import type { ProductKind } from './limits.ts'

// Apart from the schemas of delivery, which pages need not load.

/** Working days from the payment, or from an order that is paid later, until something leaves, at least and at most. */
export type Dispatch = readonly [min: number, max: number]

/** What goods without a time of their own take. */
const defaultDispatch: Readonly<Record<'stock' | 'made', Dispatch>> = {
  stock: [1, 3],
  made: [10, 15],
}

/** When goods leave: their own time, or the one of their kind. */
export const dispatchOf = ({
  madeToOrder,
  dispatch,
}: {
  madeToOrder: boolean
  dispatch: Dispatch | null
}): Dispatch => dispatch ?? defaultDispatch[madeToOrder ? 'made' : 'stock']

/** A number of working days in words, such as `1–3 working days`. */
export const workingDays = ([min, max]: Dispatch): string =>
  min === max ? `${max} working ${max === 1 ? 'day' : 'days'}` : `${min}–${max} working days`

/**
 * When the files of an order open: after the days of withdrawal unless they are asked for at once, or
 * without them for a company, which has no such right.
 */
export type FilesOpen = 'after withdrawal' | 'once paid' | 'at once'

const filesOpen: Readonly<Record<FilesOpen, string>> = {
  'after withdrawal': `Download as soon as it’s paid if you ask for immediate access, otherwise once the ${orderLimits.withdrawalDays} days for withdrawal are over.`,
  'once paid': 'Download as soon as it’s paid.',
  'at once': 'Download at once.',
}

/**
 * When a product is delivered. The one source of these words: product page, cart, checkout, order
 * and emails show them as they are.
 * @param files when the files of the order open
 * @param from what its days count from: a company that pays after delivery isn't waited for
 */
export function deliveryWords(
  {
    kind,
    madeToOrder,
    dispatch,
  }: { kind: ProductKind; madeToOrder: boolean; dispatch: Dispatch | null },
  files: FilesOpen = 'after withdrawal',
  from: 'payment' | 'order' = 'payment',
): string {
  if (kind === 'digital') return filesOpen[files]
  if (kind === 'service') {
    return `We contact you within ${workingDays(dispatch ?? [2, 2])} of your order to agree on a date.`
  }
  const time = workingDays(dispatchOf({ madeToOrder, dispatch }))
  const after = from === 'payment' ? 'after payment' : 'after your order'
  return madeToOrder ? `Made to order: ships ${time} ${after}.` : `Ships ${time} ${after}.`
}

/** How long a parcel takes from Helsinki, by where it goes. */
export const transit = {
  finland: [1, 3],
  union: [3, 7],
  elsewhere: [5, 14],
} as const satisfies Record<string, Dispatch>

/** Beside when goods ship, for who picks them up. */
export const pickupNote = 'You pick it up: we’ll email you when it’s ready.'

/** Where orders are picked up, and what it costs. */
export const pickupWords = 'Pick up in Helsinki, free of charge'
