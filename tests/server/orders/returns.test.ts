import { expect, test } from 'vitest'
import type { Cart } from '#shared/shop/shop.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { checkoutOf, shopper } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'

/** Equal numbers for equal runs. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const address = { street: 'Road 1', postcode: '10115', city: 'Town' }
const finnish = { ...address, postcode: '00100', country: 'FI' }

/** Buyers of every sort; `own` is the rate of their state, where consumers pay it, `ofBooks` its rate for books. */
const buyers: {
  to: Record<string, string>
  own?: number
  ofBooks?: number
  isCompany?: boolean
}[] = [
  { to: finnish },
  { to: { ...finnish, company: 'Rata Oy', vatId: 'FI01120389' }, isCompany: true },
  { to: { ...address, country: 'AX', postcode: '22100' } },
  { to: { ...address, country: 'DE' }, own: 19, ofBooks: 7 },
  { to: { ...address, country: 'SE' }, own: 25, ofBooks: 6 },
  { to: { ...address, country: 'EE' }, own: 24, ofBooks: 9 },
  { to: { ...address, country: 'US', state: 'IN' } },
  { to: { ...address, country: 'NO', company: 'Fjord AS' }, isCompany: true },
  {
    to: { ...address, country: 'DE', company: 'Ring GmbH', vatId: 'DE136695976' },
    isCompany: true,
  },
  { to: { ...address, country: 'GR', company: 'Rally AE', vatId: 'EL094259216' }, isCompany: true },
]

/**
 * The rules once more, as a bookkeeper would write them down: where a supply to a buyer is returned, and
 * at which rate.
 */
function placed(
  kind: string,
  usual: number,
  { to, own, isCompany = false }: (typeof buyers)[number],
): { rate: number; where: 'finland' | 'zero' | 'goods' | 'services' | 'oss' } {
  const { country } = to
  if (country === 'FI') return { rate: usual, where: 'finland' }
  if (country === 'AX') {
    return kind === 'physical' ? { rate: 0, where: 'zero' } : { rate: usual, where: 'finland' }
  }
  if (to.vatId !== undefined) return { rate: 0, where: kind === 'physical' ? 'goods' : 'services' }
  if (own !== undefined) {
    return kind === 'service' ? { rate: usual, where: 'finland' } : { rate: own, where: 'oss' }
  }
  if (kind === 'service' && !isCompany) return { rate: usual, where: 'finland' }
  return { rate: 0, where: 'zero' }
}

/** Net of gross in exact integers, halves away from zero; the rate in per cent. */
function netOf(gross: bigint, rate: number): bigint {
  const divisor = 1000n + BigInt(Math.round(rate * 10))
  const magnitude = gross < 0n ? -gross : gross
  const net = (magnitude * 2000n + divisor) / (divisor * 2n)
  return gross < 0n ? -net : net
}

class Sums extends Map<string, bigint> {
  add(key: string, amount: bigint) {
    this.set(key, (this.get(key) ?? 0n) + amount)
  }
  of(key: string) {
    return Number(this.get(key) ?? 0n)
  }
}

const json = async <Result>(site: Site, ...args: string[]) =>
  JSON.parse(await runOn(site, 'orders', ...args)) as Result
const centsOf = (text: string) => Math.round(Number(text) * 100)

test('a month of 500 random orders: VAT return, EU sales list, One Stop Shop and ledger equal an independent computation', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  const { shop, orders } = site.context.features
  const { actions } = orders
  await runOn(site, 'orders', 'oss', '--register', '2026-11-20')
  const all = shop.catalogue.list().filter(({ published }) => published)
  await site.context.commit((tx) => {
    for (const { variants } of all) {
      for (const { id, stock } of variants) if (stock !== null) shop.editing.setStock(tx, id, 5_000)
    }
  })
  const usual = { standard: 25.5, reduced: 13.5, book: 13.5, low: 10, zero: 0 }
  const pick = seeded(20_261_123)
  const sums = new Sums()
  /** What an invoice has of each place and rate, as the rules of documents have it: one rounding per rate. */
  for (let count = 0; count < 500; count += 1) {
    const buyer = buyers[pick(buyers.length)]!
    const visitor = shopper(site, `127.${3 + Math.floor(count / 200)}.${count % 200}.1`)
    for (let lines = pick(4); lines >= 0; lines -= 1) {
      const product = all[pick(all.length)]!
      const { variant } = product.variants[pick(product.variants.length)]!
      await visitor.put(product.handle, variant, 1 + pick(3))
    }
    const quoted = (await visitor.post('/api/shop/cart/quote', buyer.to)).json as Cart
    const { status, json: reply } = await visitor.post(
      '/api/shop/checkout',
      checkoutOf({ ...buyer.to, expectedTotal: quoted.total, digitalWaiver: true }),
    )
    expect([count, status]).toEqual([count, 201])
    const order = actions.orders.find(String(reply?.order))!

    // What the order is made of, placed by the independent rules.
    const parts = [
      ...order.lines.map(({ handle, kind, total, rate }) => {
        const product = all.find((each) => each.handle === handle)!
        const { own, ofBooks = own } = buyer
        const to = product.vat === 'book' ? { ...buyer, own: ofBooks } : buyer
        return { gross: BigInt(total), rate, rule: placed(kind, usual[product.vat], to) }
      }),
      // Shipping follows the goods, each of its parts at their rate.
      ...order.shippingParts.map(({ gross, rate }) => ({
        gross: BigInt(gross),
        rate,
        rule: { ...placed('physical', rate, buyer), rate },
      })),
    ]
    for (const { rate, rule } of parts) expect([count, rate]).toEqual([count, rule.rate])

    // A part of the orders is credited in steps, to the end or not; some are paid.
    const fate = pick(6)
    const documentsOf = () => actions.invoices.ofOrder(order.id).map(({ document }) => document)
    if (fate === 0) await actions.cancel(order.number, 'mika')
    if (fate === 1) {
      await actions.credit(
        order.number,
        { amount: 1 + pick(order.total) },
        { reason: 'late', restock: false, actor: 'mika' },
      )
    }
    if (fate === 2) {
      await actions.paid(order.number, { actor: 'mika' })
      const half = 1 + pick(order.total)
      const told = { reason: 'late', restock: false, actor: 'mika' }
      await actions.credit(order.number, { amount: half }, told)
      if (half < order.total) await actions.refund(order.number, 'mika')
    }
    if (fate === 3)
      await actions.paid(order.number, { actor: 'mika', amount: 1 + pick(order.total) })

    // Documents as they have to be: gross of each rate rounded once; a credited order makes nothing.
    const documents = documentsOf()
    const gross = documents.reduce((sum, { total }) => sum + total, 0)
    if (fate === 0 || (fate === 2 && gross === 0)) {
      expect(gross).toBe(0)
      for (const rate of new Set(documents.flatMap(({ vat }) => vat.map((row) => row.rate)))) {
        const rows = documents.flatMap(({ vat }) => vat.filter((row) => row.rate === rate))
        expect(rows.reduce((sum, { vat }) => sum + vat, 0)).toBe(0)
        expect(rows.reduce((sum, { net }) => sum + net, 0)).toBe(0)
      }
      continue
    }
    for (const document of documents) {
      const isInvoice = document.kind === 'invoice'
      const lines = document.lines.map(({ total, rate, line }, at) => ({
        gross: BigInt(total),
        rate,
        where: parts[isInvoice ? at : line!]!.rule.where,
      }))
      for (const rate of new Set(lines.map((line) => line.rate))) {
        const own = lines.filter((line) => line.rate === rate)
        const whole = own.reduce((sum, line) => sum + line.gross, 0n)
        const net = netOf(whole, rate)
        const places = new Set(own.map(({ where }) => where))
        // A rate above nothing belongs to one return.
        if (rate > 0) expect(places.size).toBe(1)
        for (const where of places) {
          const part =
            rate > 0
              ? whole
              : own
                  .filter((line) => line.where === where)
                  .reduce((sum, line) => sum + line.gross, 0n)
          const partNet = rate > 0 ? net : part
          sums.add(`${where} ${rate} net`, partNet)
          sums.add(`${where} ${rate} vat`, part - partNet)
          if (where === 'oss') sums.add(`oss ${order.country} ${rate} vat`, part - partNet)
          if (where === 'oss') sums.add(`oss ${order.country} ${rate} net`, partNet)
          if (where === 'goods' || where === 'services')
            sums.add(`list ${order.vatId} ${where}`, partNet)
        }
      }
      sums.add('gross', BigInt(document.total))
    }
  }
  const [from, to] = ['2026-11-01', '2026-11-30']
  expect(actions.invoices.list(from, to)).toHaveLength(actions.invoices.list().length)

  const found = await json<{
    boxes: { box: number; amount: number }[]
    oneStopShop: { net: number; vat: number }
  }>(site, 'vat-return', '--month', '2026-11', '--json')
  const zero = ['zero', 'finland'].reduce((sum, where) => sum + sums.of(`${where} 0 net`), 0)
  expect(Object.fromEntries(found.boxes.map(({ box, amount }) => [box, amount]))).toEqual({
    301: sums.of('finland 25.5 vat'),
    302: sums.of('finland 13.5 vat'),
    303: sums.of('finland 10 vat'),
    309: zero,
    311: sums.of('goods 0 net'),
    312: sums.of('services 0 net'),
  })
  // As the other exports: the same boxes as rows, in euros.
  const rowsOf = ['vat-return', '--month', '2026-11', '--format', 'json']
  const exported = await json<{ month: string; box: number; amount: string }[]>(site, ...rowsOf)
  expect(exported.map(({ month, box, amount }) => [month, box, centsOf(amount)])).toEqual(
    found.boxes.map(({ box, amount }) => ['2026-11', box, amount]),
  )

  // Every place is in there.
  for (const { box, amount } of found.boxes) {
    if (box !== 303) expect([box, amount > 0]).toEqual([box, true])
  }

  const list = await json<{ country: string; vatId: string; goods: string; services: string }[]>(
    site,
    'eu-sales-list',
    '--month',
    '2026-11',
    '--format',
    'json',
  )
  expect(list.map(({ country }) => country)).toEqual(['DE', 'EL'])
  for (const { country, vatId, goods, services } of list) {
    expect(centsOf(goods)).toBe(sums.of(`list ${country}${vatId} goods`))
    expect(centsOf(services)).toBe(sums.of(`list ${country}${vatId} services`))
  }

  const report = await json<{ country: string; rate: number; net: string; vat: string }[]>(
    site,
    'oss-report',
    '--quarter',
    '2026-Q4',
    '--format',
    'json',
  )
  const returned = new Sums()
  for (const { country, rate, net, vat } of report) {
    returned.add(`oss ${country} ${rate} net`, BigInt(centsOf(net)))
    returned.add(`oss ${country} ${rate} vat`, BigInt(centsOf(vat)))
  }
  const expected = [...sums].filter(([key]) => /^oss [A-Z]/.test(key))
  expect(new Map(returned)).toEqual(new Map(expected))
  expect(found.oneStopShop.vat).toBe(
    Number(
      expected.filter(([key]) => key.endsWith('vat')).reduce((sum, [, amount]) => sum + amount, 0n),
    ),
  )

  const rows = await json<
    {
      kind: string
      box: number | null
      order: string
      net: string
      vat: string
      gross: string
      account: string
    }[]
  >(site, 'books', '--month', '2026-11', '--format', 'json')
  const documents = rows.filter(({ kind }) => kind === 'invoice' || kind === 'credit note')
  expect(documents.reduce((sum, { gross }) => sum + centsOf(gross), 0)).toBe(sums.of('gross'))
  for (const { net, vat, gross } of documents)
    expect(centsOf(net) + centsOf(vat)).toBe(centsOf(gross))
  for (const { box, amount } of found.boxes) {
    const own = documents.filter((row) => row.box === box)
    const column = box <= 303 ? 'vat' : 'net'
    expect([box, own.reduce((sum, row) => sum + centsOf(row[column]), 0)]).toEqual([box, amount])
  }
  // Money: what came in, without what went back, is what the orders say.
  const money = rows.filter(({ kind }) => ['payment', 'part payment', 'refund'].includes(kind))
  const paid = actions.orders.list().reduce((sum, { id }) => sum + actions.orders.paid(id), 0)
  expect(money.reduce((sum, { gross }) => sum + centsOf(gross), 0)).toBe(paid)
  expect(money.some(({ kind }) => kind === 'part payment')).toBe(true)
  // The accounts of the chart, and no others.
  expect([...new Set(rows.map(({ account }) => account))].toSorted()).toEqual([
    '1910',
    '3000',
    '3010',
    '3020',
  ])
}, 300_000)
