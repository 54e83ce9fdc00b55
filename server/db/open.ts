import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { StartError } from '../start-error.ts'
import { createDatabase, type Database as SiteDatabase } from './database.ts'
import { migrate } from './migrate.ts'

export type { Database } from './database.ts'

/** The database file inside the data directory. */
export const databaseFile = (dataDir: string) => join(dataDir, 'pitlane.sqlite')

/**
 * Opens the database and brings its schema up to date. WAL with synchronous=FULL: a commit that
 * returned survives a crash and a power cut, which is what an acknowledged ticket promises.
 * @param dataDir the directory of all state; made when it is not there
 * @param report told of each migration that ran
 * @throws StartError when the directory or file cannot be used, or comes from a newer version
 */
export function openDatabase(
  dataDir: string,
  report: (step: string) => void = () => {},
): SiteDatabase {
  const file = databaseFile(dataDir)
  let db: Database.Database
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.W_OK)
    db = new Database(file, { timeout: 5000 })
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    // Pages that are written again and again, such as counts, reach the file once per 32 MB of log.
    db.pragma('wal_autocheckpoint = 8000')
    db.pragma('cache_size = -32000')
    // A write proves what opening does not: that the disk takes it.
    db.exec('BEGIN IMMEDIATE; PRAGMA user_version; COMMIT')
  } catch (cause) {
    throw new StartError(
      `The database ${file} cannot be opened for writing: ${(cause as Error).message}. Check DATA_DIR, its owner and the free space.`,
      { cause },
    )
  }
  migrate(db, { backups: join(dataDir, 'backups'), report })
  // Whoever waits inside of SQLite holds up every visitor, so the commit does the waiting.
  db.pragma('busy_timeout = 0')
  return createDatabase(db)
}
