import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { uploadLimits } from '#shared/folders/folder-numbers.ts'
import { databaseFile } from '#server/db/open.ts'
import { openRaw } from '../support/raw-connection.ts'
import { noise, photo, share } from '../support/shared-folder.ts'
import { startSite, type Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'
import { eventually } from '../support/eventually.ts'
import { announce, offsetOf, sendFile, sendForm, sendPiece } from '../support/uploads.ts'

async function withDesk() {
  const site = await startSite({ sending: false })
  const folder = await share(site, 'rally', { 'a.txt': 'a' })
  const staff = await signIn(site, ['desk'], { name: 'Noora' })
  return { site, folder, staff, headers: staff.headers, key: folder.key }
}

const arriving = ({ dataDir }: Pick<Site, 'dataDir'>) => {
  const dir = join(dataDir, 'uploads')
  return existsSync(dir) ? readdirSync(dir) : []
}

async function namesIn({ context }: Pick<Site, 'context'>, key: string) {
  const { store, uploads } = context.features.folders
  await uploads.synced()
  return store.files(store.find(key)!.id).map(({ name }) => name)
}

test('only staff with the scope of the desk send files, from our own pages', async () => {
  const { site, headers, key } = await withDesk()
  await using _ = site
  const bytes = await photo()
  const client = await signIn(site, ['view', 'download', 'select', 'links', 'ops'], {
    name: 'Client',
  })
  const begin = (who: Record<string, string>) =>
    announce(site, who, { folder: key, name: 'a.jpg', size: 100 })
  expect((await begin({})).status).toBe(403)
  expect((await begin({ Cookie: headers.Cookie! })).status).toBe(403)
  expect((await begin({ ...client.headers })).status).toBe(403)
  const token = { Cookie: headers.Cookie!.split(';')[0]!, 'X-CSRF-TOKEN': headers['X-CSRF-TOKEN']! }
  expect((await begin(token)).status).toBe(401)
  expect((await begin({ ...headers, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
  for (const who of [{}, client.headers]) {
    const form = await sendForm(site, who, key, { 'a.jpg': bytes })
    expect([form.status, form.headers.get('location')]).toEqual([303, `/desk/folders/${key}`])
  }
  const foreign = await fetch(`${site.url}/desk/folders/${key}/files`, {
    method: 'POST',
    headers: {
      Cookie: headers.Cookie!,
      'Sec-Fetch-Site': 'cross-site',
      Origin: 'https://evil.example',
    },
    body: new FormData(),
  })
  expect(foreign.status).toBe(403)
  expect(arriving(site)).toEqual([])
  expect(await namesIn(site, key)).toEqual(['a.txt'])
})

test('nobody goes on with what somebody else began, and a guess finds nothing', async () => {
  const { site, headers, key } = await withDesk()
  await using _ = site
  const other = await signIn(site, ['desk'], { name: 'Eero' })
  const bytes = await photo()
  const { location } = await announce(site, headers, {
    folder: key,
    name: 'a.jpg',
    size: bytes.length,
  })
  for (const place of [location, '/api/desk/uploads/0', `/api/desk/uploads/${'0'.repeat(32)}`]) {
    expect((await sendPiece(site, other.headers, place, 0, bytes)).status).toBe(404)
    expect(await offsetOf(site, other.headers, place)).toBeNull()
  }
  for (const place of [
    '..%2f..%2fsecret-key',
    '%2e%2e%2fpitlane.sqlite',
    '.json',
    'a.json',
    '%00',
  ]) {
    const { status } = await sendPiece(site, headers, `/api/desk/uploads/${place}`, 0, bytes)
    expect([place, status >= 400 && status < 500]).toEqual([place, true])
  }
  expect(await namesIn(site, key)).toEqual(['a.txt'])
})

test('the upload of a code that is revoked stops, and so does that of a folder that is gone', async () => {
  const { site, folder, staff, headers, key } = await withDesk()
  await using _ = site
  const bytes = await photo(300, 200)
  const half = Math.floor(bytes.length / 2)
  const { location } = await announce(site, headers, {
    folder: key,
    name: 'a.jpg',
    size: bytes.length,
  })
  expect((await sendPiece(site, headers, location, 0, bytes.subarray(0, half))).status).toBe(204)
  const { clients, folders } = site.context.features
  await site.context.commit((tx) => clients.codes.revoke(tx, staff.codeId))
  const rest = bytes.subarray(half)
  expect((await sendPiece(site, headers, location, half, rest)).status).toBe(401)
  expect((await announce(site, headers, { folder: key, name: 'b.jpg', size: 10 })).status).toBe(401)
  expect((await sendForm(site, headers, key, { 'b.jpg': bytes })).status).toBe(303)
  expect(await namesIn(site, key)).toEqual(['a.txt'])
  const other = await signIn(site, ['desk'], { name: 'Eero' })
  const begun = await announce(site, other.headers, {
    folder: key,
    name: 'c.jpg',
    size: bytes.length,
  })
  await folders.acts.remove(folder, 'Eero', { rehearse: false })
  expect((await sendPiece(site, other.headers, begun.location, 0, bytes)).status).toBe(404)
  expect(readdirSync(join(site.dataDir, 'folders/rally'))).toEqual(['a.txt'])
})

test('what is announced is bounded, and the disk keeps its room', async () => {
  const { site, headers, key } = await withDesk()
  await using _ = site
  const begin = (size: number | string, name = 'film.mp4') =>
    announce(site, headers, { folder: key, name, size })
  for (const size of [0, -1, 'many', '1e3', '9'.repeat(30)]) {
    const { status } = await begin(size)
    expect([size, [400, 413].includes(status)]).toEqual([size, true])
  }
  expect((await begin(uploadLimits.maxFileBytes + 1)).status).toBe(413)
  const nowhere = await announce(site, headers, { folder: 'nothing', name: 'a.jpg', size: 1 })
  expect(nowhere.status).toBe(404)
  let last = { status: 201, text: '' }
  for (let count = 0; count < 101 && last.status === 201; count += 1) {
    last = await begin(uploadLimits.maxFileBytes)
  }
  // A disk of more than 800 GB has room for all that one code may announce.
  expect([507, 429]).toContain(last.status)
  if (last.status === 507) expect(last.text).toBe('There’s no room for this on the server’s disk.')
  expect(site.context.features.folders.store.find(key)!.fileCount).toBe(1)
})

test('a disk that fills up under a file says so, and the file goes on once there is room', async () => {
  const { site, headers, key } = await withDesk()
  await using _ = site
  const bytes = await photo()
  const begun = await announce(site, headers, { folder: key, name: 'a.jpg', size: bytes.length })
  const place = join(site.dataDir, 'uploads')
  // File systems that aren't disks never have a free byte.
  renameSync(place, `${place}-kept`)
  symlinkSync(existsSync('/proc/self') ? '/proc' : '/dev', place)
  expect(await sendPiece(site, headers, begun.location, 0, bytes)).toEqual({
    status: 507,
    text: expect.stringContaining('There’s no room for this on the server’s disk.'),
  })
  rmSync(place)
  renameSync(`${place}-kept`, place)
  expect((await sendPiece(site, headers, begun.location, 0, bytes)).status).toBe(204)
  expect(await namesIn(site, key)).toEqual(['a.jpg', 'a.txt'])
})

test('an upload whose beginning fails takes no place among those on their way', async () => {
  const { site, headers, key } = await withDesk()
  await using _ = site
  const sent = { folder: key, name: 'a.jpg', size: 10 }
  for (let count = 0; count < 101; count += 1) {
    // More bytes than announced, together with the announcement.
    expect([count, (await announce(site, headers, { ...sent, bytes: noise(20) })).status]).toEqual([
      count,
      413,
    ])
  }
  await eventually(() => expect(arriving(site)).toEqual([]))
  expect((await announce(site, headers, sent)).status).toBe(201)
})

test('a piece is no longer than announced, nor than a piece can be', async () => {
  const { site, headers, key } = await withDesk()
  await using _ = site
  const { location } = await announce(site, headers, { folder: key, name: 'a.jpg', size: 1000 })
  const longer = await sendPiece(site, headers, location, 0, noise(2000))
  expect(longer.status).toBeGreaterThanOrEqual(400)
  expect(longer.status).toBeLessThan(500)
  expect(await offsetOf(site, headers, location)).toBeLessThanOrEqual(1000)
  const large = await announce(site, headers, { folder: key, name: 'b.jpg', size: 9_000_000 })
  const piece = Buffer.alloc(uploadLimits.maxChunkBytes + 1)
  await expect(
    sendPiece(site, headers, large.location, 0, piece).then(({ status }) => status),
  ).resolves.toBe(413)
  expect(await offsetOf(site, headers, large.location)).toBe(0)
})

test('the same file from two windows at once is there once', async () => {
  const { site, headers, key } = await withDesk()
  await using _ = site
  const bytes = await photo(500, 300)
  const name = 'Start.jpg'
  const sent = await Promise.all(
    Array.from({ length: 4 }, () => sendFile(site, headers, { folder: key, name, bytes })),
  )
  expect(sent.map(({ status }) => status)).toEqual([204, 204, 204, 204])
  expect(await namesIn(site, key)).toEqual(['Start.jpg', 'a.txt'])
  const { location } = await announce(site, headers, {
    folder: key,
    name: 'b.jpg',
    size: bytes.length,
  })
  const both = await Promise.all([1, 2].map(() => sendPiece(site, headers, location, 0, bytes)))
  expect(both.some(({ status }) => status === 204)).toBe(true)
  expect(await namesIn(site, key)).toEqual(['b.jpg', 'Start.jpg', 'a.txt'])
  expect(arriving(site)).toEqual([])
})

test('a file whose end the database couldn’t take note of goes on, and is in the gallery', async () => {
  const { site, headers, key } = await withDesk()
  await using _ = site
  const database = databaseFile(site.dataDir)
  const bytes = await photo(500, 300)
  const size = bytes.length
  const { location } = await announce(site, headers, { folder: key, name: 'Start.jpg', size })
  const half = Math.floor(size / 2)
  const body = new PassThrough()
  body.write(bytes.subarray(0, half))
  const sending = fetch(site.url + location, {
    method: 'PATCH',
    headers: {
      ...headers,
      'Tus-Resumable': '1.0.0',
      Origin: site.url,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': '0',
    },
    body: Readable.toWeb(body) as ReadableStream<Uint8Array>,
    duplex: 'half',
  } as RequestInit)
  const staged = join(site.dataDir, 'uploads', location.split('/').at(-1)!)
  await eventually(() => expect(statSync(staged).size).toBe(half))
  renameSync(database, `${database}-away`)
  body.end(bytes.subarray(half))
  expect((await sending).status).toBeGreaterThanOrEqual(500)
  renameSync(`${database}-away`, database)

  expect(await offsetOf(site, headers, location)).toBe(size)
  expect(await namesIn(site, key)).toEqual(['Start.jpg', 'a.txt'])
  const { store, uploads } = site.context.features.folders
  expect(uploads.latest(store.find(key)!.id, 1)).toMatchObject([
    { state: 'added', result: 'Start.jpg' },
  ])
  expect(arriving(site)).toEqual([])
  // Sent again, it's the same file.
  const again = await sendFile(site, headers, { folder: key, name: 'Start.jpg', bytes })
  expect(again.status).toBe(204)
  expect(await namesIn(site, key)).toEqual(['Start.jpg', 'a.txt'])
})

test('nothing is written over, or through a link that leads out of the folder', async () => {
  const { site, headers, key } = await withDesk()
  await using _ = site
  const directory = join(site.dataDir, 'folders/rally')
  mkdirSync(join(site.dataDir, 'elsewhere'))
  writeFileSync(join(site.dataDir, 'elsewhere/kept.jpg'), 'kept')
  symlinkSync('../../elsewhere/kept.jpg', join(directory, 'link.jpg'))
  symlinkSync('../../elsewhere/new.jpg', join(directory, 'dangling.jpg'))
  const bytes = await photo()
  for (const name of ['link.jpg', 'dangling.jpg']) {
    expect((await sendFile(site, headers, { folder: key, name, bytes })).status).toBe(204)
  }
  expect(await namesIn(site, key)).toEqual(['dangling (2).jpg', 'link (2).jpg', 'a.txt'])
  expect(readdirSync(join(site.dataDir, 'elsewhere'))).toEqual(['kept.jpg'])
})

test('a section stays in its folder, whatever it is called', async () => {
  const { site, headers, key } = await withDesk()
  await using _ = site
  const root = join(site.dataDir, 'folders')
  mkdirSync(join(root, 'secret'))
  symlinkSync(join(root, 'secret'), join(root, 'rally/elsewhere'))
  writeFileSync(join(root, 'rally/notes'), 'a file')
  const bytes = await photo()
  const send = (section: string) =>
    sendFile(site, headers, { folder: key, name: 'PIT_1.jpg', bytes, section })
  for (const section of [
    '..',
    '../secret',
    'a/../../secret',
    '.hidden',
    'a/b/c/d/e',
    'Thumbs.db',
  ]) {
    const { status, text } = await send(section)
    expect([section, status, text]).toEqual([
      section,
      400,
      'Give the section a name that can be shown.',
    ])
  }
  for (const section of ['elsewhere', 'notes', 'notes/more', 'elsewhere/more']) {
    const { status, text } = await send(section)
    expect([section, status, text]).toEqual([
      section,
      400,
      'The section has the name of a file or link in the folder.',
    ])
  }
  for (const section of ['/', '/etc', 'C:\\Windows', 'x'.repeat(5000), 'a\u0000b\u202Ec']) {
    expect([section, (await send(section)).status]).toEqual([section, 204])
  }
  expect(readdirSync(join(root, 'secret'))).toEqual([])
  expect(readdirSync(root).toSorted()).toEqual(['rally', 'secret'])
  expect(readdirSync(join(root, 'rally')).toSorted()).toEqual(
    [
      'PIT_1.jpg',
      'Windows',
      'a bc',
      'a.txt',
      'elsewhere',
      'etc',
      'notes',
      'x'.repeat(180),
    ].toSorted(),
  )
})

test('a form that is cut off, is none or is too large leaves nothing behind', async () => {
  const { site, headers, key } = await withDesk()
  await using _ = site
  const path = `/desk/folders/${key}/files`
  const head = (length: number, type = 'multipart/form-data; boundary=x') =>
    `POST ${path} HTTP/1.1\r\nHost: site\r\nSec-Fetch-Site: same-origin\r\nCookie: ${headers.Cookie}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`
  const part = '--x\r\nContent-Disposition: form-data; name="files"; filename="a.jpg"\r\n\r\n'
  {
    await using cut = await openRaw(site.url)
    cut.write(head(100_000) + part + 'x'.repeat(50_000))
    await eventually(() => expect(arriving(site)).toHaveLength(1))
    cut.socket.destroy()
  }
  await eventually(() => expect(arriving(site)).toEqual([]))
  for (const [type, body] of [
    ['multipart/form-data', part],
    ['multipart/form-data; boundary=x', `${part}never ends`],
    ['text/plain', 'hello'],
  ] as const) {
    await using wrong = await openRaw(site.url)
    wrong.write(head(body.length, type) + body)
    expect([type, (await wrong.reply()).status]).toEqual([type, 400])
  }
  await using large = await openRaw(site.url)
  large.write(head(uploadLimits.maxFormBytes + 1))
  expect((await large.reply()).status).toBe(413)
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_each, index) => [`${index}.txt`, Buffer.from('text')]),
  )
  expect((await sendForm(site, headers, key, many)).status).toBe(303)
  expect(await namesIn(site, key)).toHaveLength(1 + uploadLimits.maxFormFiles)
  expect(arriving(site)).toEqual([])
  // Whoever sent more hears from which file on, instead of missing them in the gallery later.
  const { store, uploads } = site.context.features.folders
  const { maxFormFiles } = uploadLimits
  expect(
    uploads.latest(store.find(key)!.id, 50).find(({ state }) => state === 'refused'),
  ).toMatchObject({
    name: `${maxFormFiles}.txt`,
    result: `A form takes up to ${maxFormFiles} files. Send this one and those after it again.`,
  })
})

test('a form whose files the disk does not take says so for each, and the next one has its place', async () => {
  const { site, headers, key } = await withDesk()
  await using _ = site
  const dir = join(site.dataDir, 'uploads')
  const part = (name: string) =>
    `\r\n--x\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n`
  const { store, uploads } = site.context.features.folders
  // More often than one code has places.
  for (let time = 0; time < 7; time += 1) {
    await using connection = await openRaw(site.url)
    const first = part('first.txt') + 'x'.repeat(50_000)
    const rest = `${part('second.txt') + 'x'.repeat(500_000)}\r\n--x--\r\n`
    connection.write(
      `POST /desk/folders/${key}/files HTTP/1.1\r\nHost: site\r\nSec-Fetch-Site: same-origin\r\nCookie: ${headers.Cookie}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${first.length + rest.length}\r\n\r\n${first}`,
    )
    await eventually(() => expect(arriving(site)).toHaveLength(1))
    // The disk fails half way: neither can a file be made, nor is the first one found again.
    rmSync(dir, { recursive: true })
    writeFileSync(dir, '')
    connection.write(rest)
    expect((await connection.reply()).status).toBe(303)
    rmSync(dir)
  }
  const said = uploads
    .latest(store.find(key)!.id, 50)
    .map(({ name, result }) => `${name}: ${result}`)
  const each = (name: string) =>
    Array<string>(7).fill(`${name}: It couldn’t be saved. Send it again.`)
  expect(said.toSorted()).toEqual([...each('first.txt'), ...each('second.txt')])
  const sent = await sendForm(site, headers, key, { 'third.txt': Buffer.from('text') })
  expect(sent.status).toBe(303)
  expect(await namesIn(site, key)).toEqual(['a.txt', 'third.txt'])
  expect(arriving(site)).toEqual([])
})

test('a long sentence behind the last dot of a name is cut like any other, and holds up no one', async () => {
  const { site, headers, key } = await withDesk()
  await using _ = site
  const long = `No. ${'y'.repeat(400)}`
  const bytes = await photo()
  const send = (name: string, section = '') =>
    sendFile(site, headers, { folder: key, name, bytes, section })
  const { status, text } = await send(long)
  expect([status, text]).toEqual([400, 'The name has no ending such as .jpg.'])
  expect(await send('PIT_1.jpg', long)).toMatchObject({ status: 204 })
  expect((await send(`${long}.${'İ🏁'.repeat(300)}`)).status).toBe(400)
  expect(await send(`${long}.jpg`)).toMatchObject({ status: 204 })
  const found = readdirSync(join(site.dataDir, 'folders/rally'))
  expect(found).toContain(long.slice(0, 180))
  expect(found).toContain(`${long.slice(0, 176)}.jpg`)
  expect((await site.get('/api/health')).status).toBe(200)
})
