import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { Catalogue } from './catalogue.ts'
import { createFormerHandles } from './former-handles.ts'
import { lowestBefore } from './price-history.ts'
import type { RecordPrice } from './product-prices.ts'
import { createProductSaving } from './product-saving.ts'

/** What staff do with products. Everything belongs into a transaction, and tells that the site has changed. */
export type Editing = ReturnType<typeof createEditing>

/** Prepares the writing statements of the catalogue; prices are only ever added. */
export function createEditing(
  platform: Pick<Platform, 'db' | 'clock' | 'siteVersion'>,
  catalogue: Catalogue,
) {
  const { db, clock, siteVersion } = platform
  const addPrice = db.prepareWrite(
    `INSERT INTO prices (variant, price, from_at, until_at, recorded_at)
     VALUES (:variant, :price, :fromAt, :untilAt, :now)`,
  )
  const formerHandles = createFormerHandles(db)
  const rename = db.prepareWrite(
    'UPDATE products SET handle = :to, changed_at = :now WHERE handle = :from',
  )
  const publish = db.prepareWrite(
    'UPDATE products SET published = :published, changed_at = :now WHERE id = :id',
  )
  const setStock = db.prepareWrite('UPDATE variants SET stock = :stock WHERE id = :id')

  const price: RecordPrice = (tx, variant, { cents, fromAt, untilAt = null }) => {
    if (untilAt !== null && lowestBefore(catalogue.historyOf(variant), fromAt) === null) {
      throw new Error(
        'A reduction has to show the lowest price of the thirty days before it; this variant has no price that is so old.',
      )
    }
    addPrice.run(tx, { variant, price: cents, fromAt, untilAt, now: clock() })
    siteVersion.changed(tx)
  }

  return {
    ...createProductSaving(platform, { catalogue, formerHandles, price }),

    price,

    /** Gives a product another handle; the old one leads to it from then on. @returns whether it was there */
    rename(tx: Transaction, from: string, to: string): boolean {
      const product = catalogue.find(from)
      if (!product) return false
      formerHandles.drop(tx, to)
      rename.run(tx, { from, to, now: clock() })
      formerHandles.add(tx, from, product.id)
      siteVersion.changed(tx)
      return true
    },

    publish(tx: Transaction, id: number, published: boolean): void {
      publish.run(tx, { id, published: published ? 1 : 0, now: clock() })
      siteVersion.changed(tx)
    },

    /** @param stock pieces; null where there is no end of them */
    setStock(tx: Transaction, variant: number, stock: number | null): void {
      setStock.run(tx, { id: variant, stock })
      siteVersion.changed(tx)
    },
  }
}
