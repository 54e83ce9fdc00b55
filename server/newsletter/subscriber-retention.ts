import { dayMs } from '#shared/durations.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize, inBatches } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'

/** Milliseconds for which a client's network, and an address that never confirmed, are kept. */
const keptMs = 30 * dayMs

/** Prepares the statements by which addresses are erased, and what has served its time forgotten. */
export function createSubscriberRetention(db: Database, { clock }: { clock: () => number }) {
  const erase = db.prepareWrite('DELETE FROM subscribers WHERE email = :email')
  const forgetNetworks = db.prepareWrite(`UPDATE subscriber_events SET network = NULL
    WHERE id IN (SELECT id FROM subscriber_events
      WHERE network IS NOT NULL AND at < :before LIMIT ${batchSize})`)
  const forgetPending = db.prepareWrite(`DELETE FROM subscribers WHERE id IN (SELECT id
    FROM subscribers WHERE status = 'pending' AND since < :before LIMIT ${batchSize})`)
  const forgetGrants = db.prepareWrite(`DELETE FROM subscriber_confirmations WHERE id IN (SELECT id
    FROM subscriber_confirmations WHERE at < :before LIMIT ${batchSize})`)

  return {
    /** Forgets an address with its whole history. @returns whether it was there */
    erase: (tx: Transaction, email: string): boolean => erase.run(tx, { email }).changes === 1,

    /** Forgets what has served its time: networks, addresses that never confirmed, old limits. */
    async forgetOld(): Promise<void> {
      const before = clock() - keptMs
      await inBatches(db.commit, (tx) => forgetNetworks.run(tx, { before }).changes)
      await inBatches(db.commit, (tx) => forgetPending.run(tx, { before }).changes)
      const grants = { before: clock() - 3 * dayMs }
      await inBatches(db.commit, (tx) => forgetGrants.run(tx, grants).changes)
    },
  }
}
