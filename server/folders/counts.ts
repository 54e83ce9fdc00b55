import { isbot } from 'isbot'
import { addDays } from '#shared/dates/civil-dates.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { Keys } from '../secrets/secret-key.ts'
import { integer, listOf, query } from '../db/table.ts'
import { folderDays, folderSeen, type Folder } from './schema.ts'
import { dayOf } from './store.ts'
import { batchSize } from '../db/in-batches.ts'
import type { RequestContext } from '../http/request-context.ts'

/** The day before that of an instant; 24 hours earlier is another one as the clocks change. */
const dayBefore = (at: number) => addDays(dayOf(at), -1)

/** What is downloaded: a file by its id, or a ZIP by its digest. */
export type Downloaded = { file: number } | { zip: string }

/** The counts of folders; the only place with their SQL. */
export type FolderCounts = ReturnType<typeof createFolderCounts>

/**
 * Counts without keeping addresses: who was here today is known by a keyed hash of the day, which
 * is gone two days later.
 */
export function createFolderCounts(
  db: Database,
  { clock, keys }: { clock: () => number; keys: Keys },
) {
  const add = folderDays.insert(
    db,
    `ON CONFLICT (folder, day) DO UPDATE SET views = views + excluded.views,
      visitors = visitors + excluded.visitors, files = files + excluded.files,
      zips = zips + excluded.zips`,
  )
  const countFile = db.prepareWrite(
    'UPDATE folder_files SET downloads = downloads + 1 WHERE id = :file',
  )
  const useUp = db.prepareWrite(`UPDATE folders SET downloads = downloads + 1
    WHERE id = :folder AND (downloads_most IS NULL OR downloads < downloads_most)`)

  const nothing = { views: 0, visitors: 0, files: 0, zips: 0 }
  const visits = createVisits(db, keys)
  const isPerson = ({ userAgent }: Visitor) => userAgent !== '' && !isbot(userAgent)

  return {
    /** Counts a look at the page of a folder. Call inside a transaction. */
    view(tx: Transaction, { id: folder }: Pick<Folder, 'id'>, requestContext: Visitor): void {
      if (!isPerson(requestContext)) return
      const day = dayOf(clock())
      const visitor = visits.visitorOf(day, requestContext)
      const visit = { folder, day, visitor, what: 'view' }
      const isNew = visits.hasRoom(folder, day) && visits.remember(tx, visit)
      add(tx, { ...nothing, folder, day, views: 1, visitors: isNew ? 1 : 0 })
    },

    /**
     * Counts a download. Call inside a transaction. The same thing again on the same or the next
     * day is the same download, so an interrupted one can be resumed. A machine is not in the
     * counts, but it uses up what is limited: otherwise calling oneself one would lift the limit.
     * @param taken `play` uses up a download, too, but is none in the statistics
     * @returns `again` for one that was counted before, `played`, or `none` when no download is left
     */
    download(
      tx: Transaction,
      { id: folder, maxDownloads }: Folder,
      { what: downloaded, takes }: { what: Downloaded; takes: 'download' | 'play' },
      requestContext: Visitor,
    ): 'counted' | 'played' | 'again' | 'none' {
      const now = clock()
      const what = 'file' in downloaded ? `file:${downloaded.file}` : `zip:${downloaded.zip}`
      const on = (day: string) => ({
        folder,
        day,
        visitor: visits.visitorOf(day, requestContext),
        what,
      })
      const today = on(dayOf(now))
      if (visits.has(today) || visits.has(on(dayBefore(now)))) return 'again'
      if (useUp.run(tx, { folder }).changes === 0) return 'none'
      // Where downloads are limited, their number bounds the table.
      if (maxDownloads !== null || visits.hasRoom(folder, today.day)) visits.remember(tx, today)
      if (takes === 'play') return 'played'
      if (!isPerson(requestContext)) return 'counted'
      const isFile = 'file' in downloaded
      add(tx, {
        ...nothing,
        folder,
        day: today.day,
        files: isFile ? 1 : 0,
        zips: isFile ? 0 : 1,
      })
      if (isFile) countFile.run(tx, { file: downloaded.file })
      return 'counted'
    },

    ...createCountReader(db),

    /** Forgets a batch of who was here before yesterday. @returns how many */
    forgetSeen: (tx: Transaction): number => visits.forget(tx, dayBefore(clock())),
  }
}

/** Prepares the reading of what is counted of folders. */
function createCountReader(db: Database) {
  const { folder: _, ...ofDay } = folderDays.shape
  const days = query(
    db,
    `SELECT ${listOf(ofDay)} FROM folder_days WHERE folder = :folder ORDER BY day DESC LIMIT :max`,
    ofDay,
  )
  const { day: __, ...counted } = ofDay
  const totals = query(
    db,
    `SELECT coalesce(sum(views), 0) AS views, coalesce(sum(visitors), 0) AS visitors,
      coalesce(sum(files), 0) AS files, coalesce(sum(zips), 0) AS zips
    FROM folder_days WHERE folder = :folder`,
    counted,
  )

  return {
    /** The last days on which something happened, the latest first. */
    days: (folder: number, max: number) => days.all({ folder, max }),

    /** Everything so far. */
    totals: (folder: number) => totals.get({ folder })!,
  }
}

/** What tells one visitor from another. */
export type Visitor = Pick<RequestContext, 'address' | 'userAgent'>

/** What a visitor, known by a keyed hash of the day, did in a folder on that day. */
export type Visit = { folder: number; day: string; visitor: string; what: string }

/** Visits of the last days; the only place with their SQL. */
export type Visits = {
  visitorOf(day: string, visitor: Visitor): string
  has(visit: Visit): boolean
  /** Whether a visit can be remembered: made-up names cannot fill the table. */
  hasRoom(folder: number, day: string): boolean
  /** Call inside a transaction. @returns whether it was new */
  remember(tx: Transaction, visit: Visit): boolean
  /** Forgets a batch of who was here before a day. @returns how many */
  forget(tx: Transaction, day: string): number
}

/** Max visits of a folder and day that are told apart; each further one counts as new. */
const maxVisitsPerDay = 10_000

/** Prepares the statements of visits. */
export function createVisits(db: Database, keys: Keys): Visits {
  const see = folderSeen.insert(db, 'ON CONFLICT DO NOTHING')
  const seen = folderSeen.select(
    db,
    'WHERE folder = :folder AND day = :day AND visitor = :visitor AND what = :what',
  )
  const forget = db.prepareWrite(`DELETE FROM folder_seen
    WHERE (folder, day, visitor, what) IN (SELECT folder, day, visitor, what FROM folder_seen
      WHERE day < :day LIMIT ${batchSize})`)
  /** How many visits are remembered, by folder and day; of today alone. */
  const remembered = new Map<string, number>()
  const countSeen = query(
    db,
    'SELECT count(*) AS count FROM folder_seen WHERE folder = :folder AND day = :day',
    { count: integer() },
  )

  return {
    visitorOf: (day, { address, userAgent }) =>
      keys.hash('folder-visitor', JSON.stringify([day, address, userAgent])).slice(0, 22),
    has: (visit) => seen.get(visit) !== null,
    hasRoom(folder, day) {
      const key = `${day}:${folder}`
      let count = remembered.get(key)
      if (count === undefined) {
        for (const known of remembered.keys()) if (!known.startsWith(day)) remembered.delete(known)
        count = countSeen.get({ folder, day })!.count
        remembered.set(key, count)
      }
      return count < maxVisitsPerDay
    },
    remember(tx, visit) {
      const isNew = see(tx, visit) !== null
      const key = `${visit.day}:${visit.folder}`
      if (isNew) remembered.set(key, (remembered.get(key) ?? 0) + 1)
      return isNew
    },
    forget: (tx, day) => forget.run(tx, { day }).changes,
  }
}
