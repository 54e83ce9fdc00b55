import { expect, test } from 'vitest'
import { netOf } from '#shared/money.ts'
import type { Cart } from '#shared/shop/shop.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { checkoutOf, shopper } from '../../support/shop.ts'
import { startSite } from '../../support/site.ts'

/** Equal numbers for equal runs. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const address = { street: 'Road 1', postcode: '10115', city: 'Town' }
type Buyer = {
  to: Record<string, string>
  own: number | null
  /** What its state charges on books, where that's another rate. */
  ofBooks?: number
  isCompany: boolean
}

const buyers: Buyer[] = [
  { to: { ...address, country: 'FI', postcode: '00100' }, own: null, isCompany: false },
  { to: { ...address, country: 'AX', postcode: '22100' }, own: null, isCompany: false },
  { to: { ...address, country: 'DE' }, own: 19, ofBooks: 7, isCompany: false },
  { to: { ...address, country: 'SE' }, own: 25, ofBooks: 6, isCompany: false },
  { to: { ...address, country: 'US', state: 'IN' }, own: null, isCompany: false },
  {
    to: { ...address, country: 'DE', company: 'Ring GmbH', vatId: 'DE136695976' },
    own: 19,
    isCompany: true,
  },
  { to: { ...address, country: 'NO', company: 'Fjord AS' }, own: null, isCompany: true },
]

/** The rule once more, as a bookkeeper would write it down: the rate, or null for no Finnish VAT. */
function rateOf(
  kind: string,
  usual: number,
  { to, own, isCompany }: Buyer,
): { rate: number; isOss: boolean } {
  const country = to.country!
  const home = { rate: usual, isOss: false }
  const none = { rate: 0, isOss: false }
  if (country === 'FI') return home
  if (country === 'AX') return kind === 'physical' ? none : home
  if (own !== null && isCompany) return none
  if (own !== null) return kind === 'service' ? home : { rate: own, isOss: true }
  if (kind === 'service' && !isCompany) return home
  return none
}

test('the books and the One Stop Shop return of random orders equal an independent sum', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  const { shop, orders } = site.context.features
  await runOn(site, 'orders', 'oss', '--register', '2026-11-20')
  const all = shop.catalogue.list().filter(({ published }) => published)
  await site.context.commit((tx) => {
    for (const { variants } of all) {
      for (const { id, stock } of variants) if (stock !== null) shop.editing.setStock(tx, id, 500)
    }
  })
  const usual = { standard: 25.5, reduced: 13.5, book: 13.5, low: 10, zero: 0 }
  const pick = seeded(20_261_120)
  /** Gross by rate of each document, and what goes through the One Stop Shop by country and rate. */
  const gross = new Map<number, number>()
  const oss = new Map<string, number>()
  const add = <Key>(sums: Map<Key, number>, key: Key, amount: number) =>
    sums.set(key, (sums.get(key) ?? 0) + amount)
  for (let count = 0; count < 60; count += 1) {
    const buyer = buyers[pick(buyers.length)]!
    const visitor = shopper(site, `127.2.${count}.1`)
    for (let lines = pick(4); lines >= 0; lines -= 1) {
      const product = all[pick(all.length)]!
      const { variant } = product.variants[pick(product.variants.length)]!
      await visitor.put(product.handle, variant, 1 + pick(3))
    }
    const priced = (await visitor.post('/api/shop/cart/quote', buyer.to)).json as Cart
    const facts = { ...buyer.to, expectedTotal: priced.total, digitalWaiver: true }
    const { status, json } = await visitor.post('/api/shop/checkout', checkoutOf(facts))
    expect(status).toBe(201)
    const order = orders.actions.orders.find(String(json?.order))!
    const sign = pick(5) === 0 ? 0 : 1
    if (sign === 0) await orders.actions.cancel(order.number, 'mika')
    for (const { handle, quantity, total, rate } of order.lines) {
      const product = all.find((each) => each.handle === handle)!
      const base = usual[product.vat]
      const own = product.vat === 'book' ? (buyer.ofBooks ?? buyer.own) : buyer.own
      const expected = rateOf(product.kind, base, { ...buyer, own })
      expect([handle, rate]).toEqual([handle, expected.rate])
      const variant = product.variants.find(
        ({ id }) => id === order.lines.find((each) => each.handle === handle)!.variantId,
      )!
      if (order.lines.filter((each) => each.handle === handle).length === 1) {
        const price = variant.price!.price
        expect(total).toBe(quantity * (expected.rate === 0 ? netOf(price, base) : price))
      }
      add(gross, rate, sign * total)
      if (expected.isOss) add(oss, `${order.country} ${rate}`, sign * total)
    }
    for (const part of order.shippingParts) {
      add(gross, part.rate, sign * part.gross)
      if (part.ground === 'oss') add(oss, `${order.country} ${part.rate}`, sign * part.gross)
    }
    expect(order.shipping).toBe(order.shippingParts.reduce((sum, part) => sum + part.gross, 0))
  }

  const rows = JSON.parse(await runOn(site, 'orders', 'export', '--format', 'json')) as {
    rate: number
    net: string
    vat: string
    gross: string
  }[]
  const booked = new Map<number, number>()
  for (const row of rows) {
    const cents = (text: string) => Math.round(Number(text) * 100)
    expect(cents(row.net) + cents(row.vat)).toBe(cents(row.gross))
    add(booked, row.rate, cents(row.gross))
  }
  expect(Object.fromEntries(booked)).toEqual(Object.fromEntries(gross))

  const report = JSON.parse(
    await runOn(site, 'orders', 'oss-report', '--quarter', '2026-Q4', '--format', 'json'),
  ) as { country: string; rate: number; net: string; gross: string }[]
  const returned = new Map<string, number>()
  for (const row of report) {
    add(returned, `${row.country} ${row.rate}`, Math.round(Number(row.gross) * 100))
  }
  expect(Object.fromEntries(returned)).toEqual(Object.fromEntries(oss))
  // What counts towards the threshold is what is returned, to the cent.
  const { years } = JSON.parse(await runOn(site, 'orders', 'oss', '--json')) as {
    years: { net: number }[]
  }
  expect(years.at(-1)!.net).toBe(
    report.reduce((sum, { net }) => sum + Math.round(Number(net) * 100), 0),
  )
})

test('the One Stop Shop return names Greece and Northern Ireland by the codes of the return', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  await runOn(site, 'orders', 'oss', '--register', '2026-11-20')
  const to = [
    { country: 'GR', postcode: '10431', city: 'Athens' },
    { country: 'GB', postcode: 'BT1 5GS', city: 'Belfast' },
  ]
  for (const place of to) {
    const visitor = shopper(site)
    await visitor.put('five-red-lights-poster', '50x70', 1)
    const shown = await visitor.post(
      '/api/shop/checkout',
      checkoutOf({ expectedTotal: 1, ...place }),
    )
    const { total } = shown.json as Cart
    const body = checkoutOf({ expectedTotal: total, ...place })
    expect((await visitor.post('/api/shop/checkout', body)).status).toBe(201)
  }
  const read = async (...args: string[]) =>
    JSON.parse(await runOn(site, 'orders', ...args, '--format', 'json')) as object[]
  expect(await read('oss-report', '--quarter', '2026-Q4')).toMatchObject([
    { country: 'EL', rate: 24 },
    { country: 'XI', rate: 20 },
  ])
  expect(await read('books', '--month', '2026-11')).toMatchObject([
    { country: 'GR', ossCountry: 'EL' },
    { country: 'GB', ossCountry: 'XI' },
  ])
})

test('what is sold and credited whole in its days is no row of a return', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  await runOn(site, 'orders', 'oss', '--register', '2026-11-20')
  const to = [
    { country: 'DE', postcode: '10115', city: 'Berlin' },
    {
      country: 'DE',
      postcode: '10115',
      city: 'Berlin',
      company: 'Ring GmbH',
      vatId: 'DE136695976',
    },
  ]
  for (const place of to) {
    const visitor = shopper(site)
    await visitor.put('five-red-lights-poster', '50x70', 1)
    const shown = await visitor.post(
      '/api/shop/checkout',
      checkoutOf({ expectedTotal: 1, ...place }),
    )
    const { total } = shown.json as Cart
    const body = checkoutOf({ expectedTotal: total, ...place })
    const { order } = (await visitor.post('/api/shop/checkout', body)).json as { order: string }
    await runOn(site, 'orders', 'cancel', order)
  }
  const read = async (...args: string[]) =>
    JSON.parse(await runOn(site, 'orders', ...args, '--format', 'json')) as object[]
  expect(await read('books', '--month', '2026-11')).toHaveLength(4)
  expect(await read('oss-report', '--quarter', '2026-Q4')).toEqual([])
  expect(await read('eu-sales-list', '--month', '2026-11')).toEqual([])
})
