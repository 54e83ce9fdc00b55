import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { noise, photo, share, writeFiles } from '../../support/shared-folder.ts'
import { cr2 } from '../../support/raw-files.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'
import { announce, offsetOf, sendFile, sendForm, sendPiece } from '../../support/uploads.ts'

const hour = 3_600_000

/** The site with a folder, and someone at the desk. */
async function withDesk(options: Parameters<typeof startSite>[0] = {}) {
  const site = await startSite({ sending: false, ...options })
  const folder = await share(site, 'rally', { 'a.txt': 'a' })
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  return { site, folder, headers, key: folder.key }
}

/** The files that a folder shows, once everything that came is synced. */
async function namesIn({ context }: Pick<Site, 'context'>, key: string) {
  const { store, uploads } = context.features.folders
  await uploads.synced()
  return store.files(store.find(key)!.id).map(({ name }) => name)
}

/** What is on its way on the disk. */
const arriving = ({ dataDir }: Pick<Site, 'dataDir'>) => {
  const dir = join(dataDir, 'uploads')
  return existsSync(dir) ? readdirSync(dir) : []
}

test('a photo arrives in pieces, goes on after a cut and is in the gallery once it is whole', async () => {
  const { site, folder, headers, key } = await withDesk()
  await using _ = site
  const bytes = await photo(600, 400)
  const begun = await announce(site, headers, {
    folder: key,
    name: 'Start.jpg',
    size: bytes.length,
  })
  expect(begun.status).toBe(201)
  const { location } = begun
  const half = Math.floor(bytes.length / 2)
  expect((await sendPiece(site, headers, location, 0, bytes.subarray(0, half))).status).toBe(204)
  expect(await offsetOf(site, headers, location)).toBe(half)
  expect(await namesIn(site, key)).toEqual(['a.txt'])
  expect((await sendPiece(site, headers, location, 0, bytes)).status).toBe(409)
  expect((await sendPiece(site, headers, location, half, bytes.subarray(half))).status).toBe(204)
  expect(await namesIn(site, key)).toEqual(['Start.jpg', 'a.txt'])
  const { store } = site.context.features.folders
  expect(store.files(folder.id)[0]).toMatchObject({ size: bytes.length, width: 600, height: 400 })
  expect(readFileSync(join(site.dataDir, 'folders/rally/Start.jpg')).equals(bytes)).toBe(true)
  // Whoever didn't hear the last answer asks again.
  expect(await offsetOf(site, headers, location)).toBe(bytes.length)
  expect(arriving(site)).toEqual([])
  expect(store.find(key)!.fileCount).toBe(2)
  const history = site.context.timeline.of('folder', String(folder.id))
  expect(history.at(-1)).toMatchObject({ actor: 'Noora', act: 'uploaded', after: '1 file' })
})

test('a photo that clients can’t see or have says so where it was sent', async () => {
  const { site, headers, key } = await withDesk({ renderer: await builtRenderer(dist) })
  await using _ = site
  const heic = Buffer.concat([Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic'), noise(100)])
  // Its header claims 30,000 by 30,000 pixels, more than are shown of any picture.
  const panorama = await photo(60, 40)
  panorama.writeUInt32BE(0x7530_7530, panorama.indexOf(Buffer.from([0xff, 0xc0])) + 5)
  for (const [name, bytes] of [
    ['IMG_1.HEIC', heic],
    ['IMG_2.CR2', cr2()],
    ['IMG_3.jpg', await photo(60, 40)],
    ['Panorama.jpg', panorama],
  ] as const) {
    const sent = await sendFile(site, headers, { folder: key, name, bytes })
    expect([name, sent.status]).toEqual([name, 204])
  }
  await site.context.features.folders.uploads.synced()
  const { json } = await site.get(`/api/desk/things/folders/${key}`, { headers })
  const { lines } = (json as { upload: { lines: { title: string; detail: string }[] } }).upload
  const said = new Map(lines.map(({ title, detail }) => [title, detail]))
  for (const name of ['IMG_1.HEIC', 'Panorama.jpg']) {
    expect([name, said.get(name)]).toEqual([
      name,
      expect.stringContaining('added · no preview: clients see its name alone · '),
    ])
  }
  expect(said.get('IMG_2.CR2')).toContain('added · listed, but held back from clients · ')
  expect(said.get('IMG_3.jpg')).toMatch(/^added · \d/)
})

test('the same bytes under the same name are the same file, others get a number', async () => {
  const { site, headers, key } = await withDesk()
  await using _ = site
  const [one, other] = [await photo(60, 40), await photo(61, 40)]
  for (const bytes of [one, one, other, other]) {
    expect((await sendFile(site, headers, { folder: key, name: 'PIT_1.jpg', bytes })).status).toBe(
      204,
    )
  }
  expect(await namesIn(site, key)).toEqual(['PIT_1 (2).jpg', 'PIT_1.jpg', 'a.txt'])
  const { store, uploads } = site.context.features.folders
  const states = uploads.latest(store.find(key)!.id, 10).map(({ state, result }) => [state, result])
  expect(states).toContainEqual(['same', 'PIT_1 (2).jpg'])
  expect(states).toContainEqual(['same', 'PIT_1.jpg'])
  expect(arriving(site)).toEqual([])
})

test('names are cleaned, and what a file is its content has to say, too', async () => {
  const { site, headers, key } = await withDesk()
  await using _ = site
  const bytes = await photo()
  for (const name of [
    '../../../etc/Voitto.jpg',
    'C:\\kuvat\\Aika-ajo: Q1?.jpg',
    'a\u202Egpj\u0007.jpg',
  ]) {
    expect((await sendFile(site, headers, { folder: key, name, bytes })).status).toBe(204)
  }
  expect(await namesIn(site, key)).toEqual(
    expect.arrayContaining(['Voitto.jpg', 'Aika-ajo_ Q1_.jpg', 'agpj.jpg']),
  )
  expect(readdirSync(join(site.dataDir, 'folders/rally'))).toHaveLength(4)
  for (const name of [
    '',
    '.jpg',
    '..',
    '.htaccess',
    'Thumbs.db',
    'x.exe',
    'page.html',
    'drawing.svg',
    'noending',
  ]) {
    const { status, text } = await announce(site, headers, { folder: key, name, size: 100 })
    expect([name, status]).toEqual([name, 400])
    expect(text).toMatch(/^(?:Give|Galleries|The name)/)
  }
  const wrong: [string, Buffer][] = [
    ['renamed.jpg', Buffer.from('MZ this is a program'.repeat(50))],
    ['photo.png', bytes],
    ['film.mp4', bytes],
    ['raw.cr3', Buffer.from('just text')],
    ['notes.txt', noise(3000)],
    ['paper.pdf', Buffer.from('<html>'.repeat(100))],
  ]
  for (const [name, content] of wrong) {
    const { status, text } = await sendFile(site, headers, { folder: key, name, bytes: content })
    expect([name, status, text]).toEqual([
      name,
      400,
      expect.stringContaining('Its content isn’t what'),
    ])
  }
  expect(await namesIn(site, key)).toHaveLength(4)
  expect(arriving(site)).toEqual([])
})

test('files go to a section that is there, or to a new one', async () => {
  await using site = await startSite({ sending: false, renderer: await builtRenderer(dist) })
  const folder = await share(site, 'rally', { 'Day 1/PIT_0.jpg': await photo(70, 40) })
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const { key } = folder
  const bytes = await photo()
  const send = async (section: string, name = 'PIT_1.jpg') =>
    (await sendFile(site, headers, { folder: key, name, bytes, section })).status
  expect(await send('day 1')).toBe(204)
  expect(await send('Day 2/ Start')).toBe(204)
  expect(await send('')).toBe(204)
  // The same name in another section is another file, and the same section knows its own.
  expect(await send('Day 1')).toBe(204)
  await sendForm(site, headers, key, { 'PIT_9.jpg': await photo(71, 40) }, 'Day 2')
  await site.context.features.folders.uploads.synced()
  const { store, uploads } = site.context.features.folders
  expect(store.files(folder.id).map(({ path }) => path)).toEqual([
    'PIT_1.jpg',
    'Day 1/PIT_0.jpg',
    'Day 1/PIT_1.jpg',
    'Day 2/PIT_9.jpg',
    'Day 2/Start/PIT_1.jpg',
  ])
  expect(uploads.latest(folder.id, 10).filter(({ state }) => state === 'same')).toHaveLength(1)
  const page = await fetch(`${site.url}/desk/folders/${key}`, { headers })
  const html = await page.text()
  expect(html).toContain('added to Day 2/Start')
  expect(html).toContain('added to Day 2 ')
  expect([...html.matchAll(/<option>(Day[^<]*)</g)].map(([, name]) => name)).toEqual([
    'Day 1',
    'Day 2',
    'Day 2/Start',
  ])
})

test('the form without scripts takes photos and says what it did not take', async () => {
  const { site, folder, headers, key } = await withDesk({ renderer: await builtRenderer(dist) })
  await using _ = site
  const sent = await sendForm(site, headers, key, {
    // As macOS writes it.
    ['Mäki.jpg'.normalize('NFD')]: await photo(),
    'setup.exe': Buffer.from('MZ'),
    'fake.jpg': Buffer.from('not a photo'),
    // From a card that was full.
    'cut.jpg': (await photo(600, 400)).subarray(0, -200),
  })
  expect(sent.status).toBe(303)
  expect(sent.headers.get('location')).toBe(`/desk/folders/${key}#uploads`)
  expect(await namesIn(site, key)).toEqual(expect.arrayContaining(['Mäki.jpg', 'a.txt']))
  const { text } = await site.get(`/desk/folders/${key}`, { headers: { Cookie: headers.Cookie! } })
  expect(text).toContain('encType="multipart/form-data"')
  expect(text).toContain('2 files, ')
  expect(text).not.toContain('added as')
  expect(text).toContain('not added: Galleries don’t take .exe files.')
  expect(text).toContain('not added: Its content isn’t what the ending .jpg says.')
  expect(text).toContain('not added: The photo is cut off: its end is missing.')
  expect(text).toContain('Noora: uploaded 1 file')
  expect(site.context.features.folders.store.files(folder.id)).toHaveLength(2)
  expect(arriving(site)).toEqual([])
  // An empty field isn't a file.
  expect((await sendForm(site, headers, key, {})).status).toBe(303)
  expect(site.logLines().join('\n')).not.toContain(key)
})

test('an upload goes on after a restart, and one that was whole is taken then', async () => {
  const first = await withDesk()
  const { site, headers, key } = first
  const bytes = await photo(300, 200)
  const size = bytes.length
  const begin = (name: string) => announce(site, headers, { folder: key, name, size })
  const [half, whole] = [await begin('half.jpg'), await begin('whole.jpg')]
  await sendPiece(site, headers, half.location, 0, bytes.subarray(0, 100))
  // Killed between the last byte and its place in the folder.
  writeFileSync(join(site.dataDir, 'uploads', whole.location.split('/').at(-1)!), bytes)
  const { context, dataDir } = site
  await context.close()
  await using again = await startSite({ dataDir, sending: false, clock: site.clock })
  expect(await offsetOf(again, headers, half.location)).toBe(100)
  expect(await offsetOf(again, headers, whole.location)).toBe(size)
  const rest = bytes.subarray(100)
  expect((await sendPiece(again, headers, half.location, 100, rest)).status).toBe(204)
  expect(await namesIn(again, key)).toEqual(['half.jpg', 'whole.jpg', 'a.txt'])
})

test('an upload that was given up ends after a day, and what became of files is forgotten later', async () => {
  const { site, folder, headers, key } = await withDesk()
  await using _ = site
  const { uploads } = site.context.features.folders
  const begun = await announce(site, headers, { folder: key, name: 'cut.jpg', size: 5000 })
  await sendPiece(site, headers, begun.location, 0, noise(1000))
  site.clock.advance(23 * hour)
  await uploads.tidy()
  expect(await offsetOf(site, headers, begun.location)).toBe(1000)
  await sendPiece(site, headers, begun.location, 1000, noise(1000))
  site.clock.advance(23 * hour)
  await uploads.tidy()
  expect(arriving(site)).toHaveLength(2)
  site.clock.advance(2 * hour)
  await uploads.tidy()
  expect(arriving(site)).toEqual([])
  expect(uploads.latest(folder.id, 5)).toMatchObject([
    { state: 'refused', result: 'It was never sent to its end.' },
  ])
  expect(await offsetOf(site, headers, begun.location)).toBeNull()
  site.clock.advance(31 * 24 * hour)
  await uploads.forgetOld()
  expect(uploads.latest(folder.id, 5)).toEqual([])
})

test('half a copy that a kill left in a folder on another disk is deleted after a day', async () => {
  const { site, folder } = await withDesk()
  await using _ = site
  const { uploads } = site.context.features.folders
  const left = '.upload-v3LYXvG6lIuD'
  writeFiles(site, 'rally', {
    [left]: 'half a film',
    [`Day 1/${left}`]: 'half a film',
    [`Day 1/${left}.txt`]: 'not ours',
    'Day 1/b.txt': 'b',
  })
  const directory = join(site.dataDir, 'folders', folder.directory)
  const names = () =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted((a, b) =>
      a < b ? -1 : 1,
    )
  const all = names()
  const written = site.clock() / 1000
  for (const name of all) utimesSync(join(directory, name), written, written)
  site.clock.advance(23 * hour)
  await uploads.forgetOld()
  expect(names()).toEqual(all)
  site.clock.advance(2 * hour)
  await uploads.forgetOld()
  expect(names()).toEqual(['Day 1', `Day 1/${left}.txt`, 'Day 1/b.txt', 'a.txt'])
})
