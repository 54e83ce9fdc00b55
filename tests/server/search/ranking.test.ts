import { resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ProductPage } from '#shared/shop/shop.ts'
import { contentFiles } from '../../support/content-files.ts'
import { eventually } from '../../support/eventually.ts'
import { ask, news, siteOf, textOf, titles } from '../../support/searching.ts'
import { startSite } from '../../support/site.ts'

const site = await startSite({ env: { CONTENT_DIR: resolve('data/content') } })
afterAll(() => site[Symbol.asyncDispose]())

const firstOf = async (q: string) => (await ask(site, q)).results[0]?.path

test.for([
  // The chips of the overlay. "Racing" is where and when races are, "Motorsport" what we do in it.
  ['Photography', '/services/photography'],
  ['Videography', '/services/videography'],
  ['Racing', '/calendar'],
  ['Portfolio', '/portfolio'],
  ['Motorsport', '/#services'],
  ['Media Services', '/#services'],
  // The services.
  ['public relations', '/services/public-relations'],
  ['Social Media', '/services/social-media'],
  ['website design', '/services/website-design'],
  ['graphic design', '/services/graphic-design'],
  ['media outsourcing', '/services/media-outsourcing'],
  // Pages by what visitors call them.
  ['shop', '/shop'],
  ['Booking', '/booking'],
  ['book', '/booking'],
  ['book now', '/booking'],
  ['calendar', '/calendar'],
  ['withdrawal', '/shop/withdraw'],
  ['refund', '/shop/withdraw'],
  ['privacy', '/privacy-policy'],
  ['GDPR', '/privacy-policy'],
  ['client zone', '/client-zone'],
  ['login', '/client-zone'],
  ['terms', '/terms-of-service'],
  ['cookies', '/cookie-policy'],
  ['accessibility', '/accessibility'],
  ['contact', '/#contact'],
  ['news', '/news'],
  ['about', '/about-us'],
] as const)('finds for %s the page %s first', async ([q, path]) => {
  expect(await firstOf(q)).toBe(path)
})

test.for([
  ['A3', '/shop/products/wall-calendar-2027'],
  ['framed in walnut-stained oak', '/shop/products/lakeside-saloon-fine-art-print'],
  ['worldwide exclusive', '/shop/products/light-trails-exclusive-licence'],
  ['finnish holidays', '/shop/products/wall-calendar-2027'],
] as const)('finds for %s the same product as the shop', async ([q, path]) => {
  const own = (await ask(site, q, { type: 'products' })).results.map((result) => result.path)
  expect(own[0]).toBe(path)
  const { json } = await site.get(`/api/shop/products?q=${encodeURIComponent(q)}`)
  expect(`/shop/products/${(json as ProductPage).products[0]!.handle}`).toBe(path)
})

test('finds questions by their own words, and never by their service alone', async () => {
  const rawFiles = (await ask(site, 'raw files')).results[0]!
  expect([rawFiles.kind, textOf(rawFiles.title)]).toEqual(['faq', 'Do you supply RAW files?'])
  expect((await ask(site, 'invoice')).results[0]!.kind).toBe('faq')
  // No question on the page of this service has the word.
  const { results } = await ask(site, 'Photography', { type: 'faq' })
  expect(results).toEqual([])
  // Where no question has it, what speaks of it comes first.
  const [deadline] = (await ask(site, 'deadline')).results
  expect(deadline!.kind).toBe('services')
  expect(textOf(deadline!.excerpt)).toContain('deadline')
})

test('has every page that the sitemap always has', async () => {
  const { pages, search } = site.context.contributions()
  const documents = (await Promise.all(search.map(({ read }) => read()))).flat()
  const found = new Set(documents.map(({ path }) => path))
  expect(pages.filter((path) => !found.has(path))).toEqual([])
})

test('finds what is to come before what is over, and that after pages and all others', async () => {
  const event = (id: number, start: string) => ({
    id,
    title: 'Kaamos Rally',
    start,
    Status: 'published',
  })
  using files = contentFiles({
    'events.json': [
      event(1, '2026-11-19'),
      event(2, '2026-02-05'),
      event(3, '2027-02-04'),
      // Today, where the clock of the site stands.
      event(4, '2026-11-20'),
    ],
    'news.json': [news(1, 'Snow', { content: '<p>Seen at the Kaamos Rally.</p>' })],
  })
  await using own = await siteOf(files)
  const { results } = await ask(own, 'kaamos rally')
  expect(results.map(({ date, kind }) => `${kind} ${date?.slice(0, 10)}`)).toEqual([
    'events 2026-11-20',
    'events 2027-02-04',
    'news 2026-11-01',
    'events 2026-11-19',
    'events 2026-02-05',
  ])
  own.clock.advance(86_400_000)
  const tomorrow = await ask(own, 'kaamos rally')
  expect(tomorrow.results[0]!.date).toBe('2027-02-04')
})

test('a name that is the whole term goes before titles that only have it', async () => {
  using files = contentFiles({
    'news.json': Array.from({ length: 30 }, (_, id) => news(id + 1, `Shop talk ${id + 1}`)),
  })
  await using own = await siteOf(files)
  const first = await ask(own, 'shop')
  expect(first.results[0]!.path).toBe('/shop')
  const rest = [...first.results, ...(await ask(own, 'shop', { page: 2 })).results]
  expect(new Set(rest.map(({ path }) => path)).size).toBe(first.total)
})

test('a search among ten thousand articles that all match holds the loop shortly', async () => {
  using files = contentFiles({
    'news.json': Array.from({ length: 10_000 }, (_, id) =>
      news(id + 1, `Dispatch ${id + 1}`, { excerpt: 'Stage and gravel and a word more' }),
    ),
  })
  await using own = await siteOf(files)
  await eventually(async () => {
    expect((await ask(own, 'dispach')).suggestion).toBe('Dispatch')
  })
  expect(titles(await ask(own, 'dispatch 77'))[0]).toMatch(/^Dispatch 77/)
  const times: number[] = []
  for (let page = 2; page < 9; page += 1) {
    const before = process.cpuUsage()
    expect((await ask(own, 'dispatch', { page })).total).toBe(10_000)
    times.push(process.cpuUsage(before).user / 1_000)
  }
  // A third of it on an idle machine; the quickest is the one that nothing else took part in.
  expect(Math.min(...times)).toBeLessThan(100)
})
