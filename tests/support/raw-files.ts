import { tiff, type Fields } from './tiff-writer.ts'

/**
 * Small camera files with a serial number, an owner or a position wherever cameras put one. Each
 * begins with SERIAL, OWNER or PLACE; what has to stay begins with KEEP.
 */
export const secrets = /SERIAL|OWNER|PLACE/

export const packet = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:aux="http://ns.adobe.com/exif/1.0/aux/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 exif:GPSLatitude="PLACE-XMP" aux:SerialNumber="SERIAL-XMP"><aux:LensSerialNumber>SERIAL-XMP-2</aux:LensSerialNumber>
<dc:creator><rdf:Seq><rdf:li>KEEP Aino Kamera</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>`

export const credit: Fields = { 0x013b: 'KEEP Aino Kamera', 0x8298: 'KEEP Pitlane Media' }
const gps: Fields = { 0x0001: 'N', 0x001d: 'PLACE-2026:11:20' }
const exif: Fields = {
  0x829a: { longs: [1] },
  0xa430: 'OWNER-EXIF',
  0xa431: 'SERIAL-EXIF',
  0xa435: 'SERIAL-EXIF-LENS',
}
/** The pixels of a sensor, behind a directory of their own. */
const pixels = Buffer.from('KEEP the pixels of a sensor')
const sensor = (more: Fields = {}): Fields => ({
  0x0103: { shorts: [1] },
  0x0106: { shorts: [32_803] },
  0x0111: { pointer: pixels },
  0x0117: { lengthOf: pixels },
  ...more,
})

/** A JPEG of nothing but EXIF. */
export function jpeg(fields: Fields = {}): Buffer {
  const block = tiff([
    {
      ...credit,
      0x8769: { directory: { ...exif, 0x927c: Buffer.from('SERIAL-IN-NOTES-OF-JPEG') } },
      0x8825: { directory: gps },
      ...fields,
    },
  ])
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0])
  head.writeUInt16BE(block.length + 8, 4)
  return Buffer.concat([
    head,
    Buffer.from('Exif\0\0'),
    block,
    Buffer.from([0xff, 0xda, 0, 2]),
    Buffer.from('KEEP scan'),
    Buffer.from([0xff, 0xd9]),
  ])
}

const preview = jpeg()
const common = (make: string, model: string, notes: Fields, more: Fields = {}): Fields => ({
  0x010f: make,
  0x0110: model,
  0x0201: { pointer: preview },
  0x0202: { lengthOf: preview },
  ...credit,
  0x02bc: Buffer.from(packet),
  0x8769: { directory: { ...exif, ...notes } },
  0x8825: { directory: gps },
  ...more,
})

/** Canon's notes: what is to go and what is to stay, among each other. */
export const canonFields: Fields = {
  0x0001: { shorts: [92, 2, 0, 4] },
  0x0009: 'OWNER-CANON',
  0x000c: { longs: [4_711] },
  0x000d: Buffer.from('SERIAL-CAMERA-INFO'),
  0x0010: { longs: [0x80000252] },
  0x0028: Buffer.from('SERIAL-IMAGE-ID'),
  0x0096: 'SERIAL-INTERNAL',
  0x4001: Buffer.from('KEEP color data'),
  0x4019: Buffer.from('SERIAL-OF-LENS'),
  0x4fff: Buffer.from('SERIAL-UNKNOWN'),
}

export const cr2 = (notes: Fields = canonFields) =>
  tiff(
    [
      common('Canon', 'Canon EOS 90D', {
        0x927c: { notes, tail: Buffer.from('SERIAL-THAT-NO-ENTRY-NAMES') },
      }),
      sensor({ 0xc640: { shorts: [1, 2, 3] } }),
    ],
    { head: Buffer.from('CR\x02\0\0\0\0\0', 'latin1') },
  )

export const dng = (more: Fields = {}) =>
  tiff([
    common(
      'Leica',
      'M11',
      { 0x927c: Buffer.from('LEICA\0SERIAL-LEICA-NOTES') },
      {
        0x014a: { directory: sensor() },
        0xc612: Buffer.from([1, 4, 0, 0]),
        0xc62f: 'SERIAL-DNG',
        0xc634: Buffer.from('Adobe\0SERIAL-DNG-PRIVATE'),
        0xc65d: Buffer.from('SERIAL-UNIQUE-ID'),
        0xc68c: Buffer.from('SERIAL-IN-THE-ORIGINAL'),
        0xc621: Buffer.from('KEEP colour matrix'),
        ...more,
      },
    ),
  ])

export const arw = (model = 'ILCE-7M4') =>
  tiff([
    common(
      'SONY',
      model,
      { 0x927c: Buffer.from('SONY DSC \0\0\0SERIAL-SONY') },
      {
        0x014a: { directory: sensor({ 0x0103: { shorts: [32_767] } }) },
        0xc634: {
          directory: { 0x7200: { longs: [7] }, 0x7303: Buffer.from('KEEP white balance') },
        },
      },
    ),
  ])

const pentaxFields: Fields = {
  0x0005: { longs: [0x13222] },
  0x0201: Buffer.from('KEEP white point'),
  0x0215: Buffer.from('SERIAL-CAMERA-INFO'),
  0x0229: 'SERIAL-PENTAX',
  0x0220: Buffer.from('KEEP Huffman table'),
}

export const pef = ({ mark = 'AOC\0MM', from }: { mark?: string; from?: 'notes' } = {}) =>
  tiff(
    [
      common('PENTAX', 'K-3', { 0x927c: { notes: pentaxFields, mark, ...(from && { from }) } }),
      sensor({ 0x0103: { shorts: [65_535] } }),
    ],
    { little: false },
  )

/** A file whose colours cannot be read without its serial number. */
export const nef = () =>
  tiff([
    common(
      'NIKON CORPORATION',
      'NIKON Z 9',
      { 0x927c: Buffer.from('Nikon\0\x02\x11SERIAL-NIKON') },
      { 0x014a: { directory: sensor({ 0x0103: { shorts: [34_713] } }) } },
    ),
  ])

export function raf(): Buffer {
  const head = Buffer.alloc(160)
  head.write('FUJIFILMCCD-RAW 0201FF389501X-T5', 'latin1')
  head.writeUInt32BE(160, 84)
  head.writeUInt32BE(preview.length, 88)
  return Buffer.concat([head, preview, Buffer.from('KEEP raw directory and pixels')])
}
