import { expect, test } from 'vitest'
import type { Cart, ProductView } from '#shared/shop/shop.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'

const handle = 'paddock-postcards'
const variant = 'box-of-twelve'

const shown = async (site: Site) =>
  ((await site.get(`/api/shop/products/${handle}`)).json as ProductView).variants[0]!

/** What a cart says of so many pieces, as cents for one and for all of them. */
async function priced(site: Site, quantity: number): Promise<number[]> {
  const { json } = await site.post('/api/shop/cart', { handle, variant, quantity })
  const [line] = (json as unknown as Cart).lines
  return [line!.unit, line!.total]
}

test('more pieces cost less each, from the cart to the invoice', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  await runOn(site, 'products', 'volume', handle, variant, '5:16.00', '10:14.50')
  expect((await shown(site)).volume?.map(({ from, price }) => [from, price.gross])).toEqual([
    [5, 1600],
    [10, 1450],
  ])
  expect(await priced(site, 4)).toEqual([1800, 7200])
  expect(await priced(site, 5)).toEqual([1600, 8000])
  expect(await priced(site, 9)).toEqual([1600, 14_400])
  expect(await priced(site, 20)).toEqual([1450, 29_000])

  const { order } = await orderByInvoice(site, [[handle, variant, 10]])
  const kept = JSON.parse(await runOn(site, 'orders', 'show', order, '--json')) as {
    lines: { unit: number; total: number }[]
  }
  expect(kept.lines).toMatchObject([{ unit: 1450, total: 14_500 }])

  // A price that is changed later changes no order, and the page with it.
  await runOn(site, 'products', 'volume', handle, variant)
  expect((await shown(site)).volume).toBe(undefined)
  expect(await priced(site, 20)).toEqual([1800, 36_000])
})

test('a reduction below a step counts, and a step is none', async () => {
  await using site = await startSite()
  await runOn(site, 'products', 'volume', handle, variant, '5:16.00', '10:12.00')
  site.clock.advance(40 * 86_400_000)
  await runOn(site, 'products', 'price', handle, variant, '15.00', '--to', '2027-01-20')
  const now = await shown(site)
  expect([now.price.gross, now.price.before]).toEqual([1500, 1800])
  expect(now.volume?.map(({ from }) => from)).toEqual([10])
  expect(await priced(site, 5)).toEqual([1500, 7500])
  expect(await priced(site, 10)).toEqual([1200, 12_000])
})

test('steps that make no sense are refused with the reason, and change nothing', async () => {
  await using site = await startSite({ sending: false })
  await runOn(site, 'products', 'volume', handle, variant, '5:16.00')
  for (const steps of [
    ['5:16.00', '10:16.00'],
    // A single one costs €18.00.
    ['5:18.00'],
    ['5:160.00', '10:14.50'],
    ['10:14.00', '5:13.00'],
    ['1:16.00'],
    ['21:16.00'],
    ['0:16.00'],
    ['5:-1.00'],
    ['5:16.001'],
    ['5'],
    ['a:b'],
    ['999999999999:1'],
    ['2:6', '3:5', '4:4', '5:3', '6:2', '7:1'],
  ]) {
    await expect(
      runOn(site, 'products', 'volume', handle, variant, ...steps),
      steps.join(' '),
    ).rejects.toThrow()
  }
  expect((await shown(site)).volume?.map(({ from, price }) => [from, price.gross])).toEqual([
    [5, 1600],
  ])
})

test('files carry the steps, and a sheet sets and empties them', async () => {
  await using site = await startSite({ sending: false })
  await runOn(site, 'products', 'volume', handle, variant, '5:16.00', '10:14.50')
  const [product] = (
    JSON.parse(await runOn(site, 'products', 'export')) as {
      handle: string
      variants: { volume?: unknown }[]
    }[]
  ).filter((each) => each.handle === handle)
  expect(product!.variants[0]!.volume).toEqual([
    { from: 5, price: '16.00' },
    { from: 10, price: '14.50' },
  ])
  const sheet = await runOn(site, 'products', 'export', '--format', 'csv')
  expect(sheet).toContain('5: 16.00 | 10: 14.50')
  const { importSheet } = site.context.features.shop.acts
  const row = (volumeprices: string) =>
    importSheet([{ line: 2, fields: { handle, variant, volumeprices } }], {
      actor: 'Aino',
      isNarrow: false,
    })
  await row('4: 17,00 | 8: 15,5')
  expect((await shown(site)).volume?.map(({ from, price }) => [from, price.gross])).toEqual([
    [4, 1700],
    [8, 1550],
  ])
  await expect(row('4 for 17')).rejects.toThrow('Line 2')
  await row('-')
  expect((await shown(site)).volume).toBe(undefined)
})
