import { take, type ReadableBytes } from './bytes.ts'

/** What a file is by its first bytes, as far as it matters for its metadata. */
export type ContentKind =
  | 'jpeg'
  | 'png'
  | 'webp'
  | 'tiff'
  | 'boxes'
  | 'xmp'
  /** Of a camera. */
  | 'camera-raw'

/** Beginnings of files; a character that may be any is a dot. */
const beginnings: readonly (readonly [RegExp, ContentKind])[] = [
  [/^\xff\xd8\xff/, 'jpeg'],
  [/^\x89PNG\r\n\x1a\n/, 'png'],
  [/^RIFF....WEBP/s, 'webp'],
  [/^(?:II\*\0|MM\0\*)/, 'tiff'],
  // CR3, and films of Canon in the same format.
  [/^....ftypcrx /s, 'camera-raw'],
  [/^....ftyp/s, 'boxes'],
  [/^FUJIFILMCCD-RAW /, 'camera-raw'],
  // BigTIFF, which raw files may be, too.
  [/^(?:II\+\0|MM\0\+)/, 'camera-raw'],
  // Olympus, Panasonic and Leica.
  [/^(?:IIR[OS]\x08\0\0\0|MMOR\0\0\0\x08|IIU\0)/, 'camera-raw'],
  // Sigma, Minolta, Contax.
  [/^(?:FOVb|\0MR[MI]|.{25}ARECOYK)/s, 'camera-raw'],
  // Canon before CR2.
  [/^(?:II|MM)....HEAP(?:CCDR|JPGM)/s, 'camera-raw'],
  // Films of RED and ARRI.
  [/^(?:\0...RED[12]|ARRI(?:\x12\x34\x56\x78|\x78\x56\x34\x12))/s, 'camera-raw'],
  [/^(?:\xef\xbb\xbf)?\s{0,20}<(?:\?xpacket begin|x:xmpmeta)/, 'xmp'],
]

/** Looks at the first bytes of a file, whatever its name says. @returns null for all else */
export async function contentKind(source: ReadableBytes): Promise<ContentKind | null> {
  const head = (await take(source, 0, 64)).toString('latin1')
  return beginnings.find(([pattern]) => pattern.test(head))?.[1] ?? null
}

/**
 * Media types of cameras' own files by their endings. Few are registered; what counts is that they
 * are in this list.
 */
export const rawTypes = {
  '.3fr': 'image/x-hasselblad-3fr',
  '.ari': 'image/x-arri-ari',
  '.arw': 'image/x-sony-arw',
  '.bay': 'image/x-casio-bay',
  '.braw': 'video/x-blackmagic-braw',
  '.cr2': 'image/x-canon-cr2',
  '.cr3': 'image/x-canon-cr3',
  '.crm': 'video/x-canon-crm',
  '.crw': 'image/x-canon-crw',
  '.dcr': 'image/x-kodak-dcr',
  '.dcs': 'image/x-kodak-dcs',
  '.dng': 'image/x-adobe-dng',
  '.eip': 'image/x-phaseone-eip',
  '.erf': 'image/x-epson-erf',
  '.fff': 'image/x-hasselblad-fff',
  '.gpr': 'image/x-gopro-gpr',
  '.iiq': 'image/x-phaseone-iiq',
  '.k25': 'image/x-kodak-k25',
  '.kdc': 'image/x-kodak-kdc',
  '.mef': 'image/x-mamiya-mef',
  '.mos': 'image/x-leaf-mos',
  '.mrw': 'image/x-minolta-mrw',
  '.nef': 'image/x-nikon-nef',
  '.nev': 'video/x-nikon-nev',
  '.nrw': 'image/x-nikon-nrw',
  '.orf': 'image/x-olympus-orf',
  '.ori': 'image/x-olympus-ori',
  '.pef': 'image/x-pentax-pef',
  '.ptx': 'image/x-pentax-ptx',
  '.r3d': 'video/x-red-r3d',
  '.raf': 'image/x-fuji-raf',
  '.raw': 'image/x-panasonic-raw',
  '.rw2': 'image/x-panasonic-rw2',
  '.rwl': 'image/x-leica-rwl',
  '.sr2': 'image/x-sony-sr2',
  '.srf': 'image/x-sony-srf',
  '.srw': 'image/x-samsung-srw',
  '.x3f': 'image/x-sigma-x3f',
} as const

const known: ReadonlySet<string> = new Set(Object.values(rawTypes))

/** Whether a media type, without parameters, is that of a camera's own file. */
export const isCameraRaw = (type: string): boolean => known.has(type)
