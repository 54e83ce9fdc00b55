import type { StoredRow } from '../collection.ts'
import {
  comparable,
  compareRead,
  folded,
  maxOperators,
  readFilter,
  type Comparable,
  type Test,
} from './items-filter.ts'
import { notPublic, refuse } from './wire.ts'

/** What is asked of a collection, checked. */
export type ItemsQuery = {
  /** In the order asked for. */
  fields: readonly string[]
  /** Fields that deciding needs, in addition to those that are shown. */
  decides: ReadonlySet<string>
  matches: Test
  /** Rows in the order asked for, as they are where none was. */
  sorted: (rows: readonly StoredRow[]) => readonly StoredRow[]
  offset: number
  limit: number
  meta: ReadonlySet<'total_count' | 'filter_count'>
}

const defaultLimit = 100
const largestLimit = 500
const largestFilter = 4_096
const largestSearch = 200
const maxKeys = 5

/**
 * Reads the query of `GET /items/{collection}`, in the language of Directus.
 * @param publicFields what the collection shows; `searched` those of them that `search` looks into
 * @throws a refusal: 400 for what cannot be understood, 403 for fields that are not public
 */
export function readItemsQuery(
  parameters: ReadonlyMap<string, string>,
  {
    publicFields,
    searched,
    now,
  }: { publicFields: readonly string[]; searched: readonly string[]; now: number },
): ItemsQuery {
  const decides = new Set<string>()
  const tests: Test[] = []
  const allows = (field: string) => publicFields.includes(field) && Boolean(decides.add(field))

  const filter = filterOf(parameters)
  if (filter !== undefined)
    tests.push(readFilter(filter, { allows, now, left: { operators: maxOperators } }))
  const search = parameters.get('search')?.slice(0, largestSearch)
  if (search) tests.push(searching(search, searched))

  const limit = wholeNumber(parameters, 'limit', { min: -1 }) ?? defaultLimit
  const page = wholeNumber(parameters, 'page', { min: 1 }) ?? 1
  const offset = wholeNumber(parameters, 'offset', { min: 0 })
  const size = limit === -1 ? largestLimit : Math.min(limit, largestLimit)
  return {
    fields: readFields(parameters, publicFields),
    decides,
    matches: (row) => tests.every((test) => test(row)),
    sorted: readSort(parameters.get('sort'), allows),
    offset: offset ?? (limit === -1 ? 0 : (page - 1) * size),
    limit: size,
    meta: readMeta(parameters.get('meta')),
  }
}

/** The fields that are asked for; `*`, or nothing said, is all of them. */
export function readFields(
  parameters: ReadonlyMap<string, string>,
  publicFields: readonly string[],
): string[] {
  const asked = splitList(parameters.get('fields'))
  if (asked.length === 0) return [...publicFields]
  const fields = asked.flatMap((name) => (name === '*' || name === '*.*' ? publicFields : [name]))
  for (const name of fields) {
    if (!publicFields.includes(name)) throw notPublic(`field "${name.slice(0, 40)}"`)
  }
  return [...new Set(fields)]
}

/** A filter comes as JSON, or in the bracket form `filter[field][_operator]=value`. */
function filterOf(parameters: ReadonlyMap<string, string>): unknown {
  const json = parameters.get('filter')
  if (json !== undefined) {
    if (json.length > largestFilter)
      throw bad(`The filter is longer than ${largestFilter} characters`)
    try {
      return json === '' ? undefined : JSON.parse(json)
    } catch {
      throw bad('The filter is not JSON')
    }
  }
  const filter = new Map<string, Record<string, string>>()
  for (const [name, value] of parameters) {
    if (!name.startsWith('filter')) continue
    const [, field, operator] = name.match(/^filter\[(\w+)\](?:\[(\w+)\])?$/) ?? []
    if (!field || value.length > largestFilter) throw bad('The filter cannot be read')
    filter.set(field, { ...filter.get(field), [operator ?? '_eq']: value })
  }
  return filter.size > 0 ? Object.fromEntries(filter) : undefined
}

function searching(search: string, fields: readonly string[]): Test {
  const wanted = folded(search)
  return (row) =>
    fields.some((name) => typeof row[name] === 'string' && folded(row[name]).includes(wanted))
}

function readSort(
  sort: string | undefined,
  allows: (field: string) => boolean,
): ItemsQuery['sorted'] {
  const wanted = splitList(sort)
  if (wanted.length > maxKeys) throw bad(`"sort" takes at most ${maxKeys} fields`)
  const keys = wanted.map((key) => {
    const down = key.startsWith('-')
    const name = down ? key.slice(1) : key
    if (!allows(name)) throw notPublic(`field "${name.slice(0, 40)}"`)
    return { name, sign: down ? -1 : 1 }
  })
  if (keys.length === 0) return (rows) => rows
  return (rows) =>
    rows
      // Read once for each row, and not for each comparison.
      .map((row) => ({ row, values: keys.map(({ name }) => comparable(row[name])) }))
      .toSorted((a, b) => {
        for (const [index, { sign }] of keys.entries()) {
          const difference = nullsFirst(a.values[index]!, b.values[index]!)
          if (difference) return difference * sign
        }
        return 0
      })
      .map(({ row }) => row)
}

function nullsFirst(a: Comparable, b: Comparable): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  return compareRead(a, b)
}

function readMeta(meta: string | undefined): ItemsQuery['meta'] {
  const names = ['total_count', 'filter_count'] as const
  const asked = splitList(meta)
  const unknown = asked.find((name) => name !== '*' && !names.some((each) => each === name))
  if (unknown !== undefined) throw bad(`"${unknown.slice(0, 40)}" is not a meta field`)
  return new Set(names.filter((name) => asked.includes('*') || asked.includes(name)))
}

function wholeNumber(
  parameters: ReadonlyMap<string, string>,
  name: string,
  { min }: { min: number },
): number | undefined {
  const value = parameters.get(name)
  if (value === undefined) return undefined
  // As measured: an empty limit is none at all.
  const number =
    value === '' && name === 'limit' ? 0 : /^-?\d{1,9}$/.test(value) ? Number(value) : NaN
  if (!(number >= min)) throw bad(`"${name}" must be a whole number from ${min}`)
  return number
}

const splitList = (value = '') =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
const bad = (problem: string) => refuse('INVALID_QUERY', `Invalid query. ${problem}.`)
