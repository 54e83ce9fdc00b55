import { expect, test } from 'vitest'
import type { Article, NewsPage } from '#shared/news.ts'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { contentFiles } from '../../support/content-files.ts'
import { contentSite } from '../../support/content-site.ts'
import { eventually } from '../../support/eventually.ts'
import { growth } from '../../support/growth.ts'
import { startSite } from '../../support/site.ts'

const day = 86_400_000
/** The clock of the test site. */
const now = Date.UTC(2026, 10, 20, 12)

/** An article of the day that lies so many days back. */
const article = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  slug: `article-${id}`,
  title: `Article ${id}`,
  excerpt: `About ${id}`,
  content: `<p>Text ${id}</p>`,
  category: id % 2 ? 'Race report' : 'Kisaväki',
  published_at: new Date(now - id * day).toISOString(),
  status: 'published',
  ...more,
})

const many = (count: number) => Array.from({ length: count }, (_, index) => article(index + 1))

const newsSite = (news: unknown[]) => contentSite({ 'news.json': news })

const slugs = (json: unknown) => (json as NewsPage).articles.map(({ slug }) => slug)

test('lists the newest first, twelve on a page', async () => {
  await using site = await newsSite(many(25).toReversed())
  const first = await site.get('/api/news')
  expect(slugs(first.json)).toEqual(many(12).map(({ slug }) => slug))
  expect(first.json).toMatchObject({ page: 1, pages: 3, total: 25 })
  expect(slugs((await site.get('/api/news?page=3')).json)).toEqual(['article-25'])
  const page = await site.get('/news?page=2')
  expect(page.status).toBe(200)
  expect(page.text).toContain('Article 13')
  expect(page.text).not.toContain('Article 25')
})

test('a page beyond the end, a malformed one and an unknown category are 404', async () => {
  await using site = await newsSite(many(13))
  const bad = ['?page=3', '?page=0', '?page=-1', '?page=1.5', '?page=x', '?page=', '?category=none']
  for (const query of bad) {
    const { status, text } = await site.get(`/news${query}`)
    expect([query, status]).toEqual([query, 404])
    expect(text).toContain('We couldn&#x27;t find the page you&#x27;re looking for.')
  }
})

test('an article whose slug is an address of ours is left out, and the feed stays the feed', async () => {
  await using site = await newsSite([article(1, { slug: 'rss.xml' }), article(2)])
  expect(slugs((await site.get('/api/news')).json)).toEqual(['article-2'])
  expect((await site.get('/news/rss.xml')).headers['content-type']).toContain('rss+xml')
})

test('of two articles with one slug the first is shown, once, wherever articles are listed', async () => {
  const first = article(5, { title: 'The first' })
  await using site = await newsSite([first, article(1, { slug: first.slug, title: 'The copy' })])
  expect(slugs((await site.get('/api/news')).json)).toEqual([first.slug])
  expect((await site.get(`/news/${first.slug}`)).text).toContain('The first')
  expect((await site.get('/news/rss.xml')).text).not.toContain('The copy')
  expect(site.logLines().filter((line) => line.includes('has this address already'))).toHaveLength(
    1,
  )
})

test('an article with the id of another is left out: it would show the text of the other', async () => {
  await using site = await newsSite([
    article(1),
    { ...article(2), id: 1, content: '<p>Another text</p>' },
  ])
  expect(slugs((await site.get('/api/news')).json)).toEqual(['article-1'])
  const { text } = await site.get('/news/article-1')
  expect(text).toContain('Text 1')
  expect(text).not.toContain('Another text')
})

test('filters by category, whose name is written without diacritics', async () => {
  await using site = await newsSite(many(4))
  const { json } = await site.get('/api/news?category=kisavaki')
  expect(slugs(json)).toEqual(['article-2', 'article-4'])
  expect(json).toMatchObject({ category: { title: 'Kisaväki', count: 2 } })
})

test('an empty newsroom says so', async () => {
  await using site = await newsSite([])
  const { status, text } = await site.get('/news')
  expect(status).toBe(200)
  expect(text).toContain('No stories yet')
})

test('an article shows its day in Helsinki, its text made safe, and its neighbours', async () => {
  const late = article(2, {
    published_at: '2026-11-18T22:30:00Z',
    content: '<h2 onclick="x()">Grid</h2><script>alert(1)</script><p>Fog</p>',
  })
  await using site = await newsSite([article(1), late, article(3)])
  const { status, text } = await site.get('/news/article-2')
  expect(status).toBe(200)
  expect(text).toContain('<time dateTime="2026-11-18T22:30:00.000Z">19 November 2026</time>')
  expect(text).toContain('<h2>Grid</h2><p>Fog</p>')
  expect(text).not.toContain('alert(1)')
  expect(text).toMatch(
    /rel="prev"[^>]*><span[^>]*>Older<\/span>(?:<svg.*?<\/svg>)?<strong>Article 3</,
  )
  expect(text).toMatch(
    /rel="next"[^>]*><span[^>]*>Newer<\/span>(?:<svg.*?<\/svg>)?<strong>Article 1</,
  )
  expect(text).toMatch(/<link rel="alternate" type="application\/rss\+xml"/)
})

test('a former slug leads to the present one for good', async () => {
  await using site = await newsSite([article(1, { old_slugs: ['former'] })])
  const { status, headers } = await site.get('/news/former')
  expect(status).toBe(301)
  expect(headers.location).toBe('/news/article-1')
  const campaign = await site.get('/news/former?utm_source=newsletter&utm_campaign=march')
  expect(campaign.headers.location).toBe('/news/article-1?utm_source=newsletter&utm_campaign=march')
})

test('every link to an article whose slug has reserved characters opens it', async () => {
  const odd = { slug: 'q&a: why 4/5? 100%', old_slugs: ['why'], category: 'Company', tags: ['Odd'] }
  await using site = await newsSite([
    article(1),
    article(2, odd),
    article(3, { category: 'Company', tags: ['Odd'] }),
  ])
  const path = '/news/q&a:%20why%204%2F5%3F%20100%25'
  expect((await site.get(path)).text).toContain('Article 2')
  const moved = await site.get('/news/why')
  expect([moved.status, moved.headers.location]).toEqual([301, path])
  const href = `href="${path.replace('&', '&amp;')}"`
  for (const page of ['/', '/news', '/news/article-1', '/news/article-3']) {
    expect((await site.get(page)).text).toContain(href)
  }
  for (const file of ['/news/rss.xml', '/sitemap.xml', '/llms.txt']) {
    expect((await site.get(file)).text.replaceAll('&amp;', '&')).toContain(site.url + path)
  }
  expect((await site.get('/search?q=Article+2')).text).toContain(href)
})

test('unknown, draft and future articles are 404, and a future one appears at its minute', async () => {
  const future = article(2, { published_at: new Date(now + 60_000).toISOString() })
  await using site = await newsSite([article(1), future, article(3, { status: 'draft' })])
  for (const slug of ['nope', 'article-2', 'article-3', '%E0%A4%A', 'a%2Fb']) {
    const { status } = await site.get(`/news/${slug}`)
    expect([slug, status >= 400 && status < 500]).toEqual([slug, true])
  }
  expect((await site.get('/news')).text).not.toContain('Article 2')
  site.clock.advance(60_000)
  expect((await site.get('/news/article-2')).status).toBe(200)
  expect(slugs((await site.get('/api/news')).json)).toEqual(['article-2', 'article-1'])
})

test('a preview link shows a draft for an hour, to its holder alone, and is never kept', async () => {
  await using site = await newsSite([
    article(1, { status: 'draft', published_at: null }),
    article(2, { status: 'draft' }),
  ])
  const { url } = await site.context.features.news.previewLink('article-1')
  const path = url.slice(site.url.length)
  for (let requestContexts = 0; requestContexts < 2; requestContexts += 1) {
    const { status, text, headers } = await site.get(path)
    expect(status).toBe(200)
    expect(text).toContain('Text 1')
    expect(text).toContain('not published yet')
    expect(text).toContain('<meta name="robots" content="noindex"')
    expect(headers['cache-control']).toBe('private, no-store')
  }
  expect((await site.get('/news/article-1')).status).toBe(404)
  const other = path.replace('article-1', 'article-2')
  const last = path.at(-1) === 'A' ? 'B' : 'A'
  const later = path.replace('preview=', 'preview=z')
  for (const forged of [other, path.slice(0, -1) + last, later, `${path}x`]) {
    expect((await site.get(forged)).status).toBe(404)
  }
  site.clock.advance(60 * 60_000)
  expect((await site.get(path)).status).toBe(404)
})

test('the preview of a former slug is that of the article that had it', async () => {
  await using site = await newsSite([
    article(1, { old_slugs: ['first-name'] }),
    article(2, { status: 'draft', old_slugs: ['other-name', 'second-name'] }),
  ])
  for (const [given, slug] of [
    ['first-name', 'article-1'],
    ['second-name', 'article-2'],
  ] as const) {
    const { url } = await site.context.features.news.previewLink(given)
    expect(new URL(url).pathname).toBe(`/news/${slug}`)
    expect((await site.get(url.slice(site.url.length))).status).toBe(200)
  }
  await expect(site.context.features.news.previewLink('no-name')).rejects.toThrow(
    'Article not found: no-name.',
  )
})

test('the preview of a draft that has the slug of a published article shows the draft', async () => {
  await using site = await newsSite([
    article(1),
    article(2, { slug: 'article-1', status: 'draft', content: '<p>The next version</p>' }),
    article(3, { slug: 'former', status: 'draft', content: '<p>A new story</p>' }),
    article(4, { old_slugs: ['former'] }),
  ])
  for (const [slug, words] of [
    ['article-1', 'The next version'],
    ['former', 'A new story'],
  ] as const) {
    const { url } = await site.context.features.news.previewLink(slug)
    const { text, headers } = await site.get(url.slice(site.url.length))
    expect(text).toContain(words)
    expect(text).toContain('not published yet')
    expect(headers['cache-control']).toBe('private, no-store')
    expect((await site.get(`/news/${slug}`)).text).not.toContain(words)
  }
  expect((await site.get('/news/article-1')).text).toContain('Text 1')
  expect((await site.get('/news/former')).headers.location).toBe('/news/article-4')
})

test('an article without an address of its own is left out, of lists and sitemap too', async () => {
  await using site = await newsSite([
    article(1),
    ...['', ' ', '.', '..'].map((slug, at) => article(2 + at, { slug })),
  ])
  expect(slugs((await site.get('/api/news')).json)).toEqual(['article-1'])
  const { text } = await site.get('/sitemap.xml')
  expect(text.match(/\/news\/[^<]*/g)).toEqual(['/news/article-1'])
})

test('a picture whose file is missing leaves no hole, and shows once the file is there', async () => {
  using content = contentFiles({
    'news.json': [
      article(1, { image: 'car', content: '<p>Text</p><img src="/assets/van" alt="Van">' }),
      article(2, { image: 'my car.jpg' }),
    ],
    'media.json': [{ id: 'car', alt: 'A car', width: 900, height: 600 }],
  })
  await using site = await startSite({
    env: { CONTENT_DIR: content.dir },
    renderer: await builtRenderer(dist),
  })
  const addresses = ['/news/article-1', '/news/article-2', '/news', '/', '/api/search?q=article']
  const texts = async () =>
    (await Promise.all(addresses.map((path) => site.get(path)))).map(({ text }) => text)
  for (const text of await texts()) expect(text).not.toMatch(/assets\/(?:car|van|my%20car)/)
  content.write('assets/car.jpg', 'pixels')
  await eventually(async () => {
    for (const text of (await texts()).toSpliced(1, 1)) expect(text).toContain('assets/car')
  })
})

test('ten thousand articles cost a page no more than its own twelve', async () => {
  await using few = await newsSite(many(100))
  await using site = await newsSite(many(10_000))
  const read = async ({ get }: typeof site, last: number, id: number) => {
    for (const page of [1, Math.ceil(last / 2), last]) await get(`/api/news?page=${page}`)
    return (await get(`/api/news/article-${id}`)).json as Article
  }
  expect((await read(site, 833, 9_000)).previous?.slug).toBe('article-9001')
  const times = await growth(
    () => read(few, 9, 90),
    () => read(site, 833, 9_000),
  )
  expect(times).toBeLessThan(5)
})
