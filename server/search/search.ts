import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { findsPerPage, type Find, type SearchResults } from '#shared/search-results.ts'
import type { SearchSource } from '../search-source.ts'
import { excerpt, hasMatch, parts } from './excerpt.ts'
import { expression, wordsOf } from './expression.ts'
import { createIndexFile, marks, type FoundEntry, type IndexFile } from './index-file.ts'
import { createIndexing, type Indexing } from './indexing.ts'
import { createVocabulary, type Vocabulary } from './spelling.ts'

/** Milliseconds that a search waits for the very first index, and for a change to get in. */
const firstPatience = 3_000
const patience = 250
/** Milliseconds until a pass that could not read everything is tried again. */
const retryAfter = 30_000
/** Milliseconds until texts that were not read in a pass get their turn in another. */
const rereadAfter = 600_000
/** Answers kept until the index changes. */
const mostKept = 300
/** Words of the vocabulary read at once. */
const wordsAtOnce = 2_000

/** The search of the public site. */
export type Search = {
  /** Finds what matches a checked term. @param kind one kind of finds; null or an unknown one for all */
  find(term: string, kind: string | null, page: number): Promise<SearchResults>
  /** Brings the index up to date in the background; searches go on meanwhile. */
  refresh(): void
  close(): Promise<void>
}

/**
 * Makes the search. Its index is derived, so it lives in a file of its own, is made when it is
 * first needed, and never outlives the process.
 * @param options `version` changes whenever a source may have; `rereads` as in `createIndexing`
 */
export function createSearch({
  dataDir,
  sources,
  version,
  rereads,
  log,
}: {
  dataDir: string
  sources: readonly SearchSource[]
  version: () => number
  rereads: number
  log: Logger
}): Search {
  let made: { index: IndexFile; indexing: Indexing } | null = null
  let vocabulary: Vocabulary = createVocabulary()
  const byKind = new Map(sources.map((source) => [source.kind, source]))
  const kept = new Map<string, SearchResults>()
  let running: Promise<void> | null = null
  let wanted = false
  const closing = new AbortController()
  let complete = false
  /** The version that the newest pass began with. */
  let seen = -1
  let retry: NodeJS.Timeout | undefined

  function make() {
    if (!made) {
      const index = createIndexFile(join(dataDir, 'cache/search.sqlite'))
      made = { index, indexing: createIndexing({ sources, index, log, rereads }) }
    }
    return made
  }

  async function run(): Promise<void> {
    const { index, indexing } = make()
    const started = performance.now()
    while (wanted && !closing.signal.aborted) {
      wanted = false
      clearTimeout(retry)
      seen = version()
      kept.clear()
      const whole = await indexing.pass(closing.signal)
      vocabulary = await readWords(index)
      // Some texts of a remote service change without telling, and are read again by the clock.
      if (!whole || rereads < Infinity) {
        retry = setTimeout(refresh, whole ? rereadAfter : retryAfter).unref()
      }
      complete = true
    }
    log.debug({ ms: Math.round(performance.now() - started) }, 'search is up to date')
  }

  async function readWords(index: IndexFile): Promise<Vocabulary> {
    const words = createVocabulary()
    for (let last = ''; !closing.signal.aborted; await nextTurn()) {
      const some = index.wordsAfter(last, wordsAtOnce)
      for (const { word, documents } of some) words.add(word, documents)
      if (some.length < wordsAtOnce) break
      last = some.at(-1)!.word
    }
    return words
  }

  function refresh() {
    if (closing.signal.aborted) return
    wanted = true
    running ??= run()
      .catch((err: unknown) => log.error({ err }, 'search index failed'))
      .finally(() => (running = null))
  }

  async function upToDate(): Promise<IndexFile> {
    if (version() !== seen) refresh()
    if (running) {
      await Promise.race([
        running,
        delay(complete ? patience : firstPatience, null, { ref: false }),
      ])
    }
    return make().index
  }

  /** The term with each unknown word replaced by its nearest one, if that finds something. */
  function suggest(index: IndexFile, term: string): string | null {
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

  /** The labels of what nobody has been able to read yet, in the order of the tabs. */
  function unsearched(): string[] {
    const { known } = make().indexing
    return sources.filter(({ kind }) => !known.has(kind)).map(({ label }) => label)
  }

  return {
    async find(term, asked, page) {
      const type = (asked === null ? null : byKind.get(asked)) ?? null
      const kind = type?.kind ?? null
      const index = await upToDate()
      const key = JSON.stringify([term, kind, page])
      const known = kept.get(key)
      if (known) return known
      const match = expression(term)
      const counts = match === null ? new Map<string, number>() : index.counts(match)
      const kinds = sources.flatMap(({ kind: each, label }) => {
        const count = counts.get(each)
        return count ? [{ kind: each, label, count }] : []
      })
      const total = kinds.reduce((sum, { count }) => sum + count, 0)
      const shown = kind === null ? total : (counts.get(kind) ?? 0)
      const pages = Math.max(1, Math.ceil(shown / findsPerPage))
      const current = Math.min(page, pages)
      const found =
        match === null || shown === 0
          ? []
          : index.find(match, kind, findsPerPage, (current - 1) * findsPerPage)
      const results: SearchResults = {
        term,
        message: null,
        total,
        kinds,
        type: kind,
        typeLabel: type?.label ?? null,
        page: current,
        pages,
        finds: found.map((entry) => shownFind(entry, byKind.get(entry.kind))),
        suggestion: total === 0 && match !== null ? suggest(index, term) : null,
        unsearched: unsearched(),
      }
      // What is found while the index changes may be different a moment later.
      if (!running) kept.set(key, results)
      if (kept.size > mostKept) kept.delete(kept.keys().next().value!)
      return results
    },
    refresh,
    async close() {
      closing.abort()
      clearTimeout(retry)
      await running
      made?.index.close()
    },
  }
}

function shownFind(entry: FoundEntry, source: SearchSource | undefined): Find {
  const { kind, path, date, title } = entry
  const label = source?.label ?? kind
  const text = telling(entry, source?.showsTags ?? false)
  return { kind, label, path, date, title: parts(title), excerpt: excerpt(text) }
}

/** The text that tells why something was found. */
function telling({ title, tags, intro, body }: FoundEntry, showsTags: boolean): string {
  if (hasMatch(intro)) return intro
  if (hasMatch(body)) return body
  const text = intro || body
  const tagged = !hasMatch(title) && showsTags
  return (tagged ? [tags, text] : [text]).filter(Boolean).join(' · ')
}

/** A word of the index as it is written where it is found first; the index itself has no capitals. */
function spelling(index: IndexFile, word: string): string {
  const [found] = index.find(`"${word}"`, null, 1, 0)
  const text = found && [found.title, found.intro, found.body].find(hasMatch)
  return text?.split(marks.open)[1]?.split(marks.close)[0] ?? word
}
