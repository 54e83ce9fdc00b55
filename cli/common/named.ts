import { CommanderError } from 'commander'
import { hasWords, searchWords, type SearchTexts } from '#shared/text/word-search.ts'
import { harmless } from './terminal.ts'

/** Candidates that are listed. */
const maxListed = 10

/** How a name is understood; see {@link findByName}. */
export type Naming = { exactly?: boolean }

/** A name that several things have: wrong use, with the candidates as the message. */
export class AmbiguousName extends CommanderError {
  constructor(message: string) {
    super(2, 'pitlane.ambiguousName', message)
  }
}

/**
 * The thing that people mean: the one with exactly this name, else the only one with all these words in
 * its names.
 * @param kind such as `Client`
 * @param options `namesOf` is what people know a thing by, `about` its line among candidates,
 *   `ownNamesOf` those of the names that are of this thing alone
 * @param how `exactly` takes nothing but its own names: for what removes things, since the same words
 *   said again would find the next one
 * @throws an Error when there is none, {@link AmbiguousName} when there are several, or words alone fit
 */
export function findByName<Thing>(
  kind: string,
  given: string,
  things: readonly Thing[],
  {
    namesOf,
    ownNamesOf,
    about,
  }: {
    namesOf: (thing: Thing) => SearchTexts
    ownNamesOf?: (thing: Thing) => SearchTexts
    about: (thing: Thing) => string
  },
  { exactly = false }: Naming = {},
): Thing {
  const words = searchWords(given)
  const name = given.trim().toLowerCase()
  const namedBy = (names: (thing: Thing) => SearchTexts) =>
    things.filter((thing) => names(thing).some((each) => String(each ?? '').toLowerCase() === name))
  const own = exactly && ownNamesOf ? namedBy(ownNamesOf) : []
  const named = own.length > 0 ? own : namedBy(namesOf)
  const found =
    named.length > 0 || words.length === 0
      ? named
      : things.filter((thing) => hasWords(words, namesOf(thing)))
  const [one] = found
  if (one === undefined) throw new Error(`${kind} not found: ${harmless(given)}.`)
  const isByWords = exactly && (ownNamesOf ? own : named).length === 0
  if (found.length === 1 && !isByWords) return one
  const lines = found.slice(0, maxListed).map((thing) => `  ${harmless(about(thing))}`)
  if (found.length > maxListed) lines.push(`  and ${found.length - maxListed} more`)
  const list = lines.join('\n')
  throw new AmbiguousName(
    isByWords
      ? `error: to remove something, give its exact name. “${harmless(given)}” fits:\n${list}`
      : `error: “${harmless(given)}” could be one of ${found.length}:\n${list}`,
  )
}
