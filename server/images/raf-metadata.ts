import { moved, part, take, type Patch, type ReadableBytes } from './bytes.ts'
import { jpegPatches } from './jpeg-metadata.ts'

/** Where the header says where its preview is, and how long it is. */
const [place, length] = [84, 88]

/**
 * What hides private metadata in Fujifilm's RAF: in its preview, a JPEG with everything that the
 * camera knows. White balance and the like stand in directories of the RAF's own as well.
 * @returns null when the preview is not where it should be
 */
export async function rafPatches(source: ReadableBytes): Promise<Patch[] | null> {
  const head = await take(source, 0, 92)
  if (head.length < 92) return null
  const at = head.readUInt32BE(place)
  const end = at + head.readUInt32BE(length)
  const start = await take(source, at, 3)
  if (end > source.size || start.toString('latin1') !== '\xff\xd8\xff') return null
  return moved(await jpegPatches(part(source, at, end)), at)
}
