import { setImmediate } from 'node:timers/promises'
import { hasWords } from '#shared/text/word-search.ts'
import type { Database } from './database.ts'
import { integer, query, text } from './table.ts'

/** Rows that are looked at before others have their turn: a few milliseconds. */
const pageSize = 500

/**
 * Finds rows by words in what people know them by.
 * @param words folded, as by `searchWords`; a row has all of them
 * @returns ids, those of the newest rows first
 */
export type RowSearch = (words: readonly string[], limit: number) => Promise<number[]>

/**
 * Creates the search of a table. It reads the texts alone, a page at a time, so that a table of any size
 * holds up no one else.
 * @param table has whole numbers as `id`
 * @param texts SQL of what its rows are found by
 */
export function createRowSearch(db: Database, table: string, texts: readonly string[]): RowSearch {
  const page = query(
    db,
    `SELECT id, concat_ws(char(10), ${texts.join(', ')}) AS texts FROM ${table}
     WHERE id < :before ORDER BY id DESC LIMIT ${pageSize}`,
    { id: integer(), texts: text() },
  )
  return async (words, limit) => {
    const found: number[] = []
    let before = Number.MAX_SAFE_INTEGER
    for (;;) {
      const rows = page.all({ before })
      for (const row of rows) {
        if (!hasWords(words, [row.texts])) continue
        found.push(row.id)
        if (found.length === limit) return found
      }
      if (rows.length < pageSize) return found
      before = rows.at(-1)!.id
      await setImmediate()
    }
  }
}
