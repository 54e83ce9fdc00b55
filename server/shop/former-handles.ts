import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'

/** The handles that products had before, which lead to them. */
export type FormerHandles = ReturnType<typeof createFormerHandles>

/** Prepares the statements that write former handles. */
export function createFormerHandles(db: Database) {
  const add = db.prepareWrite(
    `INSERT INTO product_handles (handle, product) VALUES (:handle, :product)
     ON CONFLICT DO UPDATE SET product = :product`,
  )
  const drop = db.prepareWrite('DELETE FROM product_handles WHERE handle = :handle')
  return {
    add: (tx: Transaction, handle: string, product: number) =>
      void add.run(tx, { handle, product }),

    /** Takes a handle that a product has now. */
    drop: (tx: Transaction, handle: string) => void drop.run(tx, { handle }),
  }
}
