import { expect, test } from 'vitest'
import { ask, sample, siteOf } from '../../support/searching.ts'

test.for([
  ['', null],
  ['  ', null],
  ['a', 'Search term must be at least 2 characters'],
  ['a'.repeat(101), 'Search term is too long (maximum 100 characters)'],
  ['<script>', 'Invalid search term'],
] as const)('does not search for %j', async ([q, message]) => {
  using files = sample()
  await using site = await siteOf(files)
  expect(await ask(site, q)).toMatchObject({ message, total: 0, results: [] })
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
