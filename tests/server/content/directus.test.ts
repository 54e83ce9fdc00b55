import { expect, test } from 'vitest'
import { startDirectus, type DirectusDouble } from '../../support/directus-double.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite } from '../../support/site.ts'

/** Seconds become tenths, so what takes a minute is seen in a test. */
const hurried = { fresh: 150, timeout: 2_000, failingTimeout: 300, pause: 200, tick: 25 }

const services = () => [
  { id: 1, title: 'Photography', description: 'Stills', url: 'photography', sort: 1 },
  { id: 2, title: 'Videography', description: 'Film', url: '/services/videography', sort: 2 },
]
const siteFor = (
  directus: DirectusDouble,
  more: { dataDir?: string; token?: string; timeout?: number } = {},
) =>
  startSite({
    env: { CONTENT_URL: directus.url, ...(more.token && { CONTENT_TOKEN: more.token }) },
    contentTiming: { ...hurried, ...(more.timeout && { timeout: more.timeout }) },
    ...(more.dataDir && { dataDir: more.dataDir }),
  })
const titles = (json: unknown) => (json as { title: string }[]).map(({ title }) => title)

test('reads the services, and asks only for fields that it uses', async () => {
  await using directus = await startDirectus({
    collections: { services: services().map((row) => ({ ...row, internal_note: 'margin 40 %' })) },
  })
  await using site = await siteFor(directus)
  expect(titles((await site.get('/api/content/services')).json)).toEqual([
    'Photography',
    'Videography',
  ])
  expect((await site.get('/items/services')).text).not.toContain('margin')
  expect(directus.asked[0]).toMatch(/^\/items\/services\?fields=/)
})

test('learns which fields exist, after one unknown field failed the whole request', async () => {
  await using directus = await startDirectus({
    collections: {
      portfolio: [
        {
          id: 1,
          slug: 'a',
          title: 'A',
          secret: 'x',
          images: [{ directus_files_id: 'f1' }, { directus_files_id: { id: 'f2' } }],
        },
      ],
    },
  })
  await using site = await siteFor(directus)
  const rows = () => site.context.content.rows('portfolio')
  await rows()
  await eventually(async () => expect((await rows())[0]?.images).toEqual(['f1', 'f2']))
  await eventually(() => {
    const last = new URLSearchParams(directus.asked.at(-1)!.split('?')[1])
    expect(last.get('fields')).toBe('id,slug,title,images.directus_files_id')
  })
})

test('hides drafts and scheduled rows that a Directus shows publicly', async () => {
  const news = (id: number, status: string, published_at: string) => ({
    id,
    slug: `a${id}`,
    title: `A${id}`,
    status,
    published_at,
  })
  await using directus = await startDirectus({
    collections: {
      news: [
        news(1, 'published', '2026-01-01T00:00:00Z'),
        news(2, 'draft', '2026-01-01T00:00:00Z'),
        news(3, 'published', '2027-01-01T00:00:00Z'),
      ],
      section_hero: [{ id: 1, title: 'Draft', Status: 'draft' }],
    },
  })
  await using site = await siteFor(directus)
  expect(titles((await site.get('/api/content/latest-news')).json)).toEqual(['A1'])
  expect((await site.get('/api/content/hero')).text).toBe('null')
  expect((await site.get('/items/news')).text).not.toMatch(/A[23]/)
})

test('asks once for readers that come together', async () => {
  await using directus = await startDirectus({
    collections: { menu_main: [{ id: 1, title: 'News' }] },
  })
  directus.fail({ kind: 'delay', ms: 100 })
  await using site = await siteFor(directus)
  await Promise.all(Array.from({ length: 20 }, () => site.get('/api/content/menu')))
  // One with the fields of the schema, one to learn, one with those that this Directus has.
  expect(directus.hits('/items/menu_main')).toBe(3)
})

test('answers from its snapshot while the service is slow, and shows a change soon after', async () => {
  await using directus = await startDirectus({ collections: { services: services() } })
  await using site = await siteFor(directus)
  await site.get('/api/content/services')
  const { content } = site.context
  await eventually(() => expect(directus.hits('/items/services')).toBeGreaterThan(2))
  const before = content.version()
  const { promise: until, resolve: release } = Promise.withResolvers<void>()
  directus.fail({ kind: 'hold', until })
  directus.collections.services = [{ ...services()[0], title: 'Stills' }]
  const asked = directus.hits('/items/services')
  await eventually(() => expect(directus.hits('/items/services')).toBeGreaterThan(asked))
  expect(titles((await site.get('/api/content/services')).json)).toEqual([
    'Photography',
    'Videography',
  ])
  release()
  await eventually(async () => {
    expect(titles((await site.get('/api/content/services')).json)).toEqual(['Stills'])
    expect(content.version()).toBe(before + 1)
  })
})

test('does not call anything changed that is as it was', async () => {
  await using directus = await startDirectus({ collections: { services: services() } })
  await using site = await siteFor(directus)
  const { content } = site.context
  await content.rows('services')
  // The field list may narrow once; the rows are compared with care after that.
  await eventually(() => expect(directus.hits('/items/services')).toBeGreaterThan(4))
  const before = content.version()
  const asked = directus.asked.length
  await eventually(() => expect(directus.asked.length).toBeGreaterThan(asked + 3))
  expect(content.version()).toBe(before)
})

test.for([
  { name: '503 in bulk', fault: { kind: 'status', status: 503 }, times: 3 },
  { name: '429 with Retry-After 0', fault: { kind: 'status', status: 429 }, times: 2 },
  { name: '500', fault: { kind: 'status', status: 500 }, times: 1 },
  { name: '401', fault: { kind: 'status', status: 401 }, times: 2 },
  { name: '400', fault: { kind: 'status', status: 400 }, times: 1 },
  { name: 'no JSON', fault: { kind: 'garbage' }, times: 2 },
  { name: 'a cut connection', fault: { kind: 'reset' }, times: 2 },
  { name: 'an empty reply', fault: { kind: 'empty' }, times: 1 },
] as const)('gets over $name at the first read', async ({ fault, times }) => {
  await using directus = await startDirectus({ collections: { services: services() } })
  directus.fail(fault, { times })
  // A busy machine takes more than two seconds for three tries.
  await using site = await siteFor(directus, { timeout: 20_000 })
  expect(titles((await site.get('/api/content/services')).json)).toEqual([
    'Photography',
    'Videography',
  ])
})

test('fails in time and in the words of the contract when there is nothing to show', async () => {
  await using directus = await startDirectus({ collections: { services: services() } })
  directus.fail({ kind: 'hang' })
  await using site = await siteFor(directus)
  const started = performance.now()
  const hung = await site.get('/api/content/services')
  expect(performance.now() - started).toBeLessThan(9_000)
  expect(hung.status).toBe(503)
  expect(hung.json?.message).toBe('API error: 504 Gateway Timeout')
  directus.heal()
  directus.fail({ kind: 'status', status: 503 })
  await eventually(async () => {
    const { json } = await site.get('/api/content/services')
    expect(json?.message).toBe('API error: 503 Service Unavailable')
  })
  expect(site.logLines().join('')).toContain('Service is unavailable.')
  directus.heal()
  await eventually(async () => expect((await site.get('/api/content/services')).status).toBe(200))
})

test('serves the last good answer while the service is down, after a restart too, and recovers', async () => {
  await using directus = await startDirectus({
    collections: {
      services: services(),
      news: [{ id: 7, slug: 'a', title: 'A', published_at: '2026-01-01', content: '<p>Long</p>' }],
    },
  })
  await using first = await siteFor(directus)
  const shown = async (site: typeof first) => {
    expect(titles((await site.get('/api/content/services')).json)).toEqual([
      'Photography',
      'Videography',
    ])
    await site.context.content.rows('news')
    expect(await site.context.content.text('news', 7)).toBe('<p>Long</p>')
  }
  await shown(first)
  await directus.down()
  await eventually(() => expect(first.context.content.outage()).not.toBeNull())
  await shown(first)
  await first.context.content.close()

  await using second = await siteFor(directus, { dataDir: first.dataDir })
  await shown(second)
  const before = second.context.content.version()
  directus.collections.services = [services()[1]!]
  await directus.up()
  await eventually(async () => {
    expect(titles((await second.get('/api/content/services')).json)).toEqual(['Videography'])
    expect(second.context.content.version()).toBeGreaterThan(before)
  })
})

test('keeps what it has when a collection is suddenly forbidden or garbled', async () => {
  await using directus = await startDirectus({
    collections: { faq: [{ id: 1, question: 'Q', answer: 'A' }] },
  })
  await using site = await siteFor(directus)
  expect(await site.context.content.rows('faq')).toHaveLength(1)
  delete directus.collections.faq
  const asked = directus.hits('/items/faq')
  await eventually(() => expect(directus.hits('/items/faq')).toBeGreaterThan(asked + 1))
  expect(await site.context.content.rows('faq')).toHaveLength(1)
})

test('takes a collection that a Directus may lack as empty, and one that it must have as failed', async () => {
  await using directus = await startDirectus()
  await using site = await siteFor(directus)
  expect(await site.context.content.rows('testimonials')).toEqual([])
  // Who the agency is is in the files, too.
  expect((await site.get('/api/content/settings')).json?.brand).toBe('Apex North Media')
  expect((await site.get('/api/content/services')).json?.message).toBe('API error: 403 Forbidden')
})

test('does not use the snapshots of another Directus', async () => {
  await using one = await startDirectus({ collections: { services: services() } })
  await using site = await siteFor(one)
  await site.context.content.rows('services')
  await site.context.content.close()
  await using other = await startDirectus({ collections: { services: [services()[1]!] } })
  await using next = await siteFor(other, { dataDir: site.dataDir })
  expect(await next.context.content.rows('services')).toHaveLength(1)
})

test('asks as the public when its token is stale', async () => {
  await using directus = await startDirectus({
    collections: { services: services() },
    token: 'good',
  })
  await using stale = await siteFor(directus, { token: 'stale' })
  expect(await stale.context.content.rows('services')).toHaveLength(2)
  expect(stale.logLines().join('')).not.toContain('"stale"}')
})

test('reads a list to its end where the service caps every list', async () => {
  const menu = Array.from({ length: 25 }, (_, id) => ({ id, title: `M${id}` }))
  await using directus = await startDirectus({ collections: { menu_main: menu }, queryLimit: 10 })
  await using site = await siteFor(directus)
  expect(await site.context.content.rows('menu_main')).toHaveLength(25)
})

const entry = (id: number) => ({
  id,
  title: `M${id}`,
  url: '/',
  description: '',
  sort: id,
  status: null,
})

test.each([
  ['goes', (menu: { id: number }[]) => menu.filter(({ id }) => id !== 3)],
  ['comes', (menu: { id: number }[]) => [entry(99), ...menu]],
])('misses no row and doubles none where one %s between two pages', async (_, change) => {
  const before = Array.from({ length: 25 }, (_row, id) => entry(id))
  let reads = 0
  await using directus = await startDirectus({
    collections: {
      get menu_main() {
        reads += 1
        return reads === 1 ? before : change(before)
      },
    },
    queryLimit: 10,
  })
  await using site = await siteFor(directus)
  const ids = (await site.context.content.rows('menu_main')).map(({ id }) => Number(id))
  expect(ids.toSorted((a, b) => a - b)).toEqual(
    change(before)
      .map(({ id }) => id)
      .toSorted((a, b) => a - b),
  )
})

test('takes a singleton as a list of one', async () => {
  await using directus = await startDirectus({
    collections: { settings: { id: 1, brand: 'Pitlane', email: 'desk@example.com' } },
  })
  await using site = await siteFor(directus)
  expect((await site.get('/api/content/settings')).json).toMatchObject({ brand: 'Pitlane' })
})

test('reads long texts one by one, cleans them, and notices their changes', async () => {
  await using directus = await startDirectus({
    collections: {
      services: [{ ...services()[0], body: '<p onclick="x()">One</p><script>x()</script>' }],
    },
  })
  await using site = await siteFor(directus)
  const { content } = site.context
  expect(await content.text('services', 1)).toBe('<p>One</p>')
  const before = content.version()
  directus.collections.services = [{ ...services()[0], body: '<p>Two</p>' }]
  await eventually(async () => {
    expect(await content.text('services', 1)).toBe('<p>Two</p>')
    expect(content.version()).toBeGreaterThan(before)
  })
})
