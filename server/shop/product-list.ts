import type { Database } from '../db/open.ts'
import { priceAt, type RecordedPrice } from './price-history.ts'
import {
  productColumns,
  toProduct,
  toVariant,
  variantColumns,
  type Product,
  type ProductRow,
  type Variant,
  type VariantRow,
} from './product.ts'

/** Prepares the reading of all products at once, by one statement for each table. */
export function createProductList(
  db: Database,
  { clock }: { clock: () => number },
): () => Product[] {
  const products = db.prepare(`SELECT ${productColumns} FROM products ORDER BY id`)
  const variants = db.prepare(
    `SELECT ${variantColumns} FROM variants ORDER BY product, position, id`,
  )
  const prices = db.prepare(
    'SELECT variant, price, from_at AS fromAt, until_at AS untilAt FROM prices ORDER BY variant, id',
  )

  const historiesByVariant = (): Map<number, RecordedPrice[]> => {
    const histories = new Map<number, RecordedPrice[]>()
    for (const row of prices.iterate()) {
      const { variant, ...price } = row as RecordedPrice & { variant: number }
      const known = histories.get(variant)
      if (known) known.push(price)
      else histories.set(variant, [price])
    }
    return histories
  }

  const variantsByProduct = (): Map<number, Variant[]> => {
    const histories = historiesByVariant()
    const byProduct = new Map<number, Variant[]>()
    for (const row of variants.iterate()) {
      const variant = row as VariantRow
      const known = byProduct.get(variant.product)
      const priced = toVariant(variant, priceAt(histories.get(variant.id) ?? [], clock()))
      if (known) known.push(priced)
      else byProduct.set(variant.product, [priced])
    }
    return byProduct
  }

  return () => {
    const byProduct = variantsByProduct()
    return (products.all() as ProductRow[]).map((row) =>
      toProduct(row, byProduct.get(row.id) ?? []),
    )
  }
}
