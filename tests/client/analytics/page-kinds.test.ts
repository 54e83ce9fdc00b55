import type { RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { pages } from '#client/pages.ts'
import { createRoutes } from '#client/routes.tsx'
import { pageKind, readingAt } from '#shared/analytics/page-kinds.ts'

test.each([
  ['/', 'home'],
  ['/services/photography', 'services'],
  ['/news', 'news'],
  ['/news/', 'news'],
  ['/news/a-story', 'article'],
  ['/portfolio', 'portfolio'],
  ['/s/secret-folder/view/1', 'client-area'],
  ['/panel/nordic-rally-team', 'client-area'],
  ['/debug/logs', 'client-area'],
  ['/booking', 'booking'],
  ['/booking/a-token', 'client-area'],
  ['/booking/staff/a-token', 'client-area'],
  ['/shop/checkout', 'shop'],
  ['/shop/checkout/success', 'client-area'],
  ['/privacy-policy', 'other'],
  ['/client-area', 'client-area'],
  ['/no/such/page', 'other'],
])('%s counts as %s', (path, kind) => {
  expect(pageKind(path)).toBe(kind)
})

const pathsOf = (routes: readonly RouteObject[]): string[] =>
  routes.flatMap(({ path, children = [] }) => [...(path ? [path] : []), ...pathsOf(children)])

test('only pages that nobody needs to tell apart count as other', () => {
  const others = pathsOf(createRoutes(async () => ({ pages }))).filter(
    (path) => pageKind(path) === 'other',
  )
  expect(others).toEqual([
    '/privacy-policy',
    '/terms-of-service',
    '/cookie-policy',
    '/accessibility',
    '/test',
    '/l/:code',
    '/contact',
    '/l',
  ])
})

test.each([
  ['/news/a-story', { kind: 'article', slug: 'a-story' }],
  ['/news/kev%C3%A4t/', { kind: 'article', slug: 'kevät' }],
  ['/services/photography', { kind: 'service', slug: 'photography' }],
  ['/portfolio/rally', { kind: 'case', slug: 'rally' }],
  ['/shop/products/print', { kind: 'product', slug: 'print' }],
  ['/', null],
  ['/news', null],
  ['/news/', null],
  ['/news//', null],
  ['/news/%E0%A4%A', null],
  [`/news/${'x'.repeat(201)}`, null],
  ['/shop/cart', null],
  ['/shop/orders/secret', null],
  ['/panel/nordic', null],
  ['/constructor/x', null],
])('%s is about %o', (path, reading) => {
  expect(readingAt(path)).toEqual(reading)
})
