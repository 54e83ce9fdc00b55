import Database from 'better-sqlite3'
import { isEmpty } from './database-files.ts'

/** The last number of each series that may not be given out again, by the name of the series. */
export type SpentNumbers = ReadonlyMap<string, number>

const table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'spent_numbers'"

/** The spent numbers of a database file; null if it isn't there, is empty, or can't be read. */
export function readSpentNumbers(file: string): SpentNumbers | null {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true })
    try {
      // An early version has none; a file that was cut to nothing doesn't know them.
      if (!db.prepare(table).get()) return isEmpty(db) ? null : new Map()
      const rows = db.prepare('SELECT name, last FROM spent_numbers').all()
      return new Map((rows as { name: string; last: number }[]).map((row) => [row.name, row.last]))
    } finally {
      db.close()
    }
  } catch {
    return null
  }
}

/** Numbers that neither of two states may give out again. */
export function mergeSpentNumbers(one: SpentNumbers, other: SpentNumbers): SpentNumbers {
  const merged = new Map(one)
  for (const [name, last] of other) merged.set(name, Math.max(last, merged.get(name) ?? 0))
  return merged
}

/**
 * Keeps a database file from giving out numbers that were given by the state it takes the place of.
 * @param file of a database that no process uses
 */
export function keepSpentNumbers(file: string, spent: SpentNumbers): void {
  const db = new Database(file, { fileMustExist: true })
  try {
    if (!db.prepare(table).get()) return
    const keep = db.prepare(`INSERT INTO spent_numbers VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last)`)
    db.transaction(() => {
      for (const [name, last] of spent) keep.run(name, last)
    })()
  } finally {
    db.close()
  }
}
