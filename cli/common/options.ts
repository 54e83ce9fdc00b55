import { userInfo } from 'node:os'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { addDays, civilDate, dateAt, dayEnd, dayStart } from '#shared/dates/civil-dates.ts'
import { maxStaffNameLength } from '#shared/desk/things.ts'
import { plainLine } from '#shared/text/text.ts'
import { formats } from './print.ts'

export { json } from './shape.ts'

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

/**
 * Ends a command with wrong use whose `--from` is after its `--to`: no day is in between, and an empty
 * list or export would look like a quiet month.
 */
export function refuseBackwards(command: Command): void {
  const { from: first, to: last } = command.opts<{ from?: unknown; to?: unknown }>()
  // The end of an instant's range is not part of it; that of one of civil dates is.
  const isBackwards =
    (typeof first === 'number' && typeof last === 'number' && first >= last) ||
    (typeof first === 'string' && typeof last === 'string' && first > last)
  if (isBackwards) command.error('error: --from is after --to.', { exitCode: 2 })
}

/** `--reason` of what is written down with one. @param what for whom it is */
export const reason = (what: string) =>
  new Option('--reason <text>', what).makeOptionMandatory().argParser((text: string) => {
    if (text.trim() !== '') return text.trim()
    throw new InvalidArgumentError('Say why.')
  })

/** `--format`, `--out` and `--raw` of an export: an {@link ExportTo} of `print.ts`. */
export const format = () =>
  new Option('--format <format>', 'output format').choices(formats).default('csv')
/** See {@link format}. */
export const out = () =>
  new Option('--out <file>', 'write to a file (it appears once complete); - for the output')
/** See {@link format}. */
export const raw = () => new Option('--raw', 'csv: keep cells that look like formulas unescaped')

/**
 * What {@link starts} and {@link expires} give: `at` in milliseconds of the epoch, or null. A bare
 * null would become an empty text in commander.
 */
export type Limit = { at: number | null }

/** `--expires`: when something ends; null for never. */
export const expires = () =>
  new Option(
    '--expires <when>',
    'a number of days such as 30d (to the end of the last), a last day (YYYY-MM-DD in Helsinki), an ISO timestamp, or "never"',
  ).argParser((text: string): Limit => {
    if (text === 'never') return { at: null }
    const [, days] = /^([1-9]\d{0,3})d$/.exec(text) ?? []
    return {
      at: days === undefined ? instant(text, 1) : dayEnd(addDays(dateAt(Date.now()), Number(days))),
    }
  })

/** `--starts`: from when something works; null for at once. */
export const starts = () =>
  new Option(
    '--starts <when>',
    'a first day (YYYY-MM-DD in Helsinki), an ISO timestamp, or "now"',
  ).argParser((text: string): Limit => ({ at: text === 'now' ? null : instant(text, 0) }))

/** `--by`: who a change is written down for. */
export const by = () =>
  new Option('--by <name>', 'who is doing this, for the history')
    .argParser(person)
    .default(userName())

/** A person's name in one line. @throws InvalidArgumentError for none, or a longer one than at the desk */
function person(text: string): string {
  const name = plainLine(text)
  if (name === '' || name.length > maxStaffNameLength) {
    throw new InvalidArgumentError(`Use a name of 1 to ${maxStaffNameLength} characters.`)
  }
  return name
}

/** Who runs the command: PITLANE_BY where several share a login, else as the machine knows them. */
export function userName(): string {
  const named = plainLine(process.env.PITLANE_BY ?? '').slice(0, maxStaffNameLength)
  if (named !== '') return named
  try {
    return userInfo().username
  } catch {
    // A container may run under a user id that has no name.
    return 'staff'
  }
}

/** `--like`: everything that came from the same network or mailbox as one thing. */
export const like = (name: string, what: string) =>
  new Option(`--like ${name}`, `${what} from the same network or mailbox; a dry run without --yes`)

/** `--email`: only what came from an address, or goes to it. */
export const email = () => new Option('--email <address>', 'only rows with this email address')

/** `--yes`: does what would only be shown. */
export const yes = () => new Option('--yes', 'make the change')

/** `--send`: sends emails that would only be shown; `--yes` is the same. */
export const sendMails = () =>
  new Option('--yes, --send', 'email the affected clients; without it the emails are only shown')

/** `--dry-run`: shows what would change where a command acts at once; `--rehearse` is the same. */
export const rehearse = () => new Option('--rehearse, --dry-run', 'only show what would change')

/**
 * What every dry run says last.
 * @param act what the option would do, such as `remove it`
 * @param option what has to be added, or left out
 */
export const dryRun = (
  act: string,
  option: '--yes' | '--send' | 'without --dry-run' = '--yes',
): string =>
  `\nDry run: nothing changed. ${option.startsWith('-') ? `Add ${option}` : `Run it ${option}`} to ${act}.`

/** Options of an edit that say nothing of the thing itself. */
const besides = new Set(['by', 'json', 'jq', 'yes', 'send', 'mail', 'variant'])

/**
 * Holds an edit to naming what it changes: one that says nothing would be recorded all the same.
 * @throws InvalidArgumentError when none of its options says anything of the thing
 */
export function mustChangeSomething(verb: Command): void {
  const isSaid = Object.keys(verb.opts()).some(
    (name) => !besides.has(name) && verb.getOptionValueSource(name) === 'cli',
  )
  if (!isSaid) throw new InvalidArgumentError('Nothing to change: say what.')
}

/** What is done to so many things, as a dry run says it: `remove it`, `remove all 3`. */
export const toAll = (act: string, things: number): string =>
  things === 1 ? `${act} it` : `${act} all ${things}`

/** The things that a command names. Ends the command with wrong use when there are none. */
export function several(command: Command, given: readonly string[]): readonly string[] {
  if (given.length === 0) command.error('error: name at least one, or use --like', { exitCode: 2 })
  return given
}

/** The same for a command that also takes `--all`. */
export function severalOrAll(command: Command, given: readonly string[]): readonly string[] {
  if (given.length === 0) command.error('error: name at least one, or use --all', { exitCode: 2 })
  return given
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
  throw new InvalidArgumentError('Use an existing date, as YYYY-MM-DD.')
}

/**
 * An instant of an argument or option, in milliseconds of the epoch.
 * @param daysOn added to a date without a time, so that the last day is counted in
 * @throws InvalidArgumentError
 */
export function instant(text: string, daysOn: number): number {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const date = civilDate(text)
    if (date) return dayStart(addDays(date, daysOn))
  } else if (/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text)) {
    const at = Date.parse(text)
    if (!Number.isNaN(at)) return at
  }
  throw new InvalidArgumentError('Use YYYY-MM-DD, or an ISO timestamp with its offset.')
}
