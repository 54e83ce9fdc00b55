import { addDays, dateAt } from '#shared/civil-dates.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { Catalogue } from './catalogue.ts'
import { lowestBefore, priceAt } from './price-history.ts'
import { beginOf, type ProductFile } from './product-file.ts'

/** What staff do with products. Everything belongs into a transaction, and tells that the site has changed. */
export type Editing = ReturnType<typeof createEditing>

/** Prepares the writing statements of the catalogue; prices are only ever added. */
export function createEditing(
  { db, clock, siteVersion }: Pick<Platform, 'db' | 'clock' | 'siteVersion'>,
  catalogue: Catalogue,
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
  const addPrice = db.prepareWrite(
    `INSERT INTO prices (variant, price, from_at, until_at, recorded_at)
     VALUES (:variant, :price, :fromAt, :untilAt, :now)`,
  )
  const addFormer = db.prepareWrite(
    `INSERT INTO product_handles (handle, product) VALUES (:handle, :product)
     ON CONFLICT DO UPDATE SET product = :product`,
  )
  const dropFormer = db.prepareWrite('DELETE FROM product_handles WHERE handle = :handle')
  const rename = db.prepareWrite(
    'UPDATE products SET handle = :to, changed_at = :now WHERE handle = :from',
  )
  const publish = db.prepareWrite(
    'UPDATE products SET published = :published, changed_at = :now WHERE id = :id',
  )
  const setStock = db.prepareWrite('UPDATE variants SET stock = :stock WHERE id = :id')

  const price = (
    tx: Transaction,
    variant: number,
    { cents, fromAt, untilAt = null }: { cents: number; fromAt: number; untilAt?: number | null },
  ) => {
    if (untilAt !== null && lowestBefore(catalogue.historyOf(variant), fromAt) === null) {
      throw new Error(
        'A reduction has to show the lowest price of the thirty days before it; this variant has no price that is so old.',
      )
    }
    addPrice.run(tx, { variant, price: cents, fromAt, untilAt, now: clock() })
    siteVersion.changed(tx)
  }

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
      dropFormer.run(tx, { handle: file.handle })
      for (const handle of formerHandles) addFormer.run(tx, { handle, product })
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
        savePrices(tx, id, {
          cents: each.price,
          past: history.filter((past) => past.variant === variant),
          reduction: reduction?.variant === variant ? reduction : undefined,
        })
      }
      siteVersion.changed(tx)
    },

    price,

    /** Gives a product another handle; the old one leads to it from then on. @returns whether it was there */
    rename(tx: Transaction, from: string, to: string): boolean {
      const product = catalogue.find(from)
      if (!product) return false
      dropFormer.run(tx, { handle: to })
      rename.run(tx, { from, to, now: clock() })
      addFormer.run(tx, { handle: from, product: product.id })
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

  /** Adds the prices of a file that are not recorded yet; those of one day are the same by their sum. */
  function savePrices(
    tx: Transaction,
    variant: number,
    {
      cents,
      past,
      reduction,
    }: {
      cents: number
      past: ProductFile['history']
      reduction: ProductFile['reduction']
    },
  ): void {
    const isKnown = (sum: number, from: string, to: string | undefined) =>
      catalogue
        .historyOf(variant)
        .some(
          ({ price: known, fromAt, untilAt }) =>
            known === sum &&
            dateAt(fromAt) === from &&
            (untilAt === null ? undefined : dateAt(untilAt - 1)) === to,
        )
    // A reduction looks back on the prices before it.
    const ordered = past.toSorted((a, b) => Number(Boolean(a.to)) - Number(Boolean(b.to)))
    for (const { price: sum, from, to } of reduction ? [...ordered, reduction] : ordered) {
      if (to === undefined) {
        if (!isKnown(sum, from, to)) price(tx, variant, { cents: sum, fromAt: beginOf(from) })
      } else stand()
      if (to !== undefined && !isKnown(sum, from, to)) {
        price(tx, variant, { cents: sum, fromAt: beginOf(from), untilAt: beginOf(addDays(to, 1)) })
      }
    }
    stand()

    /** Makes the price of the file the one of now. */
    function stand(): void {
      const standing = priceAt(
        catalogue.historyOf(variant).filter(({ untilAt }) => untilAt === null),
        clock(),
      )
      if (standing?.price !== cents) price(tx, variant, { cents, fromAt: clock() })
    }
  }
}
