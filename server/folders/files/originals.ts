import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Commit } from '../../db/group-commit.ts'
import { checksums, cleanRecipe, cannotBeCleaned, hiddenOf } from './checksums.ts'
import {
  FileGone,
  versionOf,
  openFile,
  type Version,
  type ByteSource,
} from '../../transfers/disk.ts'
import type { FolderStore } from '../store.ts'
import { patched } from '../../images/metadata.ts'
import type { Folder, StoredFile } from '../schema.ts'

/** A file of the index with what it is on disk now; null when it cannot be served. */
export type FoundOriginal = { file: StoredFile; original: Original | null }

/** The CRC-32 of what leaves of a file; null when it cannot be read, `withheld` when nothing leaves. */
export type Measured = number | 'withheld' | null

/** The files of folders as visitors get them. */
export type Originals = ReturnType<typeof createOriginals>

/** Files that are looked at on disk at the same time. */
const readsAtOnce = 32

/** Where files lie, and what keeps what is found out of them; `root` is DATA_DIR/folders. */
type Deps = { root: string; store: FolderStore; commit: Commit; log: Logger }

/**
 * Creates the reader of folders' files. Positions, serial numbers and owners leave with a file only
 * where staff said so for its folder; nothing changes its length, see images/metadata.ts.
 */
export function createOriginals(deps: Deps) {
  const { root, store, commit, log } = deps
  const findAll = createFindAll(deps)

  /** Reads a file that has not been read since it, or the way of cleaning, changed. */
  const isWithheld = async (file: StoredFile, found: Original): Promise<boolean> => {
    try {
      await (await found.open()).close()
      return false
    } catch (error) {
      if (!(error instanceof WithheldError)) throw error
      const { crc } = file
      if (crc !== null && file.size === found.size && file.mtime === found.mtime) {
        const sums = { crc, cleanCrc: null, cleanRecipe }
        commit((tx) => store.keepChecksums(tx, file.id, sums, found)).catch((err: unknown) =>
          log.error({ err, file: file.id }, 'withheld file not marked'),
        )
      }
      return true
    }
  }

  return {
    findAll,

    /** Looks at one file on disk, and reads it where it is not known yet whether it can be cleaned. */
    async find(
      folder: Folder,
      file: StoredFile,
    ): Promise<(Original & { withheld: boolean }) | null> {
      const [found] = await findAll(folder, [file])
      if (!found?.original) return null
      const { original: now } = found
      return { ...now, withheld: now.withheld ?? (await isWithheld(file, now)) }
    },

    /**
     * Reads the checksum of what leaves of a file, and keeps it where the database can.
     * @returns null when the file has gone or cannot be read; `withheld` when it cannot be cleaned
     * @throws when the machine has no more files or memory
     */
    async measure(folder: Folder, file: StoredFile, version: Version): Promise<Measured> {
      try {
        const sums = await checksums(join(root, folder.directory), file, version)
        // The ZIP needs the sum, not its row.
        commit((tx) => store.keepChecksums(tx, file.id, { ...sums, cleanRecipe }, version)).catch(
          (err: unknown) => log.error({ err, file: file.id }, 'checksum not saved'),
        )
        return folder.keepLocation ? sums.crc : (sums.cleanCrc ?? 'withheld')
      } catch (err) {
        if (!(err instanceof FileGone)) throw err
        log.warn({ event: 'folder.unreadable', file: file.id, err }, 'file not readable')
        return null
      }
    },
  }
}

/** Creates the function that checks files on disk, in their order, and marks missing ones. */
function createFindAll({ root, store, commit, log }: Deps) {
  /** Marks files that are not there, or are there again; not awaited. */
  const mark = (found: readonly FoundOriginal[]) => {
    const turned = found.filter(({ file, original: now }) => (now === null) !== file.broken)
    if (turned.length === 0) return
    commit((tx) => {
      for (const { file, original: now } of turned) store.markBroken(tx, file.id, now === null)
    }).catch((err: unknown) => log.error({ err }, 'missing files not marked'))
  }

  return async (folder: Folder, files: readonly StoredFile[]): Promise<FoundOriginal[]> => {
    const directory = join(root, folder.directory)
    const found: FoundOriginal[] = []
    for (let at = 0; at < files.length; at += readsAtOnce) {
      const some = files.slice(at, at + readsAtOnce)
      const versions = await Promise.all(some.map(({ path }) => versionOf(directory, path)))
      for (const [index, file] of some.entries()) {
        const version = versions[index] ?? null
        found.push({ file, original: version && originalOf(directory, folder, file, version) })
      }
    }
    mark(found)
    return found
  }
}

/** A file as it leaves: without its private metadata, unless the folder allows them. */
export type Original = Version & {
  /** Strong, with its quotes. */
  etag: string
  /** CRC-32 of these bytes; null until they are read. */
  crc: number | null
  /** Whether it stays here, since it cannot be cleaned; null until it has been read. */
  withheld: boolean | null
  /**
   * @throws FileGone when it is not there any more, or has changed; WithheldError when it cannot be cleaned
   */
  open(): Promise<ByteSource>
}

/** Thrown for a file that cannot be cleaned, and may not leave as it is. */
export class WithheldError extends Error {}

/**
 * A file of a folder as it leaves.
 * @param directory where the folder lies on disk
 * @param version what the file is on disk now
 */
export function originalOf(
  directory: string,
  folder: Folder,
  file: StoredFile,
  version: Version,
): Original {
  const { size, mtime } = version
  const isKnown = file.size === size && file.mtime === mtime && file.crc !== null
  const isWhole = folder.keepLocation
  const isScanned = isKnown && file.cleanRecipe === cleanRecipe
  const cleanCrc = isScanned ? file.cleanCrc : null
  const recipe = isWhole ? '' : `-c${cleanRecipe}`
  return {
    size,
    mtime,
    etag: `"${file.id.toString(36)}-${mtime.toString(36)}-${size.toString(36)}${recipe}"`,
    crc: isWhole ? (isKnown ? file.crc : null) : cleanCrc,
    withheld: isWhole ? false : isScanned ? cannotBeCleaned(file) : null,
    async open() {
      const source = await openFile(directory, file.path, version)
      if (isWhole) return source
      try {
        const patches = await hiddenOf(source, file.path)
        if (!patches) throw new WithheldError('The file cannot be cleaned.')
        return patched(source, patches)
      } catch (error) {
        await source.close()
        throw error
      }
    },
  }
}
