import { deflateSync } from 'node:zlib'
import readExif, { type Exif } from 'exif-reader'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { withoutPrivateMetadata } from '#server/images/metadata.ts'
import { growth } from '../../support/growth.ts'

const packet = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:aux="http://ns.adobe.com/exif/1.0/aux/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" exif:GPSLatitude="60,10.2N" aux:SerialNumber='XMP-SERIAL-1'>
<exif:GPSLongitude>24,56.1E</exif:GPSLongitude><aux:LensSerialNumber>XMP-SERIAL-2</aux:LensSerialNumber>
<dc:creator><rdf:Seq><rdf:li>Aino Kamera</rdf:li></rdf:Seq></dc:creator>
<dc:description><rdf:Alt><rdf:li>Car 7 in the snow</rdf:li></rdf:Alt></dc:description>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`

/** A picture as a camera with GPS writes it, turned on its side. */
const photo = () =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: '#a40' } })
    .composite([{ input: { text: { text: 'x', dpi: 200 } }, gravity: 'northwest' }])
    .withExif({
      IFD0: { Artist: 'Aino Kamera', Copyright: 'Pitlane Media', Model: 'Racer 5' },
      IFD2: {
        BodySerialNumber: 'EXIF-SERIAL-1',
        LensSerialNumber: 'EXIF-SERIAL-2',
        CameraOwnerName: 'OWNER-NAME',
        MakerNote: 'MAKER-SERIAL-3',
        FNumber: '28/10',
      },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '60/1 10/1 12/1', GPSDateStamp: '2026:11:20' },
    })
    .withXmp(packet)
    .withMetadata({ orientation: 6 })
    .keepIccProfile()

const formats = {
  jpeg: () => photo().jpeg().toBuffer(),
  png: () => photo().png().toBuffer(),
  webp: () => photo().webp().toBuffer(),
  avif: () => photo().avif({ effort: 0 }).toBuffer(),
}
const secrets = /EXIF-SERIAL|XMP-SERIAL|MAKER-SERIAL|OWNER-NAME|60,10|24,56|2026:11:20/

/** The pixels as they are stored, and what is beside them. */
async function read(bytes: Buffer) {
  const { exif: block, xmp, orientation, icc } = await sharp(bytes).metadata()
  const exif: Partial<Exif> = block ? readExif(block) : {}
  const pixels = await sharp(bytes).raw().toBuffer()
  return { exif, xmp: xmp?.toString() ?? '', orientation, icc, pixels }
}

describe.each(Object.entries(formats))('%s', (format, make) => {
  test('metadata leaves without place and device, and with author and copyright', async () => {
    const given = await make()
    const before = await read(given)
    expect(given.toString('latin1')).toMatch(secrets)
    const clean = await withoutPrivateMetadata(given, `image/${format}`)
    const after = await read(clean)
    expect(clean.toString('latin1')).not.toMatch(secrets)
    expect(after.exif.GPSInfo).toBeUndefined()
    expect(after.exif.Photo).not.toHaveProperty('BodySerialNumber')
    expect(after.exif.Photo).not.toHaveProperty('MakerNote')
    expect(after.exif.Image).toMatchObject({ Artist: 'Aino Kamera', Copyright: 'Pitlane Media' })
    expect(after.exif.Image).toMatchObject({ Model: 'Racer 5' })
    expect(after.exif.Photo).toMatchObject({ FNumber: 2.8 })
    // In a PNG it is compressed, and leaves as a whole.
    expect(after.xmp.includes('Aino Kamera')).toBe(format !== 'png')
    expect(after.xmp.includes('Car 7 in the snow')).toBe(format !== 'png')
    expect(after.orientation).toBe(before.orientation)
    expect(after.icc).toEqual(before.icc)
    expect(clean).toHaveLength(given.length)
    expect(after.pixels.equals(before.pixels)).toBe(true)
  })

  test('is left as it is when there is nothing to hide', async () => {
    const plain = await sharp(await make())
      .withExif({ IFD0: { Copyright: 'Pitlane Media' } })
      .toFormat(format as 'jpeg')
      .toBuffer()
    expect(await withoutPrivateMetadata(plain, `image/${format}`)).toEqual(plain)
  })
})

test('a TIFF is cleaned in all its directories', async () => {
  const { exif } = await sharp(await formats.jpeg()).metadata()
  const tiff = exif!.subarray(6)
  const clean = await withoutPrivateMetadata(tiff, 'image/tiff')
  expect(tiff.toString('latin1')).toMatch(secrets)
  expect(clean.toString('latin1')).not.toMatch(secrets)
  const { Image, Photo, GPSInfo } = readExif(clean)
  expect(Image).toMatchObject({ Artist: 'Aino Kamera' })
  expect(Photo).toMatchObject({ FNumber: 2.8 })
  expect(GPSInfo).toBeUndefined()
})

/** Puts a segment behind the start of a JPEG. */
const withSegment = (jpeg: Buffer, marker: number, content: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)])
}

test('metadata that cannot be read is blanked as a whole, and the picture still shows', async () => {
  const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#000' } })
    .jpeg()
    .toBuffer()
  for (const content of [
    Buffer.from('Exif\0\0MM\0*\xff\xff\xff\xff EXIF-SERIAL', 'latin1'),
    Buffer.from('Exif\0\0broken EXIF-SERIAL', 'latin1'),
    // A directory that leads to itself.
    Buffer.from(
      'Exif\0\0II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x08\0\0\0\x08\0\0\0',
      'latin1',
    ),
    Buffer.from('http://ns.adobe.com/xmp/extension/\0 EXIF-SERIAL', 'latin1'),
    Buffer.from('http://ns.adobe.com/xap/1.0/\0<exif:GPSLatitude>60,10', 'latin1'),
  ]) {
    const clean = await withoutPrivateMetadata(withSegment(jpeg, 0xe1, content), 'image/jpeg')
    expect(clean.toString('latin1')).not.toMatch(secrets)
    expect((await sharp(clean).metadata()).width).toBe(8)
  }
})

test('previews that a camera appends lose it, too', async () => {
  const preview = await formats.jpeg()
  const bare = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#000' } })
    .jpeg()
    .toBuffer()
  const index = Buffer.alloc(4 + 8 + 2 + 12 + 4 + 32)
  index.write('MPF\0MM\0*', 'latin1')
  index.writeUInt32BE(8, 8)
  index.writeUInt16BE(1, 12)
  index.writeUInt16BE(0xb002, 14)
  index.writeUInt16BE(7, 16)
  index.writeUInt32BE(32, 18)
  index.writeUInt32BE(26, 22)
  const first = withSegment(bare, 0xe2, index)
  // Offsets count from the index's own header, eight bytes and the marker after the start.
  first.writeUInt32BE(first.length - 10, 10 + 26 + 16 + 8)
  const clean = await withoutPrivateMetadata(Buffer.concat([first, preview]), 'image/jpeg')
  expect(clean.toString('latin1')).not.toMatch(secrets)
  expect(clean.toString('latin1')).toContain('Aino Kamera')
})

test('texts of a PNG that hold a profile in digits leave with it, others stay', async () => {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#000' } })
    .png()
    .toBuffer()
  const chunk = (type: string, data: Buffer) => {
    const bytes = Buffer.alloc(12 + data.length)
    bytes.writeUInt32BE(data.length)
    bytes.write(type, 4, 'latin1')
    data.copy(bytes, 8)
    return bytes
  }
  const end = png.length - 12
  const given = Buffer.concat([
    png.subarray(0, end),
    chunk('tEXt', Buffer.from('Raw profile type exif\0EXIF-SERIAL-1')),
    chunk('zTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0'), deflateSync(packet)])),
    chunk('tEXt', Buffer.from('Author\0Aino Kamera')),
    png.subarray(end),
  ])
  const clean = await withoutPrivateMetadata(given, 'image/png')
  expect(clean.toString('latin1')).not.toMatch(/EXIF-SERIAL|zTXt/)
  expect(clean.toString('latin1')).toContain('Aino Kamera')
})

test('a film leaves without its location', async () => {
  const box = (type: string, ...content: Buffer[]) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0))
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, ...content])
  }
  const key = (name: string) => box('mdta', Buffer.from(name))
  const count = Buffer.from([0, 0, 0, 0, 0, 0, 0, 2])
  const item = (index: number, text: string) =>
    box(`\0\0\0${String.fromCharCode(index)}`, box('data', Buffer.alloc(8), Buffer.from(text)))
  const film = Buffer.concat([
    box('ftyp', Buffer.from('qt  ')),
    box(
      'moov',
      box(
        'udta',
        box('\xa9xyz', Buffer.from('+60.1699+024.9384/')),
        box('\xa9nam', Buffer.from('Lap')),
      ),
      box(
        'meta',
        box('hdlr', Buffer.alloc(25)),
        box('keys', count, key('com.apple.quicktime.location.ISO6709'), key('com.apple.author')),
        box('ilst', item(1, '+60.1699+024.9384/'), item(2, 'Aino Kamera')),
      ),
    ),
    box('mdat', Buffer.from('frames')),
  ])
  const clean = await withoutPrivateMetadata(film, 'video/mp4')
  expect(clean).toHaveLength(film.length)
  expect(clean.toString('latin1')).not.toContain('60.1699')
  for (const kept of ['Lap', 'Aino Kamera', 'frames']) expect(clean.includes(kept)).toBe(true)
})

test('an endless text of names is read in one pass', async () => {
  const jpeg = await formats.jpeg()
  const hostile = (names: number) => {
    const xmp = `http://ns.adobe.com/xap/1.0/\0${'<exif:GPSa '.repeat(names)}`
    return withSegment(jpeg, 0xe1, Buffer.from(xmp))
  }
  const [few, many] = [hostile(500), hostile(5_000)]
  const times = await growth(
    () => withoutPrivateMetadata(few, 'image/jpeg'),
    () => withoutPrivateMetadata(many, 'image/jpeg'),
  )
  expect(times).toBeLessThan(40)
})
