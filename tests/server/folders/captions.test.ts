import sharp from 'sharp'
import { expect, test } from 'vitest'
import { captionIn } from '#server/folders/files/captions.ts'
import { creditOf } from '#server/images/credit.ts'
import { runSql } from '../../support/raw-database.ts'
import { idsOf, person, photo, share, writeFiles } from '../../support/shared-folder.ts'
import { startSite } from '../../support/site.ts'

/** An XMP packet with descriptions, as photo editors write it. */
const xmpWith = (items: string) =>
  `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><rdf:Alt>${items}</rdf:Alt></dc:description></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`

const picture = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#357' } }).jpeg()

/** One text of an IPTC record. */
const dataset = (record: number, number: number, value: Buffer) =>
  Buffer.concat([
    Buffer.from([0x1c, record, number, value.length >> 8, value.length & 0xff]),
    value,
  ])

/** The block in which a JPEG has its IPTC record. */
function photoshopBlock(record: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(record.length)
  const name = Buffer.from('8BIM\u0004\u0004\u0000\u0000', 'latin1')
  return Buffer.concat([name, length, record, Buffer.alloc(record.length % 2)])
}

/** A photo with a caption in its IPTC record alone, as older programs and agencies write it. */
async function withIptc(caption: string, isUtf8 = true): Promise<Buffer> {
  const text = Buffer.from(caption, isUtf8 ? 'utf8' : 'latin1')
  const record = Buffer.concat([
    ...(isUtf8 ? [dataset(1, 90, Buffer.from('\u001b%G', 'latin1'))] : []),
    dataset(2, 5, Buffer.from('Headline')),
    dataset(2, 120, text),
    dataset(2, 80, Buffer.from('A. Kuvaaja')),
    dataset(2, 80, Buffer.from('B. Äijö')),
    dataset(2, 116, Buffer.from('© Pitlane Media')),
  ])
  const block = Buffer.concat([Buffer.from('Photoshop 3.0\u0000'), photoshopBlock(record)])
  const head = Buffer.from([0xff, 0xed, (block.length + 2) >> 8, (block.length + 2) & 0xff])
  const jpeg = await picture().toBuffer()
  return Buffer.concat([jpeg.subarray(0, 2), head, block, jpeg.subarray(2)])
}

test('captions of XMP and of IPTC are shown in the gallery, cameras’ own texts are not', async () => {
  await using site = await startSite({ sending: false })
  const described = xmpWith(
    '<rdf:li xml:lang="fi">Jäällä</rdf:li><rdf:li xml:lang="x-default">Lights out &amp; away we go &#228;\nStage 3</rdf:li>',
  )
  const { key } = await share(site, 'rally', {
    '1.jpg': await picture().withXmp(described).toBuffer(),
    '2.jpg': await withIptc('Mika on the ice of Päijänne'),
    '3.jpg': await withIptc('Märkä rata', false),
    '4.jpg': await picture()
      .withExif({ IFD0: { ImageDescription: 'SONY DSC' } })
      .toBuffer(),
    '5.jpg': await picture()
      .withXmp(xmpWith('<rdf:li xml:lang="x-default">&lt;b&gt;\u202eevil</rdf:li>'))
      .toBuffer(),
    '6.txt': 'x',
  })
  const files = async () => {
    const { json } = await site.get(`/api/folders/${key}`)
    return (json as { files: { caption: string | null }[] }).files.map(({ caption }) => caption)
  }
  const shown = await files()
  expect(shown.slice(0, 4)).toEqual([
    'Lights out & away we go ä\nStage 3',
    'Mika on the ice of Päijänne',
    'Märkä rata',
    null,
  ])
  expect(shown[4]).toMatch(/^<b>/)
  expect(shown[4]).not.toContain('\u202e')
  expect(shown[5]).toBeNull()
  // Another caption for the same file is another file.
  writeFiles(site, 'rally', { '4.jpg': await withIptc('Parc fermé') })
  const { store, sync } = site.context.features.folders
  await sync(store.find(key)!)
  expect((await files())[3]).toBe('Parc fermé')
})

test('files that were synced before captions were kept get theirs', async () => {
  await using site = await startSite({ sending: false })
  const folder = await share(site, 'rally', {
    '1.jpg': await withIptc('Podium'),
    '2.jpg': await photo(),
  })
  runSql(site.dataDir, 'UPDATE folder_files SET caption = NULL')
  const { store, sync } = site.context.features.folders
  const { changed, added } = await sync(folder)
  expect([changed, added]).toEqual([0, 0])
  expect(store.files(folder.id).map(({ caption }) => caption)).toEqual(['Podium', ''])
})

test('a caption is found in a record of any length, and read as what it is written in', () => {
  const captions = Array.from({ length: 600 }, (_, length) => 'Lähtö'.padEnd(length, '.'))
  const found = (text: string, encoding: 'utf8' | 'latin1') =>
    captionIn({ iptc: photoshopBlock(dataset(2, 120, Buffer.from(text, encoding))) })
  for (const caption of captions) {
    expect(found(caption, 'utf8')).toBe(caption)
    expect(found(caption, 'latin1')).toBe(caption)
  }
})

test('what is damaged or endless has no caption, and takes no time', () => {
  // The processor's time: a crowded machine lets anything wait.
  const before = process.threadCpuUsage()
  const endless = xmpWith(`<rdf:li>${'<a>'.repeat(200_000)}</rdf:li>`)
  for (const xmp of [
    endless,
    '<dc:description>',
    '<dc:description><<<</dc:description>',
    xmpWith(''),
  ]) {
    expect(captionIn({ xmp: Buffer.from(xmp) })).toBe('')
  }
  const iptc = Buffer.from('8BIM\u0004\u0004\u001c\u0002x\u007f\u00ffshort', 'latin1')
  expect(captionIn({ iptc })).toBe('')
  expect(captionIn({ iptc: Buffer.alloc(1_000_000, 0x1c) })).toBe('')
  const long = xmpWith(`<rdf:li>${'word '.repeat(1000)}</rdf:li>`)
  expect(captionIn({ xmp: Buffer.from(long) })).toHaveLength(2000)
  const { user, system } = process.threadCpuUsage(before)
  expect(user + system).toBeLessThan(2_000_000)
})

test('web sizes keep author and copyright that only XMP or IPTC have; what EXIF says comes first', async () => {
  await using site = await startSite({ sending: false })
  const xmp = xmpWith('x').replace(
    /<dc:description>.*<\/dc:description>/,
    '<dc:creator><rdf:Seq><rdf:li>Aino Kamera</rdf:li></rdf:Seq></dc:creator><dc:rights><rdf:Alt><rdf:li xml:lang="x-default">Kaamos &amp; Co</rdf:li></rdf:Alt></dc:rights>',
  )
  const exif = { IFD0: { Copyright: 'From the camera' } }
  const folder = await share(site, 'rally', {
    'iptc.jpg': await withIptc('On the ice'),
    'xmp.jpg': await picture().withXmp(xmp).toBuffer(),
    'both.jpg': await picture().withXmp(xmp).withExif(exif).toBuffer(),
    'none.jpg': await picture().toBuffer(),
  })
  const credits = async (name: string) => {
    const path = `/s/${folder.key}/web/${idsOf(site, folder)[name]}`
    const reply = await fetch(site.url + path, { headers: person })
    const kept = await sharp(Buffer.from(await reply.arrayBuffer())).metadata()
    return { ...(await creditOf({ exif: kept.exif })), ...(await creditOf({ xmp: kept.xmp })) }
  }
  expect(await credits('iptc.jpg')).toEqual({
    Artist: 'A. Kuvaaja; B. Äijö',
    Copyright: '© Pitlane Media',
  })
  expect(await credits('xmp.jpg')).toEqual({ Artist: 'Aino Kamera', Copyright: 'Kaamos & Co' })
  expect(await credits('both.jpg')).toEqual({
    Artist: 'Aino Kamera',
    Copyright: 'From the camera',
  })
  expect(await credits('none.jpg')).toEqual({})
})
