import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentFiles, type ContentFiles } from '../../support/content-files.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite, type Site } from '../../support/site.ts'

/** A picture with a red left half and a blue right half. */
function halves(width: number, height: number) {
  const half = (background: string) => ({
    create: { width: Math.ceil(width / 2), height, channels: 3 as const, background },
  })
  return sharp({ create: { width, height, channels: 3, background: '#00f' } })
    .composite([{ input: half('#f00'), left: 0, top: 0 }])
    .withExif({ IFD0: { Copyright: 'Somebody' }, IFD2: { BodySerialNumber: 'EXIF-SERIAL' } })
}

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>x()</script></svg>'

let files: ContentFiles
let site: Site

beforeAll(async () => {
  const jpeg = await halves(1600, 900).jpeg().toBuffer()
  files = contentFiles({
    'assets/car.jpg': jpeg,
    'assets/small.png': await halves(300, 200).png().toBuffer(),
    'assets/left.jpg': jpeg,
    'assets/cut.jpg': jpeg.subarray(0, jpeg.length / 2),
    'assets/text.jpg': 'no picture at all',
    'assets/logo.svg': drawing,
    'assets/rates.pdf': '%PDF-1.7',
    'assets/page.html': '<script>x()</script>',
    'media.json': [{ id: 'left', focal_x: 0, focal_y: 0.5, width: 1600, height: 900 }],
  })
  site = await startSite({ env: { CONTENT_DIR: files.dir } })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  files[Symbol.dispose]()
})

const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(site.url + path, { headers, method })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}
const sizeOf = async (path: string) => {
  const { status, bytes } = await get(path)
  expect(status).toBe(200)
  const { width, height, format, exif } = await sharp(bytes).metadata()
  return { width, height, format, exif }
}

describe('sizes and formats', () => {
  test.for([
    ['width=640&quality=80&format=webp', { width: 640, height: 360, format: 'webp' }],
    ['width=640', { width: 640, height: 360, format: 'jpeg' }],
    ['width=96&format=png', { width: 96, height: 54, format: 'png' }],
    ['width=320&format=avif', { width: 320, height: 180, format: 'heif' }],
    ['width=640&height=640', { width: 640, height: 640, format: 'jpeg' }],
    ['width=640&height=359', { width: 640, height: 360, format: 'jpeg' }],
    ['width=640&height=640&fit=inside', { width: 640, height: 360, format: 'jpeg' }],
    ['width=640&height=640&fit=contain', { width: 640, height: 640, format: 'jpeg' }],
    // Others are made as the next larger one, so there are few of them.
    ['width=480&height=480&fit=outside', { width: 1080, height: 608, format: 'jpeg' }],
    ['width=641', { width: 750, height: 422, format: 'jpeg' }],
    ['height=360', { width: 640, height: 360, format: 'jpeg' }],
    ['width=640&height=500', { width: 640, height: 640, format: 'jpeg' }],
    ['width=5000', { width: 1600, height: 900, format: 'jpeg' }],
    ['width=1920', { width: 1600, height: 900, format: 'jpeg' }],
    ['width=1920&height=823&fit=cover', { width: 1920, height: 823, format: 'jpeg' }],
    ['format=jpg', { width: 1600, height: 900, format: 'jpeg' }],
  ] as const)('%s', async ([query, expected]) => {
    expect(await sizeOf(`/assets/car?${query}`)).toMatchObject(expected)
  })

  test('leave out what a camera wrote, but for the names of author and owner of the rights', async () => {
    const { exif } = await sizeOf('/assets/car?width=640')
    expect(exif!.includes('Somebody')).toBe(true)
    expect(exif!.includes('EXIF-SERIAL')).toBe(false)
    expect((await sizeOf('/assets/car')).exif!.includes('EXIF-SERIAL')).toBe(false)
  })

  test('auto gives the best that the client accepts', async () => {
    const type = async (accept: string) => {
      const { headers } = await get('/assets/car?width=96&format=auto', { Accept: accept })
      expect(headers.get('vary')).toContain('Accept')
      return headers.get('content-type')
    }
    expect(await type('image/avif,image/webp,*/*')).toBe('image/avif')
    expect(await type('image/webp,*/*')).toBe('image/webp')
    expect(await type('*/*')).toBe('image/jpeg')
  })

  test('a cut keeps the focal point of the picture', async () => {
    const right = async (id: string) => {
      const { bytes } = await get(`/assets/${id}?width=320&height=400&format=png`)
      const { dominant } = await sharp(bytes)
        .extract({ left: 240, top: 0, width: 80, height: 400 })
        .stats()
      return dominant.r > dominant.b ? 'red' : 'blue'
    }
    expect(await right('car')).toBe('blue')
    expect(await right('left')).toBe('red')
  })

  test.for([
    'width=0',
    'width=-640',
    'width=640.5',
    'width=1e3',
    'width=',
    'height=0',
    'height=6001',
    'quality=0',
    'quality=101',
    'quality=high',
    'fit=fill',
    'format=gif',
    'format=tiff',
    'transforms=[]',
    'key=thumb',
    'width=6001',
  ])('%s is refused with 400', async (query) => {
    const reply = await site.get(`/assets/car?${query}`)
    expect(reply.status).toBe(400)
    expect(reply.json).toMatchObject({ errors: [{ extensions: { code: 'INVALID_QUERY' } }] })
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.headers.etag).toBeUndefined()
  })

  test('near qualities are one picture', async () => {
    const etag = async (quality: number) =>
      (await get(`/assets/car?width=640&quality=${quality}`)).headers.get('etag')
    expect(await etag(78)).toBe(await etag(80))
    expect(await etag(50)).not.toBe(await etag(80))
  })
})

describe('replies', () => {
  test('carry an ETag of their own size, and answer 304 to it', async () => {
    const { headers } = await get('/assets/car?width=640')
    const etag = headers.get('etag')!
    expect(etag).toMatch(/^"/)
    expect((await get('/assets/car?width=750')).headers.get('etag')).not.toBe(etag)
    const again = await get('/assets/car?width=640', { 'If-None-Match': etag })
    expect(again.status).toBe(304)
    expect(again.bytes).toHaveLength(0)
    expect(again.headers.get('etag')).toBe(etag)
  })

  test('may be kept for good only under the version of the file', async () => {
    const version = (await site.context.content.picture('car'))!.version!
    expect((await get(`/assets/car?width=640&v=${version}`)).headers.get('cache-control')).toBe(
      'public, max-age=31536000, immutable',
    )
    for (const query of ['width=640', 'width=640&v=other']) {
      expect((await get(`/assets/car?${query}`)).headers.get('cache-control')).toMatch(
        /^public, max-age=86400,/,
      )
    }
  })

  test('to HEAD have the headers alone', async () => {
    const { status, headers, bytes } = await get('/assets/car?width=640', {}, 'HEAD')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/jpeg')
    expect(Number(headers.get('content-length'))).toBeGreaterThan(1_000)
    expect(bytes).toHaveLength(0)
  })

  test('are saved under a name where that is asked for, and opened in place otherwise', async () => {
    for (const [query, filename] of [
      ['?download', 'car.jpg'],
      ['?download&width=640', 'car.jpg'],
      ['?width=640&format=webp&download=1', 'car.webp'],
      ['?width=640', null],
    ] as const) {
      const { status, headers } = await get(`/assets/car${query}`)
      expect([query, status, headers.get('content-disposition')]).toEqual([
        query,
        200,
        filename && `attachment; filename="${filename}"`,
      ])
    }
  })

  test('of drawings and documents run nothing, whatever size is asked for', async () => {
    const svg = await get('/assets/logo?width=640&format=webp')
    expect(svg.bytes.toString()).toBe(drawing)
    expect(svg.headers.get('content-type')).toBe('image/svg+xml')
    expect(svg.headers.get('content-security-policy')).toMatch(/^sandbox/)
    expect(svg.headers.get('x-content-type-options')).toBe('nosniff')
    expect(svg.headers.get('content-disposition')).toBe('attachment; filename="logo.svg"')
    const pdf = await get('/assets/rates')
    expect(pdf.headers.get('content-disposition')).toBe('attachment; filename="rates.pdf"')
    expect(pdf.headers.get('content-security-policy')).toMatch(/^sandbox/)
  })

  test.for([
    'none',
    'page',
    '..',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e%2fmedia.json',
    'car.jpg',
    '.hidden',
    '%00',
    'x'.repeat(200),
  ])('to %s are 404', async (id) => {
    const reply = await site.get(`/assets/${id}`)
    expect(reply.status === 404 || reply.text.includes('A page')).toBe(true)
    expect(reply.text).not.toContain('focal')
  })

  test('to a damaged file are an error that is not cached', async () => {
    for (const id of ['cut', 'text']) {
      const reply = await site.get(`/assets/${id}?width=640`)
      expect(reply.status).toBe(502)
      expect(reply.json).toMatchObject({ errors: [{ message: 'The image is damaged.' }] })
      expect(reply.headers['cache-control']).toBe('no-store')
    }
  })
})

test('makes a picture once, however many ask for it together, and finds it on disk later', async () => {
  const path = '/assets/small?width=192&format=webp'
  const replies = await Promise.all(Array.from({ length: 12 }, () => get(path)))
  expect(new Set(replies.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1)
  const kept = readdirSync(join(site.dataDir, 'cache/assets'))
  const name = replies[0]!.headers.get('etag')!.replaceAll('"', '')
  expect(kept.filter((each) => each.startsWith(name))).toEqual([name])
})

test.each(['car', 'small'])('takes the quality of %s without a format, too', async (id) => {
  const sizes = []
  for (const quality of [10, 100]) {
    const { bytes, headers } = await get(`/assets/${id}?width=192&quality=${quality}`)
    expect(headers.get('content-type')).toBe(id === 'car' ? 'image/jpeg' : 'image/png')
    sizes.push(bytes.length)
  }
  // A PNG is whole at any quality.
  if (id === 'car') expect(sizes[0]).toBeLessThan(sizes[1]!)
  else expect(sizes[0]).toBe(sizes[1])
})

test('serves a changed file under a new version', async () => {
  const before = await get('/assets/small?width=96')
  files.write('assets/small.png', await halves(400, 200).png().toBuffer())
  await eventually(async () => {
    const after = await get('/assets/small?width=96')
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
  })
})

describe('of a Directus', () => {
  const id = '0b1f2c3d-0000-4000-8000-000000000001'
  const picture = async () => ({
    [id]: { type: 'image/jpeg', bytes: await halves(800, 450).jpeg().toBuffer() },
  })

  test('are asked for once and without parameters, and shown while it is down, after a restart too', async () => {
    await using directus = await startDirectus({ assets: await picture() })
    const env = { CONTENT_URL: directus.url }
    await using first = await startSite({ env })
    const ask = (at: Site, query: string) => fetch(`${at.url}/assets/${id}?${query}`)
    await Promise.all(Array.from({ length: 8 }, () => ask(first, 'width=640')))
    expect((await ask(first, 'width=320&format=webp')).headers.get('content-type')).toBe(
      'image/webp',
    )
    expect(directus.asked.filter((path) => path.startsWith('/assets'))).toEqual([`/assets/${id}`])
    await directus.down()
    expect((await ask(first, 'width=480')).status).toBe(200)
    await using second = await startSite({ env, dataDir: first.dataDir })
    expect((await ask(second, 'width=640')).status).toBe(200)
    expect((await ask(second, 'width=750')).status).toBe(200)
  })

  test('are never kept empty', async () => {
    await using directus = await startDirectus({ assets: await picture() })
    directus.fail({ kind: 'empty' }, { path: '/assets', times: 2 })
    await using behind = await startSite({ env: { CONTENT_URL: directus.url } })
    const reply = await fetch(`${behind.url}/assets/${id}`)
    expect(reply.status).toBe(200)
    expect((await reply.arrayBuffer()).byteLength).toBe(directus.assets.get(id)!.bytes.length)
    expect(directus.hits('/assets')).toBe(3)
  })

  test('that are drawings are shown as such though they’re called photos, and a page in place of one is a failure', async () => {
    const page = '0b1f2c3d-0000-4000-8000-000000000002'
    const svg = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'
    await using directus = await startDirectus({
      assets: {
        [id]: { type: 'image/jpeg', bytes: Buffer.from(svg) },
        [page]: { type: 'image/jpeg', bytes: Buffer.from('<!doctype html><title>Sign in</title>') },
      },
    })
    await using behind = await startSite({ env: { CONTENT_URL: directus.url } })
    const shown = await fetch(`${behind.url}/assets/${id}?width=640&format=webp`)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(shown.headers.get('content-security-policy')).toContain('sandbox')
    expect(await shown.text()).toBe(svg)
    expect((await behind.get(`/assets/${page}?width=640`)).status).toBe(503)
  })

  test('that are missing are 404, and not asked for again at once', async () => {
    await using directus = await startDirectus()
    await using behind = await startSite({ env: { CONTENT_URL: directus.url } })
    for (let times = 0; times < 3; times += 1) {
      expect((await behind.get('/assets/gone')).status).toBe(404)
    }
    expect((await behind.get('/assets/a.b')).status).toBe(404)
    // Jobs may ask for rows meanwhile.
    const asked = directus.asked.filter((path) => path.startsWith('/assets/'))
    expect(asked).toEqual(['/assets/gone'])
  })

  test('that cannot be had are a 503 that is not cached', async () => {
    await using directus = await startDirectus({ assets: await picture() })
    directus.fail({ kind: 'status', status: 500 })
    await using behind = await startSite({ env: { CONTENT_URL: directus.url } })
    const reply = await behind.get(`/assets/${id}`)
    expect(reply.status).toBe(503)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.headers['retry-after']).toBeDefined()
    directus.heal()
    expect((await behind.get(`/assets/${id}`)).status).toBe(200)
  })
})
