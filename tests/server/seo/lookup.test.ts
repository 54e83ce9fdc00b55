import { expect, test } from 'vitest'
import { lookupPaths, normalisePath } from '#server/seo/lookup.ts'
import { contentFiles } from '../../support/content-files.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { startSite } from '../../support/site.ts'

const record = (id: number, url: string) => ({ id, url, seo_title: `Title of ${url}` })

test.each([
  ['/', '/'],
  ['', '/'],
  ['/news/', '/news'],
  ['news', '/news'],
  ['https://www.example.com/news/a/', '/news/a'],
  ['//www.example.com/news', '/news'],
  ['https://www.example.com', '/'],
  ['/news?page=2#top', '/news'],
  ['/news/hyv%C3%A4', '/news/hyvä'],
  ['/news/%E0%A4%A', '/news/%E0%A4%A'],
])('the address %j is looked up as %j', (address, path) => {
  expect(normalisePath(address)).toBe(path)
})

test('a page is looked up before each page above it, and the root last', () => {
  expect(lookupPaths('/shop/products/print/')).toEqual([
    '/shop/products/print',
    '/shop/products',
    '/shop',
    '/',
  ])
  expect(lookupPaths('/')).toEqual(['/'])
})

test.each([
  ['/news', 'Title of /news', true],
  ['/news/', 'Title of /news', true],
  ['/news/some-article', 'Title of /news', false],
  ['/services/photography', 'Title of https://old.example/services/photography/', true],
  ['/about-us', 'Title of /', false],
  ['/', 'Title of /', true],
])('%s finds %j', async (path, title, exact) => {
  using files = contentFiles({
    'SEO.json': [
      record(1, '/'),
      record(2, '/news'),
      record(3, '/news/'),
      record(4, 'https://old.example/services/photography/'),
    ],
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const found = await site.get(`/api/content/seo?path=${encodeURIComponent(path)}`)
  expect(found.json).toMatchObject({ title: title.replace('/news/', '/news'), exact })
})

test('a path without a record on the way to the root finds nothing', async () => {
  using files = contentFiles({ 'SEO.json': [record(1, '/news')] })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  expect((await site.get('/api/content/seo?path=/about-us')).text).toBe('null')
})

test('the picture of a record has the shape of social networks and its alternative text', async () => {
  using files = contentFiles({
    'SEO.json': [{ ...record(1, '/'), og_image: 'car', og_title: ' ', og_description: 'Said.' }],
    'assets/car.jpg': 'pixels',
    'media.json': [{ id: 'car', alt: 'A car', width: 2400, height: 1600 }],
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  expect((await site.get('/api/content/seo?path=/')).json).toMatchObject({
    ogTitle: null,
    ogDescription: 'Said.',
    image: {
      url: expect.stringMatching(
        /^\/assets\/car\?width=1200&height=675&fit=cover&quality=80&format=jpg&v=\w+$/,
      ),
      width: 1200,
      height: 675,
      alt: 'A car',
    },
  })
})

test('a content service that fails gives nothing, and a line in the log', async () => {
  await using directus = await startDirectus()
  directus.fail({ kind: 'status', status: 500 })
  await using site = await startSite({ env: { CONTENT_URL: directus.url } })
  const reply = await site.get('/api/content/seo?path=/news')
  expect([reply.status, reply.text]).toEqual([200, 'null'])
  expect(site.logLines().some((line) => line.includes('SEO lookup failed'))).toBe(true)
})
