import { longDate } from '#shared/dates/date-format.ts'
import { addDays, dateAt } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { euros } from '#shared/money.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { newNumber } from '../../db/numbers.ts'
import { integer, query } from '../../db/table.ts'
import type { Platform } from '../../feature.ts'
import { prices, productHandles, products, variants } from '../schema.ts'
import type { Catalogue } from './catalogue.ts'
import { checkLicences } from './licence-terms.ts'
import { lowestBefore, priceAt, type RecordedPrice } from './price-history.ts'
import type { Variant } from './product.ts'
import { beginOf, type ProductFile } from './product-file.ts'

/** Writes the catalogue. Call everything inside a transaction; it tells that the site has changed. */
export type Editing = ReturnType<typeof createEditing>

/** A price to record; a reduction where it has an end. Cents including VAT, milliseconds. */
export type NewPrice = { cents: number; fromAt: number; untilAt?: number | null }

/**
 * An order of nothing waits for a payment that never comes, and a price of nothing is more often a
 * mistake than a present. What a file tells of the past is left as it was.
 * @throws invalid
 */
function checkPrice({ cents, fromAt, untilAt = null }: NewPrice, now: number): void {
  const isOfNow = untilAt === null ? fromAt >= now : untilAt > now
  if (cents > 0 || !isOfNow) return
  throw failure('invalid', { message: 'A price is €0.01 or more; nothing can be sold for €0.00.' })
}

/** Prepares the writing statements of the catalogue; prices are only ever added. */
export function createEditing(
  { db, clock, siteVersion }: Pick<Platform, 'db' | 'clock' | 'siteVersion'>,
  catalogue: Catalogue,
) {
  const facts = [
    'title',
    'kind',
    'category',
    'summary',
    'description',
    'vat',
    'published',
    'tags',
    'pictures',
    'madeToOrder',
    'licence',
    'soldOutNote',
    'dispatch',
    'maker',
    'safety',
    'customs',
    'changedAt',
  ] as const
  const insert = products.insert(db)
  const update = products.update(db, facts, 'WHERE id = :id')
  const setHandle = products.update(db, ['handle', 'changedAt'], 'WHERE id = :id')
  const setPublished = products.update(db, ['published', 'changedAt'], 'WHERE id = :id')
  const addHandle = productHandles.insert(
    db,
    'ON CONFLICT DO UPDATE SET product = excluded.product',
  )
  const dropHandle = db.prepareWrite('DELETE FROM product_handles WHERE handle = :handle')
  const insertVariant = variants.insert(db)
  const freeVariant = query(db, `SELECT ${newNumber('variants')} AS id`, { id: integer() })
  const updateVariant = variants.update(
    db,
    ['title', 'position', 'stock', 'weight', 'sku', 'size', 'files', 'licence', 'wall', 'volume'],
    'WHERE id = :id',
  )
  const setStock = variants.update(db, ['stock'], 'WHERE id = :id')
  const dropVariants = db.prepareWrite(
    `DELETE FROM variants WHERE product = :product
       AND variant NOT IN (SELECT value FROM json_each(:kept))`,
  )
  const addPrice = prices.insert(db)

  const price = (
    tx: Transaction,
    variant: number,
    { cents, fromAt, untilAt = null }: NewPrice,
  ): void => {
    checkPrice({ cents, fromAt, untilAt }, clock())
    if (untilAt !== null) {
      checkReduction(catalogue.historyOf(variant), { cents, fromAt, untilAt })
    }
    addPrice(tx, { variant, price: cents, fromAt, untilAt, recordedAt: clock() })
    siteVersion.changed(tx)
  }

  /** Adds the prices of a file that are not recorded yet; those of one day are the same by their sum. */
  const savePrices = (
    tx: Transaction,
    variant: number,
    {
      cents,
      history,
      reduction,
    }: { cents: number; history: ProductFile['history']; reduction: ProductFile['reduction'] },
  ): void => {
    const recorded = catalogue.historyOf(variant)
    const isKnown = (sum: number, from: string, to: string | undefined) =>
      catalogue
        .historyOf(variant)
        .some(
          ({ price: known, fromAt, untilAt }) =>
            known === sum &&
            dateAt(fromAt) === from &&
            (untilAt === null ? undefined : dateAt(untilAt - 1)) === to,
        )
    /** When a price begins that is not recorded yet. */
    const beginning = (sum: number, from: string, to: string | undefined): number => {
      if (recorded.length === 0) return beginOf(from)
      const first = Math.min(...recorded.map(({ fromAt }) => fromAt))
      const isPast = from < dateAt(clock())
      // Reductions look back on what was charged; only what was before that can be told later.
      if (isPast && (to !== undefined || beginOf(from) >= first)) {
        throw failure('wrong-state', {
          message: `A price of ${euros(sum)} from ${longDate(from)} isn’t in the price history, and past prices can’t be changed.`,
        })
      }
      return isPast ? beginOf(from) : Math.max(beginOf(from), clock())
    }
    /** Makes the price of the file the one of now. */
    const stand = () => {
      const standing = priceAt(
        catalogue.historyOf(variant).filter(({ untilAt }) => untilAt === null),
        clock(),
      )
      if (standing?.price !== cents) price(tx, variant, { cents, fromAt: clock() })
    }
    // A reduction looks back on the prices before it.
    const ordered = history.toSorted((a, b) => Number(Boolean(a.to)) - Number(Boolean(b.to)))
    for (const { price: sum, from, to } of reduction ? [...ordered, reduction] : ordered) {
      if (to !== undefined) stand()
      if (isKnown(sum, from, to)) continue
      const untilAt = to === undefined ? null : beginOf(addDays(to, 1))
      price(tx, variant, { cents: sum, fromAt: beginning(sum, from, to), untilAt })
    }
    stand()
  }

  const saveVariants = (
    tx: Transaction,
    product: number,
    { variants: wanted, history, reduction }: ProductFile,
  ): void => {
    const before = catalogue.findId(product)?.variants ?? []
    dropVariants.run(tx, { product, kept: JSON.stringify(wanted.map(({ variant }) => variant)) })
    for (const [position, each] of wanted.entries()) {
      const known = before.find(({ variant }) => variant === each.variant)
      const {
        variant,
        title,
        weight = null,
        sku = null,
        size = null,
        files,
        licence = null,
        wall = null,
        volume = null,
      } = each
      const row = {
        title,
        position,
        stock: stockOf(each, before),
        weight,
        sku,
        size,
        files,
        licence,
        wall,
        volume,
      }
      const id = known?.id ?? freeVariant.get({ now: clock() })!.id
      if (known) updateVariant(tx, row, { id })
      else insertVariant(tx, { ...row, id, product, variant })
      savePrices(tx, id, {
        cents: each.price,
        history: history.filter((past) => past.variant === variant),
        reduction: reduction?.variant === variant ? reduction : undefined,
      })
    }
  }

  return {
    /** Records a price. @throws wrong-state for a reduction that may not be announced, and says why */
    price,

    /**
     * Adds a product, or makes the one with its handle what the file says.
     * @param description rich text, read from its file where it is in one
     * @throws wrong-state for a reduction that may not be announced; invalid for a licence that contradicts
     */
    save(tx: Transaction, file: ProductFile, description: string): void {
      const now = clock()
      const known = catalogue.find(file.handle)
      const stocked = file.variants.map((each) => ({
        ...each,
        stock: stockOf(each, known?.variants ?? []),
      }))
      checkLicences({ ...file, variants: stocked }, description)
      const row = {
        handle: file.handle,
        title: file.title,
        kind: file.kind,
        category: file.category,
        summary: file.summary,
        description,
        vat: file.vat,
        published: file.published,
        tags: file.tags,
        pictures: file.pictures,
        madeToOrder: file.madeToOrder,
        licence: file.licence ?? null,
        soldOutNote: file.soldOutNote ?? null,
        dispatch: file.dispatch ?? null,
        maker: file.maker ?? null,
        safety: file.safety ?? null,
        customs: file.customs ?? null,
        changedAt: now,
      }
      if (known) update(tx, row, { id: known.id })
      const product = known?.id ?? insert(tx, { ...row, createdAt: now })!.id
      dropHandle.run(tx, { handle: file.handle })
      for (const handle of file.formerHandles) addHandle(tx, { handle, product })
      saveVariants(tx, product, file)
      siteVersion.changed(tx)
    },

    /** Gives a product another handle; the old one leads to it from then on. */
    rename(
      tx: Transaction,
      { id, handle: from }: { id: number; handle: string },
      to: string,
    ): void {
      dropHandle.run(tx, { handle: to })
      setHandle(tx, { handle: to, changedAt: clock() }, { id })
      addHandle(tx, { handle: from, product: id })
      siteVersion.changed(tx)
    },

    publish(tx: Transaction, id: number, published: boolean): void {
      setPublished(tx, { published, changedAt: clock() }, { id })
      siteVersion.changed(tx)
    },

    /** @param stock pieces; null where there is no end of them */
    setStock(tx: Transaction, variant: number, stock: number | null): void {
      setStock(tx, { stock }, { id: variant })
      siteVersion.changed(tx)
    },
  }
}

/** The pieces of a variant of a file; one that says nothing of them leaves them alone. */
const stockOf = (
  { variant, stock }: ProductFile['variants'][number],
  present: readonly Variant[],
): number | null =>
  stock === undefined ? (present.find((each) => each.variant === variant)?.stock ?? null) : stock

/**
 * A reduction has to show the lowest price of the thirty days before it (Consumer Protection Act
 * 2:11), and has to be below it.
 * @throws wrong-state when it may not be announced, and why
 */
function checkReduction(
  history: readonly RecordedPrice[],
  { cents, fromAt, untilAt }: { cents: number; fromAt: number; untilAt: number },
): void {
  const refuse = (message: string) => failure('wrong-state', { message })
  if (untilAt <= fromAt) throw refuse('The sale ends before it begins.')
  const lowest = lowestBefore(history, fromAt)
  if (lowest === null) {
    const first = history.reduce((earliest, { fromAt: at }) => Math.min(earliest, at), Infinity)
    const day = Number.isFinite(first) ? longDate(addDays(dateAt(first), 30)) : null
    throw refuse(
      'A sale must show the lowest price of the previous 30 days; this variant has no price that old' +
        (day ? ` before ${day}.` : '.'),
    )
  }
  if (cents >= lowest) {
    throw refuse(
      `This isn’t a reduction: the lowest price of the previous 30 days is ${euros(lowest)}.`,
    )
  }
}
