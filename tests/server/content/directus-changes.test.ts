import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import {
  startDirectus,
  type DirectusDouble,
  type DoubleCollections,
} from '../../support/directus-double.ts'
import { contentFiles } from '../../support/content-files.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite } from '../../support/site.ts'

/** Seconds become tenths, so that what takes a minute is seen in a test. */
const hurried = {
  fresh: 100,
  patience: 2_000,
  impatience: 300,
  pause: 200,
  tick: 25,
  relearn: 300,
}

const siteFor = (
  directus: DirectusDouble,
  { dataDir, env = {} }: { dataDir?: string; env?: Record<string, string> } = {},
) =>
  startSite({
    env: { CONTENT_URL: directus.url, ...env },
    contentPace: hurried,
    ...(dataDir && { dataDir }),
  })

const article = (id: number, more: object = {}) => ({
  id,
  slug: `a${id}`,
  title: `A${id}`,
  excerpt: `Excerpt ${id}`,
  published_at: '2026-01-01T08:00:00Z',
  status: 'published',
  ...more,
})
const without = (row: object, field: string) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== field))

describe('fields', () => {
  test('that were missing come back by themselves, and the log says what is missing', async () => {
    await using directus = await startDirectus({ collections: { news: [article(1)] } })
    await using site = await siteFor(directus)
    const excerpt = async () => (await site.context.content.rows('news'))[0]?.excerpt
    await eventually(async () => expect(await excerpt()).toBe('Excerpt 1'))
    directus.collections.news = [without(article(1), 'excerpt')]
    await eventually(async () => expect(await excerpt()).toBeUndefined())
    expect(site.logLines().some((line) => /"missing":"[^"]*excerpt/.test(line))).toBe(true)
    directus.collections.news = [article(1)]
    await eventually(async () => expect(await excerpt()).toBe('Excerpt 1'))
  })

  test('that rows cannot do without are asked for until they are there', async () => {
    const bare = without(article(1), 'published_at')
    await using directus = await startDirectus({ collections: { news: [bare] } })
    await using site = await siteFor(directus)
    expect(await site.context.content.rows('news')).toEqual([])
    expect(site.logLines().some((line) => /"missing":"[^"]*published_at/.test(line))).toBe(true)
    directus.collections.news = [article(1)]
    await eventually(async () => expect(await site.context.content.rows('news')).toHaveLength(1))
  })

  test('that are wrong cost themselves and not their row, unless they decide whether it is shown', async () => {
    using files = contentFiles({
      'portfolio.json': [
        { id: 1, slug: 'p', title: 'P', year: 'long ago', images: ['car'], tags: 7 },
        { id: 2, slug: 'q', title: 'Q', published_at: 20_261_201 },
        { id: 3, slug: 'r', title: 'R', status: 7 },
      ],
      'testimonials.json': [{ id: 1, quote: 'Q', name: 'N', consent: 'yes' }],
    })
    await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
    const rows = await site.context.content.rows('portfolio')
    expect(rows).toMatchObject([{ slug: 'p', images: ['car'] }])
    expect(rows[0]?.year).toBeUndefined()
    expect(await site.context.content.rows('testimonials')).toEqual([])
    const lines = site.logLines().map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'content field left out', row: 1, field: 'year' }),
    )
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'content row left out', row: 2, field: 'published_at' }),
    )
  })
})

describe('settings', () => {
  const ours = { id: 1, brand: 'Ours', email: 'ours@example.com', phone: '+358 1', iban: 'FI00' }
  const from = async (settings: DoubleCollections[string] | undefined) => {
    const files = contentFiles({ 'settings.json': [ours] })
    const directus = await startDirectus({
      collections: { services: [], ...(settings && { settings }) },
    })
    const site = await siteFor(directus, { env: { CONTENT_DIR: files.dir } })
    const [row] = await site.context.content.rows('settings')
    await site[Symbol.asyncDispose]()
    await directus[Symbol.asyncDispose]()
    files[Symbol.dispose]()
    return row
  }

  test('that nobody has filled in are those of the site', async () => {
    for (const row of [
      undefined,
      { id: null },
      { id: null, brand: null, email: null, phone: null },
    ]) {
      expect(await from(row)).toMatchObject({
        brand: 'Ours',
        email: 'ours@example.com',
        phone: '+358 1',
      })
    }
  })

  test('are completed field by field, and an empty field stays empty', async () => {
    expect(await from({ id: 1, email: 'theirs@example.com', brand: null })).toMatchObject({
      brand: 'Ours',
      email: 'theirs@example.com',
    })
    expect(await from({ id: 1, brand: 'Theirs', email: 5 })).toMatchObject({
      brand: 'Theirs',
      email: 'ours@example.com',
      phone: '+358 1',
    })
    const filled = await from({ id: 1, brand: 'Theirs', email: 'theirs@example.com', phone: null })
    expect(filled?.phone ?? null).toBeNull()
    // Nobody is to pay to somebody else's account.
    expect(filled?.iban).toBeUndefined()
  })
})

const id = '0b1f2c3d-0000-4000-8000-000000000001'
const other = '0b1f2c3d-0000-4000-8000-000000000002'
const jpeg = (background: string) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .jpeg()
    .toBuffer()
const picture = async (more: object = {}) => ({
  [id]: { type: 'image/jpeg', bytes: await jpeg('#a00'), ...more },
})

describe('pictures', () => {
  test('that are deleted or forbidden are gone within a minute, and stay gone', async () => {
    await using directus = await startDirectus({ assets: await picture() })
    await using site = await siteFor(directus)
    const status = async () => (await site.get(`/assets/${id}?width=96`)).status
    expect(await status()).toBe(200)
    const lifetime = /max-age=(\d+)/.exec(
      (await site.get(`/assets/${id}`)).headers['cache-control']!,
    )
    expect(Number(lifetime![1])).toBeLessThanOrEqual(60)
    directus.assets.delete(id)
    await eventually(async () => expect(await status()).toBe(404))
    await directus.down()
    expect([404, 503]).toContain(await status())
    await using again = await siteFor(directus, { dataDir: site.dataDir })
    expect((await again.get(`/assets/${id}`)).status).not.toBe(200)
  })

  test('that nobody looked at for long are not shown to the next visitor either', async () => {
    await using directus = await startDirectus({ assets: await picture() })
    await using first = await siteFor(directus)
    expect((await first.get(`/assets/${id}`)).status).toBe(200)
    directus.assets.delete(id)
    // A restart knows nothing of earlier checks.
    await using site = await siteFor(directus, { dataDir: first.dataDir })
    expect((await site.get(`/assets/${id}`)).status).toBe(404)
  })

  test.for([
    { kind: 'status', status: 503 },
    { kind: 'status', status: 401 },
    { kind: 'proxy', status: 404 },
    { kind: 'proxy', status: 403 },
    { kind: 'reset' },
    { kind: 'empty' },
    { kind: 'hang' },
  ] as const)('stay through an outage: %j', async (fault) => {
    await using directus = await startDirectus({
      assets: await picture({ private: true }),
      token: 't',
    })
    directus.collections.services = [{ id: 1, title: 'S', url: 's', image: id }]
    await using site = await siteFor(directus, { env: { CONTENT_TOKEN: 't' } })
    await site.context.content.rows('services')
    expect((await site.get(`/assets/${id}`)).status).toBe(200)
    directus.fail(fault)
    for (let times = 0; times < 3; times += 1) {
      // Each of them is later than a check is good for.
      const before = directus.asked.length
      await eventually(async () => {
        expect((await site.get(`/assets/${id}`)).status).toBe(200)
        expect(directus.asked.length).toBeGreaterThan(before)
      }, 20_000)
    }
  })

  test('stay when the token is refused, and the public may not see them', async () => {
    await using directus = await startDirectus({
      assets: await picture({ private: true }),
      token: 't',
    })
    directus.collections.services = [{ id: 1, title: 'S', url: 's', image: id }]
    await using site = await siteFor(directus, { env: { CONTENT_TOKEN: 't' } })
    await site.context.content.rows('services')
    expect((await site.get(`/assets/${id}`)).status).toBe(200)
    directus.fail({ kind: 'status', status: 401 }, { times: 1 })
    await eventually(async () => {
      expect((await site.get(`/assets/${id}`)).status).toBe(200)
      expect(directus.answered).toContain(`GET /assets/${id} 403`)
    })
    expect((await site.get(`/assets/${id}`)).status).toBe(200)
  })

  test('that are replaced are shown anew', async () => {
    await using directus = await startDirectus({ assets: await picture() })
    await using site = await siteFor(directus)
    const tag = async () => (await site.get(`/assets/${id}`)).headers.etag
    const before = await tag()
    const modified = 'Mon, 02 Nov 2026 08:00:00 GMT'
    directus.assets.set(id, { type: 'image/jpeg', bytes: await jpeg('#00a'), modified })
    await eventually(async () => expect(await tag()).not.toBe(before))
  })

  test('that content names are fetched ahead, so that a stopped service leaves no hole', async () => {
    await using directus = await startDirectus({
      collections: {
        services: [
          { id: 1, title: 'S', url: 's', image: id, body: `<img src="/assets/${other}"><p>x</p>` },
        ],
      },
      assets: { ...(await picture()), [other]: { type: 'image/jpeg', bytes: await jpeg('#0a0') } },
    })
    await using site = await siteFor(directus)
    site.context.content.fetchAhead()
    await eventually(() => expect(directus.hits('/assets')).toBeGreaterThanOrEqual(2))
    await eventually(() =>
      expect(directus.answered.filter((line) => line.startsWith('GET /assets'))).toHaveLength(2),
    )
    await directus.down()
    for (const each of [id, other]) {
      await eventually(async () =>
        expect((await site.get(`/assets/${each}?width=96`)).status).toBe(200),
      )
    }
    // One that nobody has fetched fails at once, now that the service is known to be down.
    await eventually(async () => {
      await site.get(`/assets/0b1f2c3d-0000-4000-8000-00000000000${directus.asked.length % 7}`)
      const started = performance.now()
      expect((await site.get('/assets/0b1f2c3d-0000-4000-8000-00000000000f')).status).toBe(503)
      expect(performance.now() - started).toBeLessThan(1_000)
    }, 30_000)
  })

  test('that take longer than five seconds arrive', async () => {
    await using directus = await startDirectus({ assets: await picture() })
    directus.fail({ kind: 'dribble', ms: 600 }, { path: '/assets' })
    await using site = await siteFor(directus)
    const { status, headers } = await site.get(`/assets/${id}`)
    expect(status).toBe(200)
    expect(Number(headers['content-length'])).toBe(directus.assets.get(id)!.bytes.length)
    expect(directus.hits('/assets')).toBe(1)
  })

  test('are known by every address that the settings name', async () => {
    const body = (host: string) =>
      `<p><img src="${host}/assets/${id}.jpg?key=x" alt="A"><a href="${host}/assets/${other}">B</a></p>`
    await using directus = await startDirectus()
    const editors = 'https://cms.example.com/editor'
    directus.collections.services = [
      {
        id: 1,
        title: 'In',
        url: 'in',
        image: `${directus.url}/assets/${id}`,
        body: body(directus.url),
      },
      { id: 2, title: 'Out', url: 'out', image: `${editors}/assets/${id}`, body: body(editors) },
      { id: 3, title: 'Else', url: 'else', body: body('https://elsewhere.example') },
    ]
    await using site = await siteFor(directus, { env: { CONTENT_PUBLIC_URL: `${editors}/` } })
    const { content } = site.context
    const rows = await content.rows('services')
    expect(rows.map(({ image }) => image ?? null)).toEqual([id, id, null])
    for (const each of [1, 2]) {
      const html = await content.text('services', each)
      expect(html).toContain(`src="/assets/${id}?`)
      expect(html).toContain(`href="/assets/${other}"`)
      expect(html).not.toMatch(/https?:/)
    }
    expect(await content.text('services', 3)).toContain('https://elsewhere.example/assets/')
  })
})

describe('an outage', () => {
  test('is told by the health of the site, since when and why, until it is over', async () => {
    await using directus = await startDirectus({
      collections: { services: [{ id: 1, title: 'S', url: 's' }] },
    })
    await using site = await siteFor(directus)
    await site.get('/api/content/services')
    expect((await site.get('/api/health')).json).toMatchObject({ status: 'ok', content: 'ok' })
    const began = site.clock()
    directus.fail({ kind: 'status', status: 503 })
    await eventually(async () => {
      await site.get('/api/content/services')
      const { status, json } = await site.get('/api/health')
      expect(status).toBe(200)
      expect(json).toMatchObject({
        status: 'degraded',
        content: 'stale',
        contentSince: new Date(began).toISOString(),
        contentProblem: 'API error: 503 Service Unavailable',
      })
    }, 20_000)
    // A restart does not make it new.
    site.clock.advance(3_600_000)
    await using again = await siteFor(directus, { dataDir: site.dataDir })
    expect((await again.get('/api/health')).json).toMatchObject({
      contentSince: new Date(began).toISOString(),
    })
    directus.heal()
    await eventually(async () => {
      await site.get('/api/content/services')
      expect((await site.get('/api/health')).json).toMatchObject({ status: 'ok' })
    }, 20_000)
  })

  test('of a file of our own is told, too', async () => {
    using files = contentFiles({ 'services.json': [{ id: 1, title: 'S', url: 's' }] })
    await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
    await site.get('/api/content/services')
    files.write('services.json', '[{"secret draft": }]')
    await eventually(async () => {
      const { json, text } = await site.get('/api/health')
      expect(json).toMatchObject({ status: 'degraded', content: 'stale' })
      expect(text).toContain('services.json is broken at line 1')
      expect(text).not.toContain('secret')
    })
    files.write('services.json', [{ id: 1, title: 'S', url: 's' }])
    await eventually(async () =>
      expect((await site.get('/api/health')).json).toMatchObject({ status: 'ok' }),
    )
  })
})

test('an answer that has not changed is confirmed with 304', async () => {
  await using directus = await startDirectus({ collections: { menu_main: [] } })
  directus.collections.menu_main = [
    { id: 1, title: 'M', url: '/', description: null, status: 'published', sort: 1 },
  ]
  await using site = await siteFor(directus)
  await site.context.content.rows('menu_main')
  await eventually(async () => {
    await site.context.content.rows('menu_main')
    expect(directus.answered).toContain('GET /items/menu_main 304')
  })
})
