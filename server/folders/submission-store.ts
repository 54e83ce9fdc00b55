import { hourMs } from '#shared/durations.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { createQuota } from '../http/quota.ts'
import type { MailStore } from '../mail/store.ts'
import type { ManyPicks, SubmittedPicks } from './mails.ts'
import type { Pick } from './mark-store.ts'
import type { PickerStore } from './picker-store.ts'
import type { Folder } from './store.ts'

/** A submitted round. */
export type Submission = {
  readonly picker: number
  readonly round: number
  readonly name: string
  readonly note: string | null
  readonly at: number
  readonly picks: readonly Pick[]
}

/** Files that a notice to staff lists; the rest is in the command line's export. */
const mostSubmissionsListed = 200

/** Notices that staff get of one folder in an hour; the next one speaks for all the others. */
const mostNotices = 5

/** Prepares the statements of picks that are sent to staff. */
export function createSubmissionStore(
  db: Database,
  {
    clock,
    mails,
    open,
    picksOf,
  }: {
    clock: () => number
    mails: MailStore
    open: PickerStore['open']
    picksOf: (picker: number) => Pick[]
  },
) {
  const submit = db.prepareWrite(`UPDATE folder_pickers SET name = :name, submitted_at = :now
    WHERE id = :picker AND submitted_at IS NULL`)
  const keep =
    db.prepareWrite(`INSERT INTO folder_submissions (picker, round, name, note, at, picks)
    VALUES (:picker, :round, :name, :note, :now, :picks)`)
  const reopen = db.prepareWrite(`UPDATE folder_pickers SET round = round + 1, submitted_at = NULL
    WHERE id = :picker AND submitted_at IS NOT NULL`)
  const submissions = db.prepare(`SELECT picker, s.round, s.name, note, at, picks
    FROM folder_submissions AS s JOIN folder_pickers AS p ON p.id = picker
    WHERE folder = :folder ORDER BY s.id`)
  const tellStaff = createNotices({ clock, mails })

  return {
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
      tellStaff(tx, folder, { picker: picker.id, round, name, note, at: now, picks: chosen })
    },

    /** Opens the picks of a visitor for another round. @returns whether they were locked */
    reopen: (tx: Transaction, picker: number): boolean => reopen.run(tx, { picker }).changes === 1,

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

/** Makes what tells staff of submitted picks, each by a mail of its own until there are too many. */
function createNotices({ clock, mails }: { clock: () => number; mails: MailStore }) {
  const notices = createQuota({ most: mostNotices, seconds: 3600, clock })
  return (
    tx: Transaction,
    { id, title, key }: Folder,
    { picker, round, name, note, at, picks }: Submission,
  ): void => {
    if (notices.take(id) > 0) {
      const data: ManyPicks = { title, key, many: true }
      const hour = Math.floor(at / hourMs)
      mails.enqueue(tx, 'folderPicks', { key: `folder-picks-many-${id}-${hour}`, data })
      return
    }
    mails.enqueue(tx, 'folderPicks', {
      key: `folder-picks-${picker}-${round}`,
      data: {
        title,
        key,
        name,
        note,
        round,
        count: picks.length,
        picks: picks.slice(0, mostSubmissionsListed),
      } satisfies SubmittedPicks,
    })
  }
}
