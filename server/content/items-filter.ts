import type { StoredRow } from './reader.ts'
import { timeOf } from './rows.ts'
import { notPublic, refuse } from './wire.ts'

/** Decides whether a row matches. */
export type Test = (row: StoredRow) => boolean

/** What a filter is made with. */
type Rules = {
  /** Whether it may name a field. */
  allows: (field: string) => boolean
  /** The value of `$NOW`, in milliseconds of the epoch. */
  now: number
}

const deepest = 6

/**
 * Makes a test from a filter in the language of Directus. As in SQL, a null matches nothing but
 * the operators about null.
 * @throws a refusal for a wrong shape, an unknown operator or field, or a filter deeper than 6
 */
export function readFilter(filter: unknown, rules: Rules, depth = 1): Test {
  if (depth > deepest) throw bad(`The filter is deeper than ${deepest}`)
  if (!isPlain(filter)) throw bad('The filter must be an object')
  return every(
    Object.entries(filter).map(([name, value]) => {
      if (name === '_and' || name === '_or') {
        if (!Array.isArray(value)) throw bad(`"${name}" must be a list`)
        const tests = value.map((part) => readFilter(part, rules, depth + 1))
        return name === '_and' || tests.length === 0 ? every(tests) : some(tests)
      }
      if (name.startsWith('_')) throw bad(`"${name.slice(0, 40)}" is no operator here`)
      if (!rules.allows(name)) throw notPublic(`field "${name.slice(0, 40)}"`)
      return readField(name, value, rules, depth + 1)
    }),
  )
}

/** Operators of one field; they have to match together. */
function readField(name: string, wanted: unknown, rules: Rules, depth: number): Test {
  if (depth > deepest) throw bad(`The filter is deeper than ${deepest}`)
  // A bare value means that it is equal.
  const operators = isPlain(wanted) ? wanted : { _eq: wanted }
  return every(
    Object.entries(operators).map(([operator, operand]) => {
      if (operator === '_and' || operator === '_or') {
        if (!Array.isArray(operand)) throw bad(`"${operator}" must be a list`)
        const tests = operand.map((part) => readField(name, part, rules, depth + 1))
        return operator === '_and' || tests.length === 0 ? every(tests) : some(tests)
      }
      const test = compile(operator, operand, rules)
      return (row: StoredRow) => test(row[name] ?? null)
    }),
  )
}

type ValueTest = (value: unknown) => boolean

function compile(operator: string, operand: unknown, { now }: Rules): ValueTest {
  const known =
    (test: ValueTest): ValueTest =>
    (value) =>
      value !== null && test(value)
  const wanted = operand === '$NOW' ? new Date(now).toISOString() : operand
  switch (operator) {
    case '_null':
    case '_nnull': {
      const isNull = (operator === '_null') === isTrue(wanted)
      return (value) => (value === null) === isNull
    }
    case '_eq':
      return wanted === null
        ? (value) => value === null
        : known((value) => compare(value, wanted) === 0)
    case '_neq':
      return wanted === null
        ? (value) => value !== null
        : known((value) => compare(value, wanted) !== 0)
    case '_lt':
      return known((value) => compare(value, wanted) < 0)
    case '_lte':
      return known((value) => compare(value, wanted) <= 0)
    case '_gt':
      return known((value) => compare(value, wanted) > 0)
    case '_gte':
      return known((value) => compare(value, wanted) >= 0)
    case '_in':
    case '_nin': {
      const list = listOf(operator, wanted)
      return known(
        (value) => list.some((each) => compare(value, each) === 0) === (operator === '_in'),
      )
    }
    case '_between': {
      const [from, to, ...rest] = listOf(operator, wanted)
      if (from === undefined || to === undefined || rest.length > 0)
        throw bad('"_between" takes two values')
      return known((value) => compare(value, from) >= 0 && compare(value, to) <= 0)
    }
    case '_contains':
      return known((value) => textOf(value).includes(textOf(wanted)))
    case '_ncontains':
      return known((value) => !textOf(value).includes(textOf(wanted)))
    case '_icontains':
      return known((value) => folded(value).includes(folded(wanted)))
    case '_starts_with':
      return known((value) => textOf(value).startsWith(textOf(wanted)))
    case '_ends_with':
      return known((value) => textOf(value).endsWith(textOf(wanted)))
    default:
      throw bad(`"${operator.slice(0, 40)}" is no operator here`)
  }
}

const every =
  (tests: readonly Test[]): Test =>
  (row) =>
    tests.every((test) => test(row))
const some =
  (tests: readonly Test[]): Test =>
  (row) =>
    tests.some((test) => test(row))
const bad = (problem: string) => refuse('INVALID_QUERY', `Invalid query. ${problem}.`)
const isPlain = (value: unknown): value is Record<string, unknown> =>
  value instanceof Object && !Array.isArray(value)
const isTrue = (value: unknown) => value !== false && value !== 'false'
const textOf = (value: unknown) => (value instanceof Object ? JSON.stringify(value) : String(value))

/** A text for comparing without regard to case. */
export const folded = (value: unknown): string => textOf(value).toLowerCase()

function listOf(operator: string, value: unknown): unknown[] {
  const list = typeof value === 'string' ? value.split(',') : value
  if (!Array.isArray(list)) throw bad(`"${operator}" takes a list`)
  return list
}

const isTime = (value: string) => /^\d{4}-\d\d-\d\d(?:T|$)/.test(value)

/** Below, equal or above zero; NaN, which is none of them, for values of different kinds. */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number') return a - (b === '' || b === null ? NaN : Number(b))
  if (typeof a === 'boolean')
    return Number(a) - Number(b === true || b === 'true' || b === 1 || b === '1')
  const [left, right] = [textOf(a), textOf(b)]
  if (left === right) return 0
  // The same moment is written in more than one way.
  if (isTime(left) && isTime(right)) return timeOf(left) - timeOf(right)
  return left < right ? -1 : 1
}
