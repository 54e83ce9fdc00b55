import type { Context } from '#server/context.ts'
import type { Product } from '#server/shop/feature.ts'
import { decimal } from '#shared/money.ts'
import { findByName } from '../common/named.ts'
import type { Row } from '../common/print.ts'

/**
 * A product by its handle, else the only one with all these words in its title.
 * @throws when there is none, with its present handle where it has been renamed; AmbiguousName when
 *   there are several
 */
export function productNamed({ features: { shop } }: Context, given: string): Product {
  const { acts, catalogue } = shop
  if (catalogue.find(given) || catalogue.movedTo(given)) return acts.known(given)
  return findByName('Product', given, catalogue.list(), {
    namesOf: ({ handle, title }) => [handle, title],
    about: ({ handle, title }) => `${handle}  ${title}`,
  })
}

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
