import { decimal } from '#shared/money.ts'
import type { Product } from '#server/shop/feature.ts'
import type { Row } from '../common/print.ts'

/** A line for each variant. */
export const variantRows = ({
  handle: name,
  title,
  kind,
  category,
  published,
  variants,
}: Product): Row[] =>
  variants.map(({ variant, price, stock }) => ({
    handle: name,
    variant,
    title,
    kind,
    category,
    published,
    price: price && decimal(price.price),
    stock: stock ?? 'unlimited',
  }))
