import { take, type ReadableBytes } from './bytes.ts'

/** What a file is by its first bytes, as far as it matters for its metadata. */
export type ContentKind =
  | 'jpeg'
  | 'png'
  | 'webp'
  | 'tiff'
  | 'boxes'
  | 'cr3'
  | 'raf'
  | 'xmp'
  /** Of a camera, in a format that cannot be cleaned. */
  | 'other-raw'

/** Beginnings of files; a character that may be any is a dot. */
const beginnings: readonly (readonly [RegExp, ContentKind])[] = [
  [/^\xff\xd8\xff/, 'jpeg'],
  [/^\x89PNG\r\n\x1a\n/, 'png'],
  [/^RIFF....WEBP/s, 'webp'],
  [/^(?:II\*\0|MM\0\*)/, 'tiff'],
  [/^....ftypcrx /s, 'cr3'],
  [/^....ftyp/s, 'boxes'],
  [/^FUJIFILMCCD-RAW /, 'raf'],
  // BigTIFF, which raw files may be, too.
  [/^(?:II\+\0|MM\0\+)/, 'other-raw'],
  // Olympus, Panasonic and Leica.
  [/^(?:IIR[OS]\x08\0\0\0|MMOR\0\0\0\x08|IIU\0)/, 'other-raw'],
  // Sigma, Minolta, Contax.
  [/^(?:FOVb|\0MR[MI]|.{25}ARECOYK)/s, 'other-raw'],
  // Canon before CR2.
  [/^(?:II|MM)....HEAP(?:CCDR|JPGM)/s, 'other-raw'],
  // Films of RED and ARRI.
  [/^(?:\0...RED[12]|ARRI(?:\x12\x34\x56\x78|\x78\x56\x34\x12))/s, 'other-raw'],
  [/^(?:\xef\xbb\xbf)?\s{0,20}<(?:\?xpacket begin|x:xmpmeta)/, 'xmp'],
]

/** Looks at the first bytes of a file, whatever its name says. @returns null for all else */
export async function contentKind(source: ReadableBytes): Promise<ContentKind | null> {
  const head = (await take(source, 0, 64)).toString('latin1')
  return beginnings.find(([pattern]) => pattern.test(head))?.[1] ?? null
}
