import * as z from 'zod/mini'
import { endpoint, json } from './endpoint.ts'
import type { Cart } from './shop.ts'

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

/** What is said of a code that there is not, or that is typed wrongly. */
export const unknownCode = 'We don’t know this code. Please check its spelling.'

/** Enters the discount code of the cart, or with an empty one takes it off; 400 for one that isn't valid. */
export const setDiscount = endpoint({
  method: 'POST',
  path: '/api/shop/cart/discount',
  input: z.object({ code: z.string(unknownCode).check(z.maxLength(100, unknownCode)) }),
  output: json<Cart>(),
})
