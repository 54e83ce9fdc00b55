import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { crc32 } from 'node:zlib'
import { failure } from '#shared/failures.ts'
import { withheldTexts } from '#shared/folders/withheld.ts'
import { createFairQueue } from '../../http/limits/fair-queue.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import type { ByteSource } from '../../transfers/disk.ts'
import { WithheldError, type Original, type Originals } from '../files/originals.ts'
import type { WebSize, WebSizes } from '../files/web-sizes.ts'
import { layOutZip, zipSource, type ZipEntry } from './layout.ts'
import { missingList, zipNames } from './names.ts'
import type { Folder, StoredFile } from '../schema.ts'

/** A ZIP that is ready to be sent. */
export type Zip = {
  size: number
  /** Strong, with its quotes; the same bytes have the same one. */
  etag: string
  open: () => Promise<ByteSource>
}

/** Milliseconds that a request waits for checksums before it is asked to come again. */
const answerTimeout = 4000

/** ZIPs whose files are looked at on disk at once, that wait for one client and in all. */
const turns = { parallel: 3, each: 40, waiting: 200 }

/** Max ZIPs being prepared; further requests get 503 with Retry-After. */
const maxPreparing = 20

/** Files as they were delivered, or pictures in web size and everything else as it was delivered. */
export type ZipSize = 'originals' | 'web'

/** What a file is in a ZIP. */
type Facts = { size: number; crc: number }

/** A file on its way into a ZIP. */
type Part = {
  file: StoredFile
  /** Its path in the ZIP, before it's made safe and unique. */
  path: string
  leaving: WebSize | Original | null
  /** Whether it's a photo without a web size, whose original the visitor may not have. */
  isKeptBack?: boolean
  /** Learns what it is; null when it cannot be read. */
  measure(): Promise<Facts | 'withheld' | null>
}

/** What parts are, by the ids of their files. */
type Measures = ReadonlyMap<number, Facts | 'withheld' | null>

/**
 * Makes ZIPs. Their length is known before the first byte, which needs the checksum of each file;
 * those that are not known yet are read, or pictures made, in the background, one ZIP at a time.
 */
export function createZips(originals: Originals, webSizes: WebSizes) {
  // Making pictures takes long, so no one who wants originals waits for it.
  const preparing = { originals: createPreparing(), web: createPreparing() }
  const queue = createFairQueue(turns)

  const originalParts = async (folder: Folder, files: readonly StoredFile[]): Promise<Part[]> =>
    (await originals.findAll(folder, files)).map(({ file, original }) => ({
      file,
      path: file.path,
      leaving: original,
      async measure() {
        if (!original) return null
        const crc = await originals.measure(folder, file, original)
        return typeof crc === 'number' ? { size: original.size, crc } : crc
      },
    }))

  const webParts = async (
    folder: Folder,
    files: readonly StoredFile[],
    client: string,
    mayHave: (file: StoredFile) => boolean,
  ): Promise<Part[]> => {
    const pictures = files.filter(({ kind }) => kind === 'image')
    const keptBack = files.filter((file) => file.kind !== 'image' && !mayHave(file))
    const sizes = await webSizes.findAll(folder, pictures, client)
    const others = await originalParts(
      folder,
      files.filter((file) => file.kind !== 'image' && mayHave(file)),
    )
    return [
      ...others,
      ...keptBack.map((file): Part => ({
        file,
        path: file.path,
        leaving: null,
        isKeptBack: true,
        measure: async () => null,
      })),
      ...pictures.map((file, at): Part => {
        const leaving = sizes[at] ?? null
        const { dir, name } = posix.parse(file.path)
        return {
          file,
          path: posix.join(dir, `${name}.jpg`),
          leaving,
          measure: async () => leaving && leaving.measure(),
        }
      }),
    ].toSorted((a, b) => a.file.position - b.file.position)
  }

  /**
   * Lays out a ZIP of files.
   * @param client whose turn it is to have the disk looked at
   * @param request `mayHave` says which files may leave as they were delivered
   * @throws too-many when the client waits for many already; unavailable while checksums are still being
   *   read or pictures made; WithheldError when none of the files may leave
   */
  return async (
    client: string,
    folder: Folder,
    {
      files,
      size,
      mayHave,
    }: { files: readonly StoredFile[]; size: ZipSize; mayHave: (file: StoredFile) => boolean },
  ): Promise<Zip> => {
    const parts = await queue(client, () =>
      size === 'web' ? webParts(folder, files, client, mayHave) : originalParts(folder, files),
    )
    const unknown = parts.filter(
      ({ leaving }) => leaving !== null && leaving.crc === null && !isWithheld(leaving),
    )
    const measures: Measures =
      unknown.length > 0
        ? await withTimeout(preparing[size](unknown), answerTimeout, notReady)
        : new Map()
    return layOut(folder, parts, measures)
  }
}

const isWithheld = (leaving: WebSize | Original) =>
  'withheld' in leaving && leaving.withheld === true

/** Learns what parts are; equal requests share the work, and different ones wait for each other. */
function createPreparing() {
  const running = new Map<string, Promise<Measures>>()
  let queue: Promise<unknown> = Promise.resolve()

  return (parts: readonly Part[]): Promise<Measures> => {
    const versions = parts.map(({ file, leaving }) => [file.id, leaving?.etag])
    const key = createHash('sha256').update(JSON.stringify(versions)).digest('base64url')
    const known = running.get(key)
    if (known) return known
    if (running.size >= maxPreparing) throw failure('unavailable', { retryAfter: 15 })
    const work = async () => {
      const measures = new Map<number, Facts | 'withheld' | null>()
      for (const { file, measure } of parts) measures.set(file.id, await measure())
      return measures
    }
    const turn = queue.then(work).finally(() => running.delete(key))
    queue = turn.catch(() => {})
    running.set(key, turn)
    return turn
  }
}

type Entry = ZipEntry & Pick<Original, 'open'>

function layOut(folder: Folder, parts: readonly Part[], measures: Measures): Zip {
  const names = zipNames(parts.map(({ path }) => path))
  const entries: Entry[] = []
  const [missing, withheld, keptBack]: [string[], string[], string[]] = [[], [], []]
  for (const [index, { file, leaving, isKeptBack }] of parts.entries()) {
    const name = names[index]!
    const facts = leaving && factsOf(leaving, measures.get(file.id))
    if (isKeptBack) keptBack.push(name)
    else if (facts === 'withheld') withheld.push(name)
    else if (!leaving || !facts) missing.push(name)
    else entries.push({ name, mtime: leaving.mtime, open: leaving.open, ...facts })
  }
  if (withheld.length > 0 && entries.length === 0)
    throw new WithheldError('No file can be cleaned.')
  if (missing.length + withheld.length + keptBack.length > 0)
    entries.push(missingEntry(folder, { missing, withheld, keptBack }))
  const layout = layOutZip(entries)
  const contents = entries.map(({ name, size, mtime, crc }) => ({ name, size, mtime, crc }))
  const digest = createHash('sha256').update(JSON.stringify(contents)).digest('hex')
  return {
    size: layout.size,
    etag: `"${digest.slice(0, 40)}"`,
    open: async () => zipSource(layout, (entry) => entries[entry]!.open()),
  }
}

/** What is known of a part, by now or since before. */
function factsOf(
  leaving: WebSize | Original,
  measured: Facts | 'withheld' | null | undefined,
): Facts | 'withheld' | null {
  if (isWithheld(leaving)) return 'withheld'
  if (leaving.crc !== null) return { size: leaving.size, crc: leaving.crc }
  return measured ?? null
}

/** The list of what could not be put into a ZIP. */
function missingEntry(
  folder: Folder,
  {
    missing,
    withheld,
    keptBack,
  }: Readonly<Record<'missing' | 'withheld' | 'keptBack', readonly string[]>>,
): Entry {
  const sections = [
    ['These files were missing when the ZIP was made. Please ask us for them.', missing],
    [`${withheldTexts.many} Please ask us for them.`, withheld],
    ['These photos have no web size. Please ask us for them.', keptBack],
  ] as const
  const texts = sections
    .filter(([, names]) => names.length > 0)
    .map(([sentence, names]) => `${sentence}\r\n\r\n${names.join('\r\n')}\r\n`)
  const list = Buffer.from(texts.join('\r\n'))
  return {
    name: missingList,
    size: list.length,
    mtime: folder.syncedAt ?? folder.createdAt,
    crc: crc32(list),
    open: async () => ({
      size: list.length,
      read: async (into, position) => list.copy(into, 0, position),
      async close() {},
    }),
  }
}

const notReady = () =>
  failure('unavailable', { message: 'The ZIP is being prepared.', retryAfter: 5 })
