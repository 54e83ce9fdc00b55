import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { startDirectus } from '../../support/directus-double.ts'
import { eventually } from '../../support/eventually.ts'
import { siteFor } from '../../support/hurried-directus.ts'

const id = '0b1f2c3d-0000-4000-8000-000000000001'
const other = '0b1f2c3d-0000-4000-8000-000000000002'
const jpeg = (background: string) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .jpeg()
    .toBuffer()
const picture = async (more: object = {}) => ({
  [id]: { type: 'image/jpeg', bytes: await jpeg('#a00'), ...more },
})

/** Waits until content names the private picture and it's cached; a busy machine may miss the hurried time limits. */
const cached = async (site: Awaited<ReturnType<typeof siteFor>>) => {
  await eventually(() => site.context.content.rows('services'))
  await eventually(async () => expect((await site.get(`/assets/${id}`)).status).toBe(200))
}

/** A service whose picture is only for who has the token `t`. */
const withPrivatePicture = async () =>
  startDirectus({
    collections: { services: [{ id: 1, title: 'S', url: 's', image: id }] },
    assets: await picture({ private: true }),
    token: 't',
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

  test('that were not read for long are not shown stale to the next visitor', async () => {
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
    await using directus = await withPrivatePicture()
    await using site = await siteFor(directus, { env: { CONTENT_TOKEN: 't' } })
    await cached(site)
    directus.fail(fault)
    for (let times = 0; times < 3; times += 1) {
      // Each of them is later than a check is good for.
      const before = directus.asked.length
      await eventually(async () => {
        expect((await site.get(`/assets/${id}`)).status).toBe(200)
        expect(directus.asked.length).toBeGreaterThan(before)
      })
    }
  })

  test('stay when the token is refused, and the public may not see them', async () => {
    await using directus = await withPrivatePicture()
    await using site = await siteFor(directus, { env: { CONTENT_TOKEN: 't' } })
    await cached(site)
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
    site.context.content.prefetch()
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
    // One that was not fetched fails without being asked for, while the service is known to be down.
    await directus.up()
    const missing = (last: string) => `/assets/0b1f2c3d-0000-4000-8000-00000000000${last}`
    await eventually(async () => expect((await site.get(missing('a'))).status).toBe(404))
    directus.fail({ kind: 'status', status: 503 })
    await eventually(() => expect(site.context.content.outage()?.why).toContain('503'))
    expect((await site.get(missing('f'))).status).toBe(503)
    expect(directus.hits(missing('f'))).toBe(0)
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

test('a picture that is empty or cut off holds up no others, however often it is asked for', async () => {
  const sound = Object.fromEntries(
    await Promise.all(
      Array.from({ length: 6 }, async (_, at) => [
        `0b1f2c3d-0000-4000-8000-00000000010${at}`,
        { type: 'image/jpeg', bytes: await jpeg('#0a0') },
      ]),
    ),
  ) as Record<string, { type: string; bytes: Buffer }>
  await using directus = await startDirectus({
    collections: { services: [{ id: 1, title: 'S', url: 's' }] },
    assets: {
      [id]: { type: 'image/jpeg', bytes: Buffer.alloc(0) },
      [other]: { type: 'image/jpeg', bytes: await jpeg('#00a'), cutOff: true },
      ...sound,
    },
  })
  await using site = await siteFor(directus)
  await site.context.content.rows('services')
  for (const broken of [id, other]) {
    for (const each of Object.keys(sound).splice(broken === id ? 0 : 3, 3)) {
      expect((await site.get(`/assets/${broken}`)).status).toBe(503)
      expect((await site.get(`/assets/${each}`)).status).toBe(200)
    }
  }
  expect((await site.get('/api/health')).json).toMatchObject({ content: 'ok' })
})
