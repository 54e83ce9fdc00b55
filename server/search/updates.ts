import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createBackgroundPass } from '../concurrency/background-pass.ts'
import type { SearchSource } from '../contributions/search-source.ts'
import { waitAtMost } from '../concurrency/timeout.ts'
import { createIndexFile, type IndexFile } from './index-file.ts'
import { createIndexing, type Indexing } from './indexing.ts'
import { createVocabulary, type Vocabulary } from './spelling.ts'

/** Keeps the index, and the words in it, in step with the sources. */
export type Updates = {
  /** The index, as up to date as it gets without holding up a search. */
  current(): Promise<{ index: IndexFile; vocabulary: Vocabulary }>
  /** Sources that could not be read yet, in the order of the tabs. */
  unread(): SearchSource[]
  /** Whether the index is changing. */
  isRunning(): boolean
  /** Brings the index up to date in the background. */
  refresh(): void
  close(): Promise<void>
}

/** Milliseconds that a search waits for the very first index, and for a change to get in. */
const firstTimeout = 3_000
const updateTimeout = 250
/** Milliseconds until a pass that could not read everything is tried again. */
const retryAfter = 30_000
/** Milliseconds until texts that were not read in a pass get their turn in another. */
const rereadAfter = 600_000
/** Words of the vocabulary read at once. */
const wordsAtOnce = 2_000

/**
 * Makes the updates of an index that is made when it is first needed.
 * @param options `version` changes whenever a source may have; `rereads` as in `createIndexing`;
 *   `begins` called before each pass
 */
export function createUpdates({
  file,
  sources,
  version,
  rereads,
  log,
  begins,
}: {
  file: string
  sources: readonly SearchSource[]
  version: () => number
  rereads: number
  log: Logger
  begins: () => void
}): Updates {
  let made: { index: IndexFile; indexing: Indexing } | null = null
  let vocabulary: Vocabulary = createVocabulary()
  let complete = false
  /** The version that the newest pass began with. */
  let seen = -1

  function make() {
    if (!made) {
      const index = createIndexFile(file)
      made = { index, indexing: createIndexing({ sources, index, log, rereads }) }
    }
    return made
  }

  const work = createBackgroundPass({
    async pass(signal) {
      const { index, indexing } = make()
      const started = performance.now()
      seen = version()
      begins()
      const whole = await indexing.pass(signal)
      vocabulary = await readWords(index, signal)
      complete = true
      log.debug({ ms: Math.round(performance.now() - started) }, 'search is up to date')
      // Some texts of a remote service change without telling, and are read again by the clock.
      return whole ? (rereads < Infinity ? rereadAfter : null) : retryAfter
    },
    failed: (err) => log.error({ err }, 'search index failed'),
  })

  return {
    async current() {
      if (version() !== seen) work.request()
      const running = work.running()
      if (running) await waitAtMost(running, complete ? updateTimeout : firstTimeout)
      return { index: make().index, vocabulary }
    },
    unread() {
      const { known } = make().indexing
      return sources.filter(({ kind }) => !known.has(kind))
    },
    isRunning: () => work.running() !== null,
    refresh: work.request,
    async close() {
      await work.close()
      made?.index.close()
    },
  }
}

/** The words of an index, some at a time, so the server is not held up. */
async function readWords(index: IndexFile, signal: AbortSignal): Promise<Vocabulary> {
  const words = createVocabulary()
  for (let last = ''; !signal.aborted; await nextTurn()) {
    const some = index.wordsAfter(last, wordsAtOnce)
    for (const { word, documents } of some) words.add(word, documents)
    if (some.length < wordsAtOnce) break
    last = some.at(-1)!.word
  }
  return words
}
