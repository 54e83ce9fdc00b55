import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Commit } from '../db/group-commit.ts'
import { checksums, cleanRecipe } from './checksums.ts'
import { FileGone, versionOf, type Version } from '../transfers/disk.ts'
import { HeldBack, originalOf, type Original } from './original.ts'
import type { StoredFile } from './file-store.ts'
import type { Folder, FolderStore } from './store.ts'

/** A file of the index with what it is on disk now; null when it cannot be served. */
export type FoundOriginal = { file: StoredFile; original: Original | null }

/** The CRC-32 of what leaves of a file; null when it cannot be read, `held` when nothing leaves. */
export type Measured = number | 'held' | null

/** The files of folders as visitors get them. */
export type Originals = ReturnType<typeof createOriginals>

/** Files that are looked at on disk at the same time. */
const readsAtOnce = 32

/** Where files lie, and what keeps what is found out of them; `root` is DATA_DIR/folders. */
type Dependencies = { root: string; store: FolderStore; commit: Commit; log: Logger }

/**
 * Makes what opens the files of folders. Positions, serial numbers and owners leave with a file only
 * where staff said so for its folder; nothing changes its length, see images/metadata.ts.
 */
export function createOriginals(dependencies: Dependencies) {
  const { root, store, commit, log } = dependencies
  const findAll = createFindAll(dependencies)

  /** Reads a file that has not been read since it, or the way of cleaning, changed. */
  const isHeld = async (file: StoredFile, found: Original): Promise<boolean> => {
    try {
      await (await found.open()).close()
      return false
    } catch (error) {
      if (!(error instanceof HeldBack)) throw error
      const { crc } = file
      if (crc !== null && file.size === found.size && file.mtime === found.mtime) {
        const sums = { crc, cleanCrc: null, cleanRecipe }
        commit((tx) => store.keepChecksums(tx, file.id, sums, found)).catch((err: unknown) =>
          log.error({ err, file: file.id }, 'held file not marked'),
        )
      }
      return true
    }
  }

  return {
    findAll,

    /** Looks at one file on disk, and reads it where it is not known yet whether it can be cleaned. */
    async find(folder: Folder, file: StoredFile): Promise<(Original & { held: boolean }) | null> {
      const [found] = await findAll(folder, [file])
      if (!found?.original) return null
      const { original: now } = found
      return { ...now, held: now.held ?? (await isHeld(file, now)) }
    },

    /**
     * Reads the checksum of what leaves of a file, and keeps it where the database can.
     * @returns null when the file has gone or cannot be read; `held` when it cannot be cleaned
     * @throws when the machine has no more files or memory
     */
    async measure(folder: Folder, file: StoredFile, version: Version): Promise<Measured> {
      try {
        const sums = await checksums(join(root, folder.directory), file, version)
        // The ZIP needs the sum, not its row.
        commit((tx) => store.keepChecksums(tx, file.id, { ...sums, cleanRecipe }, version)).catch(
          (err: unknown) => log.error({ err, file: file.id }, 'checksum not saved'),
        )
        return folder.keepLocation === 1 ? sums.crc : (sums.cleanCrc ?? 'held')
      } catch (err) {
        if (!(err instanceof FileGone)) throw err
        log.warn({ event: 'folder.unreadable', file: file.id, err }, 'file not readable')
        return null
      }
    },
  }
}

/** Makes what looks at files on disk, in their order, and marks those that are not there. */
function createFindAll({ root, store, commit, log }: Dependencies) {
  /** Marks files that are not there, or are there again; not awaited. */
  const mark = (found: readonly FoundOriginal[]) => {
    const turned = found.filter(({ file, original: now }) => (now === null) !== (file.broken === 1))
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
