import { longTexts, rowSchemas, type Collection } from '#shared/content.ts'
import type { StoredRow } from './reader.ts'

/** What to ask a Directus for: the fields in use, as far as it has them. */
export type FieldSets = {
  /** Field lists to try in turn; the last one is always `*`. */
  candidates(collection: Collection): string[]
  /** Remembers what worked, and what the rows of a `*` say about the fields that exist. */
  learn(collection: Collection, fields: string, rows: readonly StoredRow[]): void
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
      if (fields !== '*') learnt.set(collection, [fields])
      else if (rows.length > 0) {
        const keys = new Set(rows.flatMap((row) => Object.keys(row)))
        const long = (longTexts as Partial<Record<Collection, string>>)[collection]
        const present = wanted(collection).filter((name) => keys.has(name) && name !== long)
        const deep = present.flatMap((name) =>
          manyFiles.has(name) ? [`${name}.directus_files_id`] : [name],
        )
        learnt.set(
          collection,
          [deep.join(','), present.join(',')].filter(
            (set, at, all) => set && all.indexOf(set) === at,
          ),
        )
      }
    },
  }
}
