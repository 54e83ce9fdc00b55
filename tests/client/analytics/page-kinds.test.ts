import { expect, test } from 'vitest'
import { pageKind } from '#shared/page-kinds.ts'

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
  ['/shop/checkout', 'shop'],
  ['/privacy-policy', 'other'],
  ['/client-area', 'client-area'],
  ['/no/such/page', 'other'],
])('%s counts as %s', (path, kind) => {
  expect(pageKind(path)).toBe(kind)
})
