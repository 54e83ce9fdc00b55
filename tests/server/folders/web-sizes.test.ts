import sharp from 'sharp'
import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { cookiesOf, idsOf, noise, person, postForm, share } from '../../support/shared-folder.ts'
import { cr2 } from '../../support/raw-files.ts'
import { startSite, type Site } from '../../support/site.ts'
import { unzip } from '../../support/unzip.ts'

/** A photo larger than web size, of one colour. */
const large = (background: string) =>
  sharp({ create: { width: 2400, height: 1600, channels: 3, background } })
    .jpeg()
    .toBuffer()

const get = (site: Site, path: string, headers: Record<string, string> = {}) =>
  fetch(site.url + path, { headers: { ...person, ...headers } })

/** A ZIP, once its pictures are made. */
async function zipOf(site: Site, path: string, headers: Record<string, string> = {}) {
  let response = await get(site, path, headers)
  await eventually(async () => {
    if (response.status === 503) response = await get(site, path, headers)
    expect(response.status).toBe(200)
  })
  return response
}

test('a whole gallery comes in web size, films and documents as they are', async () => {
  await using site = await startSite()
  const film = noise(5000)
  const folder = await share(site, 'rally', {
    'day 1/first.jpg': await large('#a33'),
    'day 1/second.jpeg': await large('#3a3'),
    'film.mov': film,
    'notes.txt': 'Gravel',
  })
  const response = await zipOf(site, `/s/${folder.key}/zip?size=web`)
  expect(decodeURIComponent(response.headers.get('content-disposition')!)).toContain(
    'Arctic Rally web size.zip',
  )
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(Number(response.headers.get('content-length'))).toBe(bytes.length)
  const files = await unzip(bytes)
  expect([...files.keys()].toSorted()).toEqual([
    'day 1/first.jpg',
    'day 1/second.jpg',
    'film.mov',
    'notes.txt',
  ])
  const { width, height, format } = await sharp(files.get('day 1/first.jpg')).metadata()
  expect([width, height, format]).toEqual([2048, 1365, 'jpeg'])
  expect(files.get('film.mov')).toEqual(film)

  // The same bytes again, from anywhere in them, as a browser goes on after a tunnel.
  const again = await get(site, `/s/${folder.key}/zip?size=web`, {
    Range: 'bytes=1000-1999',
    'If-Range': response.headers.get('etag')!,
  })
  expect(again.status).toBe(206)
  expect(Buffer.from(await again.arrayBuffer())).toEqual(bytes.subarray(1000, 2000))
})

test('a selection in web size has an address of its own', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', {
    'a.jpg': await large('#a33'),
    'b.jpg': await large('#3a3'),
  })
  const ids = idsOf(site, folder)
  const chosen = await postForm(site, `/s/${folder.key}/zip`, {
    file: String(ids['b.jpg']),
    size: 'web',
  })
  const address = chosen.headers.get('location')!
  expect(address).toMatch(/\?size=web$/)
  const files = await unzip(Buffer.from(await (await zipOf(site, address)).arrayBuffer()))
  expect([...files.keys()]).toEqual(['b.jpg'])
  expect((await sharp(files.get('b.jpg')).metadata()).width).toBe(2048)
})

test('a picture that can’t be made is listed, and the others come', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', {
    'broken.jpg': noise(3000),
    'whole.jpg': await large('#a33'),
  })
  const response = await zipOf(site, `/s/${folder.key}/zip?size=web`)
  const files = await unzip(Buffer.from(await response.arrayBuffer()))
  expect([...files.keys()].toSorted()).toEqual(['_MISSING.txt', 'whole.jpg'])
  expect(String(files.get('_MISSING.txt'))).toContain('broken.jpg')
})

/** The pixels of a picture that differ from one colour. */
async function strange(bytes: Buffer, [red, green, blue]: readonly number[]): Promise<number> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  let count = 0
  for (let at = 0; at < data.length; at += info.channels) {
    const far =
      Math.abs(data[at]! - red!) +
      Math.abs(data[at + 1]! - green!) +
      Math.abs(data[at + 2]! - blue!)
    if (far > 40) count += 1
  }
  return count / (info.width * info.height)
}

test('proofs carry the agency’s name in every size, and their originals stay here', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'a.jpg': await large('#aa3333') })
  const { 'a.jpg': id } = idsOf(site, folder)
  const colour = [0xaa, 0x33, 0x33]
  const bytesAt = async (path: string) =>
    Buffer.from(await (await get(site, `/s/${folder.key}/${path}`)).arrayBuffer())
  expect(await strange(await bytesAt(`web/${id}`), colour)).toBe(0)
  const { etag: clean } = Object.fromEntries(
    (await get(site, `/s/${folder.key}/web/${id}`)).headers,
  )

  const { acts, store } = site.context.features.folders
  await acts.change(store.find(folder.key)!, { watermark: true }, 'Aino')
  for (const path of [`web/${id}`, `cover/${id}`, `thumb/${id}`, `web/${id}?save`]) {
    const marked = await strange(await bytesAt(path), colour)
    expect([path, marked > 0.02, marked < 0.6]).toEqual([path, true, true])
  }
  const marked = await get(site, `/s/${folder.key}/web/${id}`)
  expect(marked.headers.get('etag')).not.toBe(clean)
  for (const path of [`files/${id}`, `view/${id}`, 'zip']) {
    const refused = await get(site, `/s/${folder.key}/${path}`)
    expect([path, refused.status]).toEqual([path, 403])
    expect(await refused.text()).toBe('The originals aren’t available here; web sizes are.\n')
  }
  const zip = await zipOf(site, `/s/${folder.key}/zip?size=web`)
  const files = await unzip(Buffer.from(await zip.arrayBuffer()))
  expect(await strange(files.get('a.jpg')!, colour)).toBeGreaterThan(0.02)

  await acts.change(store.find(folder.key)!, { watermark: false }, 'Aino')
  expect((await get(site, `/s/${folder.key}/files/${id}`)).status).toBe(200)
  expect(await strange(await bytesAt(`web/${id}`), colour)).toBe(0)
})

test('photos that have no web size stay out of it for those without the right to originals', async () => {
  await using site = await startSite()
  const [camera, layers] = [cr2(), noise(500)]
  const folder = await share(
    site,
    'rally',
    { 'a.jpg': await large('#a33'), 'b.cr2': camera, 'c.psd': layers, 'd.pdf': 'rights' },
    { keepLocation: true },
  )
  const contents = async () => {
    const zip = await zipOf(site, `/s/${folder.key}/zip?size=web`)
    return unzip(Buffer.from(await zip.arrayBuffer()))
  }
  // Who may have the originals gets those for which there is nothing else.
  const whole = await contents()
  expect([...whole.keys()].toSorted()).toEqual(['a.jpg', 'b.cr2', 'c.psd', 'd.pdf'])
  const { acts, store } = site.context.features.folders
  await acts.change(store.find(folder.key)!, { watermark: true }, 'Aino')
  const proofs = await contents()
  expect([...proofs.keys()].toSorted()).toEqual(['_MISSING.txt', 'a.jpg', 'd.pdf'])
  expect(proofs.get('_MISSING.txt')!.toString()).toBe(
    'These photos have no web size. Please ask us for them.\r\n\r\nb.cr2\r\nc.psd\r\n',
  )
  const ids = idsOf(site, folder)
  const chosen = await postForm(site, `/s/${folder.key}/zip`, {
    files: `${ids['b.cr2']},${ids['c.psd']}`,
    size: 'web',
  })
  const refused = await get(site, chosen.headers.get('location')!)
  expect([refused.status, await refused.text()]).toEqual([
    403,
    'The originals aren’t available here; web sizes are.\n',
  ])
})

test('a picture smaller than the words, and a long one, still have their proofs', async () => {
  await using site = await startSite()
  const sized = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#c43' } })
      .jpeg()
      .toBuffer()
  const folder = await share(
    site,
    'rally',
    {
      'dot.jpg': await sized(3, 3),
      'line.jpg': await sized(4000, 90),
      'tall.jpg': await sized(60, 3000),
    },
    { watermark: true },
  )
  for (const id of Object.values(idsOf(site, folder))) {
    expect((await get(site, `/s/${folder.key}/web/${id}`)).status).toBe(200)
    expect((await get(site, `/s/${folder.key}/thumb/${id}`)).status).toBe(200)
  }
})

test('a hundred ZIPs in web size at once are made once, and the folder goes on answering', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', {
    'a.jpg': await large('#a33'),
    'b.jpg': await large('#3a3'),
  })
  const path = `/s/${folder.key}/zip?size=web`
  const answers = await Promise.all(
    Array.from({ length: 100 }, async () => (await get(site, path)).status),
  )
  expect([...new Set(answers)].filter((status) => ![200, 429, 503].includes(status))).toEqual([])
  expect((await get(site, `/s/${folder.key}`)).status).toBe(200)
  expect((await zipOf(site, path)).status).toBe(200)
})

test('nothing of another folder comes by its ids', async () => {
  await using site = await startSite()
  const mine = await share(site, 'mine', { 'a.jpg': await large('#a33') })
  const other = await share(
    site,
    'other',
    { 'b.jpg': await large('#3a3') },
    { password: 'gravel-roads' },
  )
  const { 'b.jpg': foreign } = idsOf(site, other)
  expect((await get(site, `/s/${mine.key}/web/${foreign}`)).status).toBe(404)
  expect((await get(site, `/s/${other.key}/zip?size=web`)).status).toBe(401)
  const chosen = await postForm(site, `/s/${mine.key}/zip`, { file: String(foreign), size: 'web' })
  expect(chosen.headers.get('location')).toBe(null)
  expect(cookiesOf(chosen)).toBe('')
})
