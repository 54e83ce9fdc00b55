import type { Cart } from '#shared/shop.ts'
import type { PricedCart } from './pricing.ts'

/** A priced cart as the wire has it. */
export const toCart = ({ lines, shipping, total, vat, changes, gone }: PricedCart): Cart => ({
  success: true,
  lines: lines.map(({ handle, variant, title, quantity, unit, total: sum }) => ({
    handle,
    variant,
    title,
    quantity,
    unit,
    total: sum,
  })),
  currency: 'EUR',
  shipping,
  total,
  vat,
  changes,
  ...(gone.length > 0 && {
    gone: gone.flatMap(({ line }) => (line === null ? [] : [line])),
  }),
})
