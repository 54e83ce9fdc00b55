import type { Logger } from 'pino'
import { fieldsOf, hasLongText, type Collection } from '../../collections.ts'
import type { StoredRow } from '../collection.ts'
import { fieldsOfKind } from '../published/row-values.ts'

/** What to ask a Directus for: the fields in use, as far as it has them. */
export type FieldSets = {
  /** Field lists to try in turn. */
  candidates(collection: Collection): string[]
  /** Says that a list worked. */
  worked(collection: Collection, fields: string): void
  /**
   * Learns from some rows with all their fields which ones there are.
   * @returns field lists to try in turn; none where the rows say nothing
   */
  discover(collection: Collection, rows: readonly StoredRow[]): string[]
  /** Asks for everything of a collection again the next time. */
  renew(collection: Collection): void
}

type Learnt = { fields: string | null; at: number; missing: string }

/**
 * Makes an empty memory of field sets. What was missing once is asked for again after a while, since
 * editors add fields to a running service.
 * @param relearn how long a list that lacks fields is good for, in milliseconds
 */
export function createFieldSets({
  relearn,
  log,
}: {
  relearn: number
  log: Pick<Logger, 'warn' | 'info'>
}): FieldSets {
  const learnt = new Map<Collection, Learnt>()
  const all = (collection: Collection) => {
    const deep = deepNames(collection)
    return askedOf(collection)
      .flatMap((name) => (deep.has(name) ? [name, deep.get(name)!] : [name]))
      .join(',')
  }

  /** Says once which fields a collection lacks, and once that it has them all. */
  function logMissing(collection: Collection, missing: string): void {
    const before = learnt.get(collection)?.missing ?? ''
    if (missing === before) return
    if (missing) log.warn({ collection, missing }, 'content fields missing or hidden')
    else log.info({ collection }, 'content fields complete again')
  }

  return {
    candidates(collection) {
      const known = learnt.get(collection)
      const isGood = known?.fields && performance.now() - known.at < relearn
      return [isGood ? known.fields! : all(collection)]
    },
    worked(collection, fields) {
      const known = learnt.get(collection)
      if (fields === all(collection)) {
        logMissing(collection, '')
        learnt.delete(collection)
      } else if (known) known.fields = fields
    },
    discover(collection, rows) {
      if (rows.length === 0) return []
      const keys = new Set(rows.flatMap((row) => Object.keys(row)))
      // However it is spelled, a status decides what is shown.
      const useful = new Set([...askedOf(collection), 'status', 'Status'])
      const present = [...useful].filter((name) => keys.has(name))
      const missing = askedOf(collection)
        .filter((name) => !keys.has(name))
        .join(', ')
      logMissing(collection, missing)
      learnt.set(collection, { fields: null, at: performance.now(), missing })
      const names = deepNames(collection)
      const deep = present.map((name) => names.get(name) ?? name)
      return [...new Set([deep.join(','), present.join(',')])]
    },
    renew(collection) {
      const known = learnt.get(collection)
      if (known) known.at = -Infinity
    },
  }
}

/** The fields in use, and what tells whether the long text of a row has to be read again. */
const askedOf = (collection: Collection): readonly string[] => [
  ...new Set([...fieldsOf(collection), ...(hasLongText(collection) ? ['date_updated'] : [])]),
]

/** Fields of many files: a Directus returns junction ids unless it is asked for the file behind them. */
const deepNames = (collection: Collection): ReadonlyMap<string, string> =>
  new Map(fieldsOfKind(collection, 'pictures').map((name) => [name, `${name}.directus_files_id`]))
