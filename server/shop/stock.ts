import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { Platform } from '../feature.ts'

/** Prepares the statements that take pieces and give them back. */
export function createStock(db: Database, { siteVersion }: Pick<Platform, 'siteVersion'>) {
  const take = db
    .prepareWrite(
      `UPDATE variants SET stock = stock - :quantity
       WHERE id = :id AND (stock IS NULL OR stock >= :quantity) RETURNING stock`,
    )
    .pluck()
  const giveBack = db
    .prepareWrite('UPDATE variants SET stock = stock + :quantity WHERE id = :id RETURNING stock')
    .pluck()

  return {
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
