import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { failure } from '#shared/failures.ts'
import { heldBack } from '#shared/held-back.ts'
import { createFairQueue } from '../http/fair-queue.ts'
import { withTimeout } from '../timeout.ts'
import type { ByteSource } from '../transfers/byte-source.ts'
import { HeldBack, type Original } from './original.ts'
import type { FoundOriginal, Measured, Originals } from './originals.ts'
import type { StoredFile } from './file-store.ts'
import type { Folder } from './store.ts'
import { layOutZip, type ZipEntry } from './zip-layout.ts'
import { missingList, zipNames } from './zip-names.ts'
import { zipSource } from './zip-source.ts'

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

/** ZIPs that wait for their files to be read; one more is asked to come again. */
const mostPreparing = 20

/** Checksums by the ids of their files. */
type Sums = ReadonlyMap<number, Measured>

/**
 * Makes ZIPs. Their length is known before the first byte, which needs the checksum of each file;
 * those that the index lacks are read in the background, one folder at a time.
 */
export function createZips(originals: Originals) {
  const preparing = createPreparing(originals)
  const queue = createFairQueue(turns)
  /**
   * Lays out a ZIP of files.
   * @param client whose turn it is to have the disk looked at
   * @throws too-many when the client waits for many already; unavailable while checksums are still being
   *   read; HeldBack when none of the files may leave
   */
  return async (client: string, folder: Folder, files: readonly StoredFile[]): Promise<Zip> => {
    const found = await queue(client, () => originals.findAll(folder, files))
    const unread = found.filter(
      ({ original }) => original !== null && original.crc === null && original.held !== true,
    )
    const sums: Sums =
      unread.length > 0
        ? await withTimeout(preparing(folder, unread), answerTimeout, notReady)
        : new Map()
    return layOut(folder, found, sums)
  }
}

/** Reads checksums; equal requests share the work, and different ones wait for each other. */
function createPreparing(originals: Originals) {
  const running = new Map<string, Promise<Sums>>()
  let queue: Promise<unknown> = Promise.resolve()

  return (folder: Folder, found: readonly FoundOriginal[]): Promise<Sums> => {
    const versions = found.map(({ file, original }) => [file.id, original?.etag])
    const key = createHash('sha256').update(JSON.stringify(versions)).digest('base64url')
    const known = running.get(key)
    if (known) return known
    if (running.size >= mostPreparing) throw failure('unavailable', { retryAfter: 15 })
    const work = async () => {
      const sums = new Map<number, Measured>()
      for (const { file, original } of found) {
        if (original) sums.set(file.id, await originals.measure(folder, file, original))
      }
      return sums
    }
    const turn = queue.then(work).finally(() => running.delete(key))
    queue = turn.catch(() => {})
    running.set(key, turn)
    return turn
  }
}

type Entry = ZipEntry & Pick<Original, 'open'>

function layOut(folder: Folder, found: readonly FoundOriginal[], sums: Sums): Zip {
  const names = zipNames(found.map(({ file }) => file.path))
  const entries: Entry[] = []
  const [missing, held]: [string[], string[]] = [[], []]
  for (const [index, { file, original }] of found.entries()) {
    const name = names[index]!
    const crc = original?.held ? 'held' : (original?.crc ?? sums.get(file.id) ?? null)
    if (crc === 'held') held.push(name)
    else if (!original || crc === null) missing.push(name)
    else {
      const { size, mtime, open } = original
      entries.push({ name, size, mtime, crc, open })
    }
  }
  if (held.length > 0 && entries.length === 0) throw new HeldBack('No file can be cleaned.')
  if (missing.length + held.length > 0) entries.push(missingEntry(folder, { missing, held }))
  const layout = layOutZip(entries)
  const told = entries.map(({ name, size, mtime, crc }) => ({ name, size, mtime, crc }))
  const digest = createHash('sha256').update(JSON.stringify(told)).digest('hex')
  return {
    size: layout.size,
    etag: `"${digest.slice(0, 40)}"`,
    open: async () => zipSource(layout, (entry) => entries[entry]!.open()),
  }
}

/** The list of what could not be put into a ZIP. */
function missingEntry(
  folder: Folder,
  { missing, held }: Readonly<Record<'missing' | 'held', readonly string[]>>,
): Entry {
  const told = [
    ['These files were not there when the ZIP was made. Please ask us for them.', missing],
    [`${heldBack.many} Please ask us for them.`, held],
  ] as const
  const texts = told
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
