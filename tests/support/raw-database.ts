import Database from 'better-sqlite3'
import { databaseFile } from '#server/db/open.ts'

/**
 * Runs SQL on the database of a site from outside, as another process would.
 * @returns the changed rows of a single statement
 */
export function runSql(dataDir: string, sql: string, ...values: readonly unknown[]): number {
  const db = new Database(databaseFile(dataDir))
  try {
    if (values.length > 0) return db.prepare(sql).run(...values).changes
    db.exec(sql)
    return 0
  } finally {
    db.close()
  }
}
