import { failure } from '#shared/failures.ts'
import { discountCode, mostPercent } from '#shared/shop/discounts.ts'
import { euros, shared, sum } from '#shared/money.ts'
import type { Product } from '../catalogue/product.ts'
import type { Discount, NewDiscount } from '../schema.ts'

/** Cents of goods that an amount leaves at least, so that there is something to pay. */
const leastLeft = 100

/** Goods of a cart: what they are, and what they cost in Finland, in cents including VAT. */
export type DiscountedGoods = { readonly product: Product; readonly value: number }

const appliesTo = (
  { category, product: only, withoutLicences }: Discount,
  { id, category: group, licence }: Product,
): boolean =>
  (category === null || category === group) &&
  (only === null || only === id) &&
  !(withoutLicences && licence !== null)

/** Whether a code is for some goods alone. */
const isLimited = ({ category, product, withoutLicences }: Discount): boolean =>
  category !== null || product !== null || withoutLicences

/**
 * What a code takes off each of some goods, to the cent: the parts make the whole by largest remainder.
 * @returns the parts in the order of the goods, or why there are none, in a sentence
 */
export function discountParts(
  discount: Discount,
  goods: readonly DiscountedGoods[],
): { parts: number[] } | { problem: string } {
  const values = goods.map(({ product, value }) => (appliesTo(discount, product) ? value : 0))
  const value = sum(values)
  if (value === 0) return { problem: 'This code isn’t for anything in your cart.' }
  if (value < discount.minimum) {
    const of = isLimited(discount) ? 'of the items that it is for' : 'before delivery'
    return { problem: `This code needs at least ${euros(discount.minimum)} ${of}.` }
  }
  const whole =
    discount.percent === null
      ? Math.min(discount.amount ?? 0, value)
      : Number((BigInt(value) * BigInt(discount.percent) * 2n + 100n) / 200n)
  // Most of a few cents may round to all of them, and nothing is sold for nothing.
  return { parts: shared(Math.min(whole, value - 1), values) }
}

/** What is wrong with a new code, by field. @throws invalid */
export function checkDiscount(given: NewDiscount): void {
  const { code, percent, amount, minimum, fromAt, untilAt, maxUses, maxUsesEach } = given
  const refuse = (field: string, message: string) =>
    failure('invalid', { message, errors: { [field]: message } })
  if (!discountCode.test(code)) {
    throw refuse('code', 'Use 3 to 30 letters, digits and hyphens for a code.')
  }
  if ((percent === null) === (amount === null)) {
    throw refuse('percent', 'Give a code either --percent or --amount.')
  }
  if (percent !== null && !(Number.isInteger(percent) && percent >= 1 && percent <= mostPercent)) {
    throw refuse('percent', `Use a whole percentage from 1 to ${mostPercent}.`)
  }
  if (amount !== null && amount < 1) throw refuse('amount', 'Use an amount above 0.')
  if (amount !== null && minimum < amount + leastLeft) {
    throw refuse(
      'minimum',
      `A code for ${euros(amount)} needs a minimum of at least ${euros(amount + leastLeft)}, so that something is left to pay.`,
    )
  }
  if (untilAt !== null && untilAt <= fromAt) throw refuse('until', 'It ends before it begins.')
  for (const [field, most] of [
    ['uses', maxUses],
    ['per-email', maxUsesEach],
  ] as const) {
    if (most !== null && !(Number.isInteger(most) && most >= 1)) {
      throw refuse(field, 'Use a whole number from 1.')
    }
  }
}

/** The least minimum of a code for an amount. */
export const minimumOf = (amount: number | null): number =>
  amount === null ? 0 : amount + leastLeft
