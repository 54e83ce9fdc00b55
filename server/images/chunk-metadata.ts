import { crc32 } from 'node:zlib'
import {
  BudgetExceeded,
  flattened,
  moved,
  overlay,
  part,
  take,
  type MetadataSource,
  type Patch,
} from './bytes.ts'
import { tiffPatches } from './tiff-metadata.ts'
import { xmpPatches } from './xmp-metadata.ts'

/** Metadata of a PNG that is longer is made again by no program: its file cannot be cleaned. */
const maxChunkBytes = 2 * 1024 * 1024

/** Text chunks in which ImageMagick and others keep EXIF and XMP as hexadecimal digits. */
const rawProfiles = new Set(['exif', 'app1', 'xmp'].map((kind) => `raw profile type ${kind}`))
const xmpKeyword = 'XML:com.adobe.xmp\0'

/**
 * What hides private metadata in a PNG (W3C PNG, third edition): in eXIf and in texts. Compressed XMP
 * (zTXt, iTXt with its flag) is blanked as a whole, author and all: what is inflated, cleaned and
 * deflated again would not have the length that the file has promised.
 */
export async function pngPatches(source: MetadataSource): Promise<Patch[]> {
  const patches: Patch[] = []
  let at = 8
  for (;;) {
    const head = await take(source, at, 8 + 64)
    if (head.length < 12) break
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4, 8)
    const name = head.toString('latin1', 8)
    if (
      type === 'eXIf' ||
      (/^(?:tEXt|zTXt|iTXt)$/.test(type) && /^(?:raw profile|xml:com)/i.test(name))
    ) {
      patches.push(...(await pngChunk(source, { at, length, type })))
    }
    if (type === 'IEND') break
    at += length + 12
  }
  return patches
}

/** The chunk made again with its checksum; of one that cannot be read nothing is left. */
async function pngChunk(
  source: MetadataSource,
  { at, length, type }: { at: number; length: number; type: string },
): Promise<Patch[]> {
  if (at + 12 + length > source.size) return [{ at: at + 4, length: source.size - at, bytes: 0 }]
  if (length > maxChunkBytes) throw new BudgetExceeded('A chunk is longer than any metadata.')
  const data = await take(source, at + 8, length)
  const inside = part(source, at + 8, at + 8 + length)
  let found: Patch[] | null = null
  if (type === 'eXIf') found = await tiffPatches(inside)
  else if (rawProfiles.has(keywordOf(data).toLowerCase())) found = null
  else if (data.toString('latin1', 0, xmpKeyword.length) === xmpKeyword) {
    const compressed = type === 'zTXt' || data[xmpKeyword.length] === 1
    found = compressed ? null : await xmpPatches(inside)
  } else return []
  if (found?.length === 0) return []
  if (!found) return unread(at, length)
  overlay(data, 0, flattened(found))
  const bytes = Buffer.concat([Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4)
  return [{ at: at + 4, length: bytes.length, bytes }]
}

/** The keyword of a text chunk, which ends at its first zero byte. */
const keywordOf = (data: Buffer): string => data.toString('latin1', 0, 80).split('\0', 1)[0]!

/** Zeros under a name that no reader knows: in lower case it is ancillary, private, safe to copy. */
function unread(at: number, length: number): Patch[] {
  const name = Buffer.from('noTe')
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(Buffer.alloc(length), crc32(name)))
  return [
    { at: at + 4, length: 4, bytes: name },
    { at: at + 8, length, bytes: 0 },
    { at: at + 8 + length, length: 4, bytes: sum },
  ]
}

/** What hides private metadata in a WebP (RFC 9649): in its EXIF and XMP chunks. */
export async function webpPatches(source: MetadataSource): Promise<Patch[]> {
  const patches: Patch[] = []
  let at = 12
  for (;;) {
    const head = await take(source, at, 8 + 6)
    if (head.length < 8) break
    const type = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    if (type === 'EXIF') {
      const from = at + 8 + (head.toString('latin1', 8) === 'Exif\0\0' ? 6 : 0)
      const found = await tiffPatches(part(source, from, at + 8 + length))
      patches.push(...(found ? moved(found, from) : [{ at: at + 8, length, bytes: 0 }]))
    }
    if (type === 'XMP ') {
      patches.push(...moved(await xmpPatches(part(source, at + 8, at + 8 + length)), at + 8))
    }
    at += 8 + length + (length % 2)
  }
  return patches
}
