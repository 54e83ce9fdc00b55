import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { SearchDocument, SearchSource } from '../search-source.ts'
import { createBatches } from './batches.ts'
import type { IndexFile } from './index-file.ts'
import { htmlToText, tidy } from '../text/html-to-text.ts'

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
    const { write, breathe, end } = createBatches(index, signal)
    const keyOf = ({ id }: SearchDocument) => `${kind}/${id}`

    knownKinds.add(kind)
    const there = new Set(documents.map(keyOf))
    for (const key of known.keys()) {
      if (!key.startsWith(`${kind}/`) || there.has(key)) continue
      known.delete(key)
      await write(() => index.remove(key))
    }
    await end()

    const changed = new Set<string>()
    for (const document of documents) {
      const { title, tags, intro, path, date = null } = document
      const key = keyOf(document)
      const digest = digestOf(title, tags, intro, path, date)
      const before = known.get(key)
      if (before?.digest !== digest) {
        changed.add(key)
        known.set(key, { bodyDigest: '', readAt: 0, ...before, digest })
        const texts = { title: tidy(title), tags: tidy(tags), intro: tidy(intro) }
        await write(() => index.put({ kind, key, path, date, ...texts }))
      }
      await breathe()
    }
    await end()

    const withBody = documents.filter(({ body }) => body)
    const unchanged = withBody
      .filter((document) => !changed.has(keyOf(document)))
      .toSorted((a, b) => known.get(keyOf(a))!.readAt - known.get(keyOf(b))!.readAt)
    const wanted = [
      ...withBody.filter((document) => changed.has(keyOf(document))),
      ...unchanged.slice(0, rereads),
    ]
    for (const document of wanted) {
      const entry = known.get(keyOf(document))!
      const html = (await document.body!()) ?? ''
      entry.readAt = passes
      const bodyDigest = digestOf(html)
      if (entry.bodyDigest !== bodyDigest) {
        entry.bodyDigest = bodyDigest
        const body = htmlToText(html)
        await write(() => index.putBody(keyOf(document), body))
      }
      await breathe()
    }
    await end()
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

const digestOf = (...texts: (string | null)[]) =>
  createHash('sha1').update(JSON.stringify(texts)).digest('base64')
