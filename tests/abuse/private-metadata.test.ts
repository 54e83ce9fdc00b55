import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import exifReader from 'exif-reader'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { cleanRecipe } from '#server/folders/files/checksums.ts'
import { withoutPrivateMetadata } from '#server/images/metadata.ts'
import { picture as scan } from '../support/raw-files.ts'
import { idsOf, person, photo, postForm, share } from '../support/shared-folder.ts'
import { startSite, type Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'
import { unzip } from '../support/unzip.ts'

/** A film as a telephone writes it: its place is in an atom of the user data. */
function film(): Buffer {
  const box = (type: string, ...content: Buffer[]) => {
    const body = Buffer.concat(content)
    const head = Buffer.alloc(8)
    head.writeUInt32BE(body.length + 8)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, body])
  }
  const place = Buffer.from('+62.2333+025.7333/', 'latin1')
  const text = Buffer.concat([Buffer.from([0, place.length, 0x15, 0xc7]), place])
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1')),
    box('moov', box('udta', box('\xa9xyz', text))),
    box('mdat', Buffer.alloc(5000, 7)),
  ])
}

const get = async (site: Site, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(site.url + path, { headers: { ...person, ...headers } })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Whether something in a file tells where or with which device it was made. */
const tells = (bytes: Buffer) => bytes.includes('SERIAL-4711') || bytes.includes('+62.2333')

async function expectClean(bytes: Buffer, original: Buffer) {
  expect(bytes.length).toBe(original.length)
  expect(tells(bytes)).toBe(false)
  const { exif } = await sharp(bytes).metadata()
  const { Image, Photo, GPSInfo } = exifReader(exif!)
  expect(Image).toMatchObject({ Copyright: 'Pitlane Media', Artist: 'A. Kuvaaja', Make: 'Canon' })
  expect(Photo?.BodySerialNumber).toBeUndefined()
  expect(GPSInfo?.GPSLatitude).toBeUndefined()
  const pixels = (file: Buffer) => sharp(file).raw().toBuffer()
  expect((await pixels(bytes)).equals(await pixels(original))).toBe(true)
}

async function withFiles(change: Parameters<typeof share>[3] = {}) {
  const site = await startSite()
  const files = { 'a.jpg': await photo(900, 600), 'b.mp4': film(), 'c.txt': 'SERIAL-4711 is text' }
  const folder = await share(site, 'rally', files, change)
  return { site, folder, files, ids: idsOf(site, folder) }
}

test('no address of a folder gives the place or the serial number; author and copyright stay', async () => {
  const { site, folder, files, ids } = await withFiles()
  await using _ = site
  expect(tells(files['a.jpg']) && tells(files['b.mp4'])).toBe(true)
  for (const way of ['files', 'view']) {
    await expectClean(
      (await get(site, `/s/${folder.key}/${way}/${ids['a.jpg']}`)).bytes,
      files['a.jpg'],
    )
    const { bytes } = await get(site, `/s/${folder.key}/${way}/${ids['b.mp4']}`)
    expect([tells(bytes), bytes.length]).toEqual([false, files['b.mp4'].length])
    expect(bytes.subarray(-5000).equals(files['b.mp4'].subarray(-5000))).toBe(true)
  }
  const chosen = await postForm(site, `/s/${folder.key}/zip`, { files: Object.values(ids).join() })
  for (const path of [`/s/${folder.key}/zip`, chosen.headers.get('location')!]) {
    const { response, bytes } = await get(site, path)
    expect(bytes.length).toBe(Number(response.headers.get('content-length')))
    const unpacked = await unzip(bytes)
    await expectClean(unpacked.get('a.jpg')!, files['a.jpg'])
    expect(tells(unpacked.get('b.mp4')!)).toBe(false)
    // A text is what it is.
    expect(unpacked.get('c.txt')!.toString()).toBe(files['c.txt'])
  }
  for (const way of ['thumb', 'cover', 'web']) {
    expect(tells((await get(site, `/s/${folder.key}/${way}/${ids['a.jpg']}`)).bytes)).toBe(false)
  }
  // What lies on the disk is the agency's.
  expect(readFileSync(join(site.dataDir, 'folders/rally/a.jpg')).equals(files['a.jpg'])).toBe(true)
})

test('any part of a file or a ZIP is a part of the clean one, also with a buffer that ends inside', async () => {
  const { site, folder, ids } = await withFiles()
  await using _ = site
  for (const path of [`/s/${folder.key}/files/${ids['a.jpg']}`, `/s/${folder.key}/zip`]) {
    const whole = await get(site, path)
    const etag = whole.response.headers.get('etag')!
    for (let start = 0; start < 600; start += 7) {
      const Range = `bytes=${start}-${start + 40}`
      const part = await get(site, path, { Range, 'If-Range': etag })
      expect(part.response.status).toBe(206)
      expect(part.bytes.equals(whole.bytes.subarray(start, start + 41))).toBe(true)
    }
    const rest = await get(site, path, { Range: 'bytes=333-', 'If-Range': etag })
    expect(rest.bytes.equals(whole.bytes.subarray(333))).toBe(true)
  }
})

test('staff may allow it for a folder; then files and ZIPs are others, so that none is mixed', async () => {
  const { site, folder, files, ids } = await withFiles()
  await using _ = site
  const paths = [`/s/${folder.key}/files/${ids['a.jpg']}`, `/s/${folder.key}/zip`]
  const clean = await Promise.all(paths.map((path) => get(site, path)))
  await site.context.commit((tx) =>
    site.context.features.folders.store.change(tx, folder, { keepLocation: true }),
  )
  const [file, zip] = await Promise.all(paths.map((path) => get(site, path)))
  expect(file!.bytes.equals(files['a.jpg'])).toBe(true)
  const unpacked = await unzip(zip!.bytes)
  expect(unpacked.get('a.jpg')!.equals(files['a.jpg'])).toBe(true)
  expect(unpacked.get('b.mp4')!.equals(files['b.mp4'])).toBe(true)
  for (const [index, whole] of [file!, zip!].entries()) {
    const before = clean[index]!.response.headers.get('etag')!
    expect(whole.response.headers.get('etag')).not.toBe(before)
    const resumed = await get(site, paths[index]!, { Range: 'bytes=50-', 'If-Range': before })
    expect(resumed.response.status).toBe(200)
  }
})

test('a picture replaced on disk is cleaned before the next sync', async () => {
  const { site, folder, ids } = await withFiles()
  await using _ = site
  const other = await photo(300, 200)
  writeFileSync(join(site.dataDir, 'folders/rally/a.jpg'), other)
  await expectClean((await get(site, `/s/${folder.key}/files/${ids['a.jpg']}`)).bytes, other)
  const unpacked = await unzip((await get(site, `/s/${folder.key}/zip`)).bytes)
  await expectClean(unpacked.get('a.jpg')!, other)
})

test('folders that were shared before are clean after the next start, ZIPs too', async () => {
  const { site, folder, files } = await withFiles()
  await using _ = site
  // As an earlier version left them.
  const { store } = site.context.features.folders
  await site.context.commit((tx) => {
    for (const { id, size, mtime, crc } of store.files(folder.id)) {
      store.keepChecksums(tx, id, { crc: crc!, cleanCrc: 1, cleanRecipe: 0 }, { size, mtime })
    }
  })
  const unpacked = await unzip((await get(site, `/s/${folder.key}/zip`)).bytes)
  await expectClean(unpacked.get('a.jpg')!, files['a.jpg'])
})

/** A JPEG of nothing but metadata, the same for ever: a serial number, a position, a text. */
function metadata(): Buffer {
  const tiff = Buffer.alloc(68)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(2, 8)
  const entry = (at: number, [tag, type, count, value]: readonly number[]) => {
    tiff.writeUInt16LE(tag!, at)
    tiff.writeUInt16LE(type!, at + 2)
    tiff.writeUInt32LE(count!, at + 4)
    tiff.writeUInt32LE(value!, at + 8)
  }
  entry(10, [0xa431, 2, 12, 56])
  entry(22, [0x8825, 4, 1, 38])
  tiff.writeUInt16LE(1, 38)
  entry(40, [1, 2, 2, 0x4e])
  tiff.write('SERIAL-4711\0', 56, 'latin1')
  const segment = (name: string, content: Buffer) => {
    const head = Buffer.from([0xff, 0xe1, 0, name.length + content.length + 2])
    return Buffer.concat([head, Buffer.from(name, 'latin1'), content])
  }
  const xmp = '<rdf:Description exif:GPSLatitude="62,14N" dc:rights="Pitlane"/>'
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment('Exif\0\0', tiff),
    segment('http://ns.adobe.com/xap/1.0/\0', Buffer.from(xmp)),
    Buffer.from([0xff, 0xd9]),
  ])
}

test('the sums that are kept are those of what leaves today', async () => {
  // When the sums change, cleanRecipe must count up: those that are kept make broken ZIPs then.
  const picture = await withoutPrivateMetadata(metadata(), 'image/jpeg')
  const moving = await withoutPrivateMetadata(film(), 'video/mp4')
  expect(picture.toString('latin1')).toContain('dc:rights="Pitlane"')
  expect(tells(picture) || tells(moving)).toBe(false)
  const tiff = await withoutPrivateMetadata(scan(), '')
  expect({ cleanRecipe, sums: [picture, moving, tiff].map((bytes) => crc32(bytes)) }).toEqual({
    cleanRecipe: 3,
    sums: [186941722, 504220657, 2525381176],
  })
})

test('files of panels are clean unless their block allows it', async () => {
  await using site = await startSite()
  const { headers, clientId } = await signIn(site, ['view', 'download'], { panel: 'team' })
  const { panels } = site.context.features.clients
  const directory = join(site.dataDir, 'given')
  mkdirSync(directory)
  const original = await photo(300, 200)
  writeFileSync(join(directory, 'a.jpg'), original)
  const add = (data: object) =>
    site.context.commit((tx) => {
      const block = panels.add(tx, { clientId, kind: 'files', title: null, data })
      panels.attach(tx, block.id, panels.copy(join(directory, 'a.jpg')))
      return panels.files(block.id)[0]!.id
    })
  const [clean, whole] = [await add({}), await add({ keepLocation: true })]
  await expectClean((await get(site, `/panel/team/files/${clean}`, headers)).bytes, original)
  const kept = await get(site, `/panel/team/files/${whole}`, headers)
  expect(kept.bytes.equals(original)).toBe(true)
})
