import { crc32 } from 'node:zlib'
import { openFile, type Version } from './disk.ts'

/**
 * The CRC-32 of one version of a folder's file, read with constant memory.
 * @throws when the file is not there or not this version
 */
export async function checksum(root: string, path: string, version: Version): Promise<number> {
  const source = await openFile(root, path, version)
  try {
    const buffer = Buffer.allocUnsafeSlow(512 * 1024)
    let crc = 0
    for (let at = 0; at < source.size;) {
      const read = await source.read(buffer, at)
      crc = crc32(buffer.subarray(0, read), crc)
      at += read
    }
    return crc
  } finally {
    await source.close()
  }
}
