import { failure } from '#shared/failures.ts'
import type { FolderFavourites } from '#shared/folders/folders.ts'
import { hourMs } from '#shared/dates/durations.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Database } from '../../db/open.ts'
import { integer, nullable, query, text } from '../../db/table.ts'
import { createQuota } from '../../http/limits/limits.ts'
import type { MailStore } from '../../mail/store.ts'
import type { ManyFavourites, SubmittedFavourites } from '../mails.ts'
import {
  favourites,
  folderVisitors,
  lostFavourites,
  submissions,
  type ChosenFavourite,
  type Folder,
  type FolderVisitor,
  type SentFavourite,
  type Submission,
} from '../schema.ts'

/** Favourites and comments: whose they are, what is marked, and what was sent. */
export type Favourites = ReturnType<typeof createFavourites>

/** Prepares all statements of favourites; the only place with their SQL. */
export function createFavourites(db: Database, deps: { clock: () => number; mails: MailStore }) {
  const { open, ...visitors } = createVisitors(db, deps)
  const entries = createEntries(db, { ...deps, open })
  const lost = createLost(db, { ...deps, open })
  return {
    ...visitors,
    ...entries,
    ...lost,
    ...createErasure(db),
    ...createChoice(db, { ...entries, ...lost }),
    ...createSubmissions(db, { ...deps, open, ...entries, ...lost }),
  }
}

/** How many visitors may mark favourites in one folder. */
const maxVisitors = 5000

type Visitors = ReturnType<typeof createVisitors>

/** Prepares the statements of the visitors, and of how far they are. */
function createVisitors(db: Database, { clock }: { clock: () => number }) {
  const byHash = folderVisitors.select(db, 'WHERE folder = :folder AND visitor = :hash')
  const insert = folderVisitors.insert(db, 'ON CONFLICT DO NOTHING')
  const count = query(db, 'SELECT count(*) AS count FROM folder_pickers WHERE folder = :folder', {
    count: integer(),
  })
  const all = folderVisitors.select(db, 'WHERE folder = :folder ORDER BY id')
  const find = (folder: number, hash: string | null): FolderVisitor | null =>
    hash === null ? null : byHash.get({ folder, hash })

  return {
    /** The visitor of a folder who has a hash, or null. */
    find,

    /**
     * The visitor who has a hash and may still change things.
     * @throws wrong-state after a submission, where favourites are off, and when too many have some
     */
    open(tx: Transaction, folder: Folder, hash: string): FolderVisitor {
      if (folder.rounds === 'none') {
        throw failure('wrong-state', { message: 'Favourites are off in this gallery.' })
      }
      const known = find(folder.id, hash)
      if (!known && count.get({ folder: folder.id })!.count >= maxVisitors) {
        throw failure('wrong-state', { message: 'This gallery can’t take any more favourites.' })
      }
      const visitor = known ?? insert(tx, { folder: folder.id, hash, createdAt: clock() })!
      if (visitor.submittedAt !== null) {
        throw failure('wrong-state', { message: 'Your favourites have been sent and are locked.' })
      }
      return visitor
    },

    /** The visitors who marked favourites in a folder. */
    visitors: (folder: number): FolderVisitor[] => all.all({ folder }),
  }
}

/** What one visitor may write: bytes of all comments. */
const maxCommentBytes = 100_000

/** Prepares the statements of favourites and comments. */
function createEntries(
  db: Database,
  { clock, open }: { clock: () => number; open: Visitors['open'] },
) {
  const save = favourites.insert(
    db,
    `ON CONFLICT (picker, file) DO UPDATE SET heart = excluded.heart,
      comment = excluded.comment, at = excluded.at`,
  )
  const remove = db.prepareWrite(
    'DELETE FROM folder_picks WHERE picker = :visitor AND file = :file',
  )
  const count = db.prepareWrite(
    'UPDATE folder_pickers SET revision = revision + 1 WHERE id = :visitor',
  )
  const ofFile = favourites.select(db, 'WHERE picker = :visitor AND file = :file')
  const { heart, comment } = favourites.shape
  const ofVisitor = query(
    db,
    `SELECT path, heart, comment, file FROM folder_picks
    JOIN folder_files ON folder_files.id = file WHERE picker = :visitor ORDER BY position`,
    { path: text(), heart, comment, file: integer() },
  )
  const countOf = query(
    db,
    `SELECT count(DISTINCT file) AS files FROM folder_picks
    JOIN folder_files ON folder_files.id = file WHERE folder = :folder`,
    { files: integer() },
  )
  const unsent = query(
    db,
    `SELECT count(DISTINCT picker) AS visitors, count(DISTINCT file) AS files FROM folder_picks
      JOIN folder_pickers AS p ON p.id = picker WHERE folder = :folder AND submitted_at IS NULL`,
    { visitors: integer(), files: integer() },
  )
  const commented = query(
    db,
    `SELECT coalesce(sum(octet_length(comment)), 0) AS bytes FROM folder_picks
      WHERE picker = :visitor AND file <> :file`,
    { bytes: integer() },
  )

  return {
    /**
     * Marks a file; what is left out stays as it is. Call inside a transaction.
     * @throws wrong-state when the favourites are locked
     */
    save(
      tx: Transaction,
      folder: Folder,
      hash: string,
      file: number,
      change: { heart?: boolean | undefined; comment?: string | undefined },
    ): FolderVisitor {
      const visitor = open(tx, folder, hash)
      const before = ofFile.get({ visitor: visitor.id, file })
      const isHeart = change.heart ?? before?.heart ?? false
      const words = change.comment ?? before?.comment ?? null
      if (change.comment) {
        const others = commented.get({ visitor: visitor.id, file })!.bytes
        if (others + Buffer.byteLength(change.comment) > maxCommentBytes) {
          throw failure('wrong-state', { message: 'You’ve reached the limit for comments here.' })
        }
      }
      if (isHeart || words) {
        const row = { visitor: visitor.id, file, heart: isHeart, comment: words || null }
        save(tx, { ...row, at: clock() })
      } else remove.run(tx, { visitor: visitor.id, file })
      count.run(tx, { visitor: visitor.id })
      return { ...visitor, revision: visitor.revision + 1 }
    },

    /** How many files of a folder visitors have marked in any way. */
    countOf: (folder: number): number => countOf.get({ folder })!.files,

    /** How many visitors have marked files and not sent that yet, and how many files those are. */
    unsent: (folder: number): { visitors: number; files: number } => unsent.get({ folder })!,

    /** Whether a visitor has a file among the favourites. */
    isFavourite: (visitor: number, file: number): boolean =>
      ofFile.get({ visitor, file })?.heart ?? false,

    /** What a visitor has marked so far, in the order of the page. */
    ofVisitor: (visitor: number) => ofVisitor.all({ visitor }),
  }
}

/** Prepares what keeps the marks of files that leave a folder, until they were sent or the file is back. */
function createLost(
  db: Database,
  { clock, open }: { clock: () => number; open: Visitors['open'] },
) {
  const marked = query(db, 'SELECT count(*) AS visitors FROM folder_picks WHERE file = :file', {
    visitors: integer(),
  })
  const keep = db.prepareWrite(
    `INSERT INTO folder_lost_picks (picker, file, path, heart, comment, at, gone_at)
      SELECT picker, file, :path, heart, comment, at, :now FROM folder_picks WHERE file = :file`,
  )
  const countLost = db.prepareWrite(
    `UPDATE folder_pickers SET revision = revision + 1
      WHERE id IN (SELECT picker FROM folder_picks WHERE file = :file)`,
  )
  // One that was there before and only took over the name isn't the file that was marked.
  const back = `FROM folder_lost_picks AS l JOIN folder_pickers AS p ON p.id = l.picker
    JOIN folder_files AS f ON f.folder = p.folder AND f.path = l.path AND f.added_at > l.gone_at
    WHERE p.folder = :folder`
  const giveBack = db.prepareWrite(
    `INSERT INTO folder_picks (picker, file, heart, comment, at)
      SELECT l.picker, f.id, l.heart, l.comment, l.at ${back} ORDER BY l.gone_at DESC
    ON CONFLICT DO NOTHING`,
  )
  const forgetBack = db.prepareWrite(
    `DELETE FROM folder_lost_picks WHERE (picker, file) IN (SELECT l.picker, l.file ${back})`,
  )
  const countBack = db.prepareWrite(
    `UPDATE folder_pickers SET revision = revision + 1 WHERE id IN (SELECT l.picker ${back})`,
  )
  const forget = db.prepareWrite('DELETE FROM folder_lost_picks WHERE picker = :visitor')
  const forgetOne = db.prepareWrite(
    'DELETE FROM folder_lost_picks WHERE picker = :visitor AND file = :file',
  )
  const count = db.prepareWrite(
    'UPDATE folder_pickers SET revision = revision + 1 WHERE id = :visitor',
  )
  const ofVisitor = lostFavourites.select(db, 'WHERE picker = :visitor ORDER BY gone_at, path')

  return {
    /** Keeps what visitors marked of a file, before it leaves. Call inside a transaction. @returns how many visitors */
    keepMarks(tx: Transaction, { id: file, path }: { id: number; path: string }): number {
      const { visitors } = marked.get({ file })!
      if (visitors > 0) {
        keep.run(tx, { file, path, now: clock() })
        countLost.run(tx, { file })
      }
      return visitors
    },

    /** Gives the files of a folder that came back their marks again. Call inside a transaction. */
    giveMarksBack(tx: Transaction, folder: number): void {
      giveBack.run(tx, { folder })
      countBack.run(tx, { folder })
      forgetBack.run(tx, { folder })
    },

    /** What a visitor had marked of files that have left the folder. */
    lostOf: (visitor: number) => ofVisitor.all({ visitor }),

    /**
     * Takes away what a visitor had marked of one of them; also of one for which it was done before. Call
     * inside a transaction.
     * @throws wrong-state when the favourites are locked
     */
    unmarkLost(tx: Transaction, folder: Folder, hash: string, file: number): FolderVisitor {
      const visitor = open(tx, folder, hash)
      forgetOne.run(tx, { visitor: visitor.id, file })
      count.run(tx, { visitor: visitor.id })
      return { ...visitor, revision: visitor.revision + 1 }
    },

    /** Forgets all of it, once it was sent. Call inside a transaction. */
    forgetLost: (tx: Transaction, visitor: number) => void forget.run(tx, { visitor }),
  }
}

/**
 * Prepares what reads a visitor's choice: what is marked, and once it was sent, what was sent, also of files
 * that have left the folder since.
 */
function createChoice(
  db: Database,
  {
    ofVisitor,
    lostOf,
  }: Pick<ReturnType<typeof createEntries>, 'ofVisitor'> &
    Pick<ReturnType<typeof createLost>, 'lostOf'>,
) {
  const { heart, comment } = favourites.shape
  // A file that came back has another number, so it's known by its path again. One that was there before
  // and only took over the name of a chosen one isn't the file that was chosen.
  const sent = query(
    db,
    `SELECT coalesce(there.path, each.value ->> 'path') AS path, there.id AS file,
      each.value ->> 'heart' AS heart, each.value ->> 'comment' AS comment
    FROM folder_submissions AS s JOIN folder_pickers AS p ON p.id = s.picker
      JOIN json_each(s.picks) AS each
      LEFT JOIN folder_files AS there ON there.id = coalesce(
        (SELECT id FROM folder_files WHERE folder = p.folder AND id = each.value ->> 'file'),
        (SELECT id FROM folder_files WHERE folder = p.folder AND path = each.value ->> 'path'
          AND (each.value ->> 'file' IS NULL OR added_at > s.at)))
    WHERE s.picker = :visitor AND s.round = :round ORDER BY each.key`,
    { path: text(), file: nullable(integer()), heart, comment },
  )
  const chosen = (visitor: FolderVisitor | null): ChosenFavourite[] => {
    if (visitor === null) return []
    const { id, round, submittedAt } = visitor
    const before = submittedAt === null ? [] : sent.all({ visitor: id, round })
    // What was sent may have been erased, with whom it named.
    if (before.length > 0) return before
    const lost = submittedAt === null ? lostOf(id) : []
    return [
      ...lost.map(({ path, heart: isHeart, comment: words, file }) => ({
        path,
        heart: isHeart,
        comment: words,
        file: null,
        lost: file,
      })),
      ...ofVisitor(id),
    ]
  }

  return {
    /**
     * What a visitor has marked so far: first of files that are gone, then in the order of the page. What
     * was sent, once it was.
     */
    chosen,

    /** A visitor’s favourites and comments among some files. */
    ofFiles(visitor: FolderVisitor, files: readonly number[]): ChosenFavourite[] {
      const some = new Set<number | null>(files)
      return chosen(visitor).filter(({ file }) => some.has(file))
    },

    /** The ids of a visitor's favourites that are in the folder. */
    fileIds: (visitor: FolderVisitor | null): number[] =>
      chosen(visitor).flatMap(({ file, heart: isHeart }) => (isHeart ? (file ?? []) : [])),

    /** Where a visitor stands. */
    summary(folder: Folder, visitor: FolderVisitor | null): FolderFavourites {
      const all = chosen(visitor)
      const hearts = all.filter(({ heart: isHeart }) => isHeart)
      return {
        rounds: folder.rounds,
        name: visitor?.name ?? null,
        hearts: hearts.length,
        gone: hearts.filter(({ file }) => file === null).length,
        comments: all.filter(({ comment: words }) => words !== null).length,
        round: visitor?.round ?? 1,
        revision: visitor?.revision ?? 0,
        submittedAt: visitor?.submittedAt ? new Date(visitor.submittedAt).toISOString() : null,
      }
    },

    /** What was sent in a round, in the order of the page as it was then. */
    ofRound: ({ visitor, round }: Pick<Submission, 'visitor' | 'round'>): ChosenFavourite[] =>
      sent.all({ visitor, round }),
  }
}

/** Prepares what finds and erases the words of people in favourites. */
function createErasure(db: Database) {
  const found = { folder: text(), name: folderVisitors.shape.name, at: integer() }
  const submitted = query(
    db,
    `SELECT folders.title AS folder, s.name, s.note, s.at, s.picks AS favourites
    FROM folder_submissions AS s JOIN folder_pickers AS p ON p.id = s.picker
      JOIN folders ON folders.id = p.folder
    WHERE mentions(concat_ws(char(10), s.name, s.note, s.picks), :email) ORDER BY s.id`,
    { ...found, note: submissions.shape.note, favourites: submissions.shape.favourites },
  )
  const open = query(
    db,
    `SELECT folders.title AS folder, p.name, path, comment, at
    FROM folder_picks JOIN folder_pickers AS p ON p.id = picker
      JOIN folders ON folders.id = p.folder JOIN folder_files ON folder_files.id = file
    WHERE mentions(concat_ws(char(10), p.name, comment), :email) ORDER BY p.id`,
    { ...found, path: text(), comment: favourites.shape.comment },
  )
  const gone = query(
    db,
    `SELECT folders.title AS folder, p.name, path, comment, at
    FROM folder_lost_picks JOIN folder_pickers AS p ON p.id = picker
      JOIN folders ON folders.id = p.folder
    WHERE mentions(comment, :email) ORDER BY p.id`,
    { ...found, path: text(), comment: lostFavourites.shape.comment },
  )
  const redactions = [
    `UPDATE folder_submissions SET name = '[erased]', note = NULL, picks = '[]'
      WHERE mentions(concat_ws(char(10), name, note, picks), :email)`,
    'UPDATE folder_pickers SET name = NULL WHERE mentions(name, :email)',
    'UPDATE folder_picks SET comment = NULL WHERE mentions(comment, :email)',
    'UPDATE folder_lost_picks SET comment = NULL WHERE mentions(comment, :email)',
  ].map((sql) => db.prepareWrite(sql))

  return {
    /** Favourites, sent or not, that name an email address. */
    mentioning: (email: string) => [
      ...submitted.all({ email }),
      ...open.all({ email }),
      ...gone.all({ email }),
    ],

    /** Erases names, notes and comments that name an email address. Call inside a transaction. @returns how many */
    redact: (tx: Transaction, email: string): number =>
      redactions.reduce((sum, statement) => sum + statement.run(tx, { email }).changes, 0),
  }
}

/** Files that a notice to staff lists; the rest is in the command line's export. */
const maxFilesListed = 200

/** Notices that staff get of one folder in an hour; the next one speaks for all the others. */
const maxNotices = 5

/** Prepares the statements of favourites that are sent to staff. */
function createSubmissions(
  db: Database,
  {
    clock,
    mails,
    open,
    ofVisitor,
    lostOf,
    forgetLost,
  }: {
    clock: () => number
    mails: MailStore
    open: Visitors['open']
    ofVisitor: (visitor: number) => SentFavourite[]
  } & Pick<ReturnType<typeof createLost>, 'lostOf' | 'forgetLost'>,
) {
  const submit = db.prepareWrite(`UPDATE folder_pickers SET name = :name, submitted_at = :now
    WHERE id = :visitor AND submitted_at IS NULL`)
  const insert = submissions.insert(db)
  const reopen = db.prepareWrite(`UPDATE folder_pickers SET round = round + 1, submitted_at = NULL
    WHERE id = :visitor AND submitted_at IS NOT NULL`)
  const { id: _, ...shown } = submissions.shape
  const ofFolder = query(
    db,
    `SELECT picker AS visitor, s.round, s.name, note, at, picks AS favourites
    FROM folder_submissions AS s JOIN folder_pickers AS p ON p.id = picker
    WHERE folder = :folder ORDER BY s.id`,
    shown,
  )
  const queueNotice = createNotices({ clock, mails })

  return {
    /**
     * Submits the favourites of a visitor, locks them and queues the email to staff. Call inside a
     * transaction.
     * @throws wrong-state when they are locked already; invalid when there are none
     */
    submit(
      tx: Transaction,
      folder: Folder,
      hash: string,
      { name, note }: { name: string; note: string | null },
    ): void {
      const visitor = open(tx, folder, hash)
      const present = ofVisitor(visitor.id)
      if (present.length === 0) throw failure('invalid', { message: 'No favourites yet.' })
      const gone = lostOf(visitor.id).map(({ path, heart, comment, file }): SentFavourite => ({
        path,
        heart,
        comment,
        file,
      }))
      const chosen = [...present, ...gone]
      const at = clock()
      submit.run(tx, { visitor: visitor.id, name, now: at })
      const { round } = visitor
      const submission = { visitor: visitor.id, round, name, note, at, favourites: chosen }
      insert(tx, submission)
      forgetLost(tx, visitor.id)
      queueNotice(tx, folder, submission, new Set(gone.map(({ file }) => file)))
    },

    /** Opens the favourites of a visitor for another round. @returns whether they were locked */
    reopen: (tx: Transaction, visitor: number): boolean =>
      reopen.run(tx, { visitor }).changes === 1,

    /** The submitted rounds of a folder, oldest first. */
    submissions: (folder: number): Submission[] => ofFolder.all({ folder }),
  }
}

/** Queues an email to staff for each submission, until there are too many of one folder. */
function createNotices({ clock, mails }: { clock: () => number; mails: MailStore }) {
  const notices = createQuota({ max: maxNotices, seconds: 3600, clock })
  return (
    tx: Transaction,
    { id, title, key }: Folder,
    { visitor, round, name, note, at, favourites: chosen }: Submission,
    gone: ReadonlySet<number | undefined>,
  ): void => {
    const about = { thing: 'folder', id: String(id) }
    if (notices.take(id) > 0) {
      const data: ManyFavourites = { title, key, many: true }
      const hour = Math.floor(at / hourMs)
      mails.enqueue(tx, 'folderFavourites', { key: `folder-picks-many-${id}-${hour}`, about, data })
      return
    }
    mails.enqueue(tx, 'folderFavourites', {
      key: `folder-picks-${visitor}-${round}`,
      about,
      data: {
        title,
        key,
        name,
        note,
        round,
        count: chosen.length,
        picks: chosen.slice(0, maxFilesListed).map(({ path, heart, comment, file }) => ({
          path,
          heart,
          comment,
          ...(gone.has(file) && { gone: true }),
        })),
      } satisfies SubmittedFavourites,
      toStaff: true,
    })
  }
}
