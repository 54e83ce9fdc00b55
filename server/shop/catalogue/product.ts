import type { ProductRow, VariantRow } from '../schema.ts'
import type { CurrentPrice } from './price-history.ts'

/** A way to buy a product, with its price of the moment. */
export type Variant = Omit<VariantRow, 'product' | 'position'> & {
  /** Null while no price counts yet. */
  readonly price: CurrentPrice | null
}

/** A variant that can be bought. */
export type PricedVariant = Variant & { readonly price: CurrentPrice }

/** Whether a variant can be bought, as far as its price goes. */
export const isPriced = (variant: Variant): variant is PricedVariant => variant.price !== null

/** A product with its variants. */
export type Product = ProductRow & { readonly variants: readonly Variant[] }
