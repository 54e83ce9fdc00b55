import { userInfo } from 'node:os'
import { InvalidArgumentError, Option } from 'commander'
import { dayMs } from '#shared/durations.ts'
import { addDays, civilDate, dayStart } from '#shared/civil-dates.ts'
import { formats } from './print.ts'

/** `--json`, which every listing takes. */
export const json = () => new Option('--json', 'print JSON instead of a table')

/** `--from` and `--to`: a day in Helsinki, both inclusive, or an ISO timestamp. */
export const from = () =>
  new Option('--from <date>', 'first day (YYYY-MM-DD in Helsinki) or ISO timestamp').argParser(
    (text: string) => instant(text, 0),
  )
/** The end of what {@link from} begins. */
export const to = () =>
  new Option(
    '--to <date>',
    'last day (YYYY-MM-DD in Helsinki), inclusive, or ISO timestamp',
  ).argParser((text: string) => instant(text, 1))

/** `--format`, `--out` and `--raw` of an export: an {@link ExportTo} of `print.ts`. */
export const format = () =>
  new Option('--format <format>', 'how to write it').choices(formats).default('csv')
/** See {@link format}. */
export const out = () =>
  new Option('--out <file>', 'write to a file, which appears only when it is whole')
/** See {@link format}. */
export const raw = () => new Option('--raw', 'csv: leave cells that look like formulas as they are')

/**
 * What {@link starts} and {@link expires} give: `at` in milliseconds of the epoch, or null. A bare
 * null would become an empty text in commander.
 */
export type Limit = { at: number | null }

/** `--expires`: when something ends; null for never. */
export const expires = () =>
  new Option(
    '--expires <when>',
    'days from now such as 30d, a last day (YYYY-MM-DD in Helsinki), an ISO timestamp, or "never"',
  ).argParser((text: string): Limit => {
    if (text === 'never') return { at: null }
    const [, days] = /^([1-9]\d{0,3})d$/.exec(text) ?? []
    return {
      at: days === undefined ? instant(text, 1) : Date.now() + Number(days) * dayMs,
    }
  })

/** `--starts`: from when something works; null for at once. */
export const starts = () =>
  new Option(
    '--starts <when>',
    'a first day (YYYY-MM-DD in Helsinki), an ISO timestamp, or "now"',
  ).argParser((text: string): Limit => ({ at: text === 'now' ? null : instant(text, 0) }))

/** `--by`: who a change is written down for. */
export const by = () => new Option('--by <name>', 'who does this').default(userName())

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a user id that has no name.
    return 'staff'
  }
}

/** A whole number of at least one. */
export function count(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Use a whole number of at least 1.')
}

/** A civil date of an argument or option, YYYY-MM-DD. @throws InvalidArgumentError */
export function civil(text: string): string {
  const found = civilDate(text)
  if (found) return found
  throw new InvalidArgumentError('Use a date that exists, as YYYY-MM-DD.')
}

/** @param daysOn added to a date without a time, so that the last day is counted in */
function instant(text: string, daysOn: number): number {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const date = civilDate(text)
    if (date) return dayStart(addDays(date, daysOn))
  } else if (/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text)) {
    const at = Date.parse(text)
    if (!Number.isNaN(at)) return at
  }
  throw new InvalidArgumentError('Use YYYY-MM-DD, or an ISO timestamp with its offset.')
}
