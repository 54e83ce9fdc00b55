import { isbot } from 'isbot'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Keys } from '../secret-key.ts'
import { dayOf, type Folder } from './store.ts'

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

const dayMs = 86_400_000

/**
 * Counts without keeping addresses: who was here today is known by a keyed hash of the day, which
 * is gone two days later.
 */
export function createFolderCounts(
  db: Database,
  { clock, keys }: { clock: () => number; keys: Keys },
) {
  const see = db.prepareWrite(`INSERT INTO folder_seen VALUES (:folder, :day, :visitor, :what)
    ON CONFLICT DO NOTHING`)
  const seen = db.prepare(`SELECT 1 FROM folder_seen
    WHERE folder = :folder AND day = :day AND visitor = :visitor AND what = :what`)
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
  const days = db.prepare(`SELECT day, views, visitors, files, zips FROM folder_days
    WHERE folder = :folder ORDER BY day DESC LIMIT :most`)
  const totals = db.prepare(`SELECT coalesce(sum(views), 0) AS views,
      coalesce(sum(visitors), 0) AS visitors, coalesce(sum(files), 0) AS files,
      coalesce(sum(zips), 0) AS zips
    FROM folder_days WHERE folder = :folder`)
  const forget = db.prepareWrite('DELETE FROM folder_seen WHERE day < :day')

  const nothing = { views: 0, visitors: 0, files: 0, zips: 0 }
  const visitorOf = (day: string, { address, userAgent }: RequestContext) =>
    keys.hash('folder-visitor', JSON.stringify([day, address, userAgent])).slice(0, 22)
  const isPerson = ({ userAgent }: RequestContext) => userAgent !== '' && !isbot(userAgent)

  return {
    /** Counts a look at the page of a folder; belongs into a transaction. */
    view(tx: Transaction, { id: folder }: Folder, requestContext: RequestContext): void {
      if (!isPerson(requestContext)) return
      const day = dayOf(clock())
      const visitor = visitorOf(day, requestContext)
      const { changes } = see.run(tx, { folder, day, visitor, what: 'view' })
      add.run(tx, { ...nothing, folder, day, views: 1, visitors: changes })
    },

    /**
     * Counts a download; belongs into a transaction. The same thing again on the same or the next
     * day is the same download, so that an interrupted one can be resumed. A machine is not in the
     * counts, but it uses up what is limited: otherwise calling oneself one would lift the limit.
     * @returns `again` for one that was counted before, `none` when no download is left
     */
    download(
      tx: Transaction,
      { id: folder }: Folder,
      downloaded: Downloaded,
      requestContext: RequestContext,
    ): 'counted' | 'again' | 'none' {
      const now = clock()
      const what = 'file' in downloaded ? `file:${downloaded.file}` : `zip:${downloaded.zip}`
      const on = (day: string) => ({ folder, day, visitor: visitorOf(day, requestContext), what })
      const today = on(dayOf(now))
      if (seen.get(today) ?? seen.get(on(dayOf(now - dayMs)))) return 'again'
      if (useUp.run(tx, { folder }).changes === 0) return 'none'
      see.run(tx, today)
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

    /** The last days on which something happened, the latest first. */
    days: (folder: number, most: number) => days.all({ folder, most }) as FolderDay[],

    /** Everything so far. */
    totals: (folder: number) => totals.get({ folder }) as Omit<FolderDay, 'day'>,

    /** Forgets who was here before yesterday. */
    forgetSeen: (tx: Transaction) => void forget.run(tx, { day: dayOf(clock() - dayMs) }),
  }
}
