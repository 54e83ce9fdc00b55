import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { contentFiles } from '../../support/content-files.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite, type Site } from '../../support/site.ts'

type Item = {
  title: string
  link: string
  guid: { '#text': string; '@_isPermaLink': string }
  pubDate: string
  'content:encoded'?: string
  enclosure?: { '@_url': string; '@_length': string; '@_type': string }
  'media:content'?: { '@_url': string }
  category?: string[]
}
type Channel = { title: string; item: Item[]; 'atom:link': { '@_href': string; '@_rel': string } }

const article = (id: number, more: object = {}) => ({
  id,
  slug: `article-${id}`,
  title: `Article ${id}`,
  excerpt: `About ${id}`,
  published_at: `2026-${String(1 + Math.floor(id / 28)).padStart(2, '0')}-${String(1 + (id % 28)).padStart(2, '0')}T08:00:00Z`,
  status: 'published',
  ...more,
})

/** The channel of a feed that every XML parser takes. */
function channelOf(text: string): Channel {
  expect(XMLValidator.validate(text)).toBe(true)
  const parser = new XMLParser({
    ignoreAttributes: false,
    isArray: (name) => name === 'item' || name === 'category',
    parseTagValue: false,
  })
  const { rss } = parser.parse(text) as { rss: { '@_version': string; channel: Channel } }
  expect(rss['@_version']).toBe('2.0')
  return { ...rss.channel, item: rss.channel.item ?? [] }
}

const feed = (site: Site, headers: Record<string, string> = {}) =>
  site.get('/news/rss.xml', { headers })

test('the feed of the sample content is a valid channel with absolute addresses', async () => {
  await using site = await startSite({ env: { SITE_URL: 'https://www.example.com' } })
  const reply = await feed(site)
  expect(reply.status).toBe(200)
  expect(reply.headers['content-type']).toBe('application/rss+xml; charset=utf-8')
  const channel = channelOf(reply.text)
  expect(channel['atom:link']).toMatchObject({
    '@_href': 'https://www.example.com/news/rss.xml',
    '@_rel': 'self',
  })
  expect(channel.item.length).toBeGreaterThanOrEqual(12)
  for (const item of channel.item) {
    expect(item.link).toMatch(/^https:\/\/www\.example\.com\/news\/[\w-]+$/)
    expect(item.guid['@_isPermaLink']).toBe('false')
    expect(item.pubDate).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
    expect(item['content:encoded']).toMatch(/^<p>/)
    expect(item['content:encoded']).not.toMatch(/(?:href|src|srcset)="\/|, \/assets/)
    expect(item.enclosure?.['@_type']).toBe('image/jpeg')
  }
  const times = channel.item.map(({ pubDate }) => Date.parse(pubDate))
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect(new Set(channel.item.map(({ guid }) => guid['#text'])).size).toBe(channel.item.length)
})

test('addresses that begin at the article are absolute in the feed, too', async () => {
  using files = contentFiles({
    'news.json': [
      article(1, {
        slug: 'a&b',
        content:
          '<p><a href="other?x=1&y=2">a</a><a href="../portfolio">b</a><a href="?page=2">c</a><img src="x.png"><a href="mailto:a@b.c">d</a></p>',
      }),
    ],
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const html = channelOf((await feed(site)).text).item[0]!['content:encoded']!
  expect([...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address)).toEqual([
    `${site.url}/news/other?x=1&amp;y=2`,
    `${site.url}/portfolio`,
    `${site.url}/news/a&amp;b?page=2`,
    `${site.url}/news/x.png`,
    'mailto:a@b.c',
  ])
})

test('each candidate of a picture in the feed is the address of a picture, with its width', async () => {
  await using site = await startSite()
  const channel = channelOf((await feed(site)).text)
  const html = channel.item.map((item) => item['content:encoded']).join('')
  const sets = [...html.matchAll(/srcset="([^"]*)"/g)].map(([, set]) => set!)
  expect(sets).not.toEqual([])
  for (const set of sets) {
    for (const candidate of set.replaceAll('&amp;', '&').split(', ')) {
      const [address, width, ...more] = candidate.split(' ')
      expect([`${new URL(address!).searchParams.get('width')}w`, more]).toEqual([width, []])
    }
  }
  const [smallest] = sets[0]!.replaceAll('&amp;', '&').split(' ')
  const picture = await site.get(smallest!.slice(site.url.length))
  expect(picture.headers['content-type']).toBe('image/webp')
})

test('an enclosure says the true length of its file', async () => {
  await using site = await startSite()
  const [item] = channelOf((await feed(site)).text).item
  const { '@_url': url, '@_length': length } = item!.enclosure!
  const file = await site.get(url.replace(site.url, ''))
  expect(file.status).toBe(200)
  expect(file.headers['content-length']).toBe(length)
  expect((await site.get(item!['media:content']!['@_url'].replace(site.url, ''))).status).toBe(200)
})

test('the guid of an article stays when its address changes', async () => {
  using files = contentFiles({ 'news.json': [article(7)] })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const guid = async () => channelOf((await feed(site)).text).item[0]!
  const before = await guid()
  files.write('news.json', [article(7, { slug: 'renamed' })])
  await eventually(async () => expect((await guid()).link).toMatch(/\/news\/renamed$/))
  expect((await guid()).guid).toEqual(before.guid)
})

test('nothing in an article can break the feed', async () => {
  const title = 'Tyres & <b>rain</b> "now" \u0007\u{1F3CE}'
  using files = contentFiles({
    'news.json': [
      article(1, {
        title,
        tags: ['<tag>'],
        slug: 'a&b "c',
        content:
          '<p>One ]]> two <script>alert(1)</script><a href="/news/x?a=1&b=2">x</a><a href="#note">n</a><img src="//evil.example/x.png" onerror="x"></p>',
      }),
    ],
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { text } = await feed(site)
  expect(text).not.toContain('\u0007')
  const [item] = channelOf(text).item
  expect(item!.title.replaceAll('&quot;', '"')).toContain('Tyres &')
  expect(text).toContain('Tyres &amp; &lt;b&gt;rain&lt;/b&gt;')
  expect(item!.link).toBe(`${site.url}/news/a&b%20%22c`)
  const html = item!['content:encoded']!
  expect(html).not.toContain('script')
  expect(html).toContain(`href="${site.url}/news/x?a=1&amp;b=2"`)
  expect(html).toContain(`href="${site.url}/news/a&amp;b%20%22c#text-note"`)
})

test('the feed holds the twenty newest articles', async () => {
  using files = contentFiles({
    'news.json': Array.from({ length: 50 }, (_, at) => article(at + 1)),
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { item } = channelOf((await feed(site)).text)
  expect(item).toHaveLength(20)
  expect(item[0]!.title).toBe('Article 50')
})

test('a reader that has the feed gets 304, by tag and by date', async () => {
  using files = contentFiles({ 'news.json': [article(1)] })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { headers } = await feed(site)
  expect(headers['last-modified']).toBe('Fri, 02 Jan 2026 08:00:00 GMT')
  const again = await feed(site, { 'If-None-Match': headers.etag! })
  expect([again.status, again.text]).toEqual([304, ''])
  expect((await feed(site, { 'If-Modified-Since': headers['last-modified']! })).status).toBe(304)
  expect((await feed(site, { 'If-None-Match': '"other"' })).status).toBe(200)
  const older = 'Thu, 01 Jan 2026 08:00:00 GMT'
  expect((await feed(site, { 'If-Modified-Since': older })).status).toBe(200)

  files.write('news.json', [article(1, { title: 'Edited' })])
  await eventually(async () => {
    const edited = await feed(site, { 'If-Modified-Since': headers['last-modified']! })
    expect(edited.status).toBe(200)
  })
})

test('an article appears in its minute in feed and sitemap, and nowhere before', async () => {
  using files = contentFiles({
    'news.json': [
      article(1),
      article(2, { title: 'Secret', published_at: '2026-11-20T12:30:00Z' }),
    ],
    'news/secret.html': '<p>x</p>',
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const all = async () =>
    Promise.all(
      ['/news/rss.xml', '/sitemap.xml', '/llms.txt'].map(
        async (path) => (await site.get(path)).text,
      ),
    )
  for (const text of await all()) expect(text).not.toMatch(/Secret|article-2/)
  site.clock.advance(29 * 60_000)
  for (const text of await all()) expect(text).not.toMatch(/Secret|article-2/)
  site.clock.advance(60_000)
  for (const text of await all()) expect(text).toMatch(/article-2/)
})

test('a content service that never answered gives an empty, valid channel', async () => {
  await using directus = await startDirectus()
  directus.fail({ kind: 'status', status: 500 })
  await using site = await startSite({ env: { CONTENT_URL: directus.url } })
  const reply = await feed(site)
  expect(reply.status).toBe(200)
  expect(reply.headers['cache-control']).toBe('no-cache')
  expect(channelOf(reply.text).item).toEqual([])
})

test('a content service that went down leaves the last good feed, also after a restart', async () => {
  await using directus = await startDirectus({
    collections: { news: [article(1, { content: '<p>Whole.</p>' })], settings: [], media: [] },
  })
  const env = { CONTENT_URL: directus.url }
  await using site = await startSite({ env })
  const before = channelOf((await feed(site)).text)
  expect(before.item[0]!['content:encoded']).toBe('<p>Whole.</p>')
  await directus.down()
  site.clock.advance(60_000)
  expect(channelOf((await feed(site)).text).item).toEqual(before.item)
  await using restarted = await startSite({
    env: { ...env, SITE_URL: site.url },
    dataDir: site.dataDir,
  })
  expect(channelOf((await feed(restarted)).text).item).toEqual(before.item)
})
