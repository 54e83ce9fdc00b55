import type { Database } from './database.ts'
import { query, text } from './table.ts'

/**
 * Prepares the list of the email addresses that a table has, each once as it is spelt there.
 * @param column NULL in rows without an address
 */
export function createAddresses(db: Database, table: string, column = 'email'): () => string[] {
  const all = query(
    db,
    `SELECT DISTINCT ${column} AS email FROM ${table} WHERE ${column} IS NOT NULL`,
    { email: text() },
  )
  return () => all.all().map(({ email }) => email)
}
