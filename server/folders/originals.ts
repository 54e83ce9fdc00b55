import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Commit } from '../db/group-commit.ts'
import { patched, privateMetadata } from '../images/metadata.ts'
import type { ByteSource } from '../transfers/byte-source.ts'
import { checksums, cleanRecipe } from './checksums.ts'
import { FileGone, openFile, versionOf, type Version } from '../transfers/disk.ts'
import type { StoredFile } from './file-store.ts'
import type { Folder, FolderStore } from './store.ts'

/** A file as it leaves: without its private metadata, unless the folder allows them. */
export type Original = Version & {
  /** Strong, with its quotes. */
  etag: string
  /** CRC-32 of these bytes; null until somebody reads them. */
  crc: number | null
  /** @throws FileGone when it is not there any more, or has changed */
  open(): Promise<ByteSource>
}

/** A file of the index with what it is on disk now; null when it cannot be served. */
export type FoundOriginal = { file: StoredFile; original: Original | null }

/** The files of folders as visitors get them. */
export type Originals = ReturnType<typeof createOriginals>

/** Files that are looked at on disk at the same time. */
const looks = 32

/**
 * Makes what opens the files of folders. Positions, serial numbers and owners leave with a file only
 * where staff said so for its folder; nothing changes its length, see images/metadata.ts.
 * @param options `root` is DATA_DIR/folders
 */
export function createOriginals({
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
  const directoryOf = ({ directory }: Folder) => join(root, directory)

  const original = (folder: Folder, file: StoredFile, version: Version): Original => {
    const { size, mtime } = version
    const isKnown = file.size === size && file.mtime === mtime && file.crc !== null
    const isWhole = folder.keepLocation === 1
    const cleanCrc = file.cleanRecipe === cleanRecipe ? file.cleanCrc : null
    const recipe = isWhole ? '' : `-c${cleanRecipe}`
    return {
      size,
      mtime,
      etag: `"${file.id.toString(36)}-${mtime.toString(36)}-${size.toString(36)}${recipe}"`,
      crc: isKnown ? (isWhole ? file.crc : cleanCrc) : null,
      async open() {
        const source = await openFile(directoryOf(folder), file.path, version)
        if (isWhole) return source
        try {
          return patched(source, await privateMetadata(source, file.type))
        } catch (error) {
          await source.close()
          throw error
        }
      },
    }
  }

  /** Files that are not there, or are there again, are marked; nobody waits for it. */
  const mark = (found: readonly FoundOriginal[]) => {
    const turned = found.filter(({ file, original: now }) => (now === null) !== (file.broken === 1))
    if (turned.length === 0) return
    commit((tx) => {
      for (const { file, original: now } of turned) store.markBroken(tx, file.id, now === null)
    }).catch((err: unknown) => log.error({ err }, 'files that are not there could not be marked'))
  }

  /** Looks at files on disk, in their order. */
  const findAll = async (folder: Folder, files: readonly StoredFile[]) => {
    const found: FoundOriginal[] = []
    for (let at = 0; at < files.length; at += looks) {
      const some = files.slice(at, at + looks)
      const versions = await Promise.all(
        some.map(({ path }) => versionOf(directoryOf(folder), path)),
      )
      for (const [index, file] of some.entries()) {
        const version = versions[index] ?? null
        found.push({ file, original: version && original(folder, file, version) })
      }
    }
    mark(found)
    return found
  }

  return {
    findAll,

    /** Looks at one file on disk. */
    find: async (folder: Folder, file: StoredFile): Promise<Original | null> =>
      (await findAll(folder, [file]))[0]?.original ?? null,

    /**
     * Reads the checksum of what leaves of a file, and keeps it where the database can.
     * @returns null when the file has gone or cannot be read
     * @throws when the machine has no more files or memory
     */
    async measure(folder: Folder, file: StoredFile, version: Version): Promise<number | null> {
      try {
        const sums = await checksums(directoryOf(folder), file, version)
        // Whoever waits for the ZIP needs the sum, not its row.
        commit((tx) => store.keepChecksums(tx, file.id, { ...sums, cleanRecipe }, version)).catch(
          (err: unknown) => log.error({ err, file: file.id }, 'a checksum could not be kept'),
        )
        return folder.keepLocation === 1 ? sums.crc : sums.cleanCrc
      } catch (err) {
        if (!(err instanceof FileGone)) throw err
        log.warn({ event: 'folder.unreadable', file: file.id, err }, 'a file cannot be read')
        return null
      }
    },
  }
}
