import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { newSecret } from '../secrets/ids.ts'
import { runInThread } from '../concurrency/worker-thread.ts'
import type { Copying } from './copy-worker.ts'

/** Tries to empty the log, and the milliseconds between them. */
const tries = 20
const tryPauseMs = 250

/**
 * Copies the current state of a database, without free pages, in a worker thread; others can keep
 * writing.
 * @param from the file of an open database
 * @param to a new file; complete without a log beside it
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const copying: Copying = { from, to }
  await runInThread<true>(join(import.meta.dirname, 'copy-worker.ts'), copying)
}

/**
 * Empties the write-ahead log of a database, which still holds old content of changed pages.
 * @param file of an open database
 * @returns false if readers of an older state, such as a backup, didn't finish within seconds
 */
export async function emptyLog(file: string): Promise<boolean> {
  // A try that finds a lock gives up at once; the pause between two leaves the event loop to others.
  const db = new Database(file, { timeout: 0, fileMustExist: true })
  try {
    for (let count = 0; count < tries; count += 1) {
      if (count > 0) await setTimeout(tryPauseMs)
      const [result] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
      if (result?.busy === 0) return true
    }
    return false
  } finally {
    db.close()
  }
}

/**
 * Merges the write-ahead log into the database file and removes it.
 * @throws if the file is in use or not a valid database
 */
export function foldLog(file: string): void {
  const db = new Database(file, { fileMustExist: true })
  try {
    db.pragma('journal_mode = DELETE')
  } finally {
    db.close()
  }
}

/** The result of checking a database file. */
type Inspected = {
  /** Empty for a valid one. */
  problems: readonly string[]
  /** The number of its newest migration; null if unknown. */
  schema: number | null
}

/** Checks a database file that no process uses; reads all of it, synchronously. */
export function inspectDatabase(file: string): Inspected {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true })
    try {
      const found = db.prepare('PRAGMA integrity_check(5)').pluck().all() as string[]
      return { problems: found.filter((line) => line !== 'ok'), schema: schemaOf(db) }
    } finally {
      db.close()
    }
  } catch (error) {
    return { problems: [(error as Error).message], schema: null }
  }
}

/** Whether a database has no table at all, as a file that was cut to nothing: it knows nothing of a site. */
export const isEmpty = (db: Database.Database): boolean =>
  db.prepare('SELECT 1 FROM sqlite_master').get() === undefined

/** The newest migration in a database file; null if unknown. */
export function readSchema(file: string): number | null {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true })
    try {
      return schemaOf(db)
    } finally {
      db.close()
    }
  } catch {
    return null
  }
}

function schemaOf(db: Database.Database): number | null {
  const table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'"
  if (!db.prepare(table).get()) return null
  return db.prepare('SELECT max(number) FROM migrations').pluck().get() as number | null
}

/**
 * Starts a new epoch in a database file that is about to be restored, so links bound to the old
 * epoch don't work again if they had ended after the backup.
 * @param file of a database that no process uses
 */
export function beginRestoreEpoch(file: string): void {
  const db = new Database(file, { fileMustExist: true })
  try {
    // A backup of an earlier version gets its epoch by the migration.
    const table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'restore_epoch'"
    if (!db.prepare(table).get()) return
    db.prepare('UPDATE restore_epoch SET epoch = ?').run(newSecret())
  } finally {
    db.close()
  }
}
