import { isbot } from 'isbot'
import { dayMs } from '#shared/durations.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { Keys } from '../secret-key.ts'
import { dayOf, type Folder } from './store.ts'
import { createVisits, type Visitor } from './visits.ts'

/** What happened in a folder on one day. */
type FolderDay = {
  day: string
  views: number
  visitors: number
  files: number
  zips: number
}

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
  const add = db.prepareWrite(`INSERT INTO folder_days (folder, day, views, visitors, files, zips)
    VALUES (:folder, :day, :views, :visitors, :files, :zips)
    ON CONFLICT (folder, day) DO UPDATE SET views = views + excluded.views,
      visitors = visitors + excluded.visitors, files = files + excluded.files,
      zips = zips + excluded.zips`)
  const countFile = db.prepareWrite(
    'UPDATE folder_files SET downloads = downloads + 1 WHERE id = :file',
  )
  const useUp = db.prepareWrite(`UPDATE folders SET downloads = downloads + 1
    WHERE id = :folder AND (downloads_most IS NULL OR downloads < downloads_most)`)

  const nothing = { views: 0, visitors: 0, files: 0, zips: 0 }
  const visits = createVisits(db, keys)
  const isPerson = ({ userAgent }: Visitor) => userAgent !== '' && !isbot(userAgent)

  return {
    /** Counts a look at the page of a folder; belongs into a transaction. */
    view(tx: Transaction, { id: folder }: Pick<Folder, 'id'>, requestContext: Visitor): void {
      if (!isPerson(requestContext)) return
      const day = dayOf(clock())
      const visitor = visits.visitorOf(day, requestContext)
      const visit = { folder, day, visitor, what: 'view' }
      const isNew = visits.hasRoom(folder, day) && visits.remember(tx, visit)
      add.run(tx, { ...nothing, folder, day, views: 1, visitors: isNew ? 1 : 0 })
    },

    /**
     * Counts a download; belongs into a transaction. The same thing again on the same or the next
     * day is the same download, so that an interrupted one can be resumed. A machine is not in the
     * counts, but it uses up what is limited: otherwise calling oneself one would lift the limit.
     * @param taken `play` uses up a download, too, but is none in the statistics
     * @returns `again` for one that was counted before, `played`, or `none` when no download is left
     */
    download(
      tx: Transaction,
      { id: folder, downloadsMost }: Folder,
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
      if (visits.has(today) || visits.has(on(dayOf(now - dayMs)))) return 'again'
      if (useUp.run(tx, { folder }).changes === 0) return 'none'
      // Where downloads are limited, their number bounds the table.
      if (downloadsMost !== null || visits.hasRoom(folder, today.day)) visits.remember(tx, today)
      if (takes === 'play') return 'played'
      if (!isPerson(requestContext)) return 'counted'
      const isFile = 'file' in downloaded
      add.run(tx, {
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

    /** Forgets who was here before yesterday. */
    forgetSeen: (tx: Transaction) => visits.forget(tx, dayOf(clock() - dayMs)),
  }
}

/** Prepares the reading of what is counted of folders. */
function createCountReader(db: Database) {
  const days = db.prepare(`SELECT day, views, visitors, files, zips FROM folder_days
    WHERE folder = :folder ORDER BY day DESC LIMIT :most`)
  const totals = db.prepare(`SELECT coalesce(sum(views), 0) AS views,
      coalesce(sum(visitors), 0) AS visitors, coalesce(sum(files), 0) AS files,
      coalesce(sum(zips), 0) AS zips
    FROM folder_days WHERE folder = :folder`)

  return {
    /** The last days on which something happened, the latest first. */
    days: (folder: number, most: number) => days.all({ folder, most }) as FolderDay[],

    /** Everything so far. */
    totals: (folder: number) => totals.get({ folder }) as Omit<FolderDay, 'day'>,
  }
}
