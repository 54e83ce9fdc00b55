import { describe, expect, test } from 'vitest'
import { contentFiles } from '../../support/content-files.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { eventually } from '../../support/eventually.ts'
import { siteFor } from '../../support/hurried-directus.ts'
import { startSite } from '../../support/site.ts'

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
