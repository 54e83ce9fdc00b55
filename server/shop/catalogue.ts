import type { ProductCategory, ProductKind } from '#shared/shop-limits.ts'
import type { VatClass } from '#shared/money.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { Platform } from '../feature.ts'
import { priceAt, type CurrentPrice, type RecordedPrice } from './price-history.ts'

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

/** The products; the only place with their SQL. */
export type Catalogue = ReturnType<typeof createCatalogue>

type ProductRow = Omit<Product, 'published' | 'tags' | 'pictures' | 'madeToOrder' | 'variants'> & {
  published: number
  tags: string
  pictures: string
  madeToOrder: number
}
type VariantRow = Omit<Variant, 'files' | 'price'> & { files: string; product: number }

const columns = `id, handle, title, kind, category, summary, description, vat, published, tags,
  pictures, made_to_order AS madeToOrder, licence, sold_out_note AS soldOutNote,
  created_at AS createdAt, changed_at AS changedAt`

/** Prepares the statements that read the catalogue, and that take pieces and give them back. */
export function createCatalogue(
  db: Database,
  { clock, siteVersion }: Pick<Platform, 'clock' | 'siteVersion'>,
) {
  const all = db.prepare(`SELECT ${columns} FROM products ORDER BY id`)
  const byHandle = db.prepare(`SELECT ${columns} FROM products WHERE handle = ?`)
  const byId = db.prepare(`SELECT ${columns} FROM products WHERE id = ?`)
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
    `SELECT id, product, variant, title, stock, weight, files FROM variants
     WHERE product = ? ORDER BY position, id`,
  )
  const allVariants = db.prepare(
    `SELECT id, product, variant, title, stock, weight, files FROM variants
     ORDER BY product, position, id`,
  )
  const variantById = db.prepare('SELECT product FROM variants WHERE id = ?').pluck()
  const prices = db.prepare(
    'SELECT price, from_at AS fromAt, until_at AS untilAt FROM prices WHERE variant = ? ORDER BY id',
  )
  const allPrices = db.prepare(
    'SELECT variant, price, from_at AS fromAt, until_at AS untilAt FROM prices ORDER BY variant, id',
  )
  const take = db
    .prepareWrite(
      `UPDATE variants SET stock = stock - :quantity
       WHERE id = :id AND (stock IS NULL OR stock >= :quantity) RETURNING stock`,
    )
    .pluck()
  const giveBack = db
    .prepareWrite('UPDATE variants SET stock = stock + :quantity WHERE id = :id RETURNING stock')
    .pluck()

  const historyOf = (variant: number) => prices.all(variant) as RecordedPrice[]
  const withPrice = (row: VariantRow, history: readonly RecordedPrice[]): Variant => ({
    id: row.id,
    variant: row.variant,
    title: row.title,
    stock: row.stock,
    weight: row.weight,
    files: JSON.parse(row.files) as string[],
    price: priceAt(history, clock()),
  })
  const whole = (row: unknown): Product | null =>
    row
      ? toProduct(
          row as ProductRow,
          (variants.all((row as ProductRow).id) as VariantRow[]).map((variant) =>
            withPrice(variant, historyOf(variant.id)),
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
    list(): Product[] {
      const histories = new Map<number, RecordedPrice[]>()
      for (const row of allPrices.iterate()) {
        const { variant, ...price } = row as RecordedPrice & { variant: number }
        const known = histories.get(variant)
        if (known) known.push(price)
        else histories.set(variant, [price])
      }
      const byProduct = new Map<number, Variant[]>()
      for (const row of allVariants.iterate()) {
        const variant = row as VariantRow
        const known = byProduct.get(variant.product)
        const priced = withPrice(variant, histories.get(variant.id) ?? [])
        if (known) known.push(priced)
        else byProduct.set(variant.product, [priced])
      }
      return (all.all() as ProductRow[]).map((row) => toProduct(row, byProduct.get(row.id) ?? []))
    },

    /**
     * Takes pieces; belongs into a transaction. With the last one the lists say that it is sold out.
     * @returns false when there are not so many left
     */
    take(tx: Transaction, variant: number, quantity: number): boolean {
      const left = take.get(tx, { id: variant, quantity }) as number | null | undefined
      if (left === 0) siteVersion.changed(tx)
      return left !== undefined
    },
    /** Gives pieces back that were taken; what was sold out can be bought again. */
    giveBack(tx: Transaction, variant: number, quantity: number): void {
      const left = giveBack.get(tx, { id: variant, quantity }) as number | null | undefined
      if (left === quantity) siteVersion.changed(tx)
    },
  }
}

const toProduct = (row: ProductRow, variants: readonly Variant[]): Product => ({
  ...row,
  published: row.published === 1,
  tags: JSON.parse(row.tags) as string[],
  pictures: JSON.parse(row.pictures) as string[],
  madeToOrder: row.madeToOrder === 1,
  variants,
})
