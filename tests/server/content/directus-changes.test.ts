import { describe, expect, test } from 'vitest'
import { startDirectus, type DoubleCollections } from '../../support/directus-double.ts'
import { contentFiles } from '../../support/content-files.ts'
import { eventually } from '../../support/eventually.ts'
import { article, siteFor, without } from '../../support/hurried-directus.ts'
import { startSite } from '../../support/site.ts'

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

  test('that are not filled in are those of the site', async () => {
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
    // No one is to pay to someone else's account.
    expect(filled?.iban).toBeUndefined()
  })
})
