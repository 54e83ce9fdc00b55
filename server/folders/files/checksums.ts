import { crc32 } from 'node:zlib'
import { overlay, type Patch, type ReadableBytes } from '../../images/bytes.ts'
import { privateMetadata } from '../../images/metadata.ts'
import { openFile, type Version } from '../../transfers/disk.ts'
import { kindOf } from '../../transfers/file-kinds.ts'
import type { StoredFile } from '../schema.ts'

/**
 * Counts up with every change of what `privateMetadata` hides: the sums of files that were read
 * before are not those of what leaves now.
 */
export const cleanRecipe = 3

/**
 * The CRC-32 of a file as it is on disk, and of what leaves of it when its private metadata do not;
 * null where they cannot be taken out, so nothing leaves.
 */
export type Checksums = { crc: number; cleanCrc: number | null }

/** Whether a file that was read is one whose private metadata cannot be taken out. */
export const cannotBeCleaned = ({
  crc,
  cleanCrc,
  cleanRecipe: found,
}: Pick<StoredFile, 'crc' | 'cleanCrc' | 'cleanRecipe'>): boolean =>
  crc !== null && cleanCrc === null && found === cleanRecipe

/**
 * What overwrites parts of a file as it leaves; null when it cannot be cleaned. Its type comes from its
 * name, since an index that an earlier version made knows fewer of them.
 */
export const hiddenOf = (source: ReadableBytes, path: string): Promise<Patch[] | null> =>
  privateMetadata(source, kindOf(path).type)

/**
 * The checksums of one version of a folder's file, read once and with constant memory.
 * @throws when the file is not there or not this version
 */
export async function checksums(
  root: string,
  { path }: { path: string },
  version: Version,
): Promise<Checksums> {
  const source = await openFile(root, path, version)
  try {
    const patches = await hiddenOf(source, path)
    const buffer = Buffer.allocUnsafeSlow(512 * 1024)
    let [crc, cleanCrc] = [0, 0]
    for (let at = 0; at < source.size;) {
      const read = await source.read(buffer, at)
      const piece = buffer.subarray(0, read)
      crc = crc32(piece, crc)
      if (patches && patches.length > 0) {
        overlay(piece, at, patches)
        cleanCrc = crc32(piece, cleanCrc)
      }
      at += read
    }
    if (!patches) return { crc, cleanCrc: null }
    return { crc, cleanCrc: patches.length > 0 ? cleanCrc : crc }
  } finally {
    await source.close()
  }
}
