import * as z from 'zod/mini'
import { catch as otherwise } from 'zod/mini'
import { endpoint, json } from '../endpoint.ts'
import type { Cart } from './shop.ts'

/** The most that a code takes off: what is given away needs no order. */
export const mostPercent = 90

/** A code as it is kept: 3 to 30 capital letters, digits and hyphens. */
export const discountCode = /^[A-Z0-9](?:[A-Z0-9-]{1,28})[A-Z0-9]$/

/**
 * A code in its one spelling, however it was typed or copied: letter case, blanks, full-width letters
 * and the kinds of dashes don't count.
 */
export const normalCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/[\p{White_Space}\p{Cf}]/gu, '')
    .replaceAll(/\p{Pd}/gu, '-')
    .toUpperCase()

/** The letters of gift cards' codes: none that is read as another one, and no vowel to make a word. */
const cardCode = /^[23456789BCDFGHJKMNPQRSTVWXYZ]{16}$/

/** The code of a gift card as it is looked up, however it was typed; null for what can't be one. */
export function giftCardCode(typed: string): string | null {
  const code = normalCode(typed).replaceAll('-', '')
  return cardCode.test(code) ? code : null
}

/** What is said of a code that there is not, or that is typed wrongly. */
export const unknownCode = 'We don’t know this code. Please check its spelling.'

// What can't be a code is refused as one that isn't known, at the field `discount` like every other.
const anyCode = otherwise(z.string().check(z.maxLength(100)), '?')

/**
 * Enters a discount code or a gift card for the cart; 400 for one that isn't valid. With an empty code
 * it takes off the one that `of` names, the discount code where it is left out.
 */
export const setDiscount = endpoint({
  method: 'POST',
  path: '/api/shop/cart/discount',
  input: z.object({
    code: anyCode,
    of: z.optional(z.enum(['discount', 'gift-card'], 'Which one?')),
  }),
  output: json<Cart>(),
})
