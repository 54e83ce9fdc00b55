import { expect, test } from 'vitest'
import type { SearchResults, TextPart } from '#shared/search-results.ts'
import { dist } from '#server/build.ts'
import { builtRenderer } from '#server/renderer.ts'
import { contentFiles, type ContentFiles } from '../../support/content-files.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite, type Site } from '../../support/site.ts'

const day = 86_400_000
const news = (id: number, title: string, more: Record<string, unknown> = {}) => ({
  id,
  slug: `article-${id}`,
  title,
  excerpt: '',
  published_at: '2026-11-01T08:00:00Z',
  status: 'published',
  ...more,
})

const sample = () =>
  contentFiles({
    'news.json': [
      news(1, 'Kaamos on the podium in Jyväskylä', {
        content:
          '<p>The first <strong>gravel</strong> of R&amp;D day.</p><p>An on-board camera.</p><script>secretword()</script><!-- hiddenword -->',
      }),
      news(2, 'Lake ice', {
        excerpt: 'Driving on frozen water',
        tags: ['Winter'],
        category: 'Handbook',
      }),
      news(3, 'A winter film', { content: { $file: 'news/film.html' } }),
      news(4, 'Draftword', { status: 'draft' }),
      news(5, 'Embargoword', { published_at: '2026-11-21T08:00:00Z' }),
    ],
    'news/film.html': '<p>Filmed from a helicopter over Pielisjärvi.</p>',
    'services.json': [
      { id: 1, title: 'Photography', description: 'Stills of racing', url: 'photography', sort: 1 },
    ],
    'portfolio.json': [
      {
        id: 1,
        slug: 'blue-hour',
        title: 'Blue hour',
        description: 'A winter picture',
        client: 'Kaamos Rallisport',
        location: 'Rovaniemi',
      },
    ],
    'faq.json': [
      { id: 1, question: 'Do you travel?', answer: '<p>To <em>Lapland</em> too.</p>', sort: 1 },
    ],
    'team.json': [{ id: 1, name: 'Saara Niemelä', role: 'Editor', bio: 'Cuts films.' }],
  })

const siteOf = (files: ContentFiles) => startSite({ env: { CONTENT_DIR: files.dir } })

async function ask(site: Site, q: string, more: Record<string, string | number> = {}) {
  const query = new URLSearchParams({ q })
  for (const [name, value] of Object.entries(more)) query.set(name, String(value))
  const reply = await site.get(`/api/search?${query.toString()}`)
  expect(reply.status, `${q}: ${reply.text}`).toBe(200)
  return reply.json as SearchResults
}

const textOf = (parts: readonly TextPart[]) => parts.map(({ text }) => text).join('')
const titles = ({ finds }: SearchResults) => finds.map(({ title }) => textOf(title))
const markedIn = (parts: readonly TextPart[]) =>
  parts.filter(({ mark }) => mark).map(({ text }) => text)

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
  expect(await found('privacy')).toEqual(['Privacy policy'])
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

test('says where a find is shown, and when it is from', async () => {
  using files = sample()
  await using site = await siteOf(files)
  const first = async (q: string) => (await ask(site, q)).finds[0]
  expect(await first('jyväskylä')).toMatchObject({
    kind: 'news',
    path: '/news/article-1',
    date: '2026-11-01T08:00:00.000Z',
  })
  expect(await first('photography')).toMatchObject({ path: '/services/photography', date: null })
  expect(await first('blue hour')).toMatchObject({ path: '/portfolio?project=blue-hour' })
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
  const [find] = (await ask(site, 'pielisjarvi')).finds
  expect(markedIn(find!.title)).toEqual(['Pielisjärvi'])
  expect(markedIn(find!.excerpt)).toEqual(['Pielisjärvi', 'Pielisjärvi'])
  const text = textOf(find!.excerpt)
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

test.for([
  ['', null],
  ['  ', null],
  ['a', 'Search term must be at least 2 characters'],
  ['a'.repeat(101), 'Search term is too long (maximum 100 characters)'],
  ['<script>', 'Invalid search term'],
] as const)('does not search for %j', async ([q, message]) => {
  using files = sample()
  await using site = await siteOf(files)
  expect(await ask(site, q)).toMatchObject({ message, total: 0, finds: [] })
})

test('answers any string, whatever it means to the index', async () => {
  using files = sample()
  await using site = await siteOf(files)
  const hostile = [
    '"',
    '""',
    "'; DROP TABLE entries; --",
    'title:winter',
    'winter*',
    '*winter',
    '^winter',
    'winter AND',
    'NEAR(winter film)',
    'OR OR OR',
    'NOT winter',
    '{title} : winter',
    '-winter',
    '+winter',
    '(((((',
    'winter"',
    'a\u0000b',
    '\u0002\u0003',
    '\uD800 winter',
    '% _ \\',
    '🏁🏁',
    '—–',
    '\u0301\u0301',
    'ffffffi',
    'İstanbul ẞ',
    '中文字',
    'a b c d e f g h i j k l m n o p q r s t u v w x y z',
  ]
  const signs = [
    ...Array.from('"*^:(){}[]+-,.;\'\\/|&<>=!?@#$%~` aä1'),
    '\u0000',
    '\u0301',
    'AND ',
    'NEAR(',
  ]
  let seed = 7
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31)
  for (let i = 0; i < 300; i += 1) {
    hostile.push(
      Array.from({ length: 2 + (random() % 20) }, () => signs[random() % signs.length]).join(''),
    )
  }
  for (const q of hostile) await ask(site, q)
  expect((await ask(site, 'winter AND')).total).toBe(0)
  expect((await ask(site, '^winter*')).total).toBe(3)
})

test.for(['page=0', 'page=-3', 'page=abc', 'page=1e9', 'type=nonsense', 'page=1.5'])(
  'takes ?%s as it best can be taken',
  async (query) => {
    using files = sample()
    await using site = await siteOf(files)
    const reply = await site.get(`/api/search?q=winter&${query}`)
    expect(reply.status).toBe(200)
    expect(reply.json).toMatchObject({ page: 1, type: null, total: 3 })
  },
)

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
  expect(all.finds).toHaveLength(20)
  const last = await ask(site, 'rally', { type: 'news', page: 99 })
  expect(last).toMatchObject({ type: 'news', page: 3, pages: 3, total: 47 })
  expect(last.finds).toHaveLength(5)
  expect(await ask(site, 'rally', { type: 'faq' })).toMatchObject({ total: 47, finds: [] })
})

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
  expect((await ask(site, 'privacy')).total).toBe(1)
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
  // Work between two turns of the event loop; a busy machine adds time to it, and no work.
  let longest = 0
  let last = process.cpuUsage()
  const watch = setInterval(() => {
    longest = Math.max(longest, process.cpuUsage(last).user / 1_000)
    last = process.cpuUsage()
  }, 1)
  // Words are read last, so a guess says that everything is in.
  await eventually(async () => expect((await ask(site, 'crst')).suggestion).toBe('crest'), 15_000)
  clearInterval(watch)
  expect(longest).toBeLessThan(400)
})

test('says what could not be searched while the content service has never answered', async () => {
  await using directus = await startDirectus({ collections: { news: [news(1, 'Newcomer')] } })
  directus.fail({ kind: 'reset' })
  await using site = await startSite({
    env: { CONTENT_URL: directus.url },
    contentPace: { patience: 300, impatience: 100, pause: 100, tick: 20 },
    renderer: await builtRenderer(dist),
  })
  const missing = ['Services', 'Portfolio', 'News', 'Questions', 'Events']
  await eventually(async () => {
    const results = await ask(site, 'privacy')
    expect([results.total, results.unsearched]).toEqual([1, missing])
  })
  const page = await site.get('/search?q=rally', { headers: { Accept: 'text/html' } })
  expect(page.text).toContain(
    'Services, Portfolio, News, Questions and Events could not be searched just now.',
  )
  directus.heal()
  await eventually(async () => {
    const results = await ask(site, 'newcomer')
    expect([results.total, results.unsearched.includes('News')]).toEqual([1, false])
  }, 20_000)
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
  const { finds } = await ask(site, 'kaamos')
  expect(finds.map(({ excerpt }) => textOf(excerpt)).toSorted()).toEqual([
    'Kaamos · Press work',
    'Kaamos · Track side help',
    'Kaamos · Website Design',
  ])
  expect(titles(await ask(site, 'press work'))).toContain('A')
})
