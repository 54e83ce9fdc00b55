import { expect, test } from 'vitest'
import type { ProductPage } from '#shared/shop/shop.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { startSite, type Site } from '../../support/site.ts'

const search = async (site: Site, q: string, more = '') =>
  (await site.get(`/api/shop/products?q=${encodeURIComponent(q)}${more}`)).json as ProductPage
const handlesFor = async (site: Site, q: string) =>
  (await search(site, q)).products.map(({ handle }) => handle)

test('a search knows titles, tags, variants, licences, groups and descriptions', async () => {
  await using site = await startSite({ sending: false })
  expect(await handlesFor(site, 'blue hour')).toContain('blue-hour-fine-art-print')
  // A tag, words of one variant, and a word that only a description has.
  expect(await handlesFor(site, 'LUT')).toEqual(['northern-light-colour-looks'])
  expect(await handlesFor(site, 'walnut frame')).toEqual(['lakeside-saloon-fine-art-print'])
  const handle = 'yearbook-2026'
  await runOn(site, 'products', 'edit', handle, '--title', 'Yearbook')
  const { description } = site.context.features.shop.catalogue.find(handle)!
  expect(description).not.toContain('zyzzyva')
  await site.context.features.shop.acts.edit(
    handle,
    { description: `${description}<p>With a <b>zyzzyva</b>.</p>` },
    'test',
  )
  expect(await handlesFor(site, 'zyzzyva')).toEqual([handle])
  expect(await handlesFor(site, 'exclusive licence')).toContain('light-trails-exclusive-licence')
  const { products } = await search(site, 'services')
  expect(new Set(products.map(({ category }) => category))).toEqual(new Set(['services']))
})

test('a word may be a beginning, lack its marks and have typing errors', async () => {
  await using site = await startSite({ sending: false })
  const posters = await handlesFor(site, 'poster')
  expect(posters.length).toBeGreaterThanOrEqual(2)
  expect(await handlesFor(site, 'POST')).toEqual(expect.arrayContaining(posters))
  for (const q of ['psoter', 'posterr', 'póster'])
    expect(await handlesFor(site, q)).toEqual(posters)
  expect(await search(site, 'psoter')).toMatchObject({ corrected: 'poster' })
  expect(await search(site, 'poster')).toMatchObject({ corrected: null })
  // The middle of a word counts where nothing begins with it: no service is found for its "ice".
  expect((await search(site, 'ice')).products.map(({ kind }) => kind)).not.toContain('service')
  expect(await handlesFor(site, 'book')).toContain('north-of-the-line-photo-book')
  expect((await search(site, 'xqwzkv')).total).toBe(0)
  expect((await search(site, '!!')).total).toBe((await search(site, '')).total)
})

test('the best match comes first, unless another order is asked for', async () => {
  await using site = await startSite({ sending: false })
  const [first] = await handlesFor(site, 'light trails')
  expect(first).toContain('light-trails')
  expect((await handlesFor(site, 'book'))[0]).toBe('north-of-the-line-photo-book')
  const prices = (await search(site, 'print', '&sort=price-up')).products.map(
    ({ price }) => price.gross,
  )
  expect(prices.length).toBeGreaterThan(2)
  expect(prices).toEqual(prices.toSorted((a, b) => a - b))
})

test('the examples of the search field find something, and follow the catalogue', async () => {
  await using site = await startSite({ sending: false })
  const { examples } = await search(site, '')
  expect(examples.length).toBe(3)
  for (const example of examples) expect((await search(site, example)).total).toBeGreaterThan(0)
  const { acts, catalogue } = site.context.features.shop
  for (const { handle } of catalogue.list()) await acts.publish(handle, false, 'test')
  expect(await search(site, '')).toMatchObject({ total: 0, examples: [] })
})
