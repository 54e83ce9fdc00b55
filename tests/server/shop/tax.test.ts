import { expect, test } from 'vitest'
import type { Cart } from '#shared/shop/shop.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { checkoutOf, orderByInvoice, shopper } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startVies } from '../../support/vies-double.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte'] as const
const german = { country: 'DE', vatId: 'DE136695976' }
const company = {
  company: 'Nordschleife GmbH',
  street: 'Ring 1',
  postcode: '53520',
  city: 'Nürburg',
}

type Quote = Cart & { reverseCharge: boolean; vatIdProblem: string | null }

async function withCart(site: Site) {
  const visitor = shopper(site)
  await visitor.put(...print, 1)
  return {
    quote: async (facts: Record<string, unknown>) =>
      (await visitor.post('/api/shop/cart/quote', facts)).json as Quote,
    order: (facts: Record<string, unknown>) =>
      visitor.post('/api/shop/checkout', checkoutOf({ street: 'Ring 1', ...facts })),
  }
}

test('a VAT id that VIES knows takes the VAT off, and its consultation number is kept', async () => {
  await using vies = await startVies()
  await using site = await startSite({ sending: false, env: vies.env })
  const { quote, order } = await withCart(site)
  const priced = await quote({ ...german, ...company })
  expect(priced).toMatchObject({ reverseCharge: true, vatIdProblem: null, vat: [{ rate: 0 }] })
  const { status, json } = await order({ ...german, ...company, expectedTotal: priced.total })
  expect(status).toBe(201)
  const kept = site.context.features.orders.actions.orders.find(String(json?.order))!
  expect(kept).toMatchObject({
    vatId: 'DE136695976',
    reverseCharge: true,
    vatCheck: { state: 'yes', consultation: 'WAPIAAAAZ1', name: 'NORDSCHLEIFE GMBH' },
    lines: [{ taxGround: 'intra-community', rate: 0 }],
  })
  expect(vies.asked).toEqual(['DE136695976'])
})

test.each(['no', 'down', 'lies', 'slow'] as const)(
  'a VAT id of which VIES says “%s” leaves the VAT where it is',
  async (answer) => {
    await using vies = await startVies()
    vies.answer = answer
    await using site = await startSite({ sending: false, env: vies.env })
    const { quote, order } = await withCart(site)
    const priced = await quote({ ...german, ...company })
    expect(priced).toMatchObject({ reverseCharge: false, vat: [{ rate: 25.5 }] })
    expect(priced.vatIdProblem).toContain(answer === 'no' ? 'doesn’t list' : 'isn’t responding')
    const { status, json } = await order({ ...german, ...company, expectedTotal: priced.total })
    expect(status).toBe(201)
    const kept = site.context.features.orders.actions.orders.find(String(json?.order))!
    expect(kept).toMatchObject({
      reverseCharge: false,
      vatCheck: { state: answer === 'no' ? 'no' : 'down' },
      lines: [{ taxGround: answer === 'no' ? 'distance-sale' : 'domestic' }],
    })
  },
)

test('while VIES is down, a company pays Finnish VAT and is no consumer, before and under the One Stop Shop', async () => {
  await using vies = await startVies()
  vies.answer = 'down'
  await using site = await startSite({ sending: false, env: { ...vies.env, SHARES: 'off' } })
  const { actions } = site.context.features.orders
  for (const isRegistered of [false, true]) {
    if (isRegistered) await runOn(site, 'orders', 'oss', '--register', '2026-11-20')
    const { quote, order } = await withCart(site)
    const priced = await quote({ ...german, ...company })
    expect(priced).toMatchObject({ reverseCharge: false, vat: [{ rate: 25.5 }] })
    const { json } = await order({ ...german, ...company, expectedTotal: priced.total })
    const kept = actions.orders.find(String(json?.order))!
    expect(kept).toMatchObject({
      vatId: 'DE136695976',
      lines: [{ rate: 25.5, taxCountry: 'FI', taxGround: 'domestic' }],
      shippingParts: [{ rate: 25.5, country: 'FI', ground: 'domestic' }],
    })
    const shown = await runOn(site, 'orders', 'invoice', kept.number, '--html')
    expect(shown).toContain('Finnish VAT')
    expect(shown).not.toContain('consumer')
  }
  expect(JSON.parse(await runOn(site, 'orders', 'oss', '--json'))).toMatchObject({
    years: [{ net: 0 }, { year: 2026, net: 0 }],
  })
  const report = ['oss-report', '--quarter', '2026-Q4', '--format', 'json']
  expect(JSON.parse(await runOn(site, 'orders', ...report))).toEqual([])
})

test('a VAT id counts also where VIES doesn’t know who asks, without a consultation number', async () => {
  await using vies = await startVies()
  vies.answer = 'stranger'
  await using site = await startSite({ sending: false, env: vies.env })
  const { quote, order } = await withCart(site)
  const priced = await quote({ ...german, ...company })
  expect(priced).toMatchObject({ reverseCharge: true, vatIdProblem: null, vat: [{ rate: 0 }] })
  const { json } = await order({ ...german, ...company, expectedTotal: priced.total })
  expect(site.context.features.orders.actions.orders.find(String(json?.order))).toMatchObject({
    reverseCharge: true,
    vatCheck: { state: 'yes', consultation: null },
  })
  expect(vies.asked).toEqual(['DE136695976', 'DE136695976'])
})

test('wrong check digits are refused without asking VIES', async () => {
  await using vies = await startVies()
  await using site = await startSite({ sending: false, env: vies.env })
  const { order } = await withCart(site)
  const { status, json } = await order({
    ...company,
    country: 'DE',
    vatId: 'DE123456789',
    expectedTotal: 1,
  })
  expect([status, Object.keys(json?.errors as object)]).toEqual([400, ['vatId']])
  expect(vies.asked).toEqual([])
})

test('without the company and its address there is no reverse charge', async () => {
  await using site = await startSite({ sending: false })
  const { quote, order } = await withCart(site)
  const net = await quote(german)
  const refused = await order({ ...german, expectedTotal: net.total, company: undefined })
  expect(refused.status).toBe(400)
  expect(Object.keys(refused.json?.errors as object)).toEqual(['company'])
  const gross = await quote({ country: 'DE' })
  const { status, json } = await order({ ...german, expectedTotal: gross.total })
  expect([status, json?.total]).toEqual([201, gross.total])
  const kept = site.context.features.orders.actions.orders.find(String(json?.order))!
  expect(kept).toMatchObject({ reverseCharge: false, lines: [{ taxGround: 'distance-sale' }] })
})

test('no one in Helsinki buys without VAT by naming Åland', async () => {
  await using site = await startSite({ sending: false })
  const { quote, order } = await withCart(site)
  const claimed = { country: 'AX', postcode: '00100' }
  const { total } = await quote(claimed)
  const refused = await order({ ...company, ...claimed, company: undefined, expectedTotal: total })
  expect([refused.status, refused.json?.errors]).toEqual([
    400,
    { postcode: 'Please enter a postal code of Åland, such as 22100' },
  ])
})

test('Northern Ireland is in the union for goods, with a VAT id of its own', async () => {
  await using site = await startSite({ sending: false })
  const { quote } = await withCart(site)
  const belfast = { ...company, country: 'GB', postcode: 'BT1 5GS' }
  expect(await quote(belfast)).toMatchObject({ vat: [{ rate: 25.5 }] })
  expect(await quote({ ...belfast, vatId: 'XI 110 305 878' })).toMatchObject({
    reverseCharge: true,
    vat: [{ rate: 0 }],
  })
  expect(await quote({ ...belfast, postcode: 'EH1 1AA' })).toMatchObject({ vat: [{ rate: 0 }] })
  const { vatIdProblem } = await quote({
    ...belfast,
    postcode: 'EH1 1AA',
    vatId: 'XI110305878',
  })
  expect(vatIdProblem).toContain('Northern Ireland')
})

test('a company in Northern Ireland needs no VAT id for services, which are outside the union there', async () => {
  await using site = await startSite({ sending: false })
  const visitor = shopper(site)
  await visitor.put('press-kit-in-five-days', 'english', 1)
  await visitor.put(...print, 1)
  const quote = async (facts: Record<string, unknown>) =>
    ((await visitor.post('/api/shop/cart/quote', facts)).json as Quote).vat
  const belfast = { ...company, country: 'GB', postcode: 'BT1 5GS' }
  expect(await quote(belfast)).toMatchObject([{ rate: 25.5 }, { rate: 0, vat: 0 }])
  expect(await quote({ ...belfast, company: undefined })).toMatchObject([{ rate: 25.5 }])
})

test('shipping follows the goods, split by their value', async () => {
  await using site = await startSite({ sending: false })
  const { catalogue } = site.context.features.shop
  const book = catalogue
    .list()
    .find(({ kind, vat, published }) => published && kind === 'physical' && vat !== 'standard')!
  const visitor = shopper(site)
  await visitor.put(...print, 1)
  await visitor.put(book.handle, book.variants[0]!.variant, 1)
  const cart = (await visitor.get('/api/shop/cart')).json as Cart
  const shares = cart.vat.map(({ gross }) => gross).toSorted((a, b) => a - b)
  const values = cart.lines.map(({ total }) => total).toSorted((a, b) => a - b)
  expect(cart.vat).toHaveLength(2)
  const part = Math.round((cart.shipping * values[0]!) / (values[0]! + values[1]!))
  expect(Math.abs(shares[0]! - values[0]! - part)).toBeLessThanOrEqual(1)
  expect(cart.total).toBe(values[0]! + values[1]! + cart.shipping)
})

test('shipping is split by what the goods cost, also where several cost less', async () => {
  await using site = await startSite({ sending: false })
  const visitor = shopper(site)
  await runOn(site, 'products', 'volume', ...print, '2:10.00')
  await visitor.put(...print, 10)
  await visitor.put('yearbook-2026', 'softcover', 3)
  const { vat, shipping } = (await visitor.get('/api/shop/cart')).json as Cart
  // €100.00 of prints and €102.00 of books.
  const [prints, books] = [25.5, 13.5].map((rate) => vat.find((each) => each.rate === rate)!.gross)
  expect(prints! - 10_000).toBe(Math.round((shipping * 100) / 202))
  expect(books! - 10_200).toBe(Math.round((shipping * 102) / 202))
})

test('what a company of another member state picks up has Finnish VAT, and nobody says it has none', async () => {
  await using site = await startSite({ sending: false })
  const { quote, order } = await withCart(site)
  const pickup = { ...german, ...company, delivery: 'pickup' }
  const fetched = await quote(pickup)
  expect(fetched).toMatchObject({ reverseCharge: false, vat: [{ rate: 25.5, gross: 8900 }] })
  const { json } = await order({ ...pickup, expectedTotal: 8900 })
  const { orders } = site.context.features.orders.actions
  expect(orders.find(String(json?.order))).toMatchObject({
    reverseCharge: false,
    vatId: 'DE136695976',
    lines: [{ taxGround: 'domestic' }],
  })
  const visitor = shopper(site)
  await visitor.put(...print, 1)
  await visitor.put('paddock-surfaces', 'four-plates', 1)
  // Beside a file that has none, the VAT of the print is still told.
  expect((await visitor.post('/api/shop/cart/quote', pickup)).json).toMatchObject({
    reverseCharge: true,
    vat: [{ rate: 25.5, gross: 8900 }, { rate: 0 }],
  })
})

test.each(['XX', 'ZZ', 'EU', 'UK', 'SU', 'XK'])('%s is no country to sell to', async (country) => {
  await using site = await startSite({ sending: false })
  const visitor = shopper(site)
  await visitor.put('paddock-surfaces', 'four-plates', 1)
  const errors = { country: 'Please choose a country' }
  const quote = await visitor.post('/api/shop/cart/quote', { country })
  expect([quote.status, quote.json?.errors]).toEqual([400, errors])
  const ordered = { country, expectedTotal: 1912, digitalWaiver: true }
  const placed = await visitor.post('/api/shop/checkout', checkoutOf(ordered))
  expect([placed.status, placed.json?.errors]).toEqual([400, errors])
  expect((await visitor.post('/api/shop/cart/quote', { country: 'BR' })).status).toBe(200)
})

test('a book to Germany has the VAT of books there, under the One Stop Shop', async () => {
  await using site = await startSite({ sending: false })
  await runOn(site, 'orders', 'oss', '--register', '2026-11-20')
  const visitor = shopper(site)
  await visitor.put('yearbook-2026', 'softcover', 1)
  const quote = async (country: string) =>
    (await visitor.post('/api/shop/cart/quote', { country })).json as Cart
  const home = (await quote('FI')).lines[0]!.total
  const sent = await quote('DE')
  expect(sent.vat.map(({ rate }) => rate)).toEqual([7])
  expect(sent.lines[0]!.total).toBe(home)
  // Without VAT it costs what is left.
  const irish = await quote('IE')
  expect(irish.vat.map(({ rate }) => rate)).toEqual([0])
  expect(irish.lines[0]!.total).toBe(Math.round(home / 1.135))
  await runOn(site, 'products', 'edit', 'yearbook-2026', '--vat', 'reduced')
  expect((await quote('DE')).vat.map(({ rate }) => rate)).toEqual([19])
})

test('sales to consumers in other member states are counted, and staff warned at four fifths', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  const { shop } = site.context.features
  const { id } = shop.catalogue.find(print[0])!.variants[0]!
  await site.context.commit((tx) => shop.editing.setStock(tx, id, null))
  const years = async () =>
    JSON.parse(await runOn(site, 'orders', 'oss', '--json')) as {
      registeredFrom: string | null
      years: { year: number; net: number; state: string }[]
    }
  const swedish = { country: 'SE', city: 'Stockholm' }
  const buy = async (quantity: number) => {
    const visitor = shopper(site)
    await visitor.put(...print, quantity)
    const { total } = (await visitor.post('/api/shop/cart/quote', swedish)).json as Cart
    return orderByInvoice(site, [[...print, quantity]], { ...swedish, expectedTotal: total })
  }
  await buy(20)
  const [, first] = (await years()).years
  expect(first).toMatchObject({ year: 2026, state: 'below' })
  for (let count = 0; count < 5; count += 1) await buy(20)
  const [, near] = (await years()).years
  expect(near).toMatchObject({ state: 'near' })
  expect(near!.net).toBeGreaterThanOrEqual(800_000)
  const doctor = async () =>
    (
      await Promise.all(
        site.context.features.orders.doctor!.map(async ({ check, look }) => ({
          check,
          ...(await look()),
        })),
      )
    ).find(({ check }) => check === 'oss')
  expect(await doctor()).toMatchObject({ state: 'warn' })
  const { order } = await buy(1)
  await site.context.features.orders.actions.cancel(order, 'mika')
  expect((await years()).years[1]!.net).toBe(near!.net)

  await expect(runOn(site, 'orders', 'oss', '--register', '2026-11-19')).rejects.toThrow('today')
  await runOn(site, 'orders', 'oss', '--register', '2026-11-21', '--by', 'mika')
  expect(await doctor()).toMatchObject({ state: 'ok' })
  site.clock.advance(86_400_000)
  const { order: later } = await buy(2)
  const kept = site.context.features.orders.actions.orders.find(later)!
  expect(kept.lines).toMatchObject([{ rate: 25, taxGround: 'oss', taxCountry: 'SE' }])
  const report = JSON.parse(
    await runOn(site, 'orders', 'oss-report', '--quarter', '2026-Q4', '--format', 'json'),
  ) as { country: string; rate: number; gross: string }[]
  expect(report).toMatchObject([
    { country: 'SE', kind: 'goods', rate: 25, gross: (kept.total / 100).toFixed(2) },
  ])

  // A new quarter's return has its own sales, and what it takes off earlier ones beside them.
  site.clock.advance(60 * 86_400_000)
  const { total } = await buy(1)
  await runOn(site, 'orders', 'credit', later, '--amount', '25.00', '--reason', 'scratched')
  const next = JSON.parse(
    await runOn(site, 'orders', 'oss-report', '--quarter', '2027-Q1', '--format', 'json'),
  ) as object[]
  expect(next).toMatchObject([
    { country: 'SE', vat: expect.any(String), gross: (total / 100).toFixed(2), corrects: null },
    { country: 'SE', net: '-20.00', vat: '-5.00', gross: '-25.00', corrects: '2026-Q4' },
  ])
})
