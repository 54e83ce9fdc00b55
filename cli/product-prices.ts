import type { Command } from 'commander'
import type { Context } from '#server/context.ts'
import type { Variant } from '#server/shop/product.ts'
import { lowestBefore } from '#server/shop/price-history.ts'
import { addDays, dateAt, dayStart } from '#shared/civil-dates.ts'
import { officeDate } from '#shared/helsinki-time.ts'
import { decimal } from '#shared/money.ts'
import * as options from './options.ts'
import { knownVariant } from './product-lookup.ts'
import { cents, pieces, type Pieces } from './product-options.ts'
import type { Print } from './print.ts'
import type { UseContext } from './command.ts'

/** `products price` and `products stock`. */
export function addProductPrices(products: Command, useContext: UseContext, print: Print): void {
  products
    .command('price <handle> <variant> <euros>')
    .description('set a price from now on; with --to it is a reduction, which ends')
    .addOption(options.from())
    .addOption(options.to())
    .action(
      async (
        name: string,
        variantName: string,
        euros: string,
        told: { from?: number; to?: number },
      ) => {
        const context = await useContext()
        const { product, variant } = knownVariant(context, name, variantName)
        const amount = cents(euros)
        const fromAt = beginOf(context, told.from)
        const untilAt = told.to ?? null
        if (untilAt !== null) mayReduce(context, variant, { amount, fromAt, untilAt })
        await context.commit((tx) =>
          context.features.shop.editing.price(tx, variant.id, { cents: amount, fromAt, untilAt }),
        )
        const range =
          untilAt === null
            ? `from ${officeDate(dateAt(fromAt))}`
            : `from ${officeDate(dateAt(fromAt))} to ${officeDate(dateAt(untilAt - 1))}`
        print.line(`${product.handle} ${variant.variant}: ${decimal(amount)} € ${range}`)
      },
    )

  products
    .command('stock <handle> <variant> <pieces>')
    .description('set how many pieces are there: a number, +5 for a delivery, or "unlimited"')
    .action(async (name: string, variantName: string, text: string) => {
      const wanted: Pieces = pieces(text)
      const context = await useContext()
      const { commit, features } = context
      const now = await commit((tx) => {
        const { variant } = knownVariant(context, name, variantName)
        const stock = wanted.added === null ? wanted.pieces : (variant.stock ?? 0) + wanted.added
        features.shop.editing.setStock(tx, variant.id, stock)
        return stock
      })
      print.line(`${name} ${variantName}: ${now ?? 'unlimited'}`)
    })
}

/** When a price begins. A price is never written into the past: reductions look back on it. */
function beginOf({ clock }: Context, from: number | undefined): number {
  if (from === undefined) return clock()
  const today = dayStart(dateAt(clock()))
  if (from < today) throw new Error('A price cannot begin in the past.')
  return Math.max(from, clock())
}

/** @throws when a reduction may not be announced, and why */
function mayReduce(
  { features }: Context,
  variant: Variant,
  { amount, fromAt, untilAt }: { amount: number; fromAt: number; untilAt: number },
): void {
  if (untilAt <= fromAt) throw new Error('The reduction ends before it begins.')
  const history = features.shop.catalogue.historyOf(variant.id)
  const lowest = lowestBefore(history, fromAt)
  if (lowest === null) {
    const first = Math.min(...history.map((each) => each.fromAt))
    const day = Number.isFinite(first) ? officeDate(addDays(dateAt(first), 30)) : null
    throw new Error(
      'A reduction has to show the lowest price of the thirty days before it; this variant has no price that is so old' +
        (day ? ` before ${day}.` : '.'),
    )
  }
  if (amount >= lowest) {
    throw new Error(
      `This is no reduction: the lowest price of the thirty days before it is ${decimal(lowest)} €.`,
    )
  }
}
