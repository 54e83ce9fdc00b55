import { dateAt, dayStart } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { decimal, euros, parseEuros } from '#shared/money.ts'
import type * as z from 'zod'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { withoutByteOrderMark } from '../../text/decoded-text.ts'
import { inWordsForStaff } from '../../text/schema-words.ts'
import type { Catalogue } from './catalogue.ts'
import type { Editing } from './editing.ts'
import type { LicenceTerms } from '#shared/shop/licences.ts'
import { termsOf, type VariantLicence } from './licence-terms.ts'
import type { Product, Variant } from './product.ts'
import { productSchema, toFile, type ProductFile } from './product-file.ts'
import { changesOfSheet, sheetRowsOf, type SheetRecord } from './product-sheet.ts'

/** What staff do with products. */
export type ProductActs = ReturnType<typeof createProductActs>

/** What changes of a product; every value is checked as in a file. */
export type ProductChange = Readonly<Record<string, unknown>>

class Rehearsed extends Error {}

/** Creates the staff's acts on products: each is one transaction with its timeline entry. */
export function createProductActs(
  { commit, clock, timeline }: Pick<Platform, 'commit' | 'clock' | 'timeline'>,
  { catalogue, editing }: { catalogue: Catalogue; editing: Editing },
) {
  /** @throws missing, with its present handle where it has moved */
  const known = (handle: string): Product => {
    const product = catalogue.find(handle)
    if (product) return product
    const moved = catalogue.movedTo(handle)
    throw failure('missing', {
      message: moved ? `${handle} has been renamed ${moved}.` : `Product not found: ${handle}.`,
    })
  }

  /** @throws missing, with the names that there are */
  const knownVariant = (handle: string, name: string): { product: Product; variant: Variant } => {
    const product = known(handle)
    const variant = product.variants.find((each) => each.variant === name)
    if (variant) return { product, variant }
    const names = product.variants.map((each) => each.variant).join(', ')
    throw failure('missing', {
      message: `${product.handle} has no variant ${name}; it has ${names}.`,
    })
  }

  /** Does something with a product, and writes down who did. */
  const perform = <Result>(
    actor: string,
    act: string,
    work: Parameters<typeof commit<{ product: Product; result: Result; note?: string }>>[0],
  ): Promise<Result> =>
    commit((tx) => {
      const { product, result, note = null } = work(tx)
      timeline.record(tx, { thing: 'product', thingId: String(product.id), actor, act, note })
      return result
    })

  const asFile = (product: Product) =>
    toFile(product, {
      historyOf: catalogue.historyOf,
      formerHandles: catalogue.formerHandles(product.id),
      now: clock(),
    })

  /** Runs an import as one transaction, of which a rehearsal keeps nothing. */
  const together = async (
    { rehearse = false }: { rehearse?: boolean },
    work: (tx: Transaction) => void,
  ): Promise<void> => {
    try {
      await commit((tx) => {
        work(tx)
        if (rehearse) throw new Rehearsed()
      })
    } catch (error) {
      if (!(error instanceof Rehearsed)) throw error
    }
  }

  /** What an export would say of a product, to see whether an import changes it. */
  const exported = (handle: string): string | null => {
    const product = catalogue.find(handle)
    return product && JSON.stringify(asFile(product))
  }

  /**
   * Saves a product of an import. Call inside a transaction.
   * @returns what that did to it
   * @throws an Error that names it
   */
  const saveImported = (
    tx: Transaction,
    { product, description, actor }: { product: ProductFile; description: string; actor: string },
  ): 'added' | 'changed' | 'same' => {
    const before = exported(product.handle)
    try {
      editing.save(tx, product, description)
    } catch (error) {
      throw new Error(`${product.handle}: ${(error as Error).message}`, { cause: error })
    }
    if (exported(product.handle) === before) return 'same'
    const thingId = String(known(product.handle).id)
    timeline.record(tx, { thing: 'product', thingId, actor, act: 'imported' })
    return before === null ? 'added' : 'changed'
  }

  return {
    known,
    /** A product as a file has it. */
    asFile,

    /**
     * Adds a product as a draft.
     * @throws duplicate when its handle is taken; invalid with every mistake
     */
    add: (product: ProductChange & { handle: string }, actor: string): Promise<void> =>
      perform(actor, 'added', (tx) => {
        if (catalogue.find(product.handle)) {
          throw failure('duplicate', {
            message: `${product.handle} already exists; see products edit.`,
          })
        }
        const file = checked(product)
        editing.save(tx, file, descriptionOf(file))
        return { product: known(file.handle), result: undefined }
      }),

    /** Changes what is said about a product. @throws missing; invalid with every mistake */
    edit: (handle: string, change: ProductChange, actor: string): Promise<void> =>
      perform(actor, 'changed', (tx) => {
        const product = known(handle)
        const file = checked({ ...asFile(product), ...change })
        editing.save(tx, file, descriptionOf(file))
        return { product, result: undefined, note: Object.keys(change).join(', ') }
      }),

    /** Shows a product in the shop, or takes it out. @throws missing; wrong-state without a price */
    publish: (handle: string, published: boolean, actor: string): Promise<void> =>
      perform(actor, published ? 'published' : 'unpublished', (tx) => {
        const product = known(handle)
        if (published && product.variants.every(({ price }) => price === null)) {
          throw failure('wrong-state', { message: `${product.handle} has no price yet.` })
        }
        editing.publish(tx, product.id, published)
        return { product, result: undefined }
      }),

    /** Gives a product another handle; the old address leads to the new one. @throws missing, duplicate */
    rename: (from: string, to: string, actor: string): Promise<void> =>
      perform(actor, 'renamed', (tx) => {
        const product = known(from)
        if (catalogue.find(to)) throw failure('duplicate', { message: `${to} already exists.` })
        editing.rename(tx, product, to)
        return { product, result: undefined, note: `${from} → ${to}` }
      }),

    /**
     * Sets a price from an instant on, or now; with an end it is a reduction.
     * @param price cents including VAT, milliseconds of the epoch
     * @returns when it begins
     * @throws missing; wrong-state for a price in the past, and for a reduction that may not be announced
     */
    price: (
      { handle, variant: name }: { handle: string; variant: string },
      {
        cents,
        fromAt,
        untilAt = null,
      }: { cents: number; fromAt?: number; untilAt?: number | null },
      actor: string,
    ): Promise<number> =>
      perform(actor, untilAt === null ? 'price' : 'reduction', (tx) => {
        const { product, variant } = knownVariant(handle, name)
        const now = clock()
        // Reductions look back on prices, so none is written into the past.
        if (fromAt !== undefined && fromAt < dayStart(dateAt(now))) {
          throw failure('wrong-state', { message: 'A price can’t begin in the past.' })
        }
        const from = Math.max(fromAt ?? now, now)
        editing.price(tx, variant.id, { cents, fromAt: from, untilAt })
        return { product, result: from, note: `${name}: ${euros(cents)}` }
      }),

    /**
     * Sets how many pieces there are, or adds some.
     * @param wanted `pieces` null for no end of them, or `added`
     * @returns how many there are now
     * @throws missing
     */
    stock: (
      { handle, variant: name }: { handle: string; variant: string },
      wanted: { pieces: number | null } | { added: number },
      actor: string,
    ): Promise<number | null> =>
      perform(actor, 'stock', (tx) => {
        const { product, variant } = knownVariant(handle, name)
        const stock = 'added' in wanted ? (variant.stock ?? 0) + wanted.added : wanted.pieces
        editing.setStock(tx, variant.id, stock)
        return { product, result: stock, note: `${name}: ${stock ?? 'unlimited'}` }
      }),

    /**
     * Says what a piece costs from a number of pieces on; none of it is a reduction, which has an end.
     * @param steps cents including VAT; none takes them away
     * @throws missing; invalid for steps that don't go down from the price of a single piece, or for pieces
     *   that a cart doesn't take
     */
    volume: (
      { handle, variant: name }: { handle: string; variant: string },
      steps: readonly { from: number; price: number }[],
      actor: string,
    ): Promise<void> =>
      perform(actor, 'volume prices', (tx) => {
        const { product } = knownVariant(handle, name)
        const file = asFile(product)
        const standing = file.variants.find((each) => each.variant === name)?.price
        const single = standing === undefined ? null : parseEuros(standing)
        // More than the price of a single piece counts nowhere and would only be a mistyped price.
        const dear = steps.find(({ price }) => single !== null && price >= single)
        if (dear && single !== null) {
          throw failure('invalid', {
            message: `A single piece costs ${euros(single)}, so ${dear.from} or more at ${euros(dear.price)} wouldn’t be less.`,
          })
        }
        const volume = steps.map(({ from, price }) => ({ from, price: decimal(price) }))
        const variants = file.variants.map((each) => {
          if (each.variant !== name) return each
          const { volume: _before, ...rest } = each
          return volume.length > 0 ? { ...rest, volume } : rest
        })
        const changed = checked({ ...file, variants })
        editing.save(tx, changed, descriptionOf(changed))
        const note = volume.map(({ from, price }) => `${from} or more €${price}`).join(', ')
        return { product, result: undefined, note: `${name}: ${note || 'none'}` }
      }),

    /**
     * Changes what a variant is called and how it is packed. What is left out stays as it is, and null
     * takes it away; every value is checked as in a file.
     * @throws missing; invalid for a value that is none
     */
    variant: (
      { handle, variant: name }: { handle: string; variant: string },
      facts: Readonly<Partial<Record<'title' | 'sku' | 'weight' | 'size', unknown>>>,
      actor: string,
    ): Promise<void> =>
      perform(actor, 'variant changed', (tx) => {
        const { product } = knownVariant(handle, name)
        const file = asFile(product)
        const variants = file.variants.map((each) =>
          each.variant === name
            ? Object.fromEntries(
                Object.entries({ ...each, ...facts }).filter(([, value]) => value !== null),
              )
            : each,
        )
        const changed = checked({ ...file, variants })
        editing.save(tx, changed, descriptionOf(changed))
        return { product, result: undefined, note: `${name}: ${Object.keys(facts).join(', ')}` }
      }),

    /**
     * Says what a variant's licence allows. What is left out stays as it is.
     * @throws missing; invalid where it contradicts the product, its texts or its kind of licence
     */
    licence: (
      { handle, variant: name }: { handle: string; variant: string },
      terms: VariantLicence,
      actor: string,
    ): Promise<LicenceTerms | null> =>
      perform(actor, 'licence', (tx) => {
        const { product } = knownVariant(handle, name)
        const file = asFile(product)
        const variants = file.variants.map((each) =>
          each.variant === name ? { ...each, licence: { ...each.licence, ...terms } } : each,
        )
        const changed = checked({ ...file, variants })
        editing.save(tx, changed, descriptionOf(changed))
        const now = knownVariant(handle, name).variant
        return { product, result: termsOf(product.licence, now.licence), note: name }
      }),

    /** The lines of a product in a spreadsheet. */
    sheetRows: (product: Product) => sheetRowsOf(asFile(product), clock()),

    /**
     * Adds and changes products of a file, all or none.
     * @returns how many were added and changed
     * @throws an Error that names the product when one is wrong; nothing has changed then
     */
    async import(
      read: readonly { product: ProductFile; description: string }[],
      options: { actor: string; rehearse?: boolean },
    ): Promise<{ added: number; changed: number }> {
      const done = { added: 0, changed: 0, same: 0 }
      await together(options, (tx) => {
        for (const { product, description } of read) {
          done[saveImported(tx, { product, description, actor: options.actor })] += 1
        }
      })
      return done
    },

    /**
     * Adds and changes what the lines of a spreadsheet say, all or none; what they don't say is left
     * alone.
     * @returns how many products were added and changed, and the variants that are new in known ones
     * @throws an Error that names every line, or the product, that is wrong; nothing has changed then
     */
    async importSheet(
      records: readonly SheetRecord[],
      { isNarrow, ...options }: { actor: string; rehearse?: boolean; isNarrow: boolean },
    ): Promise<{ added: number; changed: number; variants: string[] }> {
      const done = { added: 0, changed: 0, variants: [] as string[] }
      await together(options, (tx) => {
        const find = (handle: string) => {
          const product = catalogue.find(handle)
          return product && asFile(product)
        }
        for (const { product, lines } of changesOfSheet(records, {
          find,
          now: clock(),
          isNarrow,
        })) {
          const before = find(product.handle)
          const file = checked(product, `${product.handle} (line ${lines.join(', ')}): `)
          saveImported(tx, {
            product: file,
            description: descriptionOf(file),
            actor: options.actor,
          })
          done[before ? 'changed' : 'added'] += 1
          const names = before?.variants.map(({ variant }) => variant)
          for (const { variant } of names ? file.variants : []) {
            if (!names!.includes(variant)) done.variants.push(`${file.handle} ${variant}`)
          }
        }
      })
      return done
    },
  }
}

/** @throws invalid with every mistake and its field */
function checked(product: ProductChange, place = ''): ProductFile {
  const read = productSchema.safeParse(product satisfies z.input<z.ZodUnknown>, inWordsForStaff)
  if (read.success) return read.data
  const problems = read.error.issues.map(
    ({ path, message }) => `${place}${path.map(String).join('.')}: ${message}`,
  )
  throw failure('invalid', { message: problems.join('\n') })
}

const descriptionOf = ({ description }: ProductFile): string =>
  typeof description === 'string' ? withoutByteOrderMark(description) : ''
