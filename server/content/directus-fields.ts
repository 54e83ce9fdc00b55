import { rowSchemas, type Collection } from '#shared/content.ts'
import type { StoredRow } from './reader.ts'

/** What to ask a Directus for: the fields in use, as far as it has them. */
export type FieldSets = {
  /** Field lists to try in turn; the last one is always `*`. */
  candidates(collection: Collection): string[]
  /**
   * Remembers what worked, and what the rows of a `*` say about the fields that exist.
   * @returns the rows with the fields in use alone
   */
  learn(collection: Collection, fields: string, rows: readonly StoredRow[]): readonly StoredRow[]
}

/** Many-file fields: a Directus returns junction ids unless it is asked for the file behind them. */
const manyFiles = new Set(['images', 'gallery'])

/** Makes an empty memory of field sets. */
export function createFieldSets(): FieldSets {
  const learnt = new Map<Collection, string[]>()
  const wanted = (collection: Collection) => Object.keys(rowSchemas[collection].shape)

  return {
    candidates(collection) {
      const names = wanted(collection).flatMap((name) =>
        manyFiles.has(name) ? [name, `${name}.directus_files_id`] : [name],
      )
      return [...(learnt.get(collection) ?? [names.join(',')]), '*']
    },
    learn(collection, fields, rows) {
      if (fields !== '*') {
        learnt.set(collection, [fields])
        return rows
      }
      if (rows.length === 0) return rows
      const keys = new Set(rows.flatMap((row) => Object.keys(row)))
      // However it is spelled, a status decides what is shown.
      const useful = new Set([...wanted(collection), 'status', 'Status'])
      const present = [...useful].filter((name) => keys.has(name))
      const deep = present.map((name) => (manyFiles.has(name) ? `${name}.directus_files_id` : name))
      learnt.set(collection, [...new Set([deep.join(','), present.join(',')])])
      return rows.map((row) => Object.fromEntries(present.map((name) => [name, row[name]])))
    },
  }
}
