import { InvalidArgumentError, Option, type Command } from 'commander'
import { dateAt, dayStart, addDays } from '#shared/dates/civil-dates.ts'
import { dayMs, hourMs } from '#shared/dates/durations.ts'
import { hasWords, searchWords, type SearchTexts } from '#shared/text/word-search.ts'
import { count, instant } from './options.ts'
import { defaultRows, type ListView, type Print } from './print.ts'
import { json } from './shape.ts'

/** What people say to every list. */
export type ListFlags = { json?: boolean; limit?: number }

/** And to one that can be searched, and whose things come at a time. */
export type SearchFlags = ListFlags & { search?: string; since?: number }

/** Adds `--limit`, `--json` and `--jq`, which every list of a noun takes. */
export const listOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--limit <count>',
        `maximum rows (default: ${defaultRows}; all with --json)`,
      ).argParser(count),
    )
    .addOption(json())

/** Adds those of {@link listOptions}, `--search` and `--since`. */
export const searchOptions = (command: Command): Command =>
  listOptions(
    command
      .option('--search <words>', 'only rows with all these words')
      .addOption(
        new Option(
          '--since <when>',
          'only later ones: 7d, 12h, today, yesterday, YYYY-MM-DD (Helsinki) or an ISO timestamp',
        ).argParser(since),
      ),
  )

/**
 * The things that a search leaves over, one at a time.
 * @param textsOf what people know a thing by
 */
export function* searched<Thing>(
  things: Iterable<Thing>,
  search: string | undefined,
  textsOf: (thing: Thing) => SearchTexts,
): Generator<Thing> {
  const words = searchWords(search ?? '')
  for (const thing of things) {
    // Texts can cost a query.
    if (words.length === 0 || hasWords(words, textsOf(thing))) yield thing
  }
}

/**
 * Prints what a search leaves over of a noun's things, as its `list` does.
 * @param flags what was said to the list
 * @param view how the things are shown; `textsOf` is what people know one by
 */
export function printFound<Thing>(
  print: Pick<Print, 'list'>,
  things: Iterable<Thing>,
  { json: isJson, limit, search }: SearchFlags,
  {
    textsOf,
    ...view
  }: Omit<ListView<Thing>, 'json' | 'limit'> & {
    textsOf: (thing: Thing) => SearchTexts
  },
): void {
  print.list(searched(things, search, textsOf), { ...view, json: isJson, limit })
}

/** An instant of `--since`, in milliseconds of the epoch. @throws InvalidArgumentError */
export function since(text: string): number {
  const [, number, unit] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? []
  if (number !== undefined) {
    return Date.now() - Number(number) * { h: hourMs, d: dayMs, w: 7 * dayMs }[unit as 'h']
  }
  const today = dateAt(Date.now())
  if (text === 'today') return dayStart(today)
  if (text === 'yesterday') return dayStart(addDays(today, -1))
  try {
    return instant(text, 0)
  } catch {
    throw new InvalidArgumentError(
      'Use a number of hours, days or weeks such as 12h, 7d or 2w, today, yesterday, YYYY-MM-DD, or an ISO timestamp.',
    )
  }
}
