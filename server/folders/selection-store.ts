import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'

/** Choices of files that are kept for one folder. */
const mostSelections = 500

/** Prepares the statements of what visitors chose for a ZIP. */
export function createSelectionStore(db: Database, { clock }: { clock: () => number }) {
  const select =
    db.prepareWrite(`INSERT INTO folder_selections VALUES (:folder, :digest, :files, :until)
    ON CONFLICT (folder, digest) DO UPDATE SET expires_at = max(expires_at, :until)`)
  // Of a folder only the newest stay, so that choices cannot fill the disk.
  const crowdOut = db.prepareWrite(`DELETE FROM folder_selections WHERE folder = :folder
    AND digest NOT IN (SELECT digest FROM folder_selections WHERE folder = :folder
      ORDER BY expires_at DESC, digest = :digest DESC LIMIT ${mostSelections})`)
  const selected = db
    .prepare(`SELECT files FROM folder_selections
    WHERE folder = :folder AND digest = :digest AND expires_at > :now`)
    .pluck()
  const forgetSelections = db.prepareWrite('DELETE FROM folder_selections WHERE expires_at < :now')

  return {
    /** Remembers a choice of files under its digest. */
    keepSelection(
      tx: Transaction,
      folder: number,
      digest: string,
      ids: readonly number[],
      until: number,
    ): void {
      select.run(tx, { folder, digest, files: JSON.stringify(ids), until })
      crowdOut.run(tx, { folder, digest })
    },

    /** The ids of a remembered choice, or null when its time is over. */
    selection(folder: number, digest: string): number[] | null {
      const kept = selected.get({ folder, digest, now: clock() }) as string | undefined
      return kept === undefined ? null : (JSON.parse(kept) as number[])
    },

    forgetSelections: (tx: Transaction) => void forgetSelections.run(tx, { now: clock() }),
  }
}
