import { expect, test } from 'vitest'
import type { Cart, ProductPage } from '#shared/shop/shop.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { checkoutOf, shopper } from '../../support/shop.ts'
import { startSite } from '../../support/site.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte'] as const

test('the sample catalogue is there at the first start, filtered, sorted and paged', async () => {
  await using site = await startSite({ sending: false })
  const list = async (query: string) =>
    (await site.get(`/api/shop/products${query}`)).json as ProductPage
  const all = await list('')
  expect(all.total).toBeGreaterThanOrEqual(16)
  expect((await list('?category=licences')).total).toBe(3)
  expect((await list('?kind=digital&sort=price-up')).products[0]).toMatchObject({
    kind: 'digital',
  })
  expect((await list('?q=jyvaskyla%20nothing')).total).toBe(0)
  expect((await site.get('/api/shop/products?category=cars')).status).toBe(400)
  const { json } = await site.get('/api/shop/products/kerb-at-golden-hour-fine-art-print')
  expect(json).toMatchObject({
    variants: [{ price: { gross: 13_900, rate: 25.5, before: 17_900 } }, {}, {}],
  })
  expect((await site.get('/api/shop/products/kemijarvi-ice-poster')).json).toEqual({
    movedTo: '/shop/products/ice-track-poster',
  })
  expect((await site.get('/api/shop/products/nothing')).status).toBe(404)
  expect((await site.get('/items/products')).status).toBe(403)
})

test('a cart adds up, and VAT is told for each rate', async () => {
  await using site = await startSite({ sending: false })
  const visitor = shopper(site)
  expect((await visitor.get('/api/shop/cart')).json).toEqual({
    success: true,
    lines: [],
    currency: 'EUR',
    shipping: 0,
    total: 0,
    vat: [],
    changes: [],
  })
  await visitor.put(...print, 2)
  const { json, status } = await visitor
    .put('yearbook-2026', 'hardcover', 1)
    .then(async (reply) => (reply.status === 404 ? visitor.get('/api/shop/cart') : reply))
  expect(status).toBe(200)
  const cart = json as Cart
  expect(cart.lines[0]).toMatchObject({
    handle: print[0],
    variant: print[1],
    quantity: 2,
    unit: 8900,
    total: 17_800,
  })
  const lines = cart.lines.reduce((sum, { total }) => sum + total, 0)
  expect(cart.total).toBe(lines + cart.shipping)
  expect(cart.shipping).toBeGreaterThan(0)
  expect(cart.vat.reduce((sum, { gross }) => sum + gross, 0)).toBe(cart.total)
  for (const { net, vat, gross } of cart.vat) expect(net + vat).toBe(gross)
  const { json: empty } = await visitor.put(...print, 0)
  expect((empty as Cart).lines.some(({ handle }) => handle === print[0])).toBe(false)
})

test.each([-1, 1.5, 1e9, '1', 21, null])('a quantity of %j is refused', async (quantity) => {
  await using site = await startSite({ sending: false })
  const visitor = shopper(site)
  const reply = await visitor.post('/api/shop/cart', {
    handle: print[0],
    variant: print[1],
    quantity,
  })
  expect(reply.status).toBe(400)
  expect(Object.keys((reply.json as { errors: object }).errors)).toEqual(['quantity'])
})

test('unknown variants are 404, more than the stock 409, and the cart is unchanged', async () => {
  await using site = await startSite({ sending: false })
  const visitor = shopper(site)
  expect((await visitor.put('no-such-print', 'x', 1)).status).toBe(404)
  expect((await visitor.put(print[0], 'no-such-variant', 1)).status).toBe(404)
  await visitor.put('blue-hour-fine-art-print', '50x70-oak-frame', 3)
  const short = await visitor.put('blue-hour-fine-art-print', '50x70-oak-frame', 4)
  expect([short.status, short.json?.code]).toEqual([409, 'stock'])
  const { json } = await visitor.get('/api/shop/cart')
  expect((json as Cart).lines).toMatchObject([{ quantity: 3 }])
})

test('a saved cart leaves the pieces that are in the cart, also when fewer are in stock by now', async () => {
  await using site = await startSite({ sending: false })
  const visitor = shopper(site)
  const [handle, variant] = ['blue-hour-fine-art-print', '50x70-oak-frame']
  await visitor.put(handle, variant, 3)
  const fill = async (quantity: number) => {
    const lines = [{ handle, variant, quantity }]
    return (await visitor.post('/api/shop/cart/lines', { lines })).json
  }
  for (const stock of ['1', '0']) {
    await runOn(site, 'products', 'stock', handle, variant, stock)
    expect(await fill(5)).toMatchObject({ left: 0, fewer: 1, lines: [{ quantity: 3 }] })
    expect(await fill(2)).toMatchObject({ left: 0, fewer: 0, lines: [{ quantity: 3 }] })
  }
})

test('a changed price is announced once, and a product that left the shop is removed', async () => {
  await using site = await startSite({ sending: false })
  const visitor = shopper(site)
  await visitor.put(...print, 1)
  await visitor.put('five-red-lights-poster', '50x70', 1)
  const { catalogue, editing } = site.context.features.shop
  const product = catalogue.find(print[0])!
  await site.context.commit((tx) => {
    editing.price(tx, product.variants[0]!.id, { cents: 9900, fromAt: site.clock() })
    editing.publish(tx, catalogue.find('five-red-lights-poster')!.id, false)
  })
  const first = (await visitor.get('/api/shop/cart')).json as Cart
  expect(first.changes).toEqual([{ handle: print[0], variant: print[1], was: 8900, now: 9900 }])
  expect(first.lines.map(({ handle }) => handle)).toEqual([print[0]])
  const second = (await visitor.get('/api/shop/cart')).json as Cart
  expect(second.changes).toEqual([])
  expect(first.gone).toEqual([
    {
      handle: 'five-red-lights-poster',
      variant: '50x70',
      title: 'Five Red Lights, poster, 50 × 70 cm',
    },
  ])
  expect(second).not.toHaveProperty('gone')
  expect(second.lines[0]?.unit).toBe(9900)
})

test('a VAT id of another member state prices without VAT, a wrong one says so', async () => {
  await using site = await startSite({ sending: false })
  const visitor = shopper(site)
  await visitor.put(...print, 1)
  const quote = async (country: string, vatId?: string) =>
    (await visitor.post('/api/shop/cart/quote', { country, vatId })).json as Cart & {
      reverseCharge: boolean
      vatIdProblem: string | null
    }
  const company = await quote('DE', 'DE 136 695 976')
  expect(company).toMatchObject({ reverseCharge: true, vatIdProblem: null })
  expect(company.lines[0]).toMatchObject({ unit: 7092, total: 7092 })
  expect(company.vat).toEqual([{ rate: 0, net: company.total, vat: 0, gross: company.total }])
  expect(await quote('DE', 'DE12')).toMatchObject({
    reverseCharge: false,
    vatIdProblem: 'That isn’t a VAT number of this country',
  })
  expect(await quote('DE', 'DE123456789')).toMatchObject({
    reverseCharge: false,
    vatIdProblem: 'The check digits of this VAT number are wrong',
  })
  expect(await quote('DE', 'SE556677889901')).toMatchObject({
    reverseCharge: false,
    vatIdProblem: 'That VAT number doesn’t match the country',
  })
  expect(await quote('FI', 'FI01120389')).toMatchObject({
    reverseCharge: false,
    vatIdProblem: null,
  })
  expect((await visitor.post('/api/shop/cart/quote', { country: 'XX' })).status).toBe(400)
})

test('what leaves the European Union is without VAT, and each line says why', async () => {
  await using site = await startSite({ sending: false })
  const visitor = shopper(site)
  await visitor.put(...print, 2)
  await visitor.put('winter-wallpapers', 'personal', 1)
  const quote = async (country: string) =>
    (await visitor.post('/api/shop/cart/quote', { country })).json as Cart
  expect((await quote('DE')).vat.map(({ rate }) => rate)).toEqual([25.5])
  const abroad = await quote('NO')
  // 89.00 is 70.92 and 18.08; the parcel of 24.90 is 19.84 and 5.06.
  expect(abroad.lines.map(({ unit }) => unit)).toEqual([7092, 717])
  const total = 2 * 7092 + 717 + 1984
  expect([abroad.shipping, abroad.total]).toEqual([1984, total])
  expect(abroad.vat).toEqual([{ rate: 0, net: total, vat: 0, gross: total }])
  const reply = await visitor.post(
    '/api/shop/checkout',
    checkoutOf({ expectedTotal: abroad.total, country: 'NO', city: 'Oslo' }),
  )
  expect(reply.status).toBe(201)
  const { actions } = site.context.features.orders
  const [invoice] = actions.invoices.list()
  expect(invoice).toMatchObject({ total: abroad.total, document: { vat: abroad.vat } })
  const reasons = invoice!.document.lines.map(({ reason }) => /art\. [\d]+/.exec(reason ?? '')?.[0])
  expect(reasons).toEqual(['art. 146', 'art. 44', 'art. 146'])
})
