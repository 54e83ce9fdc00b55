import { take, type Patch, type ReadableBytes } from './bytes.ts'
import { readDirectory, type Entry, type Order } from './tiff.ts'

/**
 * What of Canon's notes raw files are developed from: settings, measured colours, the size of the
 * sensor, corrections of the lens. Everything else goes, known or not: it has the serial numbers of
 * body and lens, their owner, and blocks whose format only Canon knows.
 */
export const canonTags: ReadonlySet<number> = new Set([
  0x0001, // CameraSettings
  0x0002, // FocalLength
  0x0004, // ShotInfo
  0x0006, // ImageType
  0x0007, // FirmwareVersion
  0x0010, // ModelID
  0x0095, // LensModel
  0x0098, // CropInfo
  0x009a, // AspectInfo
  0x00a0, // ProcessingInfo
  0x00a1, // ToneCurveTable
  0x00a2, // SharpnessTable
  0x00a3, // SharpnessFreqTable
  0x00a4, // WhiteBalanceTable
  0x00a9, // ColorBalance
  0x00aa, // MeasuredColor
  0x00ae, // ColorTemperature
  0x00b4, // ColorSpace
  0x00e0, // SensorInfo
  0x4001, // ColorData
  0x4003, // ColorInfo
  0x4008, // PictureStyleUserDef
  0x4009, // PictureStylePC
  0x4015, // VignettingCorr
  0x4016, // VignettingCorr2
  0x4018, // LightingOpt
])

/** The same of Pentax' notes: black and white, matrices, the table that the pixels are packed by. */
const pentaxTags: ReadonlySet<number> = new Set([
  0x0000, // PentaxVersion
  0x0005, // PentaxModelID
  0x0014, // ISO
  0x0019, // WhiteBalance
  0x0037, // ColorSpace
  0x003f, // LensRec
  0x0200, // BlackPoint
  0x0201, // WhitePoint
  0x0203, // ColorMatrixA
  0x0204, // ColorMatrixB
  0x020d, // WB_RGGBLevelsDaylight
  0x020e, // WB_RGGBLevelsShade
  0x020f, // WB_RGGBLevelsCloudy
  0x0210, // WB_RGGBLevelsTungsten
  0x0211, // WB_RGGBLevelsFluorescentD
  0x0212, // WB_RGGBLevelsFluorescentN
  0x0213, // WB_RGGBLevelsFluorescentW
  0x0214, // WB_RGGBLevelsFlash
  0x0220, // HuffmanTable
  0x0221, // KelvinWB
  0x022d, // WBLevels
])

/** Where notes are, and how they are written. */
export type Notes = {
  /** The first byte after the mark that they begin with, and the one after their last. */
  readonly start: number
  readonly end: number
  /** Where their directory is, and what its offsets count from. */
  readonly directory: number
  readonly base: number
  readonly little: Order
}

/**
 * What hides all of makers' notes but the values of some tags. The directory stays as long as it
 * is: its distance to the values is what readers know by whether their offsets can be trusted. The
 * values of other tags become zeros, and so do bytes that no entry names.
 * @returns null when the notes are not made as expected: an entry that points out of them, or into
 *   the directory, would leave bytes in the file that were not checked
 */
export async function notesPatches(
  source: ReadableBytes,
  { start, end, directory: offset, base, little }: Notes,
  tags: ReadonlySet<number>,
): Promise<Patch[] | null> {
  const directory = end <= source.size ? await readDirectory(source, little, offset, base) : null
  if (!directory || directory.entries.length === 0) return null
  const after = offset + directory.length
  const large = directory.entries.filter(({ size }) => size > 4)
  if (after > end || large.some(({ at, size }) => at < after || at + size > end)) return null
  const kept = large.filter(({ tag }) => tags.has(tag))
  const others = directory.entries.filter(({ tag }) => !tags.has(tag))
  return [
    ...zerosBetween(start, offset, []),
    ...zerosBetween(after, end, kept),
    // A value that is to go may claim to lie over one that is to stay.
    ...others.map(({ at, size }): Patch => ({ at, length: Math.max(4, size), bytes: 0 })),
  ]
}

/** Zeros over a stretch but for the values of some entries. */
function zerosBetween(from: number, to: number, kept: readonly Entry[]): Patch[] {
  const zeros: Patch[] = []
  let at = from
  for (const value of kept.toSorted((a, b) => a.at - b.at)) {
    if (value.at > at) zeros.push({ at, length: value.at - at, bytes: 0 })
    at = Math.max(at, value.at + value.size)
  }
  if (to > at) zeros.push({ at, length: to - at, bytes: 0 })
  return zeros
}

/** Canon's notes in a CR2: a directory, whose offsets count from the start of the file. */
export const canonNotes = (source: ReadableBytes, { at, size }: Entry, little: Order) =>
  notesPatches(source, { start: at, end: at + size, directory: at, base: 0, little }, canonTags)

/**
 * Pentax' notes in a PEF: `AOC` or `PENTAX`, the order of bytes, and a directory, whose offsets count
 * from the start of the file or of the notes.
 * @returns null for other notes
 */
export async function pentaxNotes(
  source: ReadableBytes,
  { at, size }: Entry,
  little: Order,
): Promise<Patch[] | null> {
  const head = (await take(source, at, 10)).toString('latin1')
  const [name, order, base] = head.startsWith('PENTAX \0')
    ? [8, head.slice(8, 10), at]
    : [4, head.slice(4, 6), 0]
  if (name === 4 && !head.startsWith('AOC\0')) return null
  const own = order === 'II' ? true : order === 'MM' ? false : little
  const start = at + name + 2
  const notes = { start, end: at + size, directory: start, base, little: own }
  return notesPatches(source, notes, pentaxTags)
}
