import { join } from 'node:path'
import type { Logger } from 'pino'
import { dateAt } from '#shared/civil-dates.ts'
import { resultsPerPage, type SearchResults } from '#shared/search-results.ts'
import type { SearchSource } from '../search-source.ts'
import { expression, nameOf } from './expression.ts'
import { shownResult } from './shown-result.ts'
import { suggestion } from './suggestion.ts'
import { createUpdates, type Updates } from './updates.ts'

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
 *   `clock` says what is over
 */
export function createSearch({
  dataDir,
  sources,
  version,
  rereads,
  clock,
  log,
}: {
  dataDir: string
  sources: readonly SearchSource[]
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

  return {
    async find(term, asked, page) {
      const type = (asked === null ? null : byKind.get(asked)) ?? null
      const kind = type?.kind ?? null
      const current = await updates.current()
      const today = dateAt(clock())
      const key = JSON.stringify([term, kind, page, today])
      const known = kept.get(key)
      if (known) return known
      const results: SearchResults = {
        ...resultsOf(current, byKind, { term, type, page, today }),
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

/** One page of what is found now, of one type or of all. */
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
  const match = expression(term)
  const counts = match === null ? new Map<string, number>() : index.counts(match)
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
