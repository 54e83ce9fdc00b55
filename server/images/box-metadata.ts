import { take, type MetadataSource, type Patch, moved, part, type Budget } from './bytes.ts'
import { tiffPatches } from './tiff-metadata.ts'
import { xmpPatches } from './xmp-metadata.ts'

/** A box of an ISO base media file (ISO/IEC 14496-12): its bytes, header included, and its content. */
type Box = { type: string; at: number; start: number; end: number }

/** Adobe's box for XMP. */
const xmpUuid = 'be7acfcb97a942e89c71999491e3afac'

/**
 * The boxes of a stretch, one after the other; those that are cut short end where the stretch does.
 * @returns those before one that claims less than its own header
 */
async function boxes(source: MetadataSource, from: number, to: number): Promise<Box[]> {
  const found: Box[] = []
  for (let at = from; at + 8 <= to;) {
    const head = await take(source, at, 16)
    if (head.length < 8) break
    const small = head.readUInt32BE(0)
    const large = small === 1 && head.length === 16
    const size = large ? Number(head.readBigUInt64BE(8)) : small === 0 ? to - at : small
    if (size < (large ? 16 : 8)) break
    const type = head.toString('latin1', 4, 8)
    const [start, end] = [at + (large ? 16 : 8), Math.min(at + size, to)]
    found.push({ type, at, start, end })
    at += size
  }
  return found
}

/** Boxes become free space, which players skip. */
const freed = ({ at, start, end }: Box): Patch[] => [
  { at: at + 4, length: 4, bytes: Buffer.from('free') },
  { at: start, length: end - start, bytes: 0 },
]

/** The identifier of a box of the type `uuid`, in hexadecimal digits. */
const uuidOf = async (source: MetadataSource, { start, end }: Box): Promise<string> =>
  (await take(source, start, Math.min(16, end - start))).toString('hex')

/** Bytes of an item table that are read: more than its entries may be, see budget.ts. */
const maxTableBytes = 1024 * 1024

/** Canon's box for what its cameras write into films: four TIFF blocks and a thumbnail. */
const canonUuid = '85c0b687820f11e08111f4ce462b6a48'

/**
 * What hides private metadata in AVIF, HEIC, MP4 and QuickTime files: EXIF and XMP of pictures, and
 * the place where a film was made.
 */
export async function boxPatches(source: MetadataSource): Promise<Patch[]> {
  const patches: Patch[] = []
  for (const box of await boxes(source, 0, source.size)) {
    if (box.type === 'meta') patches.push(...(await itemPatches(source, box)))
    if (box.type === 'moov') patches.push(...(await filmPatches(source, box)))
    if (box.type === 'uuid') patches.push(...(await uuidPatches(source, box)))
  }
  return patches
}

async function uuidPatches(source: MetadataSource, box: Box): Promise<Patch[]> {
  const uuid = await uuidOf(source, box)
  if (uuid === canonUuid) return freed(box)
  if (uuid !== xmpUuid) return []
  const from = box.start + 16
  return moved(await xmpPatches(part(source, from, box.end)), from)
}

/** EXIF and XMP items of a picture. */
async function itemPatches(source: MetadataSource, meta: Box): Promise<Patch[]> {
  const inside = await boxes(source, meta.start + 4, meta.end)
  const table = async (type: string) => {
    const box = inside.find((each) => each.type === type)
    return box ? take(source, box.start, Math.min(box.end - box.start, maxTableBytes)) : null
  }
  const [infos, places] = [await table('iinf'), await table('iloc')]
  if (!infos || !places) return []
  const items = readInfos(infos, source.budget)
  const patches: Patch[] = []
  const stored = inside.find(({ type }) => type === 'idat')?.start ?? 0
  for (const { id, extents, inIdat } of readPlaces(places, source.budget)) {
    const type = items.get(id)
    if (!type) continue
    source.budget.spend('patches', extents.length)
    const ranges = extents.map(([at, length]) => ({ at: at + (inIdat ? stored : 0), length }))
    const [only, ...rest] = ranges
    const found =
      only && rest.length === 0 ? await itemRange(source, only.at, only.length, type) : null
    patches.push(...(found ?? ranges.map((range) => ({ ...range, bytes: 0 }))))
  }
  return patches
}

async function itemRange(
  source: MetadataSource,
  at: number,
  length: number,
  type: 'Exif' | 'mime',
): Promise<Patch[] | null> {
  if (type === 'mime') return moved(await xmpPatches(part(source, at, at + length)), at)
  // An Exif item begins with the distance to its TIFF header.
  const distance = await take(source, at, 4)
  const from = at + 4 + (distance.length === 4 ? distance.readUInt32BE() : 0)
  const found = await tiffPatches(part(source, from, at + length))
  return found && moved(found, from)
}

/** Names of a film's metadata that tell a place or a device. */
const isPrivate = (name: string) => /location|gps|serial/i.test(name)

/** The place where a film was made, and what cameras write about themselves. */
const privateBoxes: ReadonlySet<string> = new Set([
  '\xa9xyz',
  'loci',
  'CNTH', // Canon: a thumbnail with EXIF
  'NCDT', // Nikon
  'MVTG', // Fujifilm
  'CAME', // GoPro: its serial number
  'GPMF', // GoPro
])

/** How deep tracks and user data of a film are looked into; what lies deeper becomes free space. */
const maxDepth = 8

async function filmPatches(source: MetadataSource, film: Box, depth = 0): Promise<Patch[]> {
  const patches: Patch[] = []
  for (const box of await boxes(source, film.start, film.end)) {
    if (box.type === 'trak' || box.type === 'udta') {
      const isDeep = depth >= maxDepth
      patches.push(...(isDeep ? freed(box) : await filmPatches(source, box, depth + 1)))
    }
    if (box.type === 'meta') patches.push(...(await keyedPatches(source, box)))
    if (privateBoxes.has(box.type)) patches.push(...freed(box))
    if (box.type === 'XMP_') {
      patches.push(...moved(await xmpPatches(part(source, box.start, box.end)), box.start))
    }
    if (box.type === 'uuid') patches.push(...(await uuidPatches(source, box)))
  }
  return patches
}

/** Metadata by keys, as telephones write it (QuickTime File Format, Metadata). */
async function keyedPatches(source: MetadataSource, meta: Box): Promise<Patch[]> {
  // QuickTime's box has no version before its content.
  const bare = (await take(source, meta.start + 4, 4)).toString('latin1') === 'hdlr'
  const inside = await boxes(source, meta.start + (bare ? 0 : 4), meta.end)
  const keys = inside.find(({ type }) => type === 'keys')
  const values = inside.find(({ type }) => type === 'ilst')
  if (!keys || !values) return []
  const wanted = new Set<number>()
  const names = await boxes(source, keys.start + 8, keys.end)
  for (const [index, { start, end }] of names.entries()) {
    const name = await take(source, start, Math.min(end - start, 200))
    if (isPrivate(name.toString('latin1'))) wanted.add(index + 1)
  }
  const items = await boxes(source, values.start, values.end)
  return items
    .filter(({ type }) => wanted.has(Buffer.from(type, 'latin1').readUInt32BE()))
    .flatMap(freed)
}

/**
 * The types of the items that may hold metadata.
 * @throws BudgetExceeded when there are more items than a picture has
 */
function readInfos(table: Buffer, budget: Budget): Map<number, 'Exif' | 'mime'> {
  const items = new Map<number, 'Exif' | 'mime'>()
  const tolerant = () => {
    const { next, skip } = cursor(table)
    const version = next(1)
    skip(3)
    let at = 4 + (version === 0 ? 2 : 4)
    const count = next(version === 0 ? 2 : 4)
    budget.spend('entries', count)
    for (let each = 0; each < count; each += 1) {
      const size = table.readUInt32BE(at)
      const wide = table.readUInt8(at + 8) >= 3
      const id = wide ? table.readUInt32BE(at + 12) : table.readUInt16BE(at + 12)
      const type = table.toString('latin1', at + (wide ? 18 : 16), at + (wide ? 22 : 20))
      if (type === 'Exif' || type === 'mime') items.set(id, type)
      at += Math.max(size, 8)
    }
  }
  untilTheEnd(tolerant)
  return items
}

type Place = { id: number; inIdat: boolean; extents: [at: number, length: number][] }

/**
 * Where items lie.
 * @throws BudgetExceeded when there are more pieces than a picture has
 */
function readPlaces(table: Buffer, budget: Budget): Place[] {
  const places: Place[] = []
  untilTheEnd(() => {
    const { next, skip } = cursor(table)
    const version = next(1)
    skip(3)
    const sizes = next(2)
    const [offset, length, base] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
    const index = version === 0 ? 0 : sizes & 15
    const count = next(version < 2 ? 2 : 4)
    budget.spend('entries', count)
    for (let each = 0; each < count; each += 1) {
      const id = next(version < 2 ? 2 : 4)
      const inIdat = version > 0 && (next(2) & 15) === 1
      skip(2)
      const from = next(base)
      const extents: Place['extents'] = []
      const pieces = next(2)
      budget.spend('entries', pieces)
      for (let piece = 0; piece < pieces; piece += 1) {
        skip(index)
        extents.push([from + next(offset), next(length)])
      }
      places.push({ id, inIdat, extents })
    }
  })
  return places
}

/** Reads whole numbers of a table one after the other. */
function cursor(table: Buffer) {
  let at = 0
  return {
    get at() {
      return at
    },
    skip: (bytes: number) => void (at += bytes),
    /** @param bytes 0 to 8 */
    next(bytes: number): number {
      let value = 0
      for (let each = 0; each < bytes; each += 1) value = value * 256 + table.readUInt8(at + each)
      at += bytes
      return value
    },
  }
}

/** A table that is cut short gives what it has. */
function untilTheEnd(read: () => void): void {
  try {
    read()
  } catch (err) {
    if (!(err instanceof RangeError)) throw err
  }
}
