import { describe, expect, test } from 'vitest'
import { startDirectus, type DirectusDouble } from '../../support/directus-double.ts'
import { eventually } from '../../support/eventually.ts'
import { article, siteFor, without } from '../../support/hurried-directus.ts'
import type { Site } from '../../support/site.ts'

const quote = (id: number, consent: boolean) => ({ id, quote: `Q${id}`, name: 'N', consent })

const healthOf = async (site: Site) => (await site.get('/api/health')).json
const said = (site: Site, pattern: RegExp) => site.logLines().some((line) => pattern.test(line))

/** Waits until a collection has been looked at some more times. */
async function looked(directus: DirectusDouble, collection: string) {
  const before = directus.hits(`/items/${collection}`)
  await eventually(() => expect(directus.hits(`/items/${collection}`)).toBeGreaterThan(before + 4))
}

describe('a Directus whose rows are gone', () => {
  const quotes = [quote(1, true), quote(2, true)]
  const full = () => ({
    testimonials: quotes,
    news: [article(1)],
    services: [{ id: 1, title: 'S', url: 's' }],
  })
  const shown = async ({ context: { content } }: Site) =>
    Promise.all(
      (['testimonials', 'news', 'services'] as const).map(
        async (name) => (await content.rows(name)).length,
      ),
    )

  test('for one answer shows them on', async () => {
    await using directus = await startDirectus({ collections: full() })
    await using site = await siteFor(directus)
    await eventually(async () => expect(await shown(site)).toEqual([2, 1, 1]))
    directus.fail({ kind: 'no-rows' }, { path: '/items/testimonials', times: 1 })
    await eventually(() =>
      expect(said(site, /testimonials has no rows any more; showing the last ones/)).toBe(true),
    )
    await eventually(async () => expect(await healthOf(site)).toMatchObject({ content: 'ok' }))
    await looked(directus, 'testimonials')
    expect(await shown(site)).toEqual([2, 1, 1])
    expect(said(site, /content collection is now empty/)).toBe(false)
  })

  test('as an editor wants it shows none within the minute, the last of a site, too', async () => {
    await using directus = await startDirectus({ collections: full() })
    await using site = await siteFor(directus)
    await eventually(async () => expect(await shown(site)).toEqual([2, 1, 1]))
    directus.collections.testimonials = []
    await eventually(async () => expect(await shown(site)).toEqual([0, 1, 1]))
    directus.collections.news = []
    await eventually(async () => expect(await shown(site)).toEqual([0, 0, 1]))
    directus.collections.services = []
    await eventually(async () => expect(await shown(site)).toEqual([0, 0, 0]))
    await eventually(async () => expect(await healthOf(site)).toMatchObject({ content: 'ok' }))
  })

  test('in every collection at once shows the last ones, and health says so', async () => {
    await using directus = await startDirectus({ collections: full() })
    await using site = await siteFor(directus)
    await eventually(async () => expect(await shown(site)).toEqual([2, 1, 1]))
    directus.fail({ kind: 'no-rows' }, { path: '/items' })
    await eventually(async () =>
      expect((await healthOf(site))?.contentProblem).toBe(
        'the content service has no rows any more, in any collection; showing the last ones',
      ),
    )
    for (const name of ['testimonials', 'news', 'services']) await looked(directus, name)
    expect(await shown(site)).toEqual([2, 1, 1])

    // A restart believes it no more.
    await using again = await siteFor(directus, { dataDir: site.dataDir })
    expect(await shown(again)).toEqual([2, 1, 1])
    for (const name of ['testimonials', 'news', 'services']) await looked(directus, name)
    expect(await shown(again)).toEqual([2, 1, 1])

    directus.heal()
    await eventually(async () => expect(await healthOf(again)).toMatchObject({ content: 'ok' }))
  })
})

describe('what a Directus begins to hide', () => {
  test('as a whole collection leaves its rows as they were, and health says which it is', async () => {
    await using directus = await startDirectus({
      collections: { testimonials: [quote(1, true)] },
    })
    await using site = await siteFor(directus)
    const rows = () => site.context.content.rows('testimonials')
    expect(await rows()).toHaveLength(1)
    directus.fail({ kind: 'status', status: 403 }, { path: '/items/testimonials' })
    await eventually(async () => {
      const health = await healthOf(site)
      expect(health).toMatchObject({ status: 'degraded', content: 'stale' })
      expect(health?.contentProblem).toContain('testimonials is gone or hidden')
    })
    expect(await rows()).toHaveLength(1)
    directus.heal()
    await eventually(async () => expect(await healthOf(site)).toMatchObject({ content: 'ok' }))
  })

  test('because it takes the token no more, is told as that', async () => {
    await using directus = await startDirectus({
      collections: { news: [article(1)] },
      token: 'new',
    })
    directus.fail({ kind: 'status', status: 401 }, { path: '/items/services', times: 1 })
    directus.fail({ kind: 'status', status: 403 }, { path: '/items/news' })
    await using site = await siteFor(directus, { env: { CONTENT_TOKEN: 'old' } })
    // A busy machine may answer later than a reader waits.
    for (const name of ['services', 'news'] as const) {
      await eventually(() =>
        expect(site.context.content.rows(name)).rejects.toThrow('API error: 403'),
      )
    }
    // Both are hidden; on a busy machine either may be the newest.
    await eventually(async () =>
      expect((await healthOf(site))?.contentProblem).toMatch(
        /^(news|services) is hidden, because the content service doesn’t take CONTENT_TOKEN$/,
      ),
    )
    // They stay hidden, so that what health says stays the same, however often each is asked for.
    const { contentProblem } = (await healthOf(site))!
    for (const name of ['services', 'news', 'services']) {
      await looked(directus, name)
      expect((await healthOf(site))?.contentProblem).toBe(contentProblem)
    }
  })

  test.for([
    { field: 'published_at', what: 'a field that rows need' },
    { field: 'status', what: 'the field that keeps drafts back' },
  ])('as $what leaves the rows as they were, and is said', async ({ field }) => {
    const rows = [article(1), article(2, { status: 'draft' })]
    await using directus = await startDirectus({ collections: { news: rows } })
    await using site = await siteFor(directus)
    const titles = async () => (await site.context.content.rows('news')).map(({ title }) => title)
    expect(await titles()).toEqual(['A1'])
    directus.collections.news = rows.map((row) => without(row, field))
    await eventually(async () => {
      const health = await healthOf(site)
      expect(health).toMatchObject({ status: 'degraded', content: 'stale' })
      expect(health?.contentProblem).toBe(
        `news: the field ${field} is gone or hidden; showing its last rows`,
      )
    })
    await looked(directus, 'news')
    expect(await titles()).toEqual(['A1'])
    expect(said(site, new RegExp(`the field ${field} is gone or hidden`))).toBe(true)
    directus.collections.news = rows
    await eventually(async () => expect(await healthOf(site)).toMatchObject({ content: 'ok' }))
  })

  test('as the field of a consent shows nobody who has refused it', async () => {
    const rows = [quote(1, true), quote(2, false)]
    await using directus = await startDirectus({ collections: { testimonials: rows } })
    await using site = await siteFor(directus)
    const shown = async () => (await site.context.content.rows('testimonials')).map(({ id }) => id)
    expect(await shown()).toEqual([1])
    directus.collections.testimonials = rows.map((row) => without(row, 'consent'))
    await eventually(async () =>
      expect((await healthOf(site))?.contentProblem).toContain('consent'),
    )
    expect(await shown()).toEqual([1])
  })

  test('as the pictures of a collection is read without them, and said', async () => {
    const row = { id: 1, title: 'S', url: 's', image: 'car', gallery: null }
    await using directus = await startDirectus({ collections: { services: [row] } })
    await using site = await siteFor(directus)
    const first = async () => (await site.context.content.rows('services'))[0]
    expect((await first())?.image).toBe('car')
    directus.collections.services = [{ ...without(row, 'image'), title: 'New' }]
    await eventually(async () => expect(await first()).toMatchObject({ title: 'New' }))
    await eventually(async () =>
      expect(await healthOf(site)).toMatchObject({
        status: 'degraded',
        content: 'incomplete',
        contentProblem:
          'services: its images aren’t shown, because the field image is gone or hidden',
      }),
    )
    directus.collections.services = [row]
    await eventually(async () => expect(await healthOf(site)).toMatchObject({ content: 'ok' }))
  })

  test('of all files is said, and their words stay', async () => {
    await using directus = await startDirectus({
      collections: { directus_files: [{ id: 'car', description: 'A car', width: 4, height: 3 }] },
    })
    await using site = await siteFor(directus)
    const alt = async () => (await site.context.content.picture('car'))?.alt
    expect(await alt()).toBe('A car')
    directus.fail({ kind: 'status', status: 403 }, { path: '/files' })
    await eventually(async () => {
      const health = await healthOf(site)
      expect(health?.contentProblem).toContain('so no images can be shown')
    })
    expect(await alt()).toBe('A car')
  })

  test('and never had a field without which no row can be shown, is said', async () => {
    await using directus = await startDirectus({
      collections: { team: [{ id: 1, role: 'Driver', status: 'published' }] },
    })
    await using site = await siteFor(directus)
    expect(await site.context.content.rows('team')).toEqual([])
    await eventually(async () => {
      const health = await healthOf(site)
      expect(health).toMatchObject({ status: 'degraded', content: 'incomplete' })
      expect(health?.contentProblem).toMatch(
        /^team: none of its rows can be shown, because the field name/,
      )
    })
  })
})

describe('a Directus of whose rows none can be shown', () => {
  const rows = [article(1), article(2), article(3, { status: 'draft' })]
  const broken = rows.map((row) => ({ ...row, title: 7 }))
  const titles = async (site: Site) =>
    (await site.context.content.rows('news')).map(({ title }) => title)
  const stale = {
    status: 'degraded',
    content: 'stale',
    contentProblem:
      'news: none of its 2 rows can be shown (title: Not a text); showing the last ones',
  }

  test('shows the last ones, after a restart too, and health says why', async () => {
    await using directus = await startDirectus({ collections: { news: rows } })
    await using site = await siteFor(directus)
    await eventually(async () => expect(await titles(site)).toEqual(['A1', 'A2']))
    directus.collections.news = broken
    await eventually(async () => expect(await healthOf(site)).toMatchObject(stale))
    await looked(directus, 'news')
    expect(await titles(site)).toEqual(['A1', 'A2'])
    await using again = await siteFor(directus, { dataDir: site.dataDir })
    await looked(directus, 'news')
    expect(await titles(again)).toEqual(['A1', 'A2'])
    expect(await healthOf(again)).toMatchObject(stale)
    directus.collections.news = rows
    await eventually(async () => expect(await healthOf(site)).toMatchObject({ content: 'ok' }))
  })

  test('takes down what was withdrawn in the same minute all the same', async () => {
    await using directus = await startDirectus({ collections: { news: rows } })
    await using site = await siteFor(directus)
    await eventually(async () => expect(await titles(site)).toEqual(['A1', 'A2']))
    directus.collections.news = broken.map((row) =>
      row.id === 1 ? { ...row, status: 'draft' } : row,
    )
    await eventually(async () => expect(await titles(site)).toEqual(['A2']))
    await eventually(async () =>
      expect(await healthOf(site)).toMatchObject({
        content: 'stale',
        contentProblem: 'news: its row can’t be shown (title: Not a text); showing the last ones',
      }),
    )
    directus.collections.news = broken.map((row) => ({ ...row, status: 'draft' }))
    await eventually(async () => expect(await titles(site)).toEqual([]))
    await eventually(async () => expect(await healthOf(site)).toMatchObject({ content: 'ok' }))
  })

  test('from its first answer on shows none, and health says why', async () => {
    await using directus = await startDirectus({ collections: { news: broken } })
    await using site = await siteFor(directus)
    expect(await titles(site)).toEqual([])
    expect(await healthOf(site)).toMatchObject({
      content: 'incomplete',
      contentProblem: 'news: none of its 2 rows can be shown (title: Not a text)',
    })
  })
})
