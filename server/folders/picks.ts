import { failure } from '#shared/failures.ts'
import type { FolderPicks } from '#shared/folders.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { MailStore } from '../mail/store.ts'
import type { SubmittedPicks } from './mails.ts'
import type { Folder } from './store.ts'

/** Somebody who picks in a folder. Times are milliseconds of the epoch. */
export type Picker = {
  readonly id: number
  readonly name: string | null
  readonly round: number
  readonly submittedAt: number | null
  readonly createdAt: number
}

/** What one picker says about one file. */
export type Pick = { path: string; heart: boolean; comment: string | null }

/** A submitted round. */
export type Submission = {
  readonly picker: number
  readonly round: number
  readonly name: string
  readonly note: string | null
  readonly at: number
  readonly picks: readonly Pick[]
}

const columns = 'id, name, round, submitted_at AS submittedAt, created_at AS createdAt'

/** Files that a notice to staff lists; the rest is in the command line's export. */
const listed = 200

/** Who picked what; the only place with its SQL. */
export type PickStore = ReturnType<typeof createPickStore>

/** Prepares the statements of proofing. */
export function createPickStore(
  db: Database,
  { clock, mails }: { clock: () => number; mails: MailStore },
) {
  const find = db.prepare(`SELECT ${columns} FROM folder_pickers
    WHERE folder = :folder AND visitor = :visitor`)
  const insert = db.prepareWrite(`INSERT INTO folder_pickers (folder, visitor, created_at)
    VALUES (:folder, :visitor, :now) ON CONFLICT DO NOTHING`)
  const mark =
    db.prepareWrite(`INSERT INTO folder_picks VALUES (:picker, :file, :heart, :comment, :now)
    ON CONFLICT (picker, file) DO UPDATE SET heart = :heart, comment = :comment, at = :now`)
  const unmark = db.prepareWrite('DELETE FROM folder_picks WHERE picker = :picker AND file = :file')
  const marked = db.prepare(`SELECT heart, comment FROM folder_picks
    WHERE picker = :picker AND file = :file`)
  const marks = db.prepare(`SELECT file, heart, comment FROM folder_picks WHERE picker = :picker
    AND file IN (SELECT value FROM json_each(:files))`)
  const counts = db.prepare(`SELECT coalesce(sum(heart), 0) AS hearts, count(comment) AS comments
    FROM folder_picks WHERE picker = :picker`)
  const hearts = db
    .prepare(`SELECT file FROM folder_picks JOIN folder_files ON folder_files.id = file
    WHERE picker = :picker AND heart = 1 ORDER BY position`)
    .pluck()
  const picks = db.prepare(`SELECT path, heart, comment FROM folder_picks
    JOIN folder_files ON folder_files.id = file WHERE picker = :picker ORDER BY position`)
  const submit = db.prepareWrite(`UPDATE folder_pickers SET name = :name, submitted_at = :now
    WHERE id = :picker AND submitted_at IS NULL`)
  const keep =
    db.prepareWrite(`INSERT INTO folder_submissions (picker, round, name, note, at, picks)
    VALUES (:picker, :round, :name, :note, :now, :picks)`)
  const reopen = db.prepareWrite(`UPDATE folder_pickers SET round = round + 1, submitted_at = NULL
    WHERE id = :picker AND submitted_at IS NOT NULL`)
  const pickers = db.prepare(`SELECT ${columns} FROM folder_pickers
    WHERE folder = :folder ORDER BY id`)
  const submissions = db.prepare(`SELECT picker, s.round, s.name, note, at, picks
    FROM folder_submissions AS s JOIN folder_pickers AS p ON p.id = picker
    WHERE folder = :folder ORDER BY s.id`)

  const mentioning = db.prepare(`SELECT folders.title AS folder, s.name, s.note, s.at, s.picks
    FROM folder_submissions AS s JOIN folder_pickers AS p ON p.id = s.picker
      JOIN folders ON folders.id = p.folder
    WHERE instr(lower(concat_ws(char(10), s.name, s.note, s.picks)), lower(:text)) > 0
    ORDER BY s.id`)
  const openMentioning = db.prepare(`SELECT folders.title AS folder, p.name, path, comment, at
    FROM folder_picks JOIN folder_pickers AS p ON p.id = picker
      JOIN folders ON folders.id = p.folder JOIN folder_files ON folder_files.id = file
    WHERE instr(lower(concat_ws(char(10), p.name, comment)), lower(:text)) > 0 ORDER BY p.id`)
  const redactions = [
    `UPDATE folder_submissions SET name = '[erased]', note = NULL, picks = '[]'
      WHERE instr(lower(concat_ws(char(10), name, note, picks)), lower(:text)) > 0`,
    'UPDATE folder_pickers SET name = NULL WHERE instr(lower(name), lower(:text)) > 0',
    'UPDATE folder_picks SET comment = NULL WHERE instr(lower(comment), lower(:text)) > 0',
  ].map((sql) => db.prepareWrite(sql))

  const of = (folder: number, visitor: string | null) =>
    (visitor === null ? null : (find.get({ folder, visitor }) ?? null)) as Picker | null

  const picksOf = (picker: number) =>
    (picks.all({ picker }) as { path: string; heart: number; comment: string | null }[]).map(
      (pick) => ({ ...pick, heart: pick.heart === 1 }),
    )

  /** The picker of a visitor, who may still change things. @throws clash after a submission */
  const open = (tx: Transaction, folder: Folder, visitor: string): Picker => {
    if (folder.rounds === 'none') {
      throw failure('clash', { message: 'There is nothing to pick in this folder.' })
    }
    insert.run(tx, { folder: folder.id, visitor, now: clock() })
    const picker = of(folder.id, visitor)!
    if (picker.submittedAt !== null) {
      throw failure('clash', { message: 'Your picks have been submitted and are locked.' })
    }
    return picker
  }

  return {
    of,

    /** What a visitor has marked among some files. */
    marks: (picker: number, files: readonly number[]) =>
      marks.all({ picker, files: JSON.stringify(files) }) as {
        file: number
        heart: number
        comment: string | null
      }[],

    /** The ids of a picker's favourites, in the order of the page. */
    hearts: (picker: number) => hearts.all({ picker }) as number[],

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
      const row = { picker: picker.id, file, now: clock() }
      if (heart || comment) mark.run(tx, { ...row, heart: heart ? 1 : 0, comment: comment || null })
      else unmark.run(tx, { picker: picker.id, file })
      return picker
    },

    /** Whether a visitor has a file among his favourites. */
    isHearted: (picker: number, file: number) =>
      (marked.get({ picker, file }) as { heart: number } | undefined)?.heart === 1,

    /**
     * Submits the picks of a visitor, locks them and tells staff; belongs into a transaction.
     * @throws clash when they are locked already; invalid when there are none
     */
    submit(
      tx: Transaction,
      folder: Folder,
      visitor: string,
      { name, note }: { name: string; note: string | null },
    ): void {
      const picker = open(tx, folder, visitor)
      const chosen = picksOf(picker.id)
      if (chosen.length === 0) throw failure('invalid', { message: 'Nothing has been picked yet.' })
      const now = clock()
      submit.run(tx, { picker: picker.id, name, now })
      const { round } = picker
      keep.run(tx, { picker: picker.id, round, name, note, now, picks: JSON.stringify(chosen) })
      mails.enqueue(tx, 'folderPicks', {
        key: `folder-picks-${picker.id}-${round}`,
        data: {
          title: folder.title,
          key: folder.key,
          name,
          note,
          round,
          count: chosen.length,
          picks: chosen.slice(0, listed),
        } satisfies SubmittedPicks,
      })
    },

    /** Picks, submitted or not, with a text in their words. */
    mentioning: (text: string): { folder: string; name: string | null; at: number }[] => [
      ...(mentioning.all({ text }) as { folder: string; name: string; at: number }[]),
      ...(openMentioning.all({ text }) as { folder: string; name: string | null; at: number }[]),
    ],

    /** Erases names, notes and comments with a text in them; belongs into a transaction. @returns how many */
    redact: (tx: Transaction, text: string): number =>
      redactions.reduce((sum, statement) => sum + statement.run(tx, { text }).changes, 0),

    /** Opens the picks of somebody for another round. @returns whether they were locked */
    reopen: (tx: Transaction, picker: number): boolean => reopen.run(tx, { picker }).changes === 1,

    /** Everybody who picked in a folder. */
    pickers: (folder: number) => pickers.all({ folder }) as Picker[],

    /** What somebody has picked so far, in the order of the page. */
    picksOf,

    /** The submitted rounds of a folder, oldest first. */
    submissions: (folder: number): Submission[] =>
      (submissions.all({ folder }) as (Omit<Submission, 'picks'> & { picks: string })[]).map(
        (row) => ({
          ...row,
          picks: JSON.parse(row.picks) as Pick[],
        }),
      ),
  }
}
