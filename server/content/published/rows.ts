import type { Logger } from 'pino'
import type * as z from 'zod'
import { definitionOf, fieldsOf, longTextOf, type Collection, type Row } from '../../collections.ts'
import { eachInTurns } from '../../concurrency/in-turns.ts'
import type { Problem, StoredRow } from '../collection.ts'
import { isPlausibleDate, normalise, timeOf, withoutUnsafe } from './row-values.ts'

/** A row that may be shown: checked, and as it is stored. */
export type PublishedRow<Name extends Collection = Collection> = {
  row: Row<Name>
  stored: StoredRow
}

/** The visible part of a collection. */
export type Published<Name extends Collection = Collection> = {
  /** In the order of the pages. */
  rows: readonly Row<Name>[]
  /** In stored order. */
  shown: readonly PublishedRow<Name>[]
  byId: ReadonlyMap<string, PublishedRow<Name>>
  /** When the next scheduled row becomes visible, in milliseconds of the epoch; Infinity if none. */
  nextAt: number
}

/**
 * Lets through what the public may see of a collection: published, consented to, due and valid. A
 * field that breaks its schema is logged and left out; the row goes with it only if it needs the
 * field, or the field decides whether it may be shown. Of rows with one address the first is shown.
 */
export function filterPublished<Name extends Collection>(
  collection: Name,
  stored: readonly StoredRow[],
  options: FilterOptions,
): Published<Name> {
  const filter = createFilter(collection, options)
  for (const each of stored) filter.add(each)
  return filter.published()
}

/** The same of a whole collection, in as many turns of the event loop as it takes. */
export async function filterPublishedInTurns<Name extends Collection>(
  collection: Name,
  stored: readonly StoredRow[],
  options: FilterOptions,
): Promise<Published<Name>> {
  const filter = createFilter(collection, options)
  await eachInTurns(stored, filter.add)
  return filter.published()
}

/** `now` in milliseconds of the epoch. */
type FilterOptions = { now: number; log: Pick<Logger, 'warn'> }

function createFilter<Name extends Collection>(collection: Name, { now, log }: FilterOptions) {
  const shown: PublishedRow<Name>[] = []
  const byId = new Map<string, PublishedRow<Name>>()
  const taken = new Map<string, unknown>()
  const { addressOf } = definitionOf(collection)
  let nextAt = Infinity
  return {
    add(this: void, each: StoredRow): void {
      if (!isPublished(collection, each)) return
      const { row, left } = checkRow(collection, each)
      const message = row ? 'content field left out' : 'content row left out'
      for (const problem of left) log.warn({ collection, row: each.id, ...problem }, message)
      if (!row) return
      const due =
        'published_at' in row && row.published_at ? Date.parse(row.published_at) : -Infinity
      if (due > now) {
        nextAt = Math.min(nextAt, due)
        return
      }
      const address = addressOf?.(row) ?? null
      if (address !== null && taken.has(address)) {
        const problem = `Row ${String(taken.get(address))} has this address already: ${address}`
        log.warn({ collection, row: each.id, problem }, 'content row left out')
        return
      }
      // A long text is found by the id: the page of one would show the text of the other.
      if (longTextOf(collection) !== null && byId.has(String(row.id))) {
        const problem = 'Another row has this id already'
        log.warn({ collection, row: each.id, field: 'id', problem }, 'content row left out')
        return
      }
      if (address !== null) taken.set(address, each.id)
      const found = { row, stored: left.length > 0 ? withoutLeft(each, row, left) : each }
      shown.push(found)
      byId.set(String(row.id), found)
    },
    published: (): Published<Name> => ({
      rows: shown.map(({ row }) => row).toSorted(byPlace(collection)),
      shown,
      byId,
      nextAt,
    }),
  }
}

/** What was left out of a row is not in it as stored either. */
function withoutLeft(stored: StoredRow, row: object, left: readonly Problem[]): StoredRow {
  const names = left.map(({ field }) => field.split('.', 1)[0]!)
  const values = row as Record<string, unknown>
  return { ...stored, ...Object.fromEntries(names.map((name) => [name, values[name] ?? null])) }
}

/** The fields of a collection that the public may read, long text included. */
export function publicFields(collection: Collection): string[] {
  const long = longTextOf(collection)
  const { unshown } = definitionOf(collection)
  return [...fieldsOf(collection), ...(long ? [long] : [])].filter(
    (name) => !unshown?.includes(name),
  )
}

/** A row with nothing but what the public may read of it. */
export function publicPart(collection: Collection, row: object): object {
  const fields = publicFields(collection)
  return Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name)))
}

/** Whether a row is meant to be shown. One without a status is, unless its collection says otherwise. */
export function isPublished(collection: Collection, row: StoredRow): boolean {
  if (!(row instanceof Object)) return false
  const { isAllowed, statusOf, needsStatus } = definitionOf(collection)
  if (isAllowed?.(row) === false) return false
  const status = statusOf ? statusOf(row) : (row.Status ?? row.status)
  if (status === null || status === undefined) return needsStatus !== true
  return typeof status === 'string' && status.trim().toLowerCase() === 'published'
}

/** Fields that decide in every collection whether a row may be shown: a wrong one hides it. */
const decidingAlways: ReadonlySet<string> = new Set(['status', 'Status', 'published_at'])

/** Fields by their schemas. */
type Shape = Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>>

/** What a value of the wrong kind is, as an editor of the file would say it. */
const notOfKind: Readonly<Record<string, string>> = {
  string: 'Not a text',
  number: 'Not a number',
  int: 'Not a whole number',
  boolean: 'Neither true nor false',
  array: 'Not a list',
  object: 'Not an object',
}

/** What is wrong with a value. @param values those it was found among, with its path from there */
function inWords(issue: z.core.$ZodIssue, values: unknown): string {
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_union') return issue.message
  const value = issue.path.reduce<unknown>(
    (found, key) => (found as Record<PropertyKey, unknown> | null | undefined)?.[key],
    values,
  )
  if (value === undefined || value === null) return 'Missing'
  return issue.code === 'invalid_union'
    ? 'Neither a text nor a number'
    : (notOfKind[issue.expected] ?? issue.message)
}

/** The row without its wrong fields; null when it cannot do without one of them. */
export function checkRow<Name extends Collection>(
  collection: Name,
  stored: StoredRow,
): { row: Row<Name> | null; left: Problem[] } {
  const { schema, deciding = [], settle } = definitionOf(collection)
  const shape: Shape = schema.shape
  const decides = (field: string) => decidingAlways.has(field) || deciding.includes(field)
  const { values, left } = withoutUnsafe(collection, normalise(collection, stored))
  const first = schema.safeParse(values)
  let isNeeded = false
  for (const issue of first.error?.issues ?? []) {
    const [field = ''] = issue.path.map(String)
    left.push({ field: issue.path.map(String).join('.'), problem: inWords(issue, values) })
    isNeeded ||= decides(field) || !shape[field]?.safeParse(undefined).success
    values[field] = undefined
  }
  if (isNeeded) return { row: null, left }
  const parsed = first.success ? first : schema.safeParse(values)
  if (!parsed.success) return { row: null, left }
  const row = parsed.data as Row<Name> & { published_at?: string | null }
  if (typeof row.published_at === 'string') {
    const isEmpty = row.published_at.trim() === '' && shape.published_at?.safeParse(null).success
    if (!isEmpty && !isPlausibleDate(row.published_at)) {
      return { row: null, left: [...left, { field: 'published_at', problem: 'Not a date' }] }
    }
    row.published_at = isEmpty ? null : new Date(timeOf(row.published_at)).toISOString()
  }
  const wrong = settle?.(row) ?? null
  return wrong ? { row: null, left: [...left, wrong] } : { row, left }
}

/** Whether a field of a row is as its schema wants it. */
export function isValidField(collection: Collection, field: string, row: StoredRow): boolean {
  const shape: Shape = definitionOf(collection).schema.shape
  const { values } = withoutUnsafe(collection, normalise(collection, { [field]: row[field] }))
  return shape[field]?.safeParse(values[field]).success ?? false
}

/** The fields without which no row can be shown, or which decide whether one may be. */
export function neededFields(collection: Collection): readonly string[] {
  const { deciding = [] } = definitionOf(collection)
  return fieldsOf(collection).filter(
    (field) =>
      decidingAlways.has(field) || deciding.includes(field) || isRequired(collection, field),
  )
}

/** Whether no row can be shown that has nothing in a field. */
export function isRequired(collection: Collection, field: string): boolean {
  const { schema, needsStatus } = definitionOf(collection)
  const shape: Shape = schema.shape
  return (needsStatus === true && field === 'Status') || !shape[field]?.safeParse(undefined).success
}

/** In the order of a collection; rows without a value come last, and the others as they are stored. */
function byPlace(collection: Collection): (a: object, b: object) => number {
  const { order = ['sort'] } = definitionOf(collection)
  const keys = order.map((key) =>
    key.startsWith('-') ? { name: key.slice(1), sign: -1 } : { name: key, sign: 1 },
  )
  return (a, b) => {
    for (const { name, sign } of keys) {
      const difference = compared(valueOf(a, name), valueOf(b, name), sign)
      if (difference !== 0) return difference
    }
    return 0
  }
}

const valueOf = (row: object, name: string) => (row as Record<string, unknown>)[name]

function compared(a: unknown, b: unknown, sign: number): number {
  if (!isComparable(a) || !isComparable(b)) return Number(isComparable(b)) - Number(isComparable(a))
  return a === b ? 0 : a < b ? -sign : sign
}

const isComparable = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'
