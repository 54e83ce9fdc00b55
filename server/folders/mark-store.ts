import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { Picker, PickerStore } from './picker-store.ts'
import type { Folder } from './store.ts'

/** What one picker says about one file. */
export type Pick = { path: string; heart: boolean; comment: string | null }

/** What one picker may write: bytes of all comments. */
const mostCommented = 100_000

/** Prepares the statements of hearts and comments. */
export function createMarkStore(
  db: Database,
  { clock, open }: { clock: () => number } & { open: PickerStore['open'] },
) {
  const mark =
    db.prepareWrite(`INSERT INTO folder_picks VALUES (:picker, :file, :heart, :comment, :now)
    ON CONFLICT (picker, file) DO UPDATE SET heart = :heart, comment = :comment, at = :now`)
  const unmark = db.prepareWrite('DELETE FROM folder_picks WHERE picker = :picker AND file = :file')
  const marked = db.prepare(`SELECT heart, comment FROM folder_picks
    WHERE picker = :picker AND file = :file`)
  const marks = db.prepare(`SELECT file, heart, comment FROM folder_picks WHERE picker = :picker
    AND file IN (SELECT value FROM json_each(:files))`)
  const hearts = db
    .prepare(`SELECT file FROM folder_picks JOIN folder_files ON folder_files.id = file
    WHERE picker = :picker AND heart = 1 ORDER BY position`)
    .pluck()
  const picks = db.prepare(`SELECT path, heart, comment FROM folder_picks
    JOIN folder_files ON folder_files.id = file WHERE picker = :picker ORDER BY position`)
  const commented = db
    .prepare(`SELECT coalesce(sum(octet_length(comment)), 0) FROM folder_picks
      WHERE picker = :picker AND file <> :file`)
    .pluck()

  return {
    /** What a visitor has marked among some files. */
    marks: (picker: number, files: readonly number[]) =>
      marks.all({ picker, files: JSON.stringify(files) }) as {
        file: number
        heart: number
        comment: string | null
      }[],

    /** The ids of a picker's favourites, in the order of the page. */
    hearts: (picker: number) => hearts.all({ picker }) as number[],

    /**
     * Marks a file; what is left out stays as it is. Belongs into a transaction.
     * @throws clash when the picks are locked
     */
    mark(
      tx: Transaction,
      folder: Folder,
      visitor: string,
      file: number,
      change: { heart?: boolean | undefined; comment?: string | undefined },
    ): Picker {
      const picker = open(tx, folder, visitor)
      const before = marked.get({ picker: picker.id, file }) as
        | { heart: number; comment: string | null }
        | undefined
      const heart = change.heart ?? before?.heart === 1
      const comment = change.comment === undefined ? (before?.comment ?? null) : change.comment
      if (change.comment) {
        const others = commented.get({ picker: picker.id, file }) as number
        if (others + Buffer.byteLength(change.comment) > mostCommented) {
          throw failure('clash', { message: 'There is no room for more comments here.' })
        }
      }
      const row = { picker: picker.id, file, now: clock() }
      if (heart || comment) mark.run(tx, { ...row, heart: heart ? 1 : 0, comment: comment || null })
      else unmark.run(tx, { picker: picker.id, file })
      return picker
    },

    /** Whether a visitor has a file among his favourites. */
    isHearted: (picker: number, file: number) =>
      (marked.get({ picker, file }) as { heart: number } | undefined)?.heart === 1,

    /** What a visitor has picked so far, in the order of the page. */
    picksOf: (picker: number): Pick[] =>
      (picks.all({ picker }) as { path: string; heart: number; comment: string | null }[]).map(
        (pick) => ({ ...pick, heart: pick.heart === 1 }),
      ),
  }
}
