import { maxGroupLines, type DeskGroup, type DeskLine } from '#shared/desk-lines.ts'
import type { DeskThing } from '#shared/desk-things.ts'
import type { Entries } from '#shared/form.ts'
import { hasWords, type SearchTexts } from '#shared/word-search.ts'
import type { Mail } from './mail/schema.ts'
import { entryText, type Timeline } from './timeline/timeline.ts'

/** What a feature shows at the desk (docs/contract.md, Desk) and to `today`, `find` and `person`. */
export type DeskSource = {
  /** What of it waits for staff; the feature's most urgent group first. */
  today?(): readonly DeskGroup[] | Promise<readonly DeskGroup[]>
  /**
   * Finds things by words: each word has to be in a name, address, company, reference or text.
   * @param words lower case, without accents
   * @param limit of lines
   */
  find?(words: readonly string[], limit: number): readonly DeskLine[] | Promise<readonly DeskLine[]>
  /** Everything of a person, in any order. @param email as typed; letter case does not count */
  ofPerson?(email: string): readonly DeskLine[]
  /** A page for each of its things. */
  things?: DeskThings
  /** The path of the page that the token of a link in a staff mail opens; null for other tokens. */
  linkTarget?(token: string): string | null
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
   * @returns what staff are told once, such as a new code
   * @throws failures with a sentence, and with errors by field where they are about one
   */
  act(
    id: string,
    act: string,
    entries: Entries,
    by: string,
  ): Promise<string | undefined> | Promise<void>
  /**
   * The id of the thing that a link in staff's mail opens; null for every other text.
   * @throws gone for a link that has ended
   */
  ofLink?(token: string): string | null
}

/**
 * A group of the desk's first page; none where nothing waits.
 * @param things all that wait, the most urgent first
 */
export function deskGroup<Thing>(
  title: string,
  things: readonly Thing[],
  { line, command = null }: { line: (thing: Thing) => DeskLine; command?: string | null },
): DeskGroup[] {
  if (things.length === 0) return []
  const lines = things.slice(0, maxGroupLines).map((thing) => line(thing))
  return [{ title, total: things.length, lines, command }]
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

/** An instant as a line has it. @param at milliseconds of the epoch */
export const isoOf = (at: number): string => new Date(at).toISOString()

/** What was done to a thing, as its page shows it. */
export const historyOf = (
  timeline: Pick<Timeline, 'of'>,
  thing: string,
  thingId: string,
): { at: string; text: string }[] =>
  timeline.of(thing, thingId).map((entry) => ({ at: isoOf(entry.at), text: entryText(entry) }))

/** The emails about a thing, the newest first, and how far each has come. */
export const mailLines = (mails: readonly Mail[]): DeskLine[] =>
  mails.toReversed().map(({ id, kind, status, recipient, queuedAt, settledAt, lastReply }) => ({
    label: 'Email',
    title: kind,
    detail: [`mail ${id}`, recipient, status, status === 'failed' && lastReply]
      .filter(Boolean)
      .join(' · '),
    urgent: status === 'failed',
    at: isoOf(settledAt ?? queuedAt),
    href: null,
  }))
