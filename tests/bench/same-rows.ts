import { join } from 'node:path'
import Database, { type Statement } from 'better-sqlite3'
import { openDatabase } from '#server/db/open.ts'

/** What writes the rows of one table once more, and the rows by whose they are. */
type SameRows = { insert: Statement; byOwner: Map<unknown, Record<string, unknown>[]> }

/**
 * Prepares to write rows of a site's database into another one, with new numbers of their own.
 * @param tables each with the column that tells whose its rows are
 */
export const sameRows = (
  source: Database.Database,
  target: Database.Database,
  tables: Readonly<Record<string, string>>,
): SameRows[] =>
  Object.entries(tables).map(([table, whose]) => {
    const rows = source.prepare(`SELECT *, "${whose}" AS whose FROM ${table}`).all() as Record<
      string,
      unknown
    >[]
    const names = Object.keys(rows[0]!).filter((name) => name !== 'whose' && name !== 'id')
    const insert = target.prepare(
      `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`,
    )
    return { insert, byOwner: Map.groupBy(rows, (row) => row.whose) }
  })

/** Opens a database with the site's empty tables and indexes, which writes as durably, for a bare loop. */
export async function openBare(dataDir: string): Promise<Database.Database> {
  await openDatabase(dataDir).close()
  const db = new Database(join(dataDir, 'pitlane.sqlite'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  return db
}
