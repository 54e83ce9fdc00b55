import { box } from './boxes.ts'
import { tiff, type Fields } from './tiff-writer.ts'

/**
 * Small camera files with a serial number, an owner and a position as cameras write them. Each
 * begins with SERIAL, OWNER or PLACE; what has to stay begins with KEEP.
 */
export const secrets = /SERIAL|OWNER|PLACE/

export const packet = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:aux="http://ns.adobe.com/exif/1.0/aux/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 exif:GPSLatitude="PLACE-XMP" aux:SerialNumber="SERIAL-XMP"><aux:LensSerialNumber>SERIAL-XMP-2</aux:LensSerialNumber>
<dc:creator><rdf:Seq><rdf:li>KEEP Aino Kamera</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>`

const credit: Fields = { 0x013b: 'KEEP Aino Kamera', 0x8298: 'KEEP Pitlane Media' }
const gps: Fields = { 0x0001: 'N', 0x001d: 'PLACE-2026:11:20' }
const exif: Fields = {
  0x829a: { longs: [1] },
  0xa430: 'OWNER-EXIF',
  0xa431: 'SERIAL-EXIF',
  0xa435: 'SERIAL-EXIF-LENS',
}
/** The pixels of a sensor, behind their own directory. */
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

const notes = (text: string): Fields => ({ 0x927c: Buffer.from(text) })

export const cr2 = () =>
  tiff([common('Canon', 'Canon EOS 90D', notes('SERIAL-CANON')), sensor()], {
    head: Buffer.from('CR\x02\0\0\0\0\0', 'latin1'),
  })

export const dng = () =>
  tiff([
    common('Leica', 'M11', notes('LEICA\0SERIAL-LEICA'), {
      0x014a: { directory: sensor() },
      0xc612: Buffer.from([1, 4, 0, 0]),
      0xc62f: 'SERIAL-DNG',
    }),
  ])

export const arw = () =>
  tiff([
    common('SONY', 'ILCE-7M4', notes('SONY DSC \0\0\0SERIAL-SONY'), {
      0x014a: { directory: sensor({ 0x0103: { shorts: [32_767] } }) },
    }),
  ])

export const pef = () =>
  tiff(
    [
      common('PENTAX', 'K-3', notes('AOC\0MMSERIAL-PENTAX')),
      sensor({ 0x0103: { shorts: [65_535] } }),
    ],
    { little: false },
  )

export const nef = () =>
  tiff([
    common('NIKON CORPORATION', 'NIKON Z 9', notes('Nikon\0\x02\x11SERIAL-NIKON'), {
      0x014a: { directory: sensor({ 0x0103: { shorts: [34_713] } }) },
    }),
  ])

export function raf(): Buffer {
  const head = Buffer.alloc(160)
  head.write('FUJIFILMCCD-RAW 0201FF389501X-T5', 'latin1')
  return Buffer.concat([head, preview, Buffer.from('KEEP raw directory and pixels')])
}

export const cr3 = () =>
  Buffer.concat([
    box('ftyp', Buffer.from('crx \0\0\0\x01crx isom', 'latin1')),
    box('moov', Buffer.from('SERIAL-CANON')),
    box('mdat', preview),
  ])

/** A scan or export of a photo, which leaves clean: its preview as well. */
export const picture = () =>
  tiff([common('Canon', 'Canon EOS 90D', notes('SERIAL-CANON'), { 0x0106: { shorts: [2] } })])
