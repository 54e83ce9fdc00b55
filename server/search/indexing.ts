import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { SearchDocument, SearchSource } from '../contributions/search-source.ts'
import { calledText, type IndexFile } from './index-file.ts'
import { pointsOf } from './ranking.ts'
import { htmlToText, tidy } from '../text/html-to-text.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'

type Known = { digest: string; bodyDigest: string; readAt: number }

/** Brings the index in line with its sources. */
export type Indexing = {
  /**
   * One pass: what is gone leaves first, then what is new or different comes in, last the long
   * texts. Searches between its steps find each document as it was or as it is.
   * @param signal ends the pass early
   * @returns false when a source could not be read; its documents stay as they were
   */
  pass(signal: AbortSignal): Promise<boolean>
  /** Kinds that have been read at least once. */
  readonly known: ReadonlySet<string>
}

/**
 * Makes the indexing of some sources.
 * @param rereads how many long texts of unchanged rows are read again in a pass, the ones read
 *   longest ago first; a remote content service must not be asked for all of them at each change
 */
export function createIndexing({
  sources,
  index,
  log,
  rereads,
}: {
  sources: readonly SearchSource[]
  index: IndexFile
  log: Pick<Logger, 'warn'>
  rereads: number
}): Indexing {
  const known = new Map<string, Known>()
  const knownKinds = new Set<string>()
  let passes = 0

  async function passOver({ kind, read }: SearchSource, signal: AbortSignal): Promise<void> {
    const documents = await read()
    const batches = createBatches(index, signal)
    const pass = { kind, documents, known, index, batches }

    knownKinds.add(kind)
    await removeGone(pass)
    const changed = await putChanged(pass)
    await putBodies(pass, toRead(pass, changed, rereads), passes)
  }

  return {
    known: knownKinds,
    async pass(signal) {
      passes += 1
      let whole = true
      for (const source of sources) {
        try {
          await passOver(source, signal)
        } catch (err) {
          if (signal.aborted) return false
          whole = false
          log.warn({ kind: source.kind, err }, 'search source not indexed')
        }
      }
      return whole
    },
  }
}

/** A pass over the documents of one kind. */
type KindPass = {
  kind: string
  documents: readonly SearchDocument[]
  known: Map<string, Known>
  index: IndexFile
  batches: Batches
}

const keyOf = (kind: string, { id }: SearchDocument) => `${kind}/${id}`

async function removeGone({ kind, documents, known, index, batches }: KindPass): Promise<void> {
  const there = new Set(documents.map((document) => keyOf(kind, document)))
  for (const key of known.keys()) {
    if (!key.startsWith(`${kind}/`) || there.has(key)) continue
    known.delete(key)
    await batches.write(() => index.remove(key))
  }
  await batches.end()
}

/** Puts in what is new or different, without the long texts. @returns the keys of those */
async function putChanged(pass: KindPass): Promise<ReadonlySet<string>> {
  const { kind, documents, known, index, batches } = pass
  const changed = new Set<string>()
  for (const document of documents) {
    const {
      title,
      names = [],
      tags,
      intro,
      path,
      date = null,
      until = null,
      picture = null,
    } = document
    const key = keyOf(kind, document)
    const digest = digestOf(title, ...names, tags, intro, path, date, until, picture)
    const before = known.get(key)
    if (before?.digest !== digest) {
      changed.add(key)
      known.set(key, { bodyDigest: '', readAt: 0, ...before, digest })
      const points = pointsOf(kind)
      const entry = {
        kind,
        key,
        path,
        date,
        until,
        picture,
        titlePoints: points.title,
        points: points.elsewhere,
        called: calledText([title, ...names]),
        title: tidy(title),
        names: tidy(names.join(' · ')),
        tags: tidy(tags),
        intro: tidy(intro),
      }
      await batches.write(() => index.put(entry))
    }
    await batches.breathe()
  }
  await batches.end()
  return changed
}

/**
 * The documents whose long texts are read: all that changed, then some of the others, the ones read
 * longest ago.
 */
function toRead(
  { kind, documents, known }: KindPass,
  changed: ReadonlySet<string>,
  rereads: number,
): SearchDocument[] {
  const isChanged = (document: SearchDocument) => changed.has(keyOf(kind, document))
  const readAt = (document: SearchDocument) => known.get(keyOf(kind, document))!.readAt
  const withBody = documents.filter(({ body }) => body)
  const unchanged = withBody
    .filter((document) => !isChanged(document))
    .toSorted((a, b) => readAt(a) - readAt(b))
  return [...withBody.filter(isChanged), ...unchanged.slice(0, rereads)]
}

/** Reads long texts and puts in those that are new or different. */
async function putBodies(
  { kind, known, index, batches }: KindPass,
  documents: readonly SearchDocument[],
  readAt: number,
): Promise<void> {
  for (const document of documents) {
    const key = keyOf(kind, document)
    const entry = known.get(key)!
    const html = (await document.body!()) ?? ''
    entry.readAt = readAt
    const bodyDigest = digestOf(html)
    if (entry.bodyDigest !== bodyDigest) {
      entry.bodyDigest = bodyDigest
      const body = htmlToText(html)
      await batches.write(() => index.putBody(key, body))
    }
    await batches.breathe()
  }
  await batches.end()
}

const digestOf = (...texts: (string | null)[]) =>
  createHash('sha1').update(JSON.stringify(texts)).digest('base64')

/** Changes of the index, written some at a time. */
type Batches = {
  write(work: () => void): Promise<void>
  /** Lets others have their turn, when it is time. @throws when the work is to end */
  breathe(): Promise<void>
  /** Writes what still waits. */
  end(): Promise<void>
}

/** Milliseconds of work between two looks at what else the server has to do. */
const sliceMs = 8
/** Documents written as one. */
const batchSize = 20

/** Creates an empty batch that yields to the event loop between items. @param signal ends the work */
function createBatches(index: Pick<IndexFile, 'together'>, signal: AbortSignal): Batches {
  let waiting: (() => void)[] = []
  let since = performance.now()

  async function breathe(): Promise<void> {
    if (performance.now() - since < sliceMs) return
    await nextTurn()
    signal.throwIfAborted()
    since = performance.now()
  }

  async function end(): Promise<void> {
    const works = waiting
    waiting = []
    if (works.length > 0) index.together(() => works.forEach((work) => work()))
    await breathe()
  }

  return {
    async write(work) {
      waiting.push(work)
      if (waiting.length >= batchSize) await end()
    },
    breathe,
    end,
  }
}
