import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { contentFiles } from '../../support/content-files.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { eventually } from '../../support/eventually.ts'
import { siteFor } from '../../support/hurried-directus.ts'
import { startSite } from '../../support/site.ts'

describe('a service that asks to be left alone', () => {
  test.for([
    { name: 'in seconds', retryAfter: () => '2' },
    { name: 'with a date', retryAfter: () => new Date(Date.now() + 3_000).toUTCString() },
  ])('$name is, and pages show what they have meanwhile', async ({ retryAfter }) => {
    await using directus = await startDirectus({
      collections: { services: [{ id: 1, title: 'S', url: 's' }] },
    })
    await using site = await siteFor(directus)
    await eventually(async () => expect((await site.get('/api/content/services')).status).toBe(200))
    directus.fail({ kind: 'status', status: 429, retryAfter: retryAfter() }, { times: 1 })
    await eventually(() =>
      expect(directus.answered.some((each) => each.endsWith(' 429'))).toBe(true),
    )
    // What was on its way has arrived by then.
    await delay(300)
    const before = directus.asked.length
    expect((await site.get('/api/content/services')).json).toMatchObject([{ title: 'S' }])
    await delay(700)
    expect(directus.asked.slice(before)).toEqual([])
    await eventually(() => expect(directus.asked.length).toBeGreaterThan(before))
  })
})

test('a reply that would fill the memory is none, and health says so', async () => {
  await using directus = await startDirectus({
    collections: { services: [{ id: 1, title: 'S', url: 's' }] },
  })
  await using site = await siteFor(directus)
  const services = async () => (await site.get('/api/content/services')).json
  await eventually(async () => expect(await services()).toMatchObject([{ title: 'S' }]))
  const body = gzipSync(`{"data":[${'{},'.repeat(2_000_000)}{}]}`)
  expect(body.length).toBeLessThan(20_000)
  directus.fail({ kind: 'compressed', body }, { path: '/items/services' })
  await eventually(
    async () =>
      expect((await site.get('/api/health')).json).toMatchObject({
        content: 'stale',
        contentProblem: 'services is more than the site can read: API error: 413 Payload Too Large',
      }),
    60_000,
  )
  expect(await services()).toMatchObject([{ title: 'S' }])
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
    })
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
    })
  })

  test('that is no answer of a Directus is told as what it is', async () => {
    await using directus = await startDirectus({
      collections: { services: [{ id: 1, title: 'S', url: 's' }] },
    })
    await using site = await siteFor(directus)
    await site.get('/api/content/services')
    for (const [kind, contentProblem] of [
      ['garbage', 'The content service doesn’t answer in JSON: is CONTENT_URL right?'],
      [
        'errors',
        'The content service answers with something other than content: is CONTENT_URL right?',
      ],
      ['reset', 'The content service can’t be reached, or cuts the connection.'],
    ] as const) {
      directus.fail({ kind })
      await eventually(async () => {
        await site.get('/api/content/services')
        expect((await site.get('/api/health')).json).toMatchObject({ contentProblem })
      })
      directus.heal()
    }
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
