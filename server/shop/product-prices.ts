import { addDays, dateAt } from '#shared/civil-dates.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Catalogue } from './catalogue.ts'
import { priceAt } from './price-history.ts'
import { beginOf, type ProductFile } from './product-file.ts'

/** Records a price of a variant, or a reduction where it has an end. */
export type RecordPrice = (
  tx: Transaction,
  variant: number,
  price: { cents: number; fromAt: number; untilAt?: number | null },
) => void

/** Adds the prices of a file that are not recorded yet; those of one day are the same by their sum. */
export function savePrices(
  tx: Transaction,
  {
    catalogue,
    price,
    clock,
    variant,
  }: { catalogue: Catalogue; price: RecordPrice; clock: () => number; variant: number },
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
