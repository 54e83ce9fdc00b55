import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { Platform } from '../feature.ts'
import type { Catalogue } from './catalogue.ts'
import type { FormerHandles } from './former-handles.ts'
import type { ProductFile } from './product-file.ts'
import { savePrices, type RecordPrice } from './product-prices.ts'

/** Prepares the statements that make a product what a file says. */
export function createProductSaving(
  { db, clock, siteVersion }: Pick<Platform, 'db' | 'clock' | 'siteVersion'>,
  {
    catalogue,
    formerHandles: former,
    price,
  }: { catalogue: Catalogue; formerHandles: FormerHandles; price: RecordPrice },
) {
  const upsert = db
    .prepareWrite(
      `INSERT INTO products (handle, title, kind, category, summary, description, vat, published,
         tags, pictures, made_to_order, licence, sold_out_note, created_at, changed_at)
       VALUES (:handle, :title, :kind, :category, :summary, :description, :vat, :published, :tags,
         :pictures, :madeToOrder, :licence, :soldOutNote, :now, :now)
       ON CONFLICT (handle) DO UPDATE SET title = :title, kind = :kind, category = :category,
         summary = :summary, description = :description, vat = :vat, published = :published,
         tags = :tags, pictures = :pictures, made_to_order = :madeToOrder, licence = :licence,
         sold_out_note = :soldOutNote, changed_at = :now
       RETURNING id`,
    )
    .pluck()
  const saveVariants = variantSaving(db, { catalogue, price, clock })

  return {
    /**
     * Adds a product, or makes the one with its handle what the file says.
     * @param description rich text, read from its file where it stands in one
     * @throws when a reduction has no history of thirty days
     */
    save(tx: Transaction, file: ProductFile, description: string): void {
      const { variants, history, reduction, formerHandles, ...facts } = file
      const product = upsert.get(tx, {
        ...facts,
        description,
        published: facts.published ? 1 : 0,
        madeToOrder: facts.madeToOrder ? 1 : 0,
        licence: facts.licence ?? null,
        soldOutNote: facts.soldOutNote ?? null,
        tags: JSON.stringify(facts.tags),
        pictures: JSON.stringify(facts.pictures),
        now: clock(),
      }) as number
      former.drop(tx, file.handle)
      for (const handle of formerHandles) former.add(tx, handle, product)
      saveVariants(tx, product, { variants, history, reduction })
      siteVersion.changed(tx)
    },
  }
}

/** Prepares the statements that make the variants of a product, and their prices, what a file says. */
function variantSaving(
  db: Database,
  { catalogue, price, clock }: { catalogue: Catalogue; price: RecordPrice; clock: () => number },
) {
  const upsertVariant = db
    .prepareWrite(
      `INSERT INTO variants (product, variant, title, position, stock, weight, files)
       VALUES (:product, :variant, :title, :position, :stock, :weight, :files)
       ON CONFLICT (product, variant) DO UPDATE SET title = :title, position = :position,
         stock = :stock, weight = :weight, files = :files
       RETURNING id`,
    )
    .pluck()
  const dropVariants = db.prepareWrite(
    `DELETE FROM variants WHERE product = :product
       AND variant NOT IN (SELECT value FROM json_each(:kept))`,
  )

  return (
    tx: Transaction,
    product: number,
    { variants, history, reduction }: Pick<ProductFile, 'variants' | 'history' | 'reduction'>,
  ): void => {
    const kept = variants.map(({ variant }) => variant)
    dropVariants.run(tx, { product, kept: JSON.stringify(kept) })
    for (const [position, each] of variants.entries()) {
      const { variant, title, stock, weight = null, files } = each
      const id = upsertVariant.get(tx, {
        product,
        variant,
        title,
        position,
        stock,
        weight,
        files: JSON.stringify(files),
      }) as number
      savePrices(
        tx,
        { catalogue, price, clock, variant: id },
        {
          cents: each.price,
          past: history.filter((past) => past.variant === variant),
          reduction: reduction?.variant === variant ? reduction : undefined,
        },
      )
    }
  }
}
