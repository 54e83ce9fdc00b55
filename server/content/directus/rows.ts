import type { Logger } from 'pino'
import { definitionOf, fieldsOf, type Collection } from '../../collections.ts'
import type { StoredRow } from '../collection.ts'
import { fieldsOfKind } from '../published/row-values.ts'
import { isRequired, neededFields } from '../published/rows.ts'
import { lastShowable, whyUnshowable } from '../published/unshowable.ts'
import type { Outage } from '../reader.ts'
import { unavailable } from '../unavailable.ts'
import { createEmptied } from './emptied.ts'
import type { FieldSets } from './fields.ts'
import type { Lists } from './lists.ts'
import { isRefusal, type Refusal } from './request.ts'
import type { Fetched, Load } from './snapshots.ts'

/** Reads whole collections of a Directus. */
export type RowLoader = {
  /** All rows of a collection, whatever fields it turns out to have. */
  load(collection: Collection, known: Parameters<Load>[1], retryFor: number): Promise<Fetched>
  /** Whether the service refused a collection when it was last asked for it. */
  refused(collection: Collection): boolean
  /** What pages lack because of a field that is gone or hidden, the oldest such lack; null for none. */
  lack(): Outage | null
}

/** Rows sampled to learn which fields exist. */
const sampleRows = 20

/**
 * Creates the loader of collections. An optional one that is refused as missing and was never there is
 * empty. If all rows of one vanish, the last ones stay until {@link createEmptied} believes it. A field
 * that vanishes is reported and left out; but if it decides whether rows may be shown, or no row is
 * valid without it, the last rows stay: a lost permission must not publish drafts or hide the news.
 * They stay, too, when none of the new ones can be shown.
 */
export function createRowLoader({
  lists,
  fieldSets,
  emptyFor,
  clock,
  log,
}: {
  lists: Lists
  fieldSets: FieldSets
  /** How long a list has to stay empty before that counts, in milliseconds. */
  emptyFor: number
  clock: () => number
  log: Pick<Logger, 'warn' | 'debug'>
}): RowLoader {
  const refused = new Set<Collection>()
  const lacks = new Map<Collection, Outage>()
  const emptied = createEmptied(emptyFor)
  /** Fields with pictures that there have been since the start, or in snapshots. */
  const pictured = new Map<Collection, Set<string>>()

  function note(collection: Collection, why: string | null): void {
    const before = lacks.get(collection)
    if (before?.why === why) return
    if (why === null) return void lacks.delete(collection)
    lacks.set(collection, { since: before?.since ?? clock(), why })
    log.warn({ collection }, why)
  }

  /**
   * Looks at rows in addition to those from before, and says what is missing.
   * @param found `asked` is when it was asked for them, `why` none of them can be shown
   * @throws failure `unavailable` when a field is gone on which it depends what is shown, or all rows
   *   are gone and that doesn't count yet
   */
  function compare(
    collection: Collection,
    before: readonly StoredRow[],
    now: readonly StoredRow[],
    { asked, why }: { asked: number; why: string | null },
  ): void {
    if (now.length === 0) {
      if (before.length > 0) {
        emptied.seen(collection)
        log.warn({ collection, had: before.length }, 'content collection is now empty')
      }
      note(collection, null)
      return
    }
    emptied.hasRows(collection, now, asked)
    const [had, has] = [keysOf(before), keysOf(now)]
    const gone = neededFields(collection).filter((field) => had.has(field) && !has.has(field))
    if (gone.length > 0) {
      const explanation = `${collection}: ${named(gone)} gone or hidden; showing its last rows`
      throw Object.assign(unavailable(403, { cause: new Error(explanation) }), { explanation })
    }
    const seen = pictured.get(collection) ?? new Set()
    for (const field of pictureFields(collection)) {
      if (before.some((row) => isFilled(row[field])) || now.some((row) => isFilled(row[field]))) {
        seen.add(field)
      }
    }
    pictured.set(collection, seen)
    const never = fieldsOf(collection).filter(
      (field) => isRequired(collection, field) && !has.has(field),
    )
    const pictures = [...seen].filter((field) => !has.has(field))
    note(
      collection,
      never.length > 0
        ? `${collection}: none of its rows can be shown, because ${named(never)} missing or hidden`
        : pictures.length > 0
          ? `${collection}: its images aren’t shown, because ${named(pictures)} gone or hidden`
          : why,
    )
  }

  /** The rows with the first of some lists of fields that is not refused, or the last refusal. */
  async function withFirst(
    fieldLists: readonly string[],
    collection: Collection,
    tag: string | null | undefined,
    left: () => number,
  ): Promise<Fetched | Refusal> {
    let refusal: Refusal | null = null
    for (const fields of fieldLists) {
      try {
        const found = await lists.all(`/items/${collection}`, fields, tag, left)
        fieldSets.worked(collection, fields)
        refused.delete(collection)
        return found
      } catch (err) {
        if (!isRefusal(err)) throw err
        log.debug({ collection, fields, err }, 'content fields refused')
        refusal = err
      }
    }
    return refusal!
  }

  /** Learns which fields there are, and asks for those. @throws a refusal */
  async function discover(
    collection: Collection,
    tag: string | null | undefined,
    left: () => number,
  ): Promise<Fetched> {
    const query = { fields: '*', limit: String(sampleRows) }
    const some = await lists.page(`/items/${collection}`, query, { retryFor: left() })
    const rows = some === 'unchanged' ? [] : some.rows
    const fieldLists = fieldSets.discover(collection, rows)
    if (fieldLists.length === 0) return { value: [], tag: null }
    const found = await withFirst([...fieldLists, '*'], collection, tag, left)
    if (isRefusal(found)) throw found
    return found
  }

  async function checked(
    collection: Collection,
    before: unknown,
    found: Fetched,
    asked: number,
  ): Promise<Fetched> {
    const rows = (before ?? []) as StoredRow[]
    if (found === 'unchanged') {
      emptied.hasRows(collection, rows, asked)
      return found
    }
    const now = found.value as StoredRow[]
    const why = await whyUnshowable(collection, now)
    const left = why === null ? null : await lastShowable(collection, rows, now)
    compare(collection, rows, now, { asked, why: left ? null : why })
    if (left === rows) {
      const explanation = `${why}; showing the last ones`
      throw Object.assign(unavailable(502, { cause: new Error(explanation) }), { explanation })
    }
    return left ? { value: left, tag: null } : found
  }

  return {
    async load(collection, known, retryFor) {
      const asked = performance.now()
      const until = asked + retryFor
      const left = () => Math.max(until - performance.now(), 100)
      const tag = known?.tag
      // One unknown field fails the whole request; then the next list asks for less.
      const usual = await withFirst(fieldSets.candidates(collection), collection, tag, left)
      if (!isRefusal(usual)) return await checked(collection, known?.value, usual, asked)
      try {
        const found = await discover(collection, tag, left)
        return await checked(collection, known?.value, found, asked)
      } catch (err) {
        if (!isRefusal(err)) throw err
        refused.add(collection)
        if (
          definitionOf(collection).optional &&
          err.refused !== 413 &&
          !(known?.value as StoredRow[] | undefined)?.length
        ) {
          return { value: [], tag: null }
        }
        const thrown = unavailable(err.refused, { cause: err.cause })
        const explanation = `${collection} is hidden, because the content service doesn’t take CONTENT_TOKEN`
        throw err.asStranger ? Object.assign(thrown, { explanation }) : thrown
      }
    },
    refused: (collection) => refused.has(collection),
    lack: () => [...lacks.values()].toSorted((a, b) => a.since - b.since)[0] ?? null,
  }
}

/** All rows of a list have the same fields. */
const keysOf = (rows: readonly StoredRow[]): ReadonlySet<string> =>
  new Set(rows.slice(0, sampleRows).flatMap((row) => Object.keys(row)))

const pictureFields = (collection: Collection): readonly string[] => [
  ...fieldsOfKind(collection, 'picture'),
  ...fieldsOfKind(collection, 'pictures'),
]

const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined && value !== ''

const named = (fields: readonly string[]): string =>
  fields.length === 1 ? `the field ${fields[0]} is` : `the fields ${fields.join(', ')} are`
