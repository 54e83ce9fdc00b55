import { expect, test } from 'vitest'
import type { Cart, ProductPage, ProductView } from '#shared/shop/shop.ts'
import { eventually } from '../../support/eventually.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { checkoutOf, orderByInvoice, shopper } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'

const handle = 'yearbook-2026'

const product = async (site: Site, which: string = handle) =>
  (await site.get(`/api/shop/products/${which}`)).json as ProductView
const listed = async (site: Site, which: string = handle) =>
  ((await site.get('/api/shop/products')).json as ProductPage).products.find(
    (each) => each.handle === which,
  )!

test('how many are left is true after every order, and the lists know what is sold out', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  const [only] = (await product(site)).variants
  await runOn(site, 'products', 'stock', handle, only!.variant, '3')
  await eventually(async () => expect((await listed(site)).soldOut).toBe(false))
  const stock = async () => (await product(site)).variants[0]
  expect(await stock()).toMatchObject({ stock: 3, soldOut: false })
  await orderByInvoice(site, [[handle, only!.variant, 1]])
  expect(await stock()).toMatchObject({ stock: 2, soldOut: false })
  const { order } = await orderByInvoice(site, [[handle, only!.variant, 2]])
  expect(await stock()).toMatchObject({ stock: 0, soldOut: true })
  await eventually(async () => expect((await listed(site)).soldOut).toBe(true))
  await runOn(site, 'orders', 'cancel', order)
  expect(await stock()).toMatchObject({ stock: 2, soldOut: false })
  await eventually(async () => expect((await listed(site)).soldOut).toBe(false))
})

test('a checkout that stock isn’t enough for says how many are left, and what to do', async () => {
  await using site = await startSite({ sending: false })
  const [only] = (await product(site)).variants
  const visitor = shopper(site)
  await visitor.put(handle, only!.variant, 3)
  const { total, lines } = (await visitor.get('/api/shop/cart')).json as Cart
  const refused = async (left: number) => {
    await runOn(site, 'products', 'stock', handle, only!.variant, String(left))
    const { status, json } = await visitor.post(
      '/api/shop/checkout',
      checkoutOf({ expectedTotal: total }),
    )
    expect([status, json?.code]).toEqual([409, 'stock'])
    return json?.message
  }
  const [{ title }] = lines as [Cart['lines'][number]]
  expect(await refused(2)).toBe(`Only 2 left of ${title}. Please change the quantity in your cart.`)
  expect(await refused(0)).toBe(`${title} is sold out. Please remove it from your cart.`)
  // Nothing was lost of the cart.
  expect(((await visitor.get('/api/shop/cart')).json as Cart).lines).toMatchObject([
    { quantity: 3 },
  ])
})

test('finished pages are made anew as a day begins, since reductions begin and end with it', async () => {
  await using site = await startSite({ sending: false })
  const { siteVersion, jobs, clock } = site.context
  const before = siteVersion.version()
  // 20 November, 14.00: ten hours to midnight in Helsinki.
  site.clock.advance(10 * 3_600_000 - 60_000)
  await jobs.runDue()
  const evening = siteVersion.version()
  site.clock.advance(60_000)
  await jobs.runDue()
  expect([before <= evening, siteVersion.version() > evening]).toEqual([true, true])
  expect(new Date(clock()).toISOString()).toBe('2026-11-20T22:00:00.000Z')
})
