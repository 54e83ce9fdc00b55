import { patched } from '../images/metadata.ts'
import type { ByteSource } from '../transfers/byte-source.ts'
import { openFile, type Version } from '../transfers/disk.ts'
import { cannotBeCleaned, cleanRecipe, hiddenOf } from './checksums.ts'
import type { StoredFile } from './file-store.ts'
import type { Folder } from './store.ts'

/** A file as it leaves: without its private metadata, unless the folder allows them. */
export type Original = Version & {
  /** Strong, with its quotes. */
  etag: string
  /** CRC-32 of these bytes; null until they are read. */
  crc: number | null
  /** Whether it stays here, since it cannot be cleaned; null until it has been read. */
  held: boolean | null
  /**
   * @throws FileGone when it is not there any more, or has changed; HeldBack when it cannot be cleaned
   */
  open(): Promise<ByteSource>
}

/** Thrown for a file that cannot be cleaned, and may not leave as it is. */
export class HeldBack extends Error {}

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
  const isWhole = folder.keepLocation === 1
  const isLooked = isKnown && file.cleanRecipe === cleanRecipe
  const cleanCrc = isLooked ? file.cleanCrc : null
  const recipe = isWhole ? '' : `-c${cleanRecipe}`
  return {
    size,
    mtime,
    etag: `"${file.id.toString(36)}-${mtime.toString(36)}-${size.toString(36)}${recipe}"`,
    crc: isWhole ? (isKnown ? file.crc : null) : cleanCrc,
    held: isWhole ? false : isLooked ? cannotBeCleaned(file) : null,
    async open() {
      const source = await openFile(directory, file.path, version)
      if (isWhole) return source
      try {
        const patches = await hiddenOf(source, file.path)
        if (!patches) throw new HeldBack('The file cannot be cleaned.')
        return patched(source, patches)
      } catch (error) {
        await source.close()
        throw error
      }
    },
  }
}
