import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { StartError } from '../start-error.ts'
import { keyNames } from '../secrets/key-files.ts'
import { makeStateDirectory } from '../state/state-directory.ts'
import { isBusy } from './group-commit.ts'
import { createDatabase, type Database as SiteDatabase, type Preparing } from './database.ts'
import { databaseBytes, freeBytesOf, migrate } from './migrate.ts'
import { finishReplacing, isReplacing } from './replace-state.ts'
import { serveState, shareState, takeState, type Release } from './state-lock.ts'

export type { Database } from './database.ts'

/** The database file inside the data directory. */
export const databaseFile = (dataDir: string) => join(dataDir, 'pitlane.sqlite')

/** Milliseconds that opening waits for a process that writes, such as a migration or an import. */
const openTimeoutMs = 5_000

/**
 * Opens and migrates the database. WAL with synchronous=FULL: a completed commit survives crashes and
 * power cuts, which is what a reply promises that says something was saved. Finishes an interrupted
 * restore first.
 * @param dataDir the state directory; created if missing
 * @param report called for each migration that ran
 * @param preparing when statements are prepared
 * @param onOtherServer makes this the server, of which a state has one; called before it waits, blocking
 *   the event loop, for another one to stop
 * @throws StartError if the directory or file can't be used, comes from a newer version, is being
 *   restored, or has another server
 */
export function openDatabase(
  dataDir: string,
  report: (step: string) => void = () => {},
  preparing: Preparing = 'at once',
  onOtherServer?: () => void,
): SiteDatabase {
  const file = databaseFile(dataDir)
  const failed = (cause: unknown) => {
    const { message } = cause as Error
    return new StartError(
      isDamage(cause)
        ? `The database ${file} is damaged: ${message}. Go back to a backup: backup list shows them, and backup restore <name> --yes puts one in place and keeps the damaged file.`
        : isBusy(cause)
          ? `The database ${file} cannot be opened for writing: another process has been writing to it for ${openTimeoutMs / 1000} seconds. Try again when it’s done.`
          : `The database ${file} cannot be opened for writing: ${message}. Check DATA_DIR, its owner and the free space.`,
      { cause },
    )
  }
  const opened: (() => void)[] = []
  try {
    makeStateDirectory(dataDir)
    accessSync(dataDir, constants.W_OK)
    // Before anything is migrated under a server that still runs.
    if (onOtherServer) opened.unshift(serveState(dataDir, onOtherServer))
    opened.unshift(useState(dataDir))
    refuseEmptied(dataDir)
    const db = new Database(file, { timeout: openTimeoutMs })
    opened.unshift(() => void db.close())
    prepareConnection(db)
    migrate(db, { backups: join(dataDir, 'backups'), report })
    cleanFreePages(db, dataDir, report)
    // Waiting inside SQLite would block the event loop; commit does the waiting.
    db.pragma('busy_timeout = 0')
    const database = createDatabase(db, preparing)
    return {
      ...database,
      async close() {
        await database.close()
        for (const release of opened) release()
      },
    }
  } catch (cause) {
    for (const release of opened) release()
    throw cause instanceof StartError ? cause : failed(cause)
  }
}

/**
 * A file of no bytes is what a first start leaves that ended at once, but also what a full disk or a
 * failed copy makes of a database. Taken for a new site, it would give numbers of invoices out again.
 * @throws StartError where something beside it was made with a database, or belongs to one
 */
function refuseEmptied(dataDir: string): void {
  const file = databaseFile(dataDir)
  const size = sizeOf(file)
  const way =
    'backup list shows them, and backup restore <name> --yes puts one in place. To begin a new site, move everything out of'
  // SQLite deletes the log of a database that it makes afresh.
  if (size === null && (sizeOf(join(dataDir, logName)) ?? 0) > 0) {
    throw new StartError(
      `The database ${file} is missing, but ${logName}, with its last changes, is beside it. Put the database back, or go back to a backup: ${way} ${dataDir}.`,
    )
  }
  const left = size === 0 ? leftOfSite(dataDir) : []
  if (left.length === 0) return
  throw new StartError(
    `The database ${file} is empty, but a site was here: ${left.join(', ')} beside it. Go back to a backup: ${way} ${dataDir}.`,
  )
}

/** What SQLite keeps beside the database: changes that aren't in its file yet. */
const logName = 'pitlane.sqlite-wal'

/** Names of what was made with a database, or belongs to one. */
function leftOfSite(dataDir: string): string[] {
  const namesIn = (name: string) => {
    const directory = join(dataDir, name)
    return existsSync(directory)
      ? readdirSync(directory).filter((each) => !each.startsWith('.'))
      : []
  }
  return [
    ...[logName, ...keyNames].filter((name) => (sizeOf(join(dataDir, name)) ?? 0) > 0),
    ...['backups', 'folders'].filter((name) => namesIn(name).length > 0),
  ]
}

/**
 * What a state directory without a database has of a site, as a failed mount or copy leaves it.
 * @returns names; null where there is a database, or a restore that puts one there
 */
export function newSiteBeside(dataDir: string): string[] | null {
  if (existsSync(databaseFile(dataDir)) || isReplacing(dataDir)) return null
  return leftOfSite(dataDir)
}

/** Bytes of a file; null where there is none. */
const sizeOf = (path: string): number | null =>
  statSync(path, { throwIfNoEntry: false })?.size ?? null

/** Whether the file itself is broken, so neither its owner nor the free space is the trouble. */
const isDamage = (cause: unknown): boolean =>
  cause instanceof Database.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(cause.code)

function prepareConnection(db: Database.Database): void {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  // Deleted data is overwritten: people can ask us to erase it.
  db.pragma('secure_delete = ON')
  // Hot pages, such as counts, reach the file once per 32 MB of log.
  db.pragma('wal_autocheckpoint = 8000')
  db.pragma('cache_size = -32000')
  // Unlike opening, a write proves that the disk accepts writes.
  db.exec('BEGIN IMMEDIATE; PRAGMA user_version; COMMIT')
}

/** The number in the header of a file that was never without `secure_delete`, or was rewritten since. */
const cleanVersion = 1

/** Rewrites a database from before `secure_delete`, once: its free pages still hold deleted data. */
function cleanFreePages(
  db: Database.Database,
  dataDir: string,
  report: (step: string) => void,
): void {
  if ((db.pragma('user_version', { simple: true }) as number) >= cleanVersion) return
  try {
    // A new file and the log, each as large as the database.
    if (freeBytesOf(dataDir) < 2 * databaseBytes(db)) throw new Error('the disk is full')
    db.exec('VACUUM')
    db.pragma(`user_version = ${cleanVersion}`)
    db.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    const why = (error as Error).message
    report(`couldn’t purge deleted data; the next start tries again: ${why}`)
  }
}

/** Takes the shared lock of the state, once the state is complete. */
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
