import { maxGroupLines, type DeskGroup, type DeskLine } from '#shared/desk/lines.ts'
import { civilDate, dateAt, dayEnd } from '#shared/dates/civil-dates.ts'
import type { DeskField, DeskPreview, DeskThing } from '#shared/desk/things.ts'
import type { Schema } from '#shared/endpoint.ts'
import { failure } from '#shared/failures.ts'
import { checkForm, type Entries } from '#shared/forms/form.ts'
import { hasWords, type SearchTexts } from '#shared/text/word-search.ts'
import type { Mail } from '../mail/schema.ts'
import { entryText, type Timeline } from '../timeline/timeline.ts'

/** What a feature shows at the desk (docs/contract.md, Desk) and to `today`, `find` and `person`. */
export type DeskSource = {
  /** What of it waits for staff; the feature's most urgent group first. */
  today?(): readonly WaitingGroup[] | Promise<readonly WaitingGroup[]>
  /**
   * Finds things by words: each word has to be in a name, address, company, reference or text.
   * @param words lower case, without accents
   * @param limit of lines
   */
  find?(words: readonly string[], limit: number): readonly DeskLine[] | Promise<readonly DeskLine[]>
  /** Everything of a person, in any order. @param email as typed; letter case does not count */
  ofPerson?(email: string): readonly DeskLine[]
  /** What it knows of a person in addition to these. @param email as {@link DeskSource.ofPerson} */
  aboutPerson?(email: string): PersonFacts
  /** What of it belongs to a client and to none of the client's addresses. */
  ofClient?(client: DeskClient): readonly DeskLine[]
  /** A page for each of its things. */
  things?: DeskThings
  /** The path of the page that the token of a link in a staff email opens; null for other tokens. */
  linkTarget?(token: string): string | null
}

/** A group of the desk, whose lines are made when it's known how many are shown. */
export type WaitingGroup = Omit<DeskGroup, 'lines'> & {
  /** Whether it's to be done today, although none of it is late; such groups follow the urgent ones. */
  readonly isForToday: boolean
  /** The first lines. @param limit how many at most */
  linesUpTo(limit: number): DeskLine[]
}

/** What a feature knows of a person; the newest first, repeated as often as it was given. */
export type PersonFacts = {
  names?: readonly (string | null)[]
  phones?: readonly (string | null)[]
  companies?: readonly (string | null)[]
  /** The state of the subscription. */
  newsletter?: string
  /** How many things of theirs wait, for staff or for them. */
  open?: number
}

/** A client as other features know one. */
export type DeskClient = { readonly panel: string; readonly name: string }

/** A file of a thing, such as a document of an order. */
export type DeskFile = {
  readonly name: string
  readonly contentType: string
  readonly content: Buffer | string
}

/** The things of a noun that have a page at the desk (`/desk/{name}/{id}`). */
export type DeskThings = {
  /** Its part of the address, such as `orders`. */
  readonly name: string
  /** A thing as it is now; null for none. */
  find(id: string): DeskThing | null | Promise<DeskThing | null>
  /**
   * Does one of the acts that the thing offers.
   * @param entries what was typed, by the names of the act's fields
   * @param by who does it, for the timeline
   * @returns what staff are told once, such as a new code; with `id` where the thing has another one
   *   from now on; a `preview` where nothing was done yet, and the form it describes does it
   * @throws failures with a sentence, and with errors by field where they are about one
   */
  act(
    id: string,
    act: string,
    entries: Entries,
    by: string,
  ):
    | Promise<string | { notice?: string; id?: string; preview?: DeskPreview } | undefined>
    | Promise<void>
  /**
   * The id of the thing that a link in staff's email opens; null for every other text.
   * @throws gone for a link that has ended
   */
  ofLink?(token: string): string | null
  /**
   * A file of a thing, at `linkedPaths.deskFile`; null for none. Lines name it by the thing's id; who
   * came by a link gets their own address instead.
   */
  file?(id: string, name: string): Promise<DeskFile | null>
}

/**
 * A group of the desk's first page; none where nothing waits.
 * @param things all that wait, the most urgent first
 */
export function deskGroup<Thing>(
  title: string,
  things: readonly Thing[],
  {
    line,
    command = null,
    isForToday = false,
  }: { line: (thing: Thing) => DeskLine; command?: string | null; isForToday?: boolean },
): WaitingGroup[] {
  if (things.length === 0) return []
  const linesUpTo = (limit: number) => things.slice(0, limit).map((thing) => line(thing))
  return [{ title, total: things.length, command, isForToday, linesUpTo }]
}

/**
 * What waits for staff, group by group: those with something urgent first, then what is for today, then
 * the others, each in the order of features.
 * @param options `limit` of lines in each group; `group` is the title of the only one that's wanted
 */
export async function todayGroups(
  sources: readonly DeskSource[],
  { limit = maxGroupLines, group }: { limit?: number; group?: string } = {},
): Promise<DeskGroup[]> {
  const groups = await Promise.all(sources.map(async (source) => source.today?.() ?? []))
  return groups
    .flat()
    .filter(({ title }) => group === undefined || title === group)
    .map(({ linesUpTo, isForToday, ...shown }) => {
      const lines = linesUpTo(limit)
      const rank = lines.some(({ urgent }) => urgent) ? 0 : isForToday ? 1 : 2
      return { rank, shown: { ...shown, lines } }
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ shown }) => shown)
}

/**
 * The first things that have all the words of a search, such as {@link DeskSource.find} shows.
 * @param things the newest first; taken one at a time, and only until there are enough
 * @param textsOf what people know a thing by
 */
export function thingsWithWords<Thing>(
  things: Iterable<Thing>,
  {
    words,
    limit,
    textsOf,
  }: {
    words: readonly string[]
    limit: number
    textsOf: (thing: Thing) => SearchTexts
  },
): Thing[] {
  const found: Thing[] = []
  for (const thing of things) {
    if (!hasWords(words, textsOf(thing))) continue
    found.push(thing)
    if (found.length >= limit) break
  }
  return found
}

/** Reads what was typed into an act's fields. @throws invalid with what is wrong by field */
export function readEntries<Value>(schema: Schema<Value>, entries: Entries): Value {
  const { value, errors } = checkForm(schema, entries)
  if (errors) throw failure('invalid', { errors })
  return value
}

/** The field for the last day of something. @param endsAt milliseconds of the epoch; null for no end */
export const lastDayField = (endsAt: number | null): DeskField => ({
  name: 'ends',
  label: 'Last day',
  kind: 'date',
  value: endsAt === null ? '' : dateAt(endsAt - 1),
  hint: 'Empty for no end.',
})

/**
 * What was typed into {@link lastDayField}.
 * @param now milliseconds of the epoch
 * @returns the instant at which that day in Helsinki is over; null for no end
 * @throws invalid for a day that isn't one, or is over
 */
export function lastDayIn({ ends = '' }: Entries, now: number): number | null {
  if (ends.trim() === '') return null
  const day = civilDate(ends.trim())
  const at = day === null ? null : dayEnd(day)
  if (at !== null && at > now) return at
  const message = day === null ? 'Please enter a day' : 'That day is over'
  throw failure('invalid', { message, errors: { ends: message } })
}

/** An instant as a line has it. @param at milliseconds of the epoch */
export const isoOf = (at: number): string => new Date(at).toISOString()

/** What was done to a thing, as its page shows it. */
export const historyOf = (
  timeline: Pick<Timeline, 'of'>,
  thing: string,
  thingId: string,
): { at: string; text: string }[] =>
  timeline.of(thing, thingId).map((entry) => ({ at: isoOf(entry.at), text: entryText(entry) }))

/**
 * What staff call a kind of email: “Booking requested, to staff” for bookingRequestedStaff.
 * @param kind as the outbox has it
 */
export function mailName(kind: string): string {
  const words = kind
    .replace(/Staff$/, '')
    .replaceAll(/[A-Z-]/g, (letter) => (letter === '-' ? ' ' : ` ${letter.toLowerCase()}`))
  const name = words.charAt(0).toUpperCase() + words.slice(1)
  return kind.endsWith('Staff') ? `${name}, to staff` : name
}

/** A line that leads nowhere and isn't urgent. */
export const deskLine = (label: string, title: string, detail: string): DeskLine => ({
  label,
  title,
  detail,
  urgent: false,
  at: null,
  href: null,
})

/** The emails about a thing, the newest first, and how far each has come. */
export const mailLines = (mails: readonly Mail[]): DeskLine[] =>
  mails.toReversed().map((mail) => ({
    label: 'Email',
    title: mailName(mail.kind),
    detail: [`mail ${mail.id}`, mail.recipient, ...becameOf(mail)].filter(Boolean).join(' · '),
    urgent: mail.status === 'failed',
    at: isoOf(mail.settledAt ?? mail.queuedAt),
    href: null,
  }))

/** What became of an email, and why it isn't there. */
const becameOf = ({ status, summary, lastReply }: Mail): string[] => {
  if (summary !== null) return ['sent in a summary']
  const why = status === 'failed' || status === 'dropped' ? lastReply : null
  return [status, ...(why ? [why] : [])]
}
