import type { Context } from '#server/context.ts'
import type { Product } from '#server/shop/product.ts'
import { harmless } from './terminal.ts'

/** A product by its handle. @throws when there is none */
export function mustFind({ features }: Pick<Context, 'features'>, name: string): Product {
  const product = features.shop.catalogue.find(name)
  if (product) return product
  const moved = features.shop.catalogue.movedTo(name)
  throw new Error(
    moved ? `${harmless(name)} is called ${moved} now.` : `There is no product ${harmless(name)}.`,
  )
}

/** A variant of a product. @throws when there is none */
export function knownVariant(context: Context, name: string, variantName: string) {
  const product = mustFind(context, name)
  const variant = product.variants.find((each) => each.variant === variantName)
  if (variant) return { product, variant }
  const names = product.variants.map((each) => each.variant).join(', ')
  throw new Error(`${product.handle} has no variant ${harmless(variantName)}; it has ${names}.`)
}
