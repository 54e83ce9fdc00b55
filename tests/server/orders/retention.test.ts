import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { camt } from '../../support/bank-statement.ts'
import { runOn } from '../../support/in-process-cli.ts'
import type { Cart } from '#shared/shop/shop.ts'
import { checkoutOf, orderByInvoice, shopper } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startStripe } from '../../support/stripe-double.ts'
import { again, hook, ordered, print } from '../../support/stripe-orders.ts'

const day = 86_400_000
const email = 'aino@example.com'

const numbers = (site: Site) =>
  [...site.context.features.orders.actions.orders.list()].map(({ number }) => number)

const statement = (site: Site, order: string) =>
  site.post('/api/shop/withdraw', { order, name: 'Aino', email, confirm: true })

test('an erasure takes what was never paid, and leaves vouchers with their statements, and says so', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const first = await ordered(site, stripe)
  const second = await again(site, stripe, first, { payment: 'invoice' })
  await statement(site, second.placed.order)
  await statement(site, 'A-NOTHING')
  await site.context.jobs.runDue()
  const rehearsal = await runOn(site, 'privacy', 'erase', email)
  expect(rehearsal).toMatch(
    /orders +2 +2\n[^]*\norders, 2 kept until 2032-12-31: The Accounting Act requires/,
  )
  expect(numbers(site)).toHaveLength(2)
  await runOn(site, 'privacy', 'erase', email, '--yes')
  expect(numbers(site)).toEqual([second.placed.order])
  expect(
    site.context.features.orders.withdrawals.list().map(({ orderNumber }) => orderNumber),
  ).toEqual([second.placed.order])
  expect(site.context.timeline.of('order', first.placed.order)).toEqual([])
})

test('an erasure ends orders on hold, and says of an open payment page that it is one', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const stays = await ordered(site, stripe)
  const voucher = await orderByInvoice(site, [[...print, 1]])
  await runOn(site, 'orders', 'cancel', voucher.order)
  await orderByInvoice(site, [[...print, 1]])
  const held = await orderByInvoice(site, [[...print, 1]])
  const { orders } = site.context.features.orders.actions
  const states = ['cancelled', 'open', 'pending']
  expect(orders.find(held.order)?.state).toBe('waiting')
  const { places } = JSON.parse(await runOn(site, 'privacy', 'erase', email, '--json')) as {
    places: { place: string; kept: object | null; named: string[] }[]
  }
  const kept = {
    why: 'The Accounting Act requires these records to be kept for 6 years. 1 order can still be paid by card: run this again in an hour.',
    until: '2032-12-31',
  }
  const holding = `Order on hold ${held.order}: €${(held.total / 100).toFixed(2)}. It’s cancelled.`
  expect(places.find(({ place }) => place === 'orders')).toMatchObject({ kept, named: [holding] })
  expect(orders.find(held.order)?.state).toBe('waiting')
  const done = await runOn(site, 'privacy', 'erase', email, '--yes')
  expect(done).toContain(holding)
  expect(done).toContain(`\norders, 3 kept until ${kept.until}: ${kept.why}\n`)
  expect([...orders.list()].map(({ state }) => state).toSorted()).toEqual(states)
  expect(orders.find(held.order)).toBeNull()
  expect(site.context.mails.of('order', held.order)).toEqual([])
  expect(site.context.timeline.of('order', held.order)).toEqual([])

  // Once the payment page is closed, its order goes as well.
  site.clock.advance(3_600_000)
  await site.context.jobs.runDue()
  await runOn(site, 'privacy', 'erase', email, '--yes')
  expect(numbers(site)).not.toContain(stays.placed.order)
})

test('an export has the documents, payments and accounts of each order, refunds among them', async () => {
  await using site = await startSite({ sending: false })
  const { order, total } = await orderByInvoice(site, [[...print, 1]])
  const file = join(site.dataDir, 'bank.xml')
  const [amount, iban] = [(total / 100).toFixed(2), 'FI2112345600000785']
  writeFileSync(file, camt([{ amount, reference: '10016', id: 'A1', iban }]))
  await runOn(site, 'orders', 'match', file)
  await runOn(site, 'orders', 'credit', order, '--amount', '5.00', '--reason', 'scratched')
  const { places } = JSON.parse(await runOn(site, 'privacy', 'export', email)) as {
    places: { place: string; records: object[] }[]
  }
  expect(places.find(({ place }) => place === 'orders')?.records).toMatchObject([
    {
      number: order,
      documents: [
        { kind: 'invoice', total },
        { kind: 'credit', total: -500 },
      ],
      payments: [
        { source: 'bank', amount: total, account: iban },
        { source: 'refund', amount: -500 },
      ],
      payouts: [{ amount: 500, reason: 'scratched' }],
    },
  ])
})

test('while its payment page is open, an order that is over stays: money may still come', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { placed, session } = await ordered(site, stripe)
  await runOn(site, 'orders', 'cancel', placed.order)
  stripe.down = true
  await site.context.jobs.runDue()
  await runOn(site, 'privacy', 'erase', email, '--yes')
  expect(numbers(site)).toEqual([placed.order])
  stripe.down = false
  expect((await hook(site, stripe.event(stripe.pay(session)))).status).toBe(200)
  await site.context.jobs.runDue()
  expect(stripe.refunds).toHaveLength(1)
})

test('orders that were never paid go after 90 days, vouchers after the sixth year, the last number stays', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const left = await ordered(site, stripe)
  await again(site, stripe, left, { payment: 'invoice' })
  const cancelled = await orderByInvoice(site, [[...print, 1]])
  await runOn(site, 'orders', 'cancel', cancelled.order)
  const last = await orderByInvoice(site, [[...print, 1]])
  expect(numbers(site)).toHaveLength(4)
  // What is not paid ends in December, and its credit note is a voucher of that year.
  site.clock.advance(20 * day)
  await site.context.jobs.runDue()
  site.clock.advance(71 * day)
  await site.context.jobs.runDue()
  expect(numbers(site)).not.toContain(left.placed.order)
  expect(numbers(site)).toHaveLength(3)
  // 31 December 2032, and the day after.
  site.clock.advance(Date.UTC(2032, 11, 31, 12) - site.clock())
  await site.context.jobs.runDue()
  expect(numbers(site)).toHaveLength(3)
  site.clock.advance(day)
  await site.context.jobs.runDue()
  expect(numbers(site)).toEqual([last.order])
  const { invoices } = site.context.features.orders.actions
  // It ended unpaid, after the other one; its credit note is the last of the series.
  expect(invoices.list().map(({ number }) => number)).toEqual([1004, 1006])
  const next = await orderByInvoice(site, [[...print, 1]])
  expect(invoices.list().map(({ document }) => [document.number, document.order])).toEqual([
    [1004, last.order],
    [1006, last.order],
    [1007, next.order],
  ])
})

test('the years count from the fiscal year of the last voucher, ten of them for the One Stop Shop', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  await runOn(site, 'orders', 'oss', '--register', '2026-11-20')
  const german = { street: 'Weg 1', postcode: '10115', city: 'Berlin', country: 'DE' }
  const visitor = shopper(site)
  await visitor.put(...print, 1)
  const { total } = (await visitor.post('/api/shop/cart/quote', german)).json as Cart
  const body = checkoutOf({ ...german, email: 'oss@example.com', expectedTotal: total })
  const oss = String((await visitor.post('/api/shop/checkout', body)).json?.order)
  const early = await orderByInvoice(site, [[...print, 1]], { email: 'early@example.com' })
  const late = await orderByInvoice(site, [[...print, 1]], { email: 'late@example.com' })
  const { actions } = site.context.features.orders
  await site.context.commit((tx) => {
    for (const order of [oss, early.order, late.order]) {
      actions.orders.change(tx, actions.ofNumber(order)!, { reservedUntil: null })
    }
  })
  await runOn(site, 'orders', 'paid', oss)
  await runOn(site, 'orders', 'paid', early.order)
  // A payment of the next fiscal year is a voucher of that year.
  site.clock.advance(60 * day)
  await runOn(site, 'orders', 'paid', late.order)
  await orderByInvoice(site, [[...print, 1]], { email: 'last@example.com' })
  const [data] = site.context.features.orders.personalData!
  const kept = (name: string) =>
    site.context.commit((tx) => data!.erase!(tx, `${name}@example.com`).kept?.until)
  expect(await kept('early')).toBe('2032-12-31')
  expect(await kept('late')).toBe('2033-12-31')
  expect(await kept('oss')).toBe('2036-12-31')
  const at = async (year: number) => {
    site.clock.advance(Date.UTC(year, 0, 1, 12) - site.clock())
    await site.context.jobs.runDue()
    return [oss, early.order, late.order].map((order) => numbers(site).includes(order))
  }
  expect(await at(2032)).toEqual([true, true, true])
  expect(await at(2033)).toEqual([true, false, true])
  expect(await at(2034)).toEqual([true, false, false])
  expect(await at(2036)).toEqual([true, false, false])
  expect(await at(2037)).toEqual([false, false, false])
})

test('a company that may pay later is forgotten after two years without an order, with who allowed it', async () => {
  await using site = await startSite({ sending: false })
  const { accounts } = site.context.features.orders.actions
  for (const name of ['idle', 'buys', 'ended']) {
    await accounts.allow(`${name}@example.com`, `${name} Oy`, 'mika')
  }
  await accounts.disallow('ended@example.com', 'mika')
  const left = async (days: number) => {
    site.clock.advance(days * day)
    await site.context.jobs.runDue()
    const history = ['idle', 'buys', 'ended'].filter(
      (name) => site.context.timeline.of('credit-account', `${name}@example.com`).length > 0,
    )
    return [accounts.list().map(({ company }) => company), history]
  }
  expect(await left(700)).toEqual([
    ['buys Oy', 'idle Oy'],
    ['idle', 'buys', 'ended'],
  ])
  await orderByInvoice(site, [[...print, 1]], { email: 'Buys@example.com' })
  expect(await left(40)).toEqual([['buys Oy'], ['buys']])
  expect(await left(740)).toEqual([[], []])
})
