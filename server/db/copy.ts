import Database from 'better-sqlite3'

/**
 * Copies a database as it is at this moment, while others go on writing to it.
 * @param from the file of an open database
 * @param to a file that is not there yet; it needs no other file beside it
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new Database(from, { readonly: true })
  try {
    // A reader's transaction stays at one moment, so that writes never make the copy begin anew.
    source.exec('BEGIN')
    source.prepare('SELECT 1 FROM sqlite_master').all()
    await source.backup(to)
  } finally {
    source.close()
  }
  foldLog(to)
}

/**
 * Puts what is only in the write-ahead log into the database file, and ends the log.
 * @throws when the file is no sound database, or in use
 */
export function foldLog(file: string): void {
  const db = new Database(file, { fileMustExist: true })
  try {
    db.pragma('journal_mode = DELETE')
  } finally {
    db.close()
  }
}

/** What a database file is, seen from outside. */
export type Inspected = {
  /** What is wrong with it; empty for a sound one. */
  problems: readonly string[]
  /** The number of its newest migration; null when it cannot be told. */
  schema: number | null
}

/** Checks a database file that no process uses; reads all of it before it returns. */
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

/** The number of the newest migration in a database file; null when it cannot be told. */
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
