import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { contentFiles } from '../../support/content-files.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite, type Site } from '../../support/site.ts'

const origin = 'https://www.example.com'

async function startPages(env: Record<string, string> = {}) {
  const site = await startSite({
    env: { SITE_URL: origin, ...env },
    renderer: await builtRenderer(dist),
  })
  // A page that is asked for before any content has been read may go without some of it.
  await Promise.all(['settings', 'services'].map((name) => site.get(`/api/content/${name}`)))
  await site.get('/api/content/seo?path=/')
  return site
}

/** What the head of a page says, and its structured data. */
async function head(site: Site, path: string) {
  const { status, text } = await site.get(path)
  const meta = (name: string) =>
    unescaped(new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(text)?.[1])
  const link = (rel: string) =>
    unescaped(new RegExp(`<link rel="${rel}"[^>]* href="([^"]*)"`).exec(text)?.[1])
  const data = [...text.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)].map(
    ([, json]) => JSON.parse(json!) as { '@type': string; [name: string]: unknown },
  )
  return {
    status,
    text,
    titles: [...text.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => unescaped(title)),
    meta,
    link,
    data,
    thing: (type: string) => data.find((each) => each['@type'] === type),
  }
}

const unescaped = (text: string | undefined) =>
  text?.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#x27;', "'")

test('every page of the sitemap is there, with a title of its own and its canonical address', async () => {
  await using site = await startPages()
  const { text } = await site.get('/sitemap.xml')
  const addresses = [...text.matchAll(/<url><loc>([^<]*)/g)].map(([, url]) => unescaped(url)!)
  expect(addresses.length).toBeGreaterThan(25)
  const titles = new Map<string, string>()
  for (const address of addresses) {
    const page = await head(site, address.slice(origin.length))
    expect([address, page.status]).toEqual([address, 200])
    expect([address, page.titles.length]).toEqual([address, 1])
    const [title] = page.titles
    expect(titles.get(title!) ?? address).toBe(address)
    titles.set(title!, address)
    expect(page.link('canonical')).toBe(address)
    expect(page.meta('og:url')).toBe(address)
    expect(page.meta('robots')).toBeUndefined()
    const description = unescaped(page.meta('description')) ?? ''
    expect([address, description.length > 0 && description.length <= 160]).toEqual([address, true])
    expect([address, description]).toEqual([address, expect.stringMatching(/[.!?…]["”’)]?$/)])
    expect(page.meta('og:image')).toMatch(/^https:\/\/www\.example\.com\//)
    expect(page.meta('og:image:alt')).toBeTruthy()
    expect(page.meta('twitter:card')).toBe('summary_large_image')
  }
})

test('tracking parameters never reach the canonical address', async () => {
  await using site = await startPages()
  const page = await head(site, '/portfolio?utm_source=mail&fbclid=abc')
  expect(page.link('canonical')).toBe(`${origin}/portfolio`)
  expect(page.meta('og:url')).toBe(`${origin}/portfolio`)
})

test('a page that is no list has no numbered pages', async () => {
  await using site = await startPages()
  for (const path of ['/booking', '/shop/withdraw', '/shop/products/yearbook-2026']) {
    const page = await head(site, `${path}?page=7`)
    expect(page.titles[0]).not.toContain('page 7')
    expect(page.link('canonical')).toBe(origin + path)
    expect(page.meta('og:url')).toBe(origin + path)
  }
})

test('the season carries its record, its months and series their own words', async () => {
  using files = contentFiles({
    'SEO.json': [{ id: 1, url: '/calendar', seo_title: 'The Season', seo_keywords: 'calendar' }],
    'events.json': [{ id: 'a', title: 'A', series: 'Ice', start: '2027-06-05', end: '2027-06-06' }],
  })
  await using site = await startPages({ CONTENT_DIR: files.dir })
  await eventually(async () => {
    const page = await head(site, '/calendar')
    expect(page.titles).toEqual([expect.stringContaining('The Season')])
    expect(page.meta('keywords')).toBe('calendar')
    expect(page.link('canonical')).toBe(`${origin}/calendar`)
  })
  for (const query of ['?month=2027-06', '?series=ice']) {
    const view = await head(site, `/calendar${query}`)
    expect(view.titles[0]).not.toContain('The Season')
    expect(view.link('canonical')).toBe(`${origin}/calendar${query}`)
  }
})

test('the home page carries its record and the agency', async () => {
  await using site = await startPages()
  // A first page does not wait for a record that comes late.
  const page = await eventually(async () => {
    const now = await head(site, '/')
    expect(now.meta('keywords')).toContain('motorsport photography')
    return now
  })
  expect(page.titles[0]).toMatch(/^Premium Motorsport Media Services/)
  expect(page.meta('og:image')).toBe(`${origin}/og-image.jpg`)
  expect(page.meta('og:type')).toBe('website')
  expect(page.text).toContain('media="(prefers-color-scheme: dark)"')
  expect(page.thing('Organization')).toMatchObject({
    contactPoint: { url: `${origin}/contact`, email: 'hello@apexnorth.example' },
  })
  expect(page.thing('WebSite')).toMatchObject({ potentialAction: { '@type': 'SearchAction' } })
  expect(page.link('alternate')).toBeUndefined()
})

test('every service page describes its service and only the questions that it shows', async () => {
  await using site = await startPages()
  for (const slug of ['photography', 'media-outsourcing', 'website-design']) {
    const page = await head(site, `/services/${slug}`)
    expect(page.thing('Service')).toMatchObject({
      url: `${origin}/services/${slug}`,
      provider: { '@type': 'Organization', name: 'Apex North Media' },
    })
    expect(page.thing('BreadcrumbList')).toBeDefined()
    const faq = page.thing('FAQPage') as { mainEntity: { name: string }[] } | undefined
    const shown = [...page.text.matchAll(/<summary><h3>([^<]*)/g)].map(([, text]) =>
      unescaped(text),
    )
    expect(faq?.mainEntity.map(({ name }) => name) ?? []).toEqual(shown)
  }
})

test('an article is one for search engines and social networks, with the feed beside it', async () => {
  await using site = await startPages()
  const page = await head(site, '/news/forty-eight-hours-at-kymiring')
  expect(page.meta('og:type')).toBe('article')
  expect(page.titles[0]).toMatch(/^48 hours at Kymiring/)
  expect(page.link('alternate')).toBe(`${origin}/news/rss.xml`)
  expect(page.thing('NewsArticle')).toMatchObject({
    headline: expect.stringContaining('48 hours'),
    author: { '@type': 'Person', name: 'Noora Heikkilä' },
    datePublished: '2026-10-28T09:30:00.000Z',
  })
  expect((await head(site, '/news')).link('alternate')).toBe(`${origin}/news/rss.xml`)
})

test('the feed stands beside every path of the news, pages that do not exist included', async () => {
  await using site = await startPages()
  for (const [path, status] of [
    ['/news/no-such-article', 404],
    ['/news/2026/no-such-page', 404],
    ['/news?page=999', 404],
  ] as const) {
    const page = await head(site, path)
    expect([path, page.status, page.link('alternate')]).toEqual([
      path,
      status,
      `${origin}/news/rss.xml`,
    ])
  }
  for (const path of ['/', '/newsletter', '/portfolio']) {
    expect([path, (await head(site, path)).link('alternate')]).toEqual([path, undefined])
  }
})

test('content cannot break out of structured data', async () => {
  const evil = '</script><script>alert(1)</script>'
  using files = contentFiles({
    'news.json': [{ id: 1, slug: 'a', title: evil, published_at: '2026-01-01T00:00:00Z' }],
  })
  await using site = await startPages({ CONTENT_DIR: files.dir })
  const page = await head(site, '/news/a')
  expect(page.text).not.toContain(evil)
  expect(page.thing('NewsArticle')).toMatchObject({ headline: evil })
})

test.each([
  '/search?q=rally',
  '/contactwindow',
  '/no-such-page',
  '/news/no-such-article',
  '/client-zone',
  '/panel/abc',
  '/s/folder',
  '/l/x',
  '/links',
  '/debug/logs',
  '/test',
  '/shop/cart',
  '/shop/checkout/success',
])('%s stays out of search engines', async (path) => {
  await using site = await startPages()
  expect((await head(site, path)).meta('robots')).toBe('noindex')
})

test.each(['/Portfolio', '/SEARCH?q=rally', '/Services/photography', '/About-us', '/S/nothing'])(
  '%s is none of the pages, which are spelled one way',
  async (path) => {
    await using site = await startPages()
    const page = await head(site, path)
    expect(page.status).toBe(404)
    expect(page.link('canonical')).toBeUndefined()
  },
)

test('the addresses that only lead elsewhere do so in any case', async () => {
  await using site = await startPages()
  for (const [path, to] of [
    ['/services', '/#services'],
    ['/Services', '/#services'],
    ['/contact', '/#contact'],
    ['/l', '/'],
  ] as const) {
    const { headers } = await site.get(path)
    expect([path, headers.location]).toEqual([path, to])
  }
})

test('a scheduled article is nowhere before its minute and everywhere from then on', async () => {
  using files = contentFiles({
    'news.json': [
      { id: 1, slug: 'scoop', title: 'Hush-hush', published_at: '2026-11-20T12:30:00Z' },
    ],
  })
  await using site = await startPages({ CONTENT_DIR: files.dir })
  const signs = {
    '/': 'Hush-hush',
    '/news': 'Hush-hush',
    '/news/scoop': 'Hush-hush',
    '/news/rss.xml': 'Hush-hush',
    '/sitemap.xml': '/news/scoop<',
    '/llms.txt': 'Hush-hush',
  }
  const shown = async () => {
    const found: string[] = []
    for (const [path, sign] of Object.entries(signs)) {
      if ((await site.get(path)).text.includes(sign)) found.push(path)
    }
    return found
  }
  expect(await shown()).toEqual([])
  site.clock.advance(29 * 60_000)
  expect(await shown()).toEqual([])
  site.clock.advance(60_000)
  // A visitor may get a page as it was kept; it is made again behind him.
  await expect.poll(shown).toEqual(Object.keys(signs))
})

test('pages keep their own words while the SEO collection cannot be read', async () => {
  await using directus = await startDirectus()
  directus.fail({ kind: 'status', status: 500 })
  await using site = await startPages({ CONTENT_URL: directus.url })
  const page = await head(site, '/')
  expect(page.status).toBe(200)
  expect(page.titles[0]).toContain('Premium Motorsport Media Services')
  expect(page.meta('og:image')).toBe(`${origin}/og-image.jpg`)
})
