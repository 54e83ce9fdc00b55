import { expect, test } from 'vitest'
import { contentFiles } from '../../support/content-files.ts'
import { ask, markedIn, news, sample, siteOf, textOf, titles } from '../../support/searching.ts'

test('finds what the public may read, wherever the word stands', async () => {
  using files = sample()
  await using site = await siteOf(files)
  const found = async (q: string) => titles(await ask(site, q))
  expect(await found('jyvaskyla')).toEqual(['Kaamos on the podium in Jyväskylä'])
  expect(await found('JYVÄSKYLÄ')).toEqual(['Kaamos on the podium in Jyväskylä'])
  expect(await found('Jyva\u0308skyla\u0308')).toEqual(['Kaamos on the podium in Jyväskylä'])
  expect(await found('gravel')).toEqual(['Kaamos on the podium in Jyväskylä'])
  expect(await found('helicopt')).toEqual(['A winter film'])
  expect(await found('handbook')).toEqual(['Lake ice'])
  expect(await found('rovaniemi')).toEqual(['Blue hour'])
  expect(await found('lapland')).toEqual(['Do you travel?'])
  expect(await found('niemelä')).toEqual(['About us'])
  expect(await found('gdpr')).toEqual(['Privacy policy'])
})

test('finds a case by everything that its page says', async () => {
  using files = contentFiles({
    'portfolio.json': [
      {
        id: 1,
        slug: 'blue-hour',
        title: 'Blue hour',
        description: 'A winter picture',
        event: 'Arctic opener',
        numbers: [{ value: '61', label: 'clips in 48 hours' }],
        credits: [{ role: 'Colour grading', name: 'Eero Jokela' }],
        quote: 'It was <there> before breakfast.',
        quote_name: 'Henna Mäkisalo',
        quote_role: 'Team manager',
      },
      { id: 2, slug: 'unsigned', title: 'Unsigned', quote: 'It went without saying.' },
    ],
  })
  await using site = await siteOf(files)
  for (const words of [
    'arctic opener',
    'clips in 48 hours',
    'colour grading',
    'jokela',
    'there before breakfast',
    'henna makisalo',
    'team manager',
  ]) {
    expect(titles(await ask(site, words)), words).toEqual(['Blue hour'])
  }
  const [result] = (await ask(site, 'breakfast')).results
  expect(textOf(result!.excerpt)).toContain('It was <there> before breakfast.')
  // The page leaves out a quote without its author.
  expect((await ask(site, 'without saying')).total).toBe(0)
})

test('finds a compound by a part of it, where nothing else is found', async () => {
  using files = contentFiles({
    'news.json': [
      news(1, 'Talviralli on the ice', { content: '<p>Yömyöhä erikoiskoe.</p>' }),
      news(2, 'Syysralli in the mud'),
      news(3, 'Kesäkisa'),
    ],
  })
  await using site = await siteOf(files)
  const found = async (q: string) => titles(await ask(site, q)).toSorted()
  expect(await found('ralli')).toEqual(['Syysralli in the mud', 'Talviralli on the ice'])
  expect(await found('RÄLLI ice')).toEqual(['Talviralli on the ice'])
  expect(await found('koe')).toEqual([])
  expect(await found('ralli snow')).toEqual([])
  const [result] = (await ask(site, 'koepala kisa')).results
  expect(result).toBeUndefined()
  expect(markedIn((await ask(site, 'kisa')).results[0]!.title)).toEqual(['Kesäkisa'])
})

test('takes only the last word as a beginning, and wants all words', async () => {
  using files = sample()
  await using site = await siteOf(files)
  expect((await ask(site, 'kaamos pod')).total).toBe(1)
  expect((await ask(site, 'pod kaamos')).total).toBe(0)
  expect((await ask(site, 'kaamos helicopter')).total).toBe(0)
})

test('takes what stands together without a space as a phrase', async () => {
  using files = sample()
  await using site = await siteOf(files)
  expect(titles(await ask(site, 'R&D'))).toEqual(['Kaamos on the podium in Jyväskylä'])
  expect((await ask(site, 'on-board')).total).toBe(1)
  expect((await ask(site, 'board-on')).total).toBe(0)
})

test('puts titles before tags before texts', async () => {
  using files = contentFiles({
    'news.json': [
      news(1, 'Third of all', { content: '<p>A quiet word about hairpins.</p>' }),
      news(2, 'Second of all', { tags: ['Hairpins'] }),
      news(3, 'Hairpins', { content: '<p>Something else.</p>' }),
    ],
  })
  await using site = await siteOf(files)
  expect(titles(await ask(site, 'hairpins'))).toEqual(['Hairpins', 'Second of all', 'Third of all'])
})

test('says where a result is shown, and when it is from', async () => {
  using files = sample()
  await using site = await siteOf(files)
  const first = async (q: string) => (await ask(site, q)).results[0]
  expect(await first('jyväskylä')).toMatchObject({
    kind: 'news',
    path: '/news/article-1',
    date: '2026-11-01T08:00:00.000Z',
  })
  expect(await first('photography')).toMatchObject({ path: '/services/photography', date: null })
  expect(await first('blue hour')).toMatchObject({ path: '/portfolio/blue-hour' })
  expect(await first('do you travel')).toMatchObject({ path: '/about-us#question-1' })
})

test('marks what matches in its own letters, in an excerpt of about 160 characters', async () => {
  const before = 'Some words that come before and matter little here. '.repeat(8)
  using files = contentFiles({
    'news.json': [
      news(1, 'Pielisjärvi', {
        content: `<p>${before}The crew of Pielisjärvi flew low over Pielisjärvi.</p><p>${before}</p>`,
      }),
    ],
  })
  await using site = await siteOf(files)
  const [result] = (await ask(site, 'pielisjarvi')).results
  expect(markedIn(result!.title)).toEqual(['Pielisjärvi'])
  expect(markedIn(result!.excerpt)).toEqual(['Pielisjärvi', 'Pielisjärvi'])
  const text = textOf(result!.excerpt)
  expect(text).toMatch(/^… .*The crew of Pielisjärvi flew low over Pielisjärvi\..* …$/)
  expect(text.length).toBeGreaterThan(120)
  expect(text.length).toBeLessThan(175)
})

test('helps with a slip of the finger, in the letters of the site', async () => {
  using files = sample()
  await using site = await siteOf(files)
  const suggested = async (q: string) => (await ask(site, q)).suggestion
  expect(await suggested('photograhpy')).toBe('Photography')
  expect(await suggested('jyvaskila')).toBe('Jyväskylä')
  expect(await suggested('winter helikopter')).toBe('winter helicopter')
  expect(await suggested('xyzxyzxyz')).toBeNull()
  expect(await suggested('winter')).toBeNull()
})

test('groups by kind and shows 20 on a page, the last page beyond the end', async () => {
  using files = contentFiles({
    'news.json': Array.from({ length: 45 }, (_, index) => news(index + 1, `Rally ${index + 1}`)),
    'portfolio.json': [{ id: 1, slug: 'r', title: 'Rally work' }],
  })
  await using site = await siteOf(files)
  const all = await ask(site, 'rally')
  expect(all).toMatchObject({ total: 47, page: 1, pages: 3 })
  expect(all.kinds).toMatchObject([
    { kind: 'portfolio', count: 1 },
    { kind: 'news', count: 45 },
    { kind: 'pages', count: 1 },
  ])
  expect(all.results).toHaveLength(20)
  const last = await ask(site, 'rally', { type: 'news', page: 99 })
  expect(last).toMatchObject({ type: 'news', page: 3, pages: 3, total: 47 })
  expect(last.results).toHaveLength(5)
  expect(await ask(site, 'rally', { type: 'faq' })).toMatchObject({ total: 47, results: [] })
})

test('excerpts name things as readers know them', async () => {
  using files = contentFiles({
    'services.json': [{ id: 1, title: 'Press work', url: 'public-relations' }],
    'portfolio.json': [
      { id: 1, slug: 'a', title: 'A', client: 'Kaamos', service: 'public-relations' },
      { id: 2, slug: 'b', title: 'B', client: 'Kaamos', service: '/services/website-design' },
      { id: 3, slug: 'c', title: 'C', client: 'Kaamos', service: 'track-side-help' },
    ],
  })
  await using site = await siteOf(files)
  const { results } = await ask(site, 'kaamos')
  expect(results.map(({ excerpt }) => textOf(excerpt)).toSorted()).toEqual([
    'Kaamos · Press work',
    'Kaamos · Track side help',
    'Kaamos · Website Design',
  ])
  expect(titles(await ask(site, 'press work'))).toContain('A')
})
