import type { Database } from '../db/open.ts'
import type { Platform } from '../feature.ts'
import { priceAt, type RecordedPrice } from './price-history.ts'
import { createProductList } from './product-list.ts'
import {
  productColumns,
  toProduct,
  toVariant,
  variantColumns,
  type Product,
  type ProductRow,
  type VariantRow,
} from './product.ts'
import { createStock } from './stock.ts'

/** The products; the only place with their SQL. */
export type Catalogue = ReturnType<typeof createCatalogue>

/** Prepares the statements that read the catalogue, and that take pieces and give them back. */
export function createCatalogue(
  db: Database,
  { clock, siteVersion }: Pick<Platform, 'clock' | 'siteVersion'>,
) {
  const byHandle = db.prepare(`SELECT ${productColumns} FROM products WHERE handle = ?`)
  const byId = db.prepare(`SELECT ${productColumns} FROM products WHERE id = ?`)
  const former = db
    .prepare(
      `SELECT products.handle FROM product_handles JOIN products ON products.id = product
       WHERE product_handles.handle = ?`,
    )
    .pluck()
  const formerOf = db
    .prepare('SELECT handle FROM product_handles WHERE product = ? ORDER BY handle')
    .pluck()
  const count = db.prepare('SELECT count(*) FROM products').pluck()
  const variants = db.prepare(
    `SELECT ${variantColumns} FROM variants
     WHERE product = ? ORDER BY position, id`,
  )
  const variantById = db.prepare('SELECT product FROM variants WHERE id = ?').pluck()
  const prices = db.prepare(
    'SELECT price, from_at AS fromAt, until_at AS untilAt FROM prices WHERE variant = ? ORDER BY id',
  )

  const historyOf = (variant: number) => prices.all(variant) as RecordedPrice[]
  const whole = (row: unknown): Product | null =>
    row
      ? toProduct(
          row as ProductRow,
          (variants.all((row as ProductRow).id) as VariantRow[]).map((variant) =>
            toVariant(variant, priceAt(historyOf(variant.id), clock())),
          ),
        )
      : null

  return {
    find: (handle: string): Product | null => whole(byHandle.get(handle)),
    findId: (id: number): Product | null => whole(byId.get(id)),
    /** The product of a variant. */
    ofVariant: (id: number): Product | null => {
      const product = variantById.get(id) as number | undefined
      return product === undefined ? null : whole(byId.get(product))
    },
    /** The present handle of a former one. */
    movedTo: (handle: string) => (former.get(handle) as string | undefined) ?? null,
    /** The handles that a product had before. */
    formerHandles: (product: number) => formerOf.all(product) as string[],
    count: () => count.get() as number,
    historyOf,

    /** Every product, drafts too, read at once. */
    list: createProductList(db, { clock }),

    ...createStock(db, { siteVersion }),
  }
}
