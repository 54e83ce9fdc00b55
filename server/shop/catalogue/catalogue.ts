import type { Transaction } from '../../db/group-commit.ts'
import type { Database } from '../../db/open.ts'
import { integer, nullable, query, text } from '../../db/table.ts'
import type { Platform } from '../../feature.ts'
import { prices, productHandles, products, variants, type VariantRow } from '../schema.ts'
import { priceAt, type RecordedPrice } from './price-history.ts'
import type { Product, Variant } from './product.ts'

/** The products as they are read; the only place with that SQL. */
export type Catalogue = ReturnType<typeof createCatalogue>

/** Prepares the statements that read the catalogue, and that take pieces and give them back. */
export function createCatalogue(
  db: Database,
  { clock, siteVersion }: Pick<Platform, 'clock' | 'siteVersion'>,
) {
  const byHandle = products.select(db, 'WHERE handle = :handle')
  const byId = products.select(db, 'WHERE id = :id')
  const byVariant = products.select(
    db,
    'WHERE id = (SELECT product FROM variants WHERE id = :variant)',
  )
  const former = query(
    db,
    `SELECT products.handle FROM product_handles JOIN products ON products.id = product
     WHERE product_handles.handle = :handle`,
    { handle: text() },
  )
  const formerOf = productHandles.select(db, 'WHERE product = :product ORDER BY handle')
  const count = query(db, 'SELECT count(*) AS products FROM products', { products: integer() })
  const variantsOf = variants.select(db, 'WHERE product = :product ORDER BY position, id')
  const pricesOf = prices.select(db, 'WHERE variant = :variant ORDER BY id')
  const allProducts = products.select(db, 'ORDER BY id')
  const allVariants = variants.select(db, 'ORDER BY product, position, id')
  const allPrices = prices.select(db, 'ORDER BY variant, id')

  const historyOf = (variant: number): RecordedPrice[] => pricesOf.all({ variant })
  const toVariant = (
    { product: _product, position: _position, ...facts }: VariantRow,
    history: readonly RecordedPrice[],
  ): Variant => ({ ...facts, price: priceAt(history, clock()) })
  const whole = (row: ReturnType<typeof byId.get>): Product | null =>
    row && {
      ...row,
      variants: variantsOf
        .all({ product: row.id })
        .map((variant) => toVariant(variant, historyOf(variant.id))),
    }

  const find = (handle: string): Product | null => whole(byHandle.get({ handle }))
  const movedTo = (handle: string): string | null => former.get({ handle })?.handle ?? null

  return {
    find,
    /**
     * The product of a handle from a page or a link that may be older than the product's present one.
     */
    findFromLink(handle: string): Product | null {
      const present = find(handle)
      const moved = present ? null : movedTo(handle)
      return moved === null ? present : find(moved)
    },
    findId: (id: number): Product | null => whole(byId.get({ id })),
    /** The product of a variant. */
    ofVariant: (variant: number): Product | null => whole(byVariant.get({ variant })),
    /** The present handle of a former one. */
    movedTo,
    /** The handles that a product had before. */
    formerHandles: (product: number): string[] =>
      formerOf.all({ product }).map(({ handle }) => handle),
    count: (): number => count.get()!.products,
    historyOf,

    /** Every product, drafts too, read at once by one statement for each table. */
    list(): Product[] {
      const histories = Map.groupBy(allPrices.iterate(), ({ variant }) => variant)
      const byProduct = Map.groupBy(allVariants.iterate(), ({ product }) => product)
      return allProducts.all().map((row) => ({
        ...row,
        variants: (byProduct.get(row.id) ?? []).map((variant) =>
          toVariant(variant, histories.get(variant.id) ?? []),
        ),
      }))
    },

    ...createStock(db, { siteVersion }),
  }
}

/** Prepares the statements that take pieces and give them back. */
function createStock(db: Database, { siteVersion }: Pick<Platform, 'siteVersion'>) {
  const left = { stock: nullable(integer()) }
  const take = db.prepareWrite(
    `UPDATE variants SET stock = stock - :quantity
     WHERE id = :id AND (stock IS NULL OR stock >= :quantity) RETURNING stock`,
  )
  const restock = db.prepareWrite(
    'UPDATE variants SET stock = stock + :quantity WHERE id = :id RETURNING stock',
  )
  const stockOf = (row: unknown) =>
    row === undefined ? undefined : left.stock.decode((row as { stock: unknown }).stock)

  return {
    /**
     * Takes pieces. Call it inside a transaction. With the last one the lists say that it is sold out.
     * @returns false when there are not so many left
     */
    take(tx: Transaction, variant: number, quantity: number): boolean {
      const stock = stockOf(take.get(tx, { id: variant, quantity }))
      if (stock === 0) siteVersion.changed(tx)
      return stock !== undefined
    },
    /** Gives pieces back that were taken; what was sold out can be bought again. */
    restock(tx: Transaction, variant: number, quantity: number): void {
      const stock = stockOf(restock.get(tx, { id: variant, quantity }))
      if (stock === quantity) siteVersion.changed(tx)
    },
  }
}
