import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'

/** Prepares the statements by which mails are forgotten and erased. */
export function createMailRetention(db: Database) {
  const settledKinds = db.prepare('SELECT DISTINCT kind FROM mails WHERE due_at IS NULL').pluck()
  const forgetSettled = db.prepareWrite(`DELETE FROM mails WHERE id IN (SELECT id FROM mails
    WHERE due_at IS NULL AND kind = :kind AND settled_at < :before LIMIT ${batchSize})`)
  const forgetOrphans = db.prepareWrite(`DELETE FROM mails WHERE due_at IS NULL
    AND kind IN (SELECT value FROM json_each(:kinds)) AND reference IS NOT NULL
    AND reference NOT IN (SELECT value FROM json_each(:known))`)
  const remove = db.prepareWrite(
    'DELETE FROM mails WHERE id IN (SELECT value FROM json_each(:ids))',
  )

  return {
    /** Removes mails, also those that wait. @returns how many there were */
    remove: (tx: Transaction, ids: readonly number[]): number =>
      remove.run(tx, { ids: JSON.stringify(ids) }).changes,

    /** The kinds of which there are settled mails. */
    settledKinds: () => settledKinds.all() as string[],

    /** Forgets a batch of mails of a kind that were settled before an instant. @returns how many */
    forgetSettled: (tx: Transaction, kind: string, before: number): number =>
      forgetSettled.run(tx, { kind, before }).changes,

    /** Forgets settled mails of some kinds whose reference is none of those that are known. */
    forgetOrphans: (
      tx: Transaction,
      { kinds, known }: { kinds: readonly string[]; known: readonly string[] },
    ) => void forgetOrphans.run(tx, { kinds: JSON.stringify(kinds), known: JSON.stringify(known) }),
  }
}
