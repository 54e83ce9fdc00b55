import { once } from 'node:events'
import { createConnection } from 'node:net'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { contentFiles } from '../support/content-files.ts'
import { eventually } from '../support/eventually.ts'
import { startSite, type Site } from '../support/site.ts'

const photo = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#333',
      noise: { type: 'gaussian', mean: 120, sigma: 60 },
    },
  })

const withPictures = async (files: Record<string, unknown>) => {
  const content = contentFiles(files)
  const site = await startSite({ env: { CONTENT_DIR: content.dir } })
  return {
    site,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]()
      content[Symbol.dispose]()
    },
  }
}

test('one client asking for every picture in every size does not delay others', async () => {
  const jpeg = await photo(1600, 1200).jpeg().toBuffer()
  await using started = await withPictures(
    Object.fromEntries(Array.from({ length: 6 }, (_, id) => [`assets/p${id}.jpg`, jpeg])),
  )
  const { site } = started
  const widths = [96, 192, 320, 480, 640, 750, 828, 1080, 1200, 1920]
  const orders = widths.flatMap((width) =>
    Array.from({ length: 6 }, (_, id) => [id, width] as const).flatMap(([id, each]) =>
      ['avif', 'webp', 'png'].map((format) => `/assets/p${id}?width=${each}&format=${format}`),
    ),
  )
  let answered = 0
  const greedy = orders.map((path) =>
    site.get(path, { from: '127.0.0.2' }).then((reply) => {
      answered += 1
      return reply.status
    }),
  )
  await eventually(() => expect(answered).toBeGreaterThan(0))
  const mine = await Promise.all(
    [96, 192, 320].map((width) =>
      site.get(`/assets/p0?width=${width}&format=jpg`, { from: '127.0.0.3' }),
    ),
  )
  expect(mine.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(answered).toBeLessThan(orders.length)
  // Whoever has too many orders waiting is told so, and told when to come back.
  const statuses = await Promise.all(greedy)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})

test('there are few pictures to be made of one, whatever is asked for', async () => {
  await using started = await withPictures({
    'assets/car.png': await photo(300, 200).png().toBuffer(),
  })
  const tags = new Set<string>()
  let asked = 0
  for (const width of [320, 640, 1080, 1920]) {
    for (const shape of [0, 9 / 21, 9 / 16, 2 / 3, 3 / 4, 1, 5 / 4]) {
      for (const fit of ['cover', 'contain', 'inside', 'outside']) {
        for (let quality = 1; quality <= 100; quality += 9) {
          const height = shape > 0 ? `&height=${Math.round(width * shape)}` : ''
          const query = `width=${width}${height}&fit=${fit}&quality=${quality}&format=webp`
          const { headers } = await started.site.get(`/assets/car?${query}`, {
            headers: { 'If-None-Match': '*' },
          })
          tags.add(headers.etag!)
          asked += 1
        }
      }
    }
  }
  expect(asked).toBeGreaterThan(1_000)
  // Ten widths, and boxes of four widths in six shapes, covered and contained; in three qualities.
  expect(tags.size).toBeLessThanOrEqual((10 + 2 * 24) * 3)
})

/** Asks for a file and reads nothing of it. */
async function idleReader({ url }: Site, path: string) {
  const { port } = new URL(url)
  const socket = createConnection({ port: Number(port), host: '127.0.0.1' })
  socket.pause()
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: site\r\n\r\n`)
  return socket
}

test('readers who take nothing of a large file cost no memory', async () => {
  const size = 60 * 1024 * 1024
  await using started = await withPictures({ 'assets/film.mp4': Buffer.alloc(size) })
  const { site } = started
  const before = process.memoryUsage().arrayBuffers
  const sockets = await Promise.all(
    Array.from({ length: 12 }, () => idleReader(site, '/assets/film')),
  )
  let max = 0
  await eventually(async () => {
    max = Math.max(max, process.memoryUsage().arrayBuffers - before)
    // The last of them is being answered once another one is.
    expect((await site.get('/assets/film', { headers: { Range: 'bytes=-9' } })).status).toBe(206)
  })
  max = Math.max(max, process.memoryUsage().arrayBuffers - before)
  for (const socket of sockets) socket.destroy()
  expect(max).toBeLessThan(40 * 1024 * 1024)
})

test('ranges of a file are the bytes that they name', async () => {
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251))
  await using started = await withPictures({ 'assets/film.mp4': bytes })
  const get = async (range: string, more: Record<string, string> = {}) => {
    const reply = await fetch(`${started.site.url}/assets/film`, {
      headers: { Range: range, ...more },
    })
    const body = Buffer.from(await reply.arrayBuffer())
    return { status: reply.status, headers: reply.headers, body }
  }
  const part = await get('bytes=70000-140000')
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe('bytes 70000-140000/200000')
  expect(part.body.equals(bytes.subarray(70_000, 140_001))).toBe(true)
  expect((await get('bytes=-5')).body.equals(bytes.subarray(-5))).toBe(true)
  expect((await get('bytes=200000-')).status).toBe(416)
  for (const [range, more] of [
    ['bytes=0-1,5-6', {}],
    ['lines=1-2', {}],
    ['bytes=0-1', { 'If-Range': '"another"' }],
  ] as const) {
    const whole = await get(range, more)
    expect([range, whole.status, whole.body.length]).toEqual([range, 200, bytes.length])
  }
})

test('a file that only claims to be a picture is not decoded', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
  const bomb = await photo(8, 8).png().toBuffer()
  // As large as it says, it would fill ten gigabytes.
  bomb.writeUInt32BE(60_000, 16)
  bomb.writeUInt32BE(60_000, 20)
  await using started = await withPictures({
    'assets/drawing.jpg': svg,
    'assets/document.png': '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj',
    'assets/bomb.png': bomb,
  })
  for (const id of ['drawing', 'document', 'bomb']) {
    const { status, json } = await started.site.get(`/assets/${id}?width=96`)
    expect([id, status]).toEqual([id, 502])
    expect(json).toMatchObject({ errors: [{ extensions: { code: 'BAD_SOURCE' } }] })
  }
})

test('files leave without the place and the camera that they were made with', async () => {
  const bytes = await photo(64, 48)
    .withExif({
      IFD0: { Artist: 'Aino Kamera' },
      IFD2: { BodySerialNumber: 'EXIF-SERIAL-1' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '60/1 10/1 12/1' },
    })
    .jpeg()
    .toBuffer()
  await using started = await withPictures({ 'assets/car.jpg': bytes })
  const url = `${started.site.url}/assets/car`
  const reply = await fetch(url)
  const sent = Buffer.from(await reply.arrayBuffer())
  expect(Number(reply.headers.get('content-length'))).toBe(sent.length)
  expect(sent.includes('Aino Kamera')).toBe(true)
  expect(sent.includes('EXIF-SERIAL')).toBe(false)
  const pixels = (given: Buffer) => sharp(given).raw().toBuffer()
  expect((await pixels(sent)).equals(await pixels(bytes))).toBe(true)
  // A range that begins in the middle of it tells no more.
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 50) {
    const part = await fetch(url, { headers: { Range: `bytes=${at}-${at + 49}` } })
    pieces.push(Buffer.from(await part.arrayBuffer()))
  }
  expect(Buffer.concat(pieces).equals(sent)).toBe(true)
})
