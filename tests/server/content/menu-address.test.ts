import { expect, test } from 'vitest'
import { menuAddress } from '#server/content/menu-address.ts'
import { contentFiles } from '../../support/content-files.ts'
import { startSite } from '../../support/site.ts'

test.each([
  ['portfolio', '/portfolio'],
  ['/news/', '/news'],
  ['#media-outsourcing', '/#media-outsourcing'],
  ['news/?page=2', '/news?page=2'],
  ['/', '/'],
  ['https://partner.example/x/', 'https://partner.example/x/'],
  ['//partner.example/x/', '//partner.example/x/'],
  ['mailto:hello@example.com', 'mailto:hello@example.com'],
])('a menu’s record has one spelling of its address: %s', (url, href) => {
  expect(menuAddress(url)).toBe(href)
})

test('the bar gets that spelling, and the content service keeps the editor’s', async () => {
  using content = contentFiles({
    'menu_main.json': [
      { id: 1, title: 'News', url: 'news/' },
      { id: 2, title: 'Contact', url: null },
    ],
  })
  await using site = await startSite({ sending: false, env: { CONTENT_DIR: content.dir } })
  const urls = (rows: unknown) => (rows as { url: string | null }[]).map(({ url }) => url)
  expect(urls((await site.get('/api/content/menu')).json)).toEqual(['/news', null])
  const { data } = (await site.get('/items/menu_main?fields=url')).json as { data: unknown }
  expect(urls(data)).toEqual(['news/', null])
})
