import type { ProductCategory, ProductKind } from '#shared/shop-limits.ts'
import type { VatClass } from '#shared/money.ts'
import type { CurrentPrice } from './price-history.ts'

/** How the catalogue names its VAT, and what it is. */
export const vatClasses = {
  standard: 'general',
  reduced: 'reduced',
  low: 'press',
  zero: 'none',
} as const satisfies Record<string, VatClass>

/** One of {@link vatClasses}. */
export type ProductVat = keyof typeof vatClasses

/** A way to buy a product, with its price of the moment. */
export type Variant = {
  readonly id: number
  readonly variant: string
  readonly title: string
  /** Pieces that are not reserved; null where there is no end of them. */
  readonly stock: number | null
  /** Grams. */
  readonly weight: number | null
  readonly files: readonly string[]
  /** Null while no price counts yet. */
  readonly price: CurrentPrice | null
}

/** A variant that can be bought. */
export type PricedVariant = Variant & { readonly price: CurrentPrice }

/** Whether a variant can be bought, as far as its price goes. */
export const isPriced = (variant: Variant): variant is PricedVariant => variant.price !== null

/** A product as it is kept. */
export type Product = {
  readonly id: number
  readonly handle: string
  readonly title: string
  readonly kind: ProductKind
  readonly category: ProductCategory
  readonly summary: string
  /** Rich text that has not been cleaned yet. */
  readonly description: string
  readonly vat: ProductVat
  readonly published: boolean
  readonly tags: readonly string[]
  readonly pictures: readonly string[]
  readonly madeToOrder: boolean
  readonly licence: string | null
  readonly soldOutNote: string | null
  readonly createdAt: number
  readonly changedAt: number
  readonly variants: readonly Variant[]
}

/** A product as the database has it. */
export type ProductRow = Omit<
  Product,
  'published' | 'tags' | 'pictures' | 'madeToOrder' | 'variants'
> & {
  published: number
  tags: string
  pictures: string
  madeToOrder: number
}
/** A variant as the database has it, without its prices. */
export type VariantRow = Omit<Variant, 'files' | 'price'> & { files: string; product: number }

/** What a product is read from. */
export const productColumns = `id, handle, title, kind, category, summary, description, vat,
  published, tags, pictures, made_to_order AS madeToOrder, licence, sold_out_note AS soldOutNote,
  created_at AS createdAt, changed_at AS changedAt`

/** What a variant is read from. */
export const variantColumns = 'id, product, variant, title, stock, weight, files'

/** A product of its row and its variants. */
export const toProduct = (row: ProductRow, variants: readonly Variant[]): Product => ({
  ...row,
  published: row.published === 1,
  tags: JSON.parse(row.tags) as string[],
  pictures: JSON.parse(row.pictures) as string[],
  madeToOrder: row.madeToOrder === 1,
  variants,
})

/** A variant of its row and its price of the moment. */
export const toVariant = (row: VariantRow, price: CurrentPrice | null): Variant => ({
  id: row.id,
  variant: row.variant,
  title: row.title,
  stock: row.stock,
  weight: row.weight,
  files: JSON.parse(row.files) as string[],
  price,
})
