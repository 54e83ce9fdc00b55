import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Logger } from 'pino'
import { failure } from '#shared/failures.ts'
import type { Commit } from '../db/group-commit.ts'
import type { ByteSource } from './byte-source.ts'
import { checksum } from './checksums.ts'
import { openFile, versionOf, type Version } from './disk.ts'
import type { Folder, FolderStore, StoredFile } from './store.ts'
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
const patience = 4000

/** Files that are looked at on disk at the same time. */
const looks = 32

/** What a file of a ZIP is on disk now. */
type Found = { file: StoredFile; version: Version | null; crc: number | null }

/**
 * Makes ZIPs. Their length is known before the first byte, which needs the checksum of each file;
 * those that the index lacks are read in the background, one folder at a time.
 */
export function createZips({
  root,
  store,
  commit,
  log,
}: {
  root: string
  store: FolderStore
  commit: Commit
  log: Logger
}) {
  const preparing = new Map<string, Promise<void>>()
  let queue: Promise<unknown> = Promise.resolve()

  /** Reads what has no checksum, and keeps what it finds. */
  const prepare = (folder: Folder, found: readonly Found[]): Promise<void> => {
    const directory = join(root, folder.directory)
    const key = `${folder.id}:${found.map(({ file }) => file.id).join()}`
    const running = preparing.get(key)
    if (running) return running
    const work = async () => {
      for (const one of found) {
        const { file, version } = one
        if (version === null) continue
        try {
          const crc = await checksum(directory, file.path, version)
          await commit((tx) => store.keepChecksum(tx, file.id, crc, version))
          one.crc = crc
        } catch (err) {
          log.warn({ event: 'folder.unreadable', file: file.id, err }, 'a file cannot be read')
          one.version = null
        }
      }
    }
    const turn = queue.then(work).finally(() => preparing.delete(key))
    queue = turn.catch(() => {})
    preparing.set(key, turn)
    return turn
  }

  /** Looks at every file, and marks those that are not there. */
  const look = async (folder: Folder, files: readonly StoredFile[]): Promise<Found[]> => {
    const directory = join(root, folder.directory)
    const found: Found[] = []
    for (let at = 0; at < files.length; at += looks) {
      const some = files.slice(at, at + looks)
      const versions = await Promise.all(some.map(({ path }) => versionOf(directory, path)))
      for (const [index, file] of some.entries()) {
        const version = versions[index] ?? null
        const same = version?.size === file.size && version.mtime === file.mtime
        found.push({ file, version, crc: same ? file.crc : null })
      }
    }
    const turned = found.filter(({ file, version }) => (version === null) !== (file.broken === 1))
    if (turned.length > 0) {
      await commit((tx) => {
        for (const { file, version } of turned) store.markBroken(tx, file.id, version === null)
      })
    }
    return found
  }

  /**
   * Lays out a ZIP of files.
   * @throws unavailable while checksums are still being read
   */
  return async (folder: Folder, files: readonly StoredFile[]): Promise<Zip> => {
    const found = await look(folder, files)
    const unread = found.filter(({ version, crc }) => version !== null && crc === null)
    if (unread.length > 0 && !(await within(prepare(folder, unread), patience))) {
      throw failure('unavailable', { message: 'The ZIP is being prepared.', retryAfter: 5 })
    }
    const names = zipNames(found.map(({ file }) => file.path))
    const entries: ZipEntry[] = []
    const sources: (() => Promise<ByteSource>)[] = []
    const missing: string[] = []
    for (const [index, { file, version, crc }] of found.entries()) {
      // Another request for the same files may have read them.
      const sum = crc ?? store.file(folder.id, file.id)?.crc ?? null
      if (version === null || sum === null) missing.push(names[index]!)
      else {
        entries.push({ name: names[index]!, ...version, crc: sum })
        sources.push(() => openFile(join(root, folder.directory), file.path, version))
      }
    }
    if (missing.length > 0) {
      const list = missingText(missing)
      const mtime = folder.syncedAt ?? folder.createdAt
      entries.push({ name: missingList, size: list.length, mtime, crc: crc32(list) })
      sources.push(async () => bufferSource(list))
    }
    const layout = layOutZip(entries)
    const digest = createHash('sha256').update(JSON.stringify(entries)).digest('hex')
    return {
      size: layout.size,
      etag: `"${digest.slice(0, 40)}"`,
      open: async () => zipSource(layout, (entry) => sources[entry]!()),
    }
  }
}

const missingText = (names: readonly string[]) =>
  Buffer.from(
    `These files were not there when the ZIP was made. Please ask us for them.\r\n\r\n${names.join('\r\n')}\r\n`,
  )

const bufferSource = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read: async (into, position) => bytes.copy(into, 0, position),
  async close() {},
})

/** Whether something is done within some milliseconds. */
async function within(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  const done = await Promise.race([work.then(() => true), late])
  clearTimeout(timer)
  return done
}
