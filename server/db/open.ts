import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { StartError } from '../start-error.ts'
import { createDatabase, type Database as SiteDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { finishReplacing, isReplacing } from './replace-state.ts'
import { shareState, takeState, type Release } from './state-lock.ts'

export type { Database } from './database.ts'

/** The database file inside the data directory. */
export const databaseFile = (dataDir: string) => join(dataDir, 'pitlane.sqlite')

/**
 * Opens the database and brings its schema up to date. WAL with synchronous=FULL: a commit that
 * returned survives a crash and a power cut, as every answer promises that says something was
 * saved. A restore that was cut off is finished first.
 * @param dataDir the directory of all state; made when it is not there
 * @param report told of each migration that ran
 * @throws StartError when the directory or file cannot be used, comes from a newer version, or is
 *   being restored
 */
export function openDatabase(
  dataDir: string,
  report: (step: string) => void = () => {},
): SiteDatabase {
  const file = databaseFile(dataDir)
  const failed = (cause: unknown) =>
    new StartError(
      `The database ${file} cannot be opened for writing: ${(cause as Error).message}. Check DATA_DIR, its owner and the free space.`,
      { cause },
    )
  const opened: (() => void)[] = []
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.W_OK)
    opened.unshift(useState(dataDir))
    const db = new Database(file, { timeout: 5000 })
    opened.unshift(() => void db.close())
    prepareConnection(db)
    migrate(db, { backups: join(dataDir, 'backups'), report })
    // Waiting inside of SQLite would block the event loop, so the commit does the waiting.
    db.pragma('busy_timeout = 0')
    const database = createDatabase(db)
    return {
      ...database,
      async close() {
        await database.close()
        for (const letGo of opened) letGo()
      },
    }
  } catch (cause) {
    for (const letGo of opened) letGo()
    throw cause instanceof StartError ? cause : failed(cause)
  }
}

function prepareConnection(db: Database.Database): void {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  // Pages that are written again and again, such as counts, reach the file once per 32 MB of log.
  db.pragma('wal_autocheckpoint = 8000')
  db.pragma('cache_size = -32000')
  // A write proves what opening does not: that the disk takes it.
  db.exec('BEGIN IMMEDIATE; PRAGMA user_version; COMMIT')
}

/** Says that this process uses the state, once the state is whole. */
function useState(dataDir: string): Release {
  for (;;) {
    const release = shareState(dataDir)
    if (!isReplacing(dataDir)) return release
    release()
    const releaseAll = takeState(dataDir)
    try {
      finishReplacing(dataDir)
    } finally {
      releaseAll()
    }
  }
}
