import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { startSite, type Site } from '../../support/site.ts'

/** A site that has never seen its content service answer. */
async function coldSite(
  fault: { kind: 'hang' } | { kind: 'reset' } | { kind: 'status'; status: 503 },
) {
  const directus = await startDirectus()
  directus.fail(fault)
  const site = await startSite({
    env: { CONTENT_URL: directus.url },
    renderer: await builtRenderer(dist),
  })
  return {
    site,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]()
      await directus[Symbol.asyncDispose]()
    },
  }
}

async function timed(site: Site, path: string) {
  const started = performance.now()
  const { status, text } = await site.get(path, { headers: { Accept: 'text/html,*/*' } })
  return { path, status, text, ms: performance.now() - started }
}

const limit = 9_800

test.for([{ kind: 'hang' }, { kind: 'reset' }, { kind: 'status', status: 503 }] as const)(
  'with a content service that never answered, nothing takes ten seconds: %j',
  async (fault) => {
    await using cold = await coldSite(fault)
    const { site } = cold
    const [robots, ...others] = await Promise.all(
      [
        '/robots.txt',
        '/news/rss.xml',
        '/sitemap.xml',
        '/llms.txt',
        '/site.webmanifest',
        '/.well-known/security.txt',
        '/og-image.jpg',
        '/',
        '/news',
        '/about-us',
        '/portfolio',
        '/services/photography',
        '/search?q=rally',
        '/privacy-policy',
        '/api/content/settings',
      ].map((path) => timed(site, path)),
    )
    // What needs no content waits for none.
    expect(robots!.status).toBe(200)
    expect(robots!.ms).toBeLessThan(1_500)
    for (const { path, ms, status } of others) {
      expect([path, ms < limit, status < 500 || path === '/news' || path === '/portfolio']).toEqual(
        [path, true, true],
      )
    }
    const late = await Promise.all(
      [
        '/news/some-article',
        '/assets/some-picture',
        '/functions/generate-sitemap',
        '/items/news',
      ].map((path) => timed(site, path)),
    )
    for (const { path, ms } of late) expect([path, ms < limit]).toEqual([path, true])
  },
)

test('contact details are those of the built-in settings until the service answers', async () => {
  await using cold = await coldSite({ kind: 'reset' })
  const { site } = cold
  const { text } = await timed(site, '/')
  expect(text).toContain('href="mailto:')
  expect(text).toContain('href="tel:')
  expect(await timed(site, '/.well-known/security.txt')).toMatchObject({
    text: expect.stringMatching(/^Contact: mailto:\S+@/),
  })
})

test.for([{ kind: 'hang' }, { kind: 'status', status: 503 }] as const)(
  'pages carry the name in the built-in settings while the service gives no answer, and its own once it does: %j',
  async (fault) => {
    await using directus = await startDirectus({
      collections: {
        settings: { id: 1, brand: 'Late Lane Media', email: 'desk@late-lane.example' },
      },
    })
    directus.fail(fault)
    await using site = await startSite({
      env: { CONTENT_URL: directus.url },
      renderer: await builtRenderer(dist),
    })
    const titleOf = async (path: string) =>
      /<title>([^<]*)/.exec((await timed(site, path)).text)?.[1]
    await timed(site, '/privacy-policy')
    await site.context.content.rows('settings')
    for (const path of ['/shop', '/booking', '/privacy-policy']) {
      expect(await titleOf(path)).toMatch(/ \| Apex North Media$/)
    }
    directus.heal()
    await expect
      .poll(() => titleOf('/shop'), { timeout: 40_000, interval: 500 })
      .toMatch(/ \| Late Lane Media$/)
  },
)

test('a calendar that can’t be made yet is unavailable, which no calendar program takes for its end', async () => {
  await using cold = await coldSite({ kind: 'reset' })
  const { site } = cold
  const season = await site.get('/calendar.ics', { headers: { Accept: 'text/calendar' } })
  expect(season.status).toBe(503)
  expect(season.headers['retry-after']).toBe('30')
  expect(await timed(site, '/calendar/kuura-ice-series.ics')).toMatchObject({ status: 503 })
})
