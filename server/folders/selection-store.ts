import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import { zipSelections } from './schema.ts'

/** Choices of files that are kept for one folder. */
const maxSelections = 500

/** Prepares the statements of what visitors chose for a ZIP. */
export function createZipSelectionStore(db: Database, { clock }: { clock: () => number }) {
  const insert = zipSelections.insert(
    db,
    'ON CONFLICT (folder, digest) DO UPDATE SET expires_at = max(expires_at, excluded.expires_at)',
  )
  // Of a folder only the newest stay, so choices cannot fill the disk.
  const crowdOut = db.prepareWrite(`DELETE FROM folder_selections WHERE folder = :folder
    AND digest NOT IN (SELECT digest FROM folder_selections WHERE folder = :folder
      ORDER BY expires_at DESC, digest = :digest DESC LIMIT ${maxSelections})`)
  const selected = zipSelections.select(
    db,
    'WHERE folder = :folder AND digest = :digest AND expires_at > :now',
  )
  const forgetSelections = db.prepareWrite(`DELETE FROM folder_selections
    WHERE (folder, digest) IN (SELECT folder, digest FROM folder_selections
      WHERE expires_at < :now LIMIT ${batchSize})`)

  return {
    /** Remembers a choice of files under its digest. */
    keepSelection(
      tx: Transaction,
      folder: number,
      digest: string,
      ids: readonly number[],
      until: number,
    ): void {
      insert(tx, { folder, digest, files: [...ids], expiresAt: until })
      crowdOut.run(tx, { folder, digest })
    },

    /** The ids of a remembered choice, or null when its time is over. */
    selection: (folder: number, digest: string): number[] | null =>
      selected.get({ folder, digest, now: clock() })?.files ?? null,

    /** Forgets a batch of choices whose time is over. @returns how many */
    forgetSelections: (tx: Transaction): number =>
      forgetSelections.run(tx, { now: clock() }).changes,
  }
}
