import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { contentFiles } from '../../support/content-files.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { eventually } from '../../support/eventually.ts'
import { ask, news, sample, siteOf, titles } from '../../support/searching.ts'
import { startSite } from '../../support/site.ts'

const day = 86_400_000

test('never finds drafts, hidden markup, or an article before its minute', async () => {
  using files = sample()
  await using site = await siteOf(files)
  for (const q of ['draftword', 'secretword', 'hiddenword', 'embargoword']) {
    expect((await ask(site, q)).total, q).toBe(0)
  }
  site.clock.advance(0.8 * day)
  expect((await ask(site, 'embargoword')).total).toBe(0)
  site.clock.advance(0.1 * day)
  expect(titles(await ask(site, 'embargoword'))).toEqual(['Embargoword'])
})

test('finds what is written, rewritten and withdrawn while it runs', async () => {
  using files = sample()
  await using site = await siteOf(files)
  expect((await ask(site, 'helicopter')).total).toBe(1)
  files.write('news/film.html', '<p>Filmed from a balloon.</p>')
  await eventually(async () => {
    expect((await ask(site, 'balloon')).total).toBe(1)
    expect((await ask(site, 'helicopter')).total).toBe(0)
  })
  files.write('news.json', [news(9, 'Newcomer')])
  await eventually(async () => {
    expect((await ask(site, 'newcomer')).total).toBe(1)
    expect((await ask(site, 'balloon')).total).toBe(0)
  })
})

test('keeps finding pages, and the rest again, when content is broken for a while', async () => {
  using files = sample()
  await using site = await siteOf(files)
  files.write('news.json', '[{')
  expect((await ask(site, 'gdpr')).total).toBe(1)
  expect((await ask(site, 'photography')).total).toBeGreaterThan(0)
  files.write('news.json', [news(9, 'Newcomer')])
  await eventually(async () => expect((await ask(site, 'newcomer')).total).toBe(1))
})

test('lets the server breathe while it reads ten thousand articles', async () => {
  const words = 'stage gravel tyre crest finish driver camera light snow engine'.split(' ')
  const text = (id: number) =>
    Array.from({ length: 120 }, (_, at) => words[(id * 7 + at * at) % words.length]).join(' ')
  using files = contentFiles({
    'news.json': Array.from({ length: 10_000 }, (_, id) =>
      news(id + 1, `Dispatch ${id + 1} ${words[id % 10]}`, { content: `<p>${text(id)}</p>` }),
    ),
  })
  await using site = await siteOf(files)
  // Reading and checking the rows is the content service's own work.
  await site.context.content.rows('news')
  site.context.features.search.refresh()
  // The most work between two turns of the event loop, as a share of all of it: a slow machine takes
  // longer for both.
  let longest = 0
  const begun = process.cpuUsage()
  let last = begun
  const watch = setInterval(() => {
    longest = Math.max(longest, process.cpuUsage(last).user)
    last = process.cpuUsage()
  }, 1)
  // Words are read last, so a guess says that everything is in.
  const isRead = async () => expect((await ask(site, 'crst')).suggestion).toBe('crest')
  // A crowded machine takes more than half a minute.
  await eventually(isRead, 120_000)
  clearInterval(watch)
  const share = longest / process.cpuUsage(begun).user
  expect(share).toBeLessThan(0.25)
})

test('says what could not be searched while the content service has never answered', async () => {
  await using directus = await startDirectus({ collections: { news: [news(1, 'Newcomer')] } })
  directus.fail({ kind: 'reset' })
  await using site = await startSite({
    env: { CONTENT_URL: directus.url },
    contentTiming: { timeout: 300, failingTimeout: 100, pause: 100, tick: 20 },
    renderer: await builtRenderer(dist),
  })
  const missing = ['Services', 'Portfolio', 'News', 'Questions', 'Events']
  await eventually(async () => {
    const results = await ask(site, 'gdpr')
    expect([results.total, results.unsearched]).toEqual([1, missing])
  })
  const page = await site.get('/search?q=rally', { headers: { Accept: 'text/html' } })
  expect(page.text).toContain(
    'We couldn’t search Services, Portfolio, News, Questions and Events just now.',
  )
  directus.heal()
  await eventually(async () => {
    const results = await ask(site, 'newcomer')
    expect([results.total, results.unsearched.includes('News')]).toEqual([1, false])
  })
})
