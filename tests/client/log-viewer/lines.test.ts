import { expect, test } from 'vitest'
import { filterLines, readLine, searchFor, type Filter } from '#client/log-viewer/lines.ts'

const request = (path: string, status: number) =>
  readLine(
    JSON.stringify({
      level: 'info',
      time: new Date(0),
      path,
      status,
      method: 'GET',
      msg: 'request',
    }),
    path,
  )

const lines = [
  request('/shop', 200),
  request('/assets/abc1234.css', 200),
  request('/favicon.svg', 200),
  request('/shop/products/gone', 404),
  readLine(
    '{"level":"error","time":"2026-11-22T08:00:00.000Z","msg":"retired","car":17}',
    'retired',
  ),
  readLine('no JSON', 'no JSON'),
  readLine('{"level":"error","msg":"request failed","path":"/shop/late"}', 'failed'),
]

const found = (filter: Filter) =>
  filterLines(lines, filter, searchFor(filter)).map(({ key }) => key)

test('lines are filtered by status, path, level and time, and without assets', () => {
  expect(found({})).toHaveLength(lines.length)
  expect(found({ status: '4' })).toEqual(['/shop/products/gone'])
  expect(found({ path: '/shop' })).toEqual(['/shop', '/shop/products/gone', 'failed'])
  expect(found({ level: 'error' })).toEqual(['retired', 'failed'])
  // It was written at ten in Helsinki.
  expect(found({ from: '2026-11-22T10:00', to: '2026-11-22T10:01' })).toEqual(['retired'])
  expect(found({ from: '2026-11-22T09:00', to: '2026-11-22T09:59' })).toEqual([])
  expect(found({ hidesAssets: 'on' })).toEqual([
    '/shop',
    '/shop/products/gone',
    'retired',
    'no JSON',
    'failed',
  ])
})

test('a text is found to the letter, in any case, and an expression as one', () => {
  expect(found({ text: 'RETIRED' })).toEqual(['retired'])
  expect(found({ text: 'ret.*d' })).toEqual([])
  expect(found({ text: 'ret.*d', isPattern: 'on' })).toEqual(['retired'])
  expect(found({ text: '(', isPattern: 'on' })).toEqual([])
  expect(searchFor({ text: '(', isPattern: 'on' }).problem).toBe(
    'Not a regular expression: missing closing ): `(`',
  )
})

test('every second part of a text is what was found', () => {
  const { cut } = searchFor({ text: 'shop' })
  expect(cut('GET /shop/SHOP')).toEqual(['GET /', 'shop', '/', 'SHOP', ''])
  expect(cut('GET /')).toEqual(['GET /'])
  expect(searchFor({ text: 'x*', isPattern: 'on' }).cut('axxb')).toEqual(['a', 'xx', 'b'])
  expect(searchFor({ text: '' }).cut('all of it')).toEqual(['all of it'])
})
