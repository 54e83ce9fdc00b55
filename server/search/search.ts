import { join } from 'node:path'
import type { Logger } from 'pino'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { resultsPerPage, type SearchResults, type SearchResult } from '#shared/search-results.ts'
import type { Content } from '../content/source.ts'
import type { SearchSource } from '../contributions/search-source.ts'
import { compoundExpression, expression, nameOf, wordsOf } from './expression.ts'
import { createUpdates, type Updates } from './updates.ts'
import { hasMatch, excerpt, parts } from './excerpt.ts'
import { marks, type IndexFile, type FoundEntry } from './index-file.ts'
import type { Vocabulary } from './spelling.ts'
import { assetUrl, heightFor } from '#shared/images.ts'

/** Answers kept until the index changes. */
const maxKept = 300

/** The search of the public site. */
export type Search = {
  /** Finds what matches a checked term. @param kind one kind of results; null or an unknown one for all */
  find(term: string, kind: string | null, page: number): Promise<SearchResults>
  /** Brings the index up to date in the background; searches go on meanwhile. */
  refresh(): void
  close(): Promise<void>
}

/**
 * Makes the search. Its index is derived, so it lives in its own file, is made when it is
 * first needed, and never outlives the process.
 * @param options `version` changes whenever a source may have; `rereads` as in `createIndexing`;
 *   `content` knows which pictures are there; `clock` says what is over
 */
export function createSearch({
  dataDir,
  sources,
  content,
  version,
  rereads,
  clock,
  log,
}: {
  dataDir: string
  sources: readonly SearchSource[]
  content: Pick<Content, 'picture'>
  version: () => number
  rereads: number
  clock: () => number
  log: Logger
}): Search {
  const byKind = new Map(sources.map((source) => [source.kind, source]))
  const kept = new Map<string, SearchResults>()
  const updates = createUpdates({
    file: join(dataDir, 'cache/search.sqlite'),
    sources,
    version,
    rereads,
    log,
    begins: () => kept.clear(),
  })

  /** The picture of a result by its address instead of its id; none for a file that isn't there. */
  const withThumbnail = async (result: SearchResult): Promise<SearchResult> => {
    const picture = await content.picture(result.picture)
    return { ...result, picture: picture && assetUrl(picture.id, thumbnail) }
  }

  return {
    async find(term, asked, page) {
      const type = (asked === null ? null : byKind.get(asked)) ?? null
      const kind = type?.kind ?? null
      const current = await updates.current()
      const today = dateAt(clock())
      const key = JSON.stringify([term, kind, page, today])
      const known = kept.get(key)
      if (known) return known
      const found = resultsOf(current, byKind, { term, type, page, today })
      const results: SearchResults = {
        ...found,
        results: await Promise.all(found.results.map(withThumbnail)),
        unsearched: updates.unread().map(({ label }) => label),
      }
      // What is found while the index changes may be different a moment later.
      if (!updates.isRunning()) kept.set(key, results)
      if (kept.size > maxKept) kept.delete(kept.keys().next().value!)
      return results
    },
    refresh: updates.refresh,
    close: updates.close,
  }
}

/** One page of what is found now, of one type or of all; its pictures are ids. */
function resultsOf(
  { index, vocabulary }: Awaited<ReturnType<Updates['current']>>,
  byKind: ReadonlyMap<string, SearchSource>,
  {
    term,
    type,
    page,
    today,
  }: { term: string; type: SearchSource | null; page: number; today: string },
): Omit<SearchResults, 'unsearched'> {
  const kind = type?.kind ?? null
  const { match, counts } = matchOf(index, vocabulary, term)
  const kinds = Array.from(byKind.values()).flatMap(({ kind: each, label }) => {
    const count = counts.get(each)
    return count ? [{ kind: each, label, count }] : []
  })
  const total = kinds.reduce((sum, { count }) => sum + count, 0)
  const shown = kind === null ? total : (counts.get(kind) ?? 0)
  const pages = Math.max(1, Math.ceil(shown / resultsPerPage))
  const current = Math.min(page, pages)
  const found =
    match === null || shown === 0
      ? []
      : index.find(
          { match, name: nameOf(term), kind, today },
          resultsPerPage,
          (current - 1) * resultsPerPage,
        )
  return {
    term,
    message: null,
    total,
    kinds,
    type: kind,
    typeLabel: type?.label ?? null,
    page: current,
    pages,
    results: found.map((entry) => shownResult(entry, byKind.get(entry.kind))),
    suggestion: total === 0 && match !== null ? suggestion(index, vocabulary, term) : null,
  }
}

/** What is looked for, and how much of each kind there is: the words, else words that have them inside. */
function matchOf(index: IndexFile, vocabulary: Vocabulary, term: string) {
  const match = expression(term)
  const counts = match === null ? new Map<string, number>() : index.counts(match)
  if (match === null || counts.size > 0) return { match, counts }
  const compounds = compoundExpression(term, (word) =>
    vocabulary.knows(word) ? null : vocabulary.compoundsOf(word),
  )
  if (compounds === null) return { match, counts }
  return { match: compounds, counts: index.counts(compounds) }
}

/** The term with each unknown word replaced by its nearest one, if that finds something. */
function suggestion(index: IndexFile, vocabulary: Vocabulary, term: string): string | null {
  let better = term
  for (const word of new Set(wordsOf(term))) {
    if (vocabulary.knows(word)) continue
    const nearest = vocabulary.nearest(word)
    if (nearest === null) return null
    better = better.replace(word, spelling(index, nearest))
  }
  const match = better === term ? null : expression(better)
  return match !== null && index.counts(match).size > 0 ? better : null
}

/** A word of the index as it is written where it is found first; the index itself has no capitals. */
function spelling(index: IndexFile, word: string): string {
  const found = index.sample(word)
  const text = found && [found.title, found.intro, found.body].find(hasMatch)
  return text?.split(marks.open)[1]?.split(marks.close)[0] ?? word
}

const thumbnail = { width: 192, height: heightFor(192, '3:2'), fit: 'cover' } as const

/** A result as visitors see it, but for its picture. @param source where it comes from */
function shownResult(entry: FoundEntry, source: SearchSource | undefined): SearchResult {
  const { kind, path, date, title, picture } = entry
  const label = source?.label ?? kind
  const text = telling(entry, source?.showsTags ?? false)
  return {
    kind,
    label,
    path,
    date,
    title: parts(title),
    excerpt: excerpt(text),
    picture,
  }
}

/** The text that tells why something was found. */
function telling({ title, tags, intro, body }: FoundEntry, showsTags: boolean): string {
  if (hasMatch(intro)) return intro
  if (hasMatch(body)) return body
  const text = intro || body
  const tagged = !hasMatch(title) && showsTags
  return (tagged ? [tags, text] : [text]).filter(Boolean).join(' · ')
}
