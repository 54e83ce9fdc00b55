import { crc32 } from 'node:zlib'
import { overlay } from '../images/bytes.ts'
import { privateMetadata } from '../images/metadata.ts'
import { openFile, type Version } from '../transfers/disk.ts'

/**
 * Counts up with every change of what `privateMetadata` hides: the sums of files that were read
 * before are not those of what leaves now.
 */
export const cleanRecipe = 1

/** The CRC-32 of a file as it is on disk, and of what leaves of it when its private metadata do not. */
export type Checksums = { crc: number; cleanCrc: number }

/**
 * The checksums of one version of a folder's file, read once and with constant memory.
 * @param type media type, which tells where its metadata are
 * @throws when the file is not there or not this version
 */
export async function checksums(
  root: string,
  { path, type }: { path: string; type: string },
  version: Version,
): Promise<Checksums> {
  const source = await openFile(root, path, version)
  try {
    const patches = await privateMetadata(source, type)
    const buffer = Buffer.allocUnsafeSlow(512 * 1024)
    let [crc, cleanCrc] = [0, 0]
    for (let at = 0; at < source.size;) {
      const read = await source.read(buffer, at)
      const piece = buffer.subarray(0, read)
      crc = crc32(piece, crc)
      if (patches.length > 0) {
        overlay(piece, at, patches)
        cleanCrc = crc32(piece, cleanCrc)
      }
      at += read
    }
    return { crc, cleanCrc: patches.length > 0 ? cleanCrc : crc }
  } finally {
    await source.close()
  }
}
