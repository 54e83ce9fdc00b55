import sharp from 'sharp'
import { expect, test } from 'vitest'
import { contentFiles } from '../../support/content-files.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite, type Site } from '../../support/site.ts'

const settings = [{ id: 1, brand: 'Apex & Co', email: 'hello@apex.example', tagline: 'Fast.' }]

async function pixels(site: Site, path: string) {
  const reply = await fetch(site.url + path)
  expect(reply.status).toBe(200)
  const bytes = Buffer.from(await reply.arrayBuffer())
  const { format, width, height } = await sharp(bytes).metadata()
  return { type: reply.headers.get('content-type'), format, width, height, bytes }
}

test('robots.txt names the sitemap and keeps crawlers only from what is private', async () => {
  await using site = await startSite()
  const { text, headers } = await site.get('/robots.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(text).toContain(`Sitemap: ${site.url}/sitemap.xml`)
  expect(text).toContain('Disallow: /api/')
  expect(text).not.toMatch(/^Disallow: \/$/m)
  expect(text).not.toMatch(/Disallow: \/(?:assets|news|services|search)/)
})

test('security.txt expires within a year, and moves on with the days', async () => {
  using files = contentFiles({ 'settings.json': settings })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const expires = async () => {
    const { text } = await site.get('/.well-known/security.txt')
    expect(text).toContain('Contact: mailto:hello@apex.example')
    expect(text).toContain(`Canonical: ${site.url}/.well-known/security.txt`)
    return Date.parse(/^Expires: (.+)$/m.exec(text)![1]!) - site.clock()
  }
  expect(await expires()).toBeGreaterThan(170 * 86_400_000)
  site.clock.advance(100 * 86_400_000)
  const left = await expires()
  expect(left).toBeGreaterThan(170 * 86_400_000)
  expect(left).toBeLessThan(365 * 86_400_000)
})

test('the manifest carries the brand and icons that exist', async () => {
  using files = contentFiles({ 'settings.json': settings })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { json, headers } = await site.get('/site.webmanifest')
  expect(headers['content-type']).toBe('application/manifest+json; charset=utf-8')
  const { name, icons } = json as { name: string; icons: { src: string; sizes: string }[] }
  expect(name).toBe('Apex & Co')
  for (const { src, sizes } of icons.filter(({ src: path }) => path.endsWith('.png'))) {
    const { width, height, format } = await pixels(site, src)
    expect([`${width}x${height}`, format]).toEqual([sizes, 'png'])
  }
  expect(await pixels(site, '/apple-touch-icon.png')).toMatchObject({ width: 180, height: 180 })
  const icon = await site.get('/favicon.ico')
  expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/x-icon'])
})

test('llms.txt says what the site is, and its links lead somewhere', async () => {
  await using site = await startSite()
  const { text } = await site.get('/llms.txt')
  expect(text).toMatch(/^# Apex North Media\n\n> /)
  expect(text).toContain(`(${site.url}/services/photography)`)
  expect(text).toContain('hello@apexnorth.example')
  const pages = /## Pages\n([^#]*)/.exec(text)![1]!
  for (const path of ['/portfolio', '/news', '/calendar', '/booking', '/shop', '/shop/delivery']) {
    expect(pages).toContain(`(${site.url}${path})`)
    expect((await site.get(path)).status).toBe(200)
  }
})

test('the default picture is cut to the size of social networks', async () => {
  await using site = await startSite()
  expect(await pixels(site, '/og-image.jpg')).toMatchObject({
    type: 'image/jpeg',
    format: 'jpeg',
    width: 1200,
    height: 630,
  })
})

test('a drawing stands in for a default picture that is missing or damaged', async () => {
  using files = contentFiles({ 'settings.json': settings })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const drawn = await pixels(site, '/og-image.jpg')
  expect(drawn).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
  files.write('assets/og-image.jpg', 'no picture')
  await eventually(async () => {
    expect((await pixels(site, '/og-image.jpg')).bytes).toEqual(drawn.bytes)
    expect(site.logLines().some((line) => line.includes('using the drawing'))).toBe(true)
  })
})

test.each([
  '/robots.txt',
  '/site.webmanifest',
  '/.well-known/security.txt',
  '/llms.txt',
  '/og-image.jpg',
  '/icon-192.png',
])('%s is answered with 304 to who has it, and to HEAD without a body', async (path) => {
  await using site = await startSite()
  const { headers } = await site.get(path)
  expect((await site.get(path, { headers: { 'If-None-Match': headers.etag! } })).status).toBe(304)
  const head = await fetch(site.url + path, { method: 'HEAD' })
  expect([head.status, (await head.text()).length]).toEqual([200, 0])
})

test('a broken content file leaves all of them standing', async () => {
  using files = contentFiles({ 'settings.json': '[{', 'news.json': '[{', 'services.json': '[{' })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  for (const path of [
    '/robots.txt',
    '/site.webmanifest',
    '/.well-known/security.txt',
    '/llms.txt',
  ]) {
    expect((await site.get(path)).status).toBe(200)
  }
})
