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
