import { expect, test } from 'vitest'
import { checkTerm, decodeTerm, searchHref } from '#shared/search.ts'

const short = 'Search term must be at least 2 characters'
const long = 'Search term is too long (maximum 100 characters)'
const invalid = 'Invalid search term'

test.for([
  ['', null],
  ['   ', null],
  ['a', short],
  ['  a  ', short],
  ['🏁', short],
  ['x'.repeat(101), long],
  ['🏁'.repeat(101), long],
  ['<script>', invalid],
  ['<SCRIPT src=x>', invalid],
  ['</ script >', invalid],
  ['a<script', invalid],
  ['javascript:alert(1)', invalid],
  ['JavaScript :x', invalid],
  ['data:text/html,x', invalid],
  ['race data: 2026', invalid],
  ['x onerror=alert(1)', invalid],
  ['"onclick = x', invalid],
  ['onboard=', invalid],
  ['eval(1)', invalid],
  ['window.eval (1)', invalid],
] as const)('says of %j: %s', ([typed, message]) => {
  const checked = checkTerm(typed)
  expect(checked.state === 'wrong' ? checked.message : null).toBe(message)
  if (message === null) expect(checked.state).toBe('empty')
})

test.for([
  'R&D',
  'ab',
  'x'.repeat(100),
  '🏁'.repeat(100),
  'database',
  'update: data',
  'metadata: EXIF',
  'on board',
  'on board = fast',
  'season=2026',
  'onboard camera',
  'medieval (1430)',
  'evaluation',
  'description',
  'scripts',
  'javascript',
  "it's",
  '2 < 3',
])('lets %j through', (typed) => {
  expect(checkTerm(` ${typed} `)).toEqual({ state: 'good', term: typed })
})

test.for([
  ['Kemi\u00ADjärvi', 'Kemijärvi'],
  ['\u200Frally\u200B', 'rally'],
  ['\u202Eyllar', 'yllar'],
  ['２０２７', '2027'],
  ['Kemija\u0308rvi', 'Kemijärvi'],
  ['👩\u200D👧', '👩\u200D👧'],
])('takes %j as %j', ([typed, term]) => {
  expect(checkTerm(typed!)).toEqual({ state: 'good', term })
})

test('counts only what can be seen', () => {
  expect(checkTerm('\u200B\u00AD ')).toEqual({ state: 'empty' })
  expect(checkTerm('a\u0301')).toEqual({ state: 'wrong', message: short })
})

test.for([
  ['Media Services', '/search?q=Media%20Services'],
  ['R&D', '/search?q=R%26amp%3BD'],
  [
    `<b>"it's"</b>`,
    '/search?q=%26lt%3Bb%26gt%3B%26quot%3Bit%26%2339%3Bs%26quot%3B%26lt%3B%2Fb%26gt%3B',
  ],
  ['Jyväskylä', '/search?q=Jyv%C3%A4skyl%C3%A4'],
])('goes from %j to %s', ([term, href]) => {
  expect(searchHref(term!)).toBe(href)
})

test.for(['R&D', '&amp;', '&lt;b&gt;', `"it's"`, '&amp;amp;', '100 % &', '&#39;'])(
  'brings %j through the address unchanged',
  (term) => {
    const given = new URLSearchParams(searchHref(term).split('?')[1]).get('q')
    expect(decodeTerm(given!)).toBe(term)
  },
)

test('decodes the five entities once, and no others', () => {
  expect(decodeTerm('&amp;lt; &lt;&gt;&quot;&#39; &auml; &copy; R&D')).toBe(
    `&lt; <>"' &auml; &copy; R&D`,
  )
})

test('names a kind and a page only where they matter', () => {
  expect(searchHref('rally', { type: 'news', page: 2 })).toBe('/search?q=rally&type=news&page=2')
  expect(searchHref('rally', { type: null, page: 1 })).toBe('/search?q=rally')
})
