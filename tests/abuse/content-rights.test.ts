import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { contentFiles } from '../support/content-files.ts'
import { startDirectus } from '../support/directus-double.ts'
import { eventually } from '../support/eventually.ts'
import { startSite } from '../support/site.ts'

const quote = (id: number, more: object) => ({ id, quote: `Quote ${id}`, name: `N${id}`, ...more })

test("a testimonial without its author's consent is served by no address", async () => {
  using files = contentFiles({
    'testimonials.json': [
      quote(1, { consent: true }),
      quote(2, { consent: false }),
      quote(3, { consent: null }),
      quote(4, { consent: 'true' }),
      quote(5, {}),
    ],
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  for (const path of [
    '/items/testimonials',
    '/items/testimonials?fields=quote&filter={"consent":{"_neq":true}}',
    '/items/testimonials/2',
    '/items/testimonials?search=Quote',
    '/api/content/testimonials',
    '/api/content/about',
    '/api/search?q=quote',
  ]) {
    const { text } = await site.get(path)
    expect([path, text.match(/Quote [234]/)]).toEqual([path, null])
  }
  const { json } = await site.get('/items/testimonials?fields=quote')
  expect(json).toEqual({ data: [{ quote: 'Quote 1' }, { quote: 'Quote 5' }] })
})

test('public settings leave the bank account out', async () => {
  using files = contentFiles({
    'settings.json': [
      {
        id: 1,
        brand: 'Pitlane',
        email: 'desk@example.com',
        iban: 'FI3715903000000776',
        bic: 'NDEAFIHH',
      },
    ],
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  for (const path of [
    '/items/settings',
    '/items/settings/1',
    '/items/settings?fields=*',
    '/api/content/settings',
    '/llms.txt',
  ]) {
    const { status, text } = await site.get(path)
    expect([path, status]).toEqual([path, 200])
    expect(text).toContain('Pitlane')
    expect(text).not.toMatch(/FI3715903000000776|NDEAFIHH|iban/)
  }
  for (const query of ['fields=iban', 'sort=bic', 'filter={"iban":{"_nnull":true}}']) {
    expect((await site.get(`/items/settings?${query}`)).status).toBe(403)
  }
  // Features of the site itself still know.
  expect((await site.context.content.rows('settings'))[0]).toMatchObject({ bic: 'NDEAFIHH' })
})

describe('addresses of content that would run something, or lead where they do not say', () => {
  const bad = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' \u0001javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
  ]

  test.for(bad)('%j is dropped when content is read', async (address) => {
    using files = contentFiles({
      'menu_main.json': [{ id: 1, title: 'Menu', url: address }],
      'section_hero.json': [
        { id: 1, title: 'Hero', button_url: address, photo_url: address, Status: 'published' },
      ],
      'services.json': [
        { id: 1, title: 'S', url: 's', image: address, gallery: ['car', address] },
        { id: 2, title: 'T', url: address },
      ],
      'portfolio.json': [{ id: 1, slug: 'p', title: 'P', video_url: address }],
      'settings.json': [
        {
          id: 1,
          brand: 'B',
          email: 'e@example.com',
          maps_url: address,
          social: { x: address, facebook: 'https://facebook.com/b' },
        },
      ],
      'SEO.json': [{ id: 1, url: '/', seo_title: 'T', og_image: address }],
    })
    await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
    const { content } = site.context
    expect((await content.rows('menu_main'))[0]?.url).toBeUndefined()
    expect((await content.rows('section_hero'))[0]).toMatchObject({ title: 'Hero' })
    const services = await content.rows('services')
    expect(services).toMatchObject([{ title: 'S', gallery: ['car'] }])
    expect((await content.rows('settings'))[0]?.social).toEqual({
      facebook: 'https://facebook.com/b',
    })
    for (const path of [
      '/api/content/menu',
      '/api/content/hero',
      '/api/content/services',
      '/api/content/settings',
      '/api/content/seo?path=/',
      '/items/menu_main',
      '/items/section_hero',
      '/items/services',
      '/items/settings',
      '/items/portfolio',
      '/items/SEO',
    ]) {
      const { status, text } = await site.get(path)
      expect([path, status]).toEqual([path, 200])
      expect(text).not.toContain(JSON.stringify(address).slice(1, -1))
    }
    expect(site.logLines().join('\n')).toContain('Not an allowed URL')
  })

  test.for([
    '/#services',
    '/portfolio',
    '#contact',
    'https://example.com/x?y=1',
    'mailto:desk@example.com',
    'tel:+358401234567',
    'sms:+358401234567',
  ])('%j stays', async (address) => {
    using files = contentFiles({ 'menu_main.json': [{ id: 1, title: 'Menu', url: address }] })
    await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
    expect((await site.context.content.rows('menu_main'))[0]?.url).toBe(address)
  })
})

describe('the token of the content service', () => {
  const named = '0b1f2c3d-0000-4000-8000-00000000000a'
  const inText = '0b1f2c3d-0000-4000-8000-00000000000b'
  const draft = '0b1f2c3d-0000-4000-8000-00000000000c'
  const secret = '0b1f2c3d-0000-4000-8000-00000000000d'
  const open = '0b1f2c3d-0000-4000-8000-00000000000e'

  const start = async () => {
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#000' } })
      .png()
      .toBuffer()
    const file = { type: 'image/png', bytes, private: true }
    return startDirectus({
      token: 't',
      collections: {
        news: [
          {
            id: 1,
            slug: 'a',
            title: 'A',
            published_at: '2026-01-01T08:00:00Z',
            status: 'published',
            image: named,
            content: `<p>x</p><img src="/assets/${inText}" alt="">`,
          },
          { id: 2, slug: 'b', title: 'B', published_at: null, status: 'draft', image: draft },
        ],
      },
      assets: {
        [named]: file,
        [inText]: file,
        [draft]: file,
        [secret]: file,
        [open]: { ...file, private: false },
      },
    })
  }

  test('opens only the files that public content names', async () => {
    await using directus = await start()
    const env = { CONTENT_URL: directus.url, CONTENT_TOKEN: 't' }
    await using site = await startSite({ env })
    const status = async (id: string) => (await site.get(`/assets/${id}`)).status
    expect(await status(secret)).toBe(404)
    expect(await status(draft)).toBe(404)
    // Everyone may have it there, too.
    expect(await status(open)).toBe(200)
    expect(await status(named)).toBe(200)
    expect(await status(inText)).toBe(200)
    expect(directus.answered).toContain(`GET /assets/${secret} 403`)
  })

  test('opens nothing any more that content has let go of', async () => {
    await using directus = await start()
    await using site = await startSite({
      env: { CONTENT_URL: directus.url, CONTENT_TOKEN: 't' },
      contentTiming: { fresh: 100, emptyFor: 100, tick: 25, timeout: 2_000 },
    })
    expect((await site.get(`/assets/${named}?width=96`)).status).toBe(200)
    directus.collections.news = []
    await eventually(async () => {
      await site.context.content.rows('news')
      expect((await site.get(`/assets/${named}?width=96`)).status).toBe(404)
    })
  })
})
