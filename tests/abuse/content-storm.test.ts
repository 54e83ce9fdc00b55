import { describe, expect, test } from 'vitest'
import { startDirectus, type DirectusDouble } from '../support/directus-double.ts'
import { eventually } from '../support/eventually.ts'
import { without } from '../support/hurried-directus.ts'
import { startSite, type Site } from '../support/site.ts'

/** As hurried as a test needs it: what is looked at every 20 seconds is looked at every second. */
const pace = { fresh: 1_000, timeout: 6_000, failingTimeout: 300, pause: 500, tick: 25 }
const count = 6_000

/** An article with all fields that a list asks for, so no request is spent on learning them. */
const article = (id: number, more: object = {}) => ({
  id,
  slug: `a${id}`,
  title: `A${id}`,
  excerpt: null,
  content: `<p>Text ${id}</p>`,
  image: null,
  author: null,
  category: null,
  tags: null,
  published_at: '2026-01-01T08:00:00Z',
  date_updated: '2026-01-01T08:00:00.000Z',
  old_slugs: null,
  status: 'published',
  ...more,
})
const articles = () => Array.from({ length: count }, (_, index) => article(index + 1))

/** A site on a Directus with thousands of articles, whose texts have all been read. */
async function readSite(directus: DirectusDouble) {
  const site = await startSite({ env: { CONTENT_URL: directus.url }, contentTiming: pace })
  await readAll(site)
  return site
}

/** Reads every text as the search and the survey do: a few at a time, one row after the other. */
async function readAll({ context: { content } }: Site) {
  const rows = await content.stored('news')
  for (let at = 0; at < rows.length; at += 4) {
    await Promise.all(
      rows.slice(at, at + 4).map(({ stored }) => content.storedText('news', stored)),
    )
  }
}

/** The requests since a mark that asked for long texts, and the rows that they named. */
function textRequests(directus: DirectusDouble, since = 0) {
  const asked = directus.asked.slice(since).filter((path) => path.startsWith('/items/news?'))
  const filters = asked.flatMap((path) => {
    const filter = new URLSearchParams(path.split('?')[1]).get('filter')
    return filter ? [JSON.parse(filter) as { id: { _in: number[] } }] : []
  })
  return { requests: filters.length, rows: filters.flatMap(({ id }) => id._in) }
}

/** Waits until all collections in use have been looked at a few more times. */
async function severalLooks(directus: DirectusDouble, looks = 3) {
  const mark = directus.asked.length
  const lists = () => directus.asked.slice(mark).filter((path) => path.includes('limit=-1')).length
  await eventually(() => expect(lists()).toBeGreaterThanOrEqual(looks))
}

describe('thousands of articles in a Directus', () => {
  test('are read in batches, and one edit costs one text', { timeout: 240_000 }, async () => {
    await using directus = await startDirectus({ collections: { news: articles() } })
    await using site = await readSite(directus)
    const { content } = site.context
    const first = textRequests(directus)
    expect(new Set(first.rows).size).toBe(count)
    expect(first.rows).toHaveLength(count)
    expect(first.requests).toBeLessThanOrEqual(count / 50)
    for (const path of directus.asked) expect(path.length).toBeLessThan(16_000)
    // Lists come before texts.
    const isText = (path: string) => path.includes('filter=')
    expect(isText(directus.asked.find((path) => path.startsWith('/items/news'))!)).toBe(false)

    // Nothing has changed: nothing is read again, whoever reads.
    let mark = directus.asked.length
    await readAll(site)
    await severalLooks(directus)
    expect(textRequests(directus, mark)).toEqual({ requests: 0, rows: [] })

    // One edit.
    mark = directus.asked.length
    const rows = directus.collections.news as ReturnType<typeof article>[]
    rows[41] = article(42, { content: '<p>Edited</p>', date_updated: '2026-11-20T12:00:00.000Z' })
    await eventually(async () => expect(await content.text('news', 42)).toBe('<p>Edited</p>'))
    await readAll(site)
    await severalLooks(directus)
    expect(textRequests(directus, mark)).toEqual({ requests: 1, rows: [42] })

    // 300 rows go, and no one asks for them again.
    mark = directus.asked.length
    directus.collections.news = rows.slice(300)
    await eventually(async () => expect(await content.rows('news')).toHaveLength(count - 300))
    expect(await content.text('news', 7)).toBeNull()
    await readAll(site)
    await severalLooks(directus)
    expect(textRequests(directus, mark)).toEqual({ requests: 0, rows: [] })
    expect(content.outage()).toBeNull()

    // Nor after a restart.
    mark = directus.asked.length
    await content.close()
    await using again = await startSite({
      env: { CONTENT_URL: directus.url },
      contentTiming: pace,
      dataDir: site.dataDir,
    })
    await readAll(again)
    await severalLooks(directus)
    expect(textRequests(directus, mark)).toEqual({ requests: 0, rows: [] })
    expect(await again.context.content.text('news', 400)).toBe('<p>Text 400</p>')
  })

  test(
    'survive a storm of 503 with few requests, and are whole afterwards',
    { timeout: 240_000 },
    async () => {
      await using directus = await startDirectus({
        collections: { news: articles().slice(0, 2_000), services: [] },
      })
      await using site = await readSite(directus)
      const { content } = site.context
      expect(directus.peak()).toBeLessThanOrEqual(8)

      directus.fail({ kind: 'status', status: 503 })
      const rows = directus.collections.news as ReturnType<typeof article>[]
      for (let index = 0; index < 500; index += 1) {
        rows[index] = article(index + 1, {
          content: `<p>New ${index + 1}</p>`,
          date_updated: '2026-11-20T12:00:00.000Z',
        })
      }
      await eventually(() => expect(content.outage()).not.toBeNull())
      directus.peak()
      const mark = directus.asked.length
      const began = performance.now()
      // Everyone reads everything meanwhile.
      while (performance.now() - began < 5_000) {
        await Promise.allSettled([
          readAll(site),
          content.rows('services'),
          content.rows('faq'),
          content.rows('team'),
          content.text('news', 9),
        ])
      }
      const seconds = (performance.now() - began) / 1000
      // One request at a time finds out how the service is, whatever else waits.
      expect(directus.peak()).toBeLessThanOrEqual(2)
      expect(directus.asked.length - mark).toBeLessThan(10 + seconds * 3)

      directus.heal()
      const healed = directus.asked.length
      await eventually(async () => {
        for (const id of [1, 250, 500])
          expect(await content.text('news', id)).toBe(`<p>New ${id}</p>`)
        expect(content.outage()).toBeNull()
      }, 60_000)
      const { requests, rows: read } = textRequests(directus, healed)
      expect(requests).toBeLessThanOrEqual(10)
      expect(read.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, at) => at + 1))
    },
  )

  test(
    'without date_updated are looked through in batches, at a steady pace',
    { timeout: 240_000 },
    async () => {
      const undated = (row: ReturnType<typeof article>) => without(row, 'date_updated')
      await using directus = await startDirectus({
        collections: { news: articles().slice(0, 1_000).map(undated) },
      })
      await using site = await readSite(directus)
      const { content } = site.context
      const mark = directus.asked.length
      const rows = directus.collections.news as ReturnType<typeof undated>[]
      // Nothing in the list tells of it.
      rows[9] = { ...rows[9], content: '<p>Edited</p>' }
      await eventually(async () => expect(await content.text('news', 10)).toBe('<p>Edited</p>'))
      const looks = directus.asked.slice(mark).filter((path) => path.includes('limit=-1')).length
      // A look at all of the texts is ten requests, and takes place half as often as that at the list.
      expect(textRequests(directus, mark).requests).toBeLessThanOrEqual(10 * (looks + 2))
    },
  )

  test('with long ids never make an address that is too long', async () => {
    const uuid = (at: number) => `0b1f2c3d-0000-4000-8000-${String(at).padStart(12, '0')}`
    await using directus = await startDirectus({
      collections: {
        news: Array.from({ length: 500 }, (_, at) =>
          article(at, { id: `${uuid(at)}${'ä'.repeat(30)}` }),
        ),
      },
    })
    await using site = await readSite(directus)
    expect(site.context.content.outage()).toBeNull()
    expect(directus.answered.filter((line) => line.endsWith('431'))).toEqual([])
    expect(new Set(textRequests(directus).rows).size).toBe(500)
  })

  test('of a service that gives less than it is asked for arrive all the same', async () => {
    await using directus = await startDirectus({
      collections: { news: articles().slice(0, 200) },
      queryLimit: 30,
    })
    await using site = await readSite(directus)
    for (const id of [1, 31, 100, 200]) {
      expect(await site.context.content.text('news', id)).toBe(`<p>Text ${id}</p>`)
    }
    expect(textRequests(directus).requests).toBeLessThanOrEqual(10)
  })
})

test('what is withdrawn goes, however long nobody has read it', async () => {
  const quote = { id: 1, quote: 'Q', name: 'N', role: null, company: null, source: null }
  const row = { ...quote, consent: true, service: null, status: 'published', sort: null }
  await using directus = await startDirectus({ collections: { testimonials: [row] } })
  await using site = await startSite({ env: { CONTENT_URL: directus.url }, contentTiming: pace })
  const { content } = site.context
  expect(await content.rows('testimonials')).toHaveLength(1)
  // No one reads it from here on; the version of the content tells that the site has noticed.
  const version = content.version()
  directus.collections.testimonials = [{ ...row, consent: false }]
  await eventually(() => expect(content.version()).toBeGreaterThan(version))
  await directus.down()
  expect(await content.rows('testimonials')).toEqual([])
})
