import type { StoredRow } from '../collection.ts'
import { timeOf } from '../published/row-values.ts'
import { notPublic, refuse } from './wire.ts'

/** Decides whether a row matches. */
export type Test = (row: StoredRow) => boolean

/** What a filter is made with. */
type Rules = {
  /** Whether it may name a field. */
  allows: (field: string) => boolean
  /** The value of `$NOW`, in milliseconds of the epoch. */
  now: number
  /** Operators that may still be used; counted down. */
  left: { operators: number }
}

const maxFilterLevels = 6
/** Operators in one filter. */
export const maxOperators = 30
/** Values in one list. */
const maxListLength = 100

/**
 * Makes a test from a filter in the language of Directus. As in SQL, a null matches nothing but
 * the operators about null.
 * @throws a refusal for a wrong shape, an unknown operator or field, a filter deeper than 6, or one
 *   that would take too long
 */
export function readFilter(filter: unknown, rules: Rules, depth = 1): Test {
  if (depth > maxFilterLevels) throw bad(`The filter is deeper than ${maxFilterLevels}`)
  if (!isPlain(filter)) throw bad('The filter must be an object')
  return every(
    Object.entries(filter).map(([name, value]) => {
      if (name === '_and' || name === '_or') {
        if (!Array.isArray(value)) throw bad(`"${name}" must be a list`)
        const tests = value.map((part) => readFilter(part, rules, depth + 1))
        return name === '_and' || tests.length === 0 ? every(tests) : some(tests)
      }
      if (name.startsWith('_')) throw bad(`"${name.slice(0, 40)}" is not an operator here`)
      if (!rules.allows(name)) throw notPublic(`field "${name.slice(0, 40)}"`)
      return readField(name, value, rules, depth + 1)
    }),
  )
}

/** Operators of one field; they have to match together. */
function readField(name: string, wanted: unknown, rules: Rules, depth: number): Test {
  if (depth > maxFilterLevels) throw bad(`The filter is deeper than ${maxFilterLevels}`)
  // A bare value means that it is equal.
  const operators = isPlain(wanted) ? wanted : { _eq: wanted }
  return every(
    Object.entries(operators).map(([operator, operand]) => {
      if (operator === '_and' || operator === '_or') {
        if (!Array.isArray(operand)) throw bad(`"${operator}" must be a list`)
        const tests = operand.map((part) => readField(name, part, rules, depth + 1))
        return operator === '_and' || tests.length === 0 ? every(tests) : some(tests)
      }
      if ((rules.left.operators -= 1) < 0) {
        throw bad(`The filter has more than ${maxOperators} operators`)
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
  // Read once, however many rows there are.
  const read = comparable(wanted)
  const compare = (value: unknown, to = read): number =>
    to === null ? NaN : compareRead(comparable(value)!, to)
  const text = textOf(wanted)
  switch (operator) {
    case '_null':
    case '_nnull': {
      const isNull = (operator === '_null') === isTrue(wanted)
      return (value) => (value === null) === isNull
    }
    case '_eq':
      return wanted === null ? (value) => value === null : known((value) => compare(value) === 0)
    case '_neq':
      return wanted === null ? (value) => value !== null : known((value) => compare(value) !== 0)
    case '_lt':
      return known((value) => compare(value) < 0)
    case '_lte':
      return known((value) => compare(value) <= 0)
    case '_gt':
      return known((value) => compare(value) > 0)
    case '_gte':
      return known((value) => compare(value) >= 0)
    case '_in':
    case '_nin': {
      const list = listOf(operator, wanted).map(comparable)
      return known((value) => {
        const found = comparable(value)!
        const isIn = list.some((each) => each !== null && compareRead(found, each) === 0)
        return isIn === (operator === '_in')
      })
    }
    case '_between': {
      const [from, to, ...rest] = listOf(operator, wanted)
      if (from === undefined || to === undefined || rest.length > 0)
        throw bad('"_between" takes two values')
      const [min, max] = [comparable(from), comparable(to)]
      return known((value) => compare(value, min) >= 0 && compare(value, max) <= 0)
    }
    case '_contains':
      return known((value) => textOf(value).includes(text))
    case '_ncontains':
      return known((value) => !textOf(value).includes(text))
    case '_icontains':
      return known((value) => folded(value).includes(text.toLowerCase()))
    case '_starts_with':
      return known((value) => textOf(value).startsWith(text))
    case '_ends_with':
      return known((value) => textOf(value).endsWith(text))
    default:
      throw bad(`"${operator.slice(0, 40)}" is not an operator here`)
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
  if (list.length > maxListLength) throw bad(`"${operator}" takes at most ${maxListLength} values`)
  return list
}

const isTime = (value: string) => /^\d{4}-\d\d-\d\d(?:T|$)/.test(value)

/** A value read for comparing; null stays null. */
export type Comparable = { text: string; time: number | null; number: number | null } | null

/** Reads a stored value, or the text of an operand. */
export function comparable(value: unknown): Comparable {
  if (value === null || value === undefined) return null
  const text = textOf(value)
  const number =
    typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : null
  return { text, number, time: isTime(text) ? timeOf(text) : null }
}

/** Below, equal or above zero; NaN, which is none of them, for values of different kinds. */
export function compareRead(a: NonNullable<Comparable>, b: NonNullable<Comparable>): number {
  if (a.number !== null) return a.number - (b.number ?? numberOf(b.text))
  if (a.text === b.text) return 0
  // The same moment is written in more than one way.
  if (a.time !== null && b.time !== null) return a.time - b.time
  return a.text < b.text ? -1 : 1
}

/** A number or truth value as queries write it. */
const numberOf = (text: string): number =>
  text === 'true' ? 1 : text === 'false' ? 0 : text === '' ? NaN : Number(text)
