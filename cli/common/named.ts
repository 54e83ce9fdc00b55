import { CommanderError } from 'commander'
import { hasWords, searchWords, type SearchTexts } from '#shared/text/word-search.ts'
import { harmless } from './terminal.ts'

/** Candidates that are listed. */
const maxListed = 10

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
 * @param options `namesOf` is what people know a thing by, `about` its line among candidates
 * @throws an Error when there is none, {@link AmbiguousName} when there are several
 */
export function findByName<Thing>(
  kind: string,
  given: string,
  things: readonly Thing[],
  { namesOf, about }: { namesOf: (thing: Thing) => SearchTexts; about: (thing: Thing) => string },
): Thing {
  const words = searchWords(given)
  const name = given.trim().toLowerCase()
  const named = things.filter((thing) =>
    namesOf(thing).some((each) => String(each ?? '').toLowerCase() === name),
  )
  const found =
    named.length > 0 || words.length === 0
      ? named
      : things.filter((thing) => hasWords(words, namesOf(thing)))
  const [one] = found
  if (one === undefined) throw new Error(`${kind} not found: ${harmless(given)}.`)
  if (found.length === 1) return one
  const lines = found.slice(0, maxListed).map((thing) => `  ${harmless(about(thing))}`)
  if (found.length > maxListed) lines.push(`  and ${found.length - maxListed} more`)
  throw new AmbiguousName(
    `error: “${harmless(given)}” could be one of ${found.length}:\n${lines.join('\n')}`,
  )
}
