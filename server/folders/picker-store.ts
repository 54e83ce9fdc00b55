import { failure } from '#shared/failures.ts'
import type { FolderPicks } from '#shared/folders.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { Folder } from './store.ts'

/** A visitor who picks in a folder. Times are milliseconds of the epoch. */
export type Picker = {
  readonly id: number
  readonly name: string | null
  readonly round: number
  readonly submittedAt: number | null
  readonly createdAt: number
}

const columns = 'id, name, round, submitted_at AS submittedAt, created_at AS createdAt'

/** Who may pick in one folder. */
const mostPickers = 5000

/** Those who pick; see {@link createPickerStore}. */
export type PickerStore = ReturnType<typeof createPickerStore>

/** Prepares the statements of those who pick, and of how far they are. */
export function createPickerStore(db: Database, { clock }: { clock: () => number }) {
  const find = db.prepare(`SELECT ${columns} FROM folder_pickers
    WHERE folder = :folder AND visitor = :visitor`)
  const insert = db.prepareWrite(`INSERT INTO folder_pickers (folder, visitor, created_at)
    VALUES (:folder, :visitor, :now) ON CONFLICT DO NOTHING`)
  const count = db.prepare('SELECT count(*) FROM folder_pickers WHERE folder = :folder').pluck()
  const pickers = db.prepare(`SELECT ${columns} FROM folder_pickers
    WHERE folder = :folder ORDER BY id`)
  const counts = db.prepare(`SELECT coalesce(sum(heart), 0) AS hearts, count(comment) AS comments
    FROM folder_picks WHERE picker = :picker`)

  const of = (folder: number, visitor: string | null) =>
    (visitor === null ? null : (find.get({ folder, visitor }) ?? null)) as Picker | null

  return {
    /** The picker that a visitor is in a folder, or null. */
    of,

    /**
     * The picker of a visitor, who may still change things.
     * @throws clash after a submission, where nothing is picked, and when too many have
     */
    open(tx: Transaction, folder: Folder, visitor: string): Picker {
      if (folder.rounds === 'none') {
        throw failure('clash', { message: 'There is nothing to pick in this folder.' })
      }
      if (!of(folder.id, visitor) && (count.get({ folder: folder.id }) as number) >= mostPickers) {
        throw failure('clash', { message: 'Too many people have picked in this folder already.' })
      }
      insert.run(tx, { folder: folder.id, visitor, now: clock() })
      const picker = of(folder.id, visitor)!
      if (picker.submittedAt !== null) {
        throw failure('clash', { message: 'Your picks have been submitted and are locked.' })
      }
      return picker
    },

    /** Where a visitor stands. */
    summary(folder: Folder, picker: Picker | null): FolderPicks {
      const { hearts: hearted = 0, comments = 0 } = picker
        ? (counts.get({ picker: picker.id }) as { hearts: number; comments: number })
        : {}
      return {
        rounds: folder.rounds,
        name: picker?.name ?? null,
        hearts: hearted,
        comments,
        round: picker?.round ?? 1,
        submittedAt: picker?.submittedAt ? new Date(picker.submittedAt).toISOString() : null,
      }
    },

    /** The visitors who picked in a folder. */
    pickers: (folder: number) => pickers.all({ folder }) as Picker[],
  }
}
