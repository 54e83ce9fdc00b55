import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { mergeEntries } from '#server/seo/sitemap-entries.ts'
import { contentFiles } from '../../support/content-files.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { eventually } from '../../support/eventually.ts'
import { csrfHeaders, send } from '../../support/send.ts'
import { startSite, type Site } from '../../support/site.ts'

const hour = 3_600_000
const article = (id: number, more: object = {}) => ({
  id,
  slug: `article-${id}`,
  title: `Article ${id}`,
  published_at: '2026-01-02T08:00:00Z',
  ...more,
})

type Entry = { loc: string; lastmod?: string }

async function sitemap(site: Site, path = '/sitemap.xml') {
  const { status, text, headers } = await site.get(path)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/xml; charset=utf-8')
  expect(XMLValidator.validate(text)).toBe(true)
  const parser = new XMLParser({ isArray: (name) => name === 'url' || name === 'sitemap' })
  return parser.parse(text) as {
    urlset?: { url: Entry[] }
    sitemapindex?: { sitemap: Entry[] }
  }
}

const locations = async (site: Site) =>
  (await sitemap(site)).urlset!.url.map(({ loc }) => loc.replace(site.url, ''))

const generate = (site: Site, path = '/functions/generate-sitemap') => site.get(path)

test('the sitemap names every public page once, on the public origin', async () => {
  await using site = await startSite({ env: { SITE_URL: 'https://www.example.com' } })
  const { url } = (await sitemap(site)).urlset!
  const found = url.map(({ loc }) => loc)
  expect(new Set(found).size).toBe(found.length)
  expect(found.every((loc) => loc.startsWith('https://www.example.com/'))).toBe(true)
  const paths = found.map((loc) => new URL(loc).pathname)
  expect(paths).toEqual(
    expect.arrayContaining(['/', '/news', '/portfolio', '/about-us', '/services/photography']),
  )
  expect(paths.filter((path) => path.startsWith('/services/'))).toHaveLength(7)
  expect(paths.join()).not.toMatch(/search|panel|client-zone|\/test|checkout|debug|contactwindow/)
})

test('times of change are true or absent', async () => {
  using files = contentFiles({
    'news.json': [
      article(1),
      article(2, { published_at: '2026-03-01T08:00:00Z' }),
      article(3, { date_updated: '2026-04-01T08:00:00Z' }),
    ],
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { url } = (await sitemap(site)).urlset!
  const times = Object.fromEntries(
    url.map(({ loc, lastmod }) => [loc.slice(site.url.length), lastmod]),
  )
  expect(times).toMatchObject({
    '/news/article-1': '2026-01-02T08:00:00.000Z',
    '/news/article-2': '2026-03-01T08:00:00.000Z',
    '/news/article-3': '2026-04-01T08:00:00.000Z',
    '/news': '2026-04-01T08:00:00.000Z',
  })
  expect(times['/privacy-policy']).toBeUndefined()
})

test('a page that several features speak of is one entry, with the newest time and the first picture', () => {
  const said = (modifiedAt: number | null, image: string | null) => ({
    path: '/',
    modifiedAt,
    image,
  })
  expect(mergeEntries(['/', '/terms'], [said(2, null), said(3, '/a'), said(null, '/b')])).toEqual([
    said(3, '/a'),
    { path: '/terms', modifiedAt: null, image: null },
  ])
})

test('a new article is in the sitemap as soon as it is in the content', async () => {
  using files = contentFiles({ 'news.json': [article(1)] })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  expect(await locations(site)).not.toContain('/news/article-2')
  files.write('news.json', [article(1), article(2)])
  await eventually(async () => expect(await locations(site)).toContain('/news/article-2'))
})

test('beyond 50 000 addresses there is an index of parts', async () => {
  using files = contentFiles({
    'news.json': JSON.stringify(Array.from({ length: 60_000 }, (_, at) => article(at))),
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  // A run that takes a crowded machine longer than a request waits goes on by itself.
  const urls = await eventually(async () => {
    const { status, json } = await generate(site)
    expect(status).toBe(200)
    return (json as { urls: number }).urls
  }, 120_000)
  const parts = (await sitemap(site)).sitemapindex!.sitemap.map(({ loc }) =>
    loc.slice(site.url.length),
  )
  expect(parts).toEqual(['/sitemap-1.xml', '/sitemap-2.xml'])
  const counts = await Promise.all(
    parts.map(async (part) => (await sitemap(site, part)).urlset!.url.length),
  )
  expect(counts[0]).toBe(50_000)
  expect(counts[0]! + counts[1]!).toBe(urls)
  expect((await site.get('/sitemap-3.xml')).headers['content-type']).toMatch(/html/)
})

test('the sitemap is sent compressed, and a conditional request gets 304', async () => {
  await using site = await startSite()
  const { headers } = await site.get('/sitemap.xml', { headers: { 'Accept-Encoding': 'gzip' } })
  expect(headers['content-encoding']).toBe('gzip')
  const again = await site.get('/sitemap.xml', { headers: { 'If-None-Match': headers.etag! } })
  expect(again.status).toBe(304)
})

test.each([
  '/functions/generate-sitemap',
  '/functions/v1/generate-sitemap',
  '/generate-sitemap',
  '/api/generate-sitemap',
])('%s answers GET and POST', async (path) => {
  await using site = await startSite()
  const got = await generate(site, `${path}?t=1763640000000`)
  expect(got.status).toBe(200)
  expect(got.headers['cache-control']).toBe('no-store')
  expect(got.json).toEqual({
    success: true,
    generatedAt: '2026-11-20T12:00:00.000Z',
    urls: expect.any(Number),
    cached: false,
  })
  expect((await site.post(path, {})).json).toMatchObject({ success: true, cached: true })
  const put = await send(`${site.url}${path}`, { method: 'PUT', headers: csrfHeaders })
  expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
})

test('many triggers at once are one run, and another comes after six hours or a change', async () => {
  using files = contentFiles({ 'news.json': [article(1)] })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const first = await Promise.all(Array.from({ length: 30 }, () => generate(site)))
  expect(new Set(first.map(({ json }) => json!.generatedAt)).size).toBe(1)
  const report = async () => (await generate(site)).json!
  site.clock.advance(6 * hour - 1000)
  expect(await report()).toMatchObject({ cached: true, generatedAt: '2026-11-20T12:00:00.000Z' })
  site.clock.advance(2000)
  expect(await report()).toMatchObject({ cached: false, generatedAt: '2026-11-20T18:00:01.000Z' })
  site.clock.advance(1000)
  files.write('news.json', [article(1), article(2)])
  await eventually(async () => expect(await locations(site)).toContain('/news/article-2'))
  expect(await report()).toMatchObject({ generatedAt: '2026-11-20T18:00:02.000Z' })
})

test('the time of the last run survives a restart', async () => {
  await using site = await startSite()
  const before = (await generate(site)).json!
  site.clock.advance(hour)
  await using restarted = await startSite({
    dataDir: site.dataDir,
    env: { SITE_URL: site.url },
    clock: site.clock,
  })
  expect((await generate(restarted)).json).toEqual({ ...before, cached: true })
})

test('a run that fails is 503, and the old file stays, also after a restart', async () => {
  await using directus = await startDirectus({
    collections: { news: [article(1)], services: [], portfolio: [] },
  })
  const env = { CONTENT_URL: directus.url }
  await using site = await startSite({ env })
  const { status } = await generate(site)
  expect(status).toBe(200)
  const file = readFileSync(join(site.dataDir, 'cache/sitemap/sitemap.xml'), 'utf8')
  expect(file).toContain('article-1')

  directus.fail({ kind: 'status', status: 500 })
  await using other = await startSite({
    // Another Directus, of which nothing is kept.
    env: { ...env, CONTENT_URL: directus.url.replace('127.0.0.1', 'localhost') },
    dataDir: site.dataDir,
  })
  const failed = await generate(other)
  expect(failed.status).toBe(503)
  expect(failed.json).toMatchObject({ success: false })
  expect(failed.headers['retry-after']).toBeDefined()
  expect((await other.get('/sitemap.xml')).text).toBe(file)
})

test('a collection that the content service withholds costs only its own pages', async () => {
  await using directus = await startDirectus({ collections: { news: [article(1)], services: [] } })
  await using site = await startSite({ env: { CONTENT_URL: directus.url } })
  const { status } = await generate(site)
  expect(status).toBe(200)
  expect(await locations(site)).toContain('/news/article-1')
})

test('without content and without an old file the fixed pages are listed', async () => {
  await using directus = await startDirectus()
  directus.fail({ kind: 'status', status: 500 })
  await using site = await startSite({ env: { CONTENT_URL: directus.url } })
  expect(await locations(site)).toEqual(
    expect.arrayContaining(['/', '/news', '/services/photography', '/privacy-policy']),
  )
})
