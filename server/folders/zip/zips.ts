import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { failure } from '#shared/failures.ts'
import { withheldTexts } from '#shared/withheld.ts'
import { createFairQueue } from '../../http/limits/fair-queue.ts'
import { withTimeout } from '../../timeout.ts'
import type { ByteSource } from '../../transfers/disk.ts'
import {
  WithheldError,
  type Original,
  type FoundOriginal,
  type Measured,
  type Originals,
} from '../files/originals.ts'
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
   *   read; WithheldError when none of the files may leave
   */
  return async (client: string, folder: Folder, files: readonly StoredFile[]): Promise<Zip> => {
    const found = await queue(client, () => originals.findAll(folder, files))
    const unread = found.filter(
      ({ original }) => original !== null && original.crc === null && original.withheld !== true,
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
    if (running.size >= maxPreparing) throw failure('unavailable', { retryAfter: 15 })
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
  const [missing, withheld]: [string[], string[]] = [[], []]
  for (const [index, { file, original }] of found.entries()) {
    const name = names[index]!
    const crc = original?.withheld ? 'withheld' : (original?.crc ?? sums.get(file.id) ?? null)
    if (crc === 'withheld') withheld.push(name)
    else if (!original || crc === null) missing.push(name)
    else {
      const { size, mtime, open } = original
      entries.push({ name, size, mtime, crc, open })
    }
  }
  if (withheld.length > 0 && entries.length === 0)
    throw new WithheldError('No file can be cleaned.')
  if (missing.length + withheld.length > 0)
    entries.push(missingEntry(folder, { missing, withheld }))
  const layout = layOutZip(entries)
  const contents = entries.map(({ name, size, mtime, crc }) => ({ name, size, mtime, crc }))
  const digest = createHash('sha256').update(JSON.stringify(contents)).digest('hex')
  return {
    size: layout.size,
    etag: `"${digest.slice(0, 40)}"`,
    open: async () => zipSource(layout, (entry) => entries[entry]!.open()),
  }
}

/** The list of what could not be put into a ZIP. */
function missingEntry(
  folder: Folder,
  { missing, withheld }: Readonly<Record<'missing' | 'withheld', readonly string[]>>,
): Entry {
  const sections = [
    ['These files were missing when the ZIP was made. Please ask us for them.', missing],
    [`${withheldTexts.many} Please ask us for them.`, withheld],
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
