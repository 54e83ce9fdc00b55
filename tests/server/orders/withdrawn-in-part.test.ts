import { expect, test } from 'vitest'
import type { CheckoutReply, OrderView } from '#shared/shop/orders.ts'
import type { Cart } from '#shared/shop/shop.ts'
import { credit } from '../../support/credits.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { checkoutOf, orderByInvoice, shopper } from '../../support/shop.ts'
import { startSite } from '../../support/site.ts'
import { cases, mailTo, stock, withdraw } from '../../support/withdrawals.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte'] as const
const cards = ['paddock-postcards', 'box-of-twelve'] as const

const words = (text: string) => text.replaceAll(/\s+/g, ' ')

test('who has one of two pieces and withdraws from one keeps theirs: the other isn’t sent, and nothing comes back', async () => {
  await using site = await startSite()
  const { actions } = site.context.features.orders
  const { order, token } = await orderByInvoice(site, [[...print, 2]])
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'ship', order, '--line', '1x1')
  const before = stock(site, print)!
  const asked = await withdraw(site, order)
  expect(asked.json.lines).toMatchObject([{ quantity: 2, sent: 1 }])
  const lines = [{ line: 1, quantity: 1 }]
  const done = await withdraw(site, order, { lines, confirm: true })
  expect(done.json.lines).toMatchObject([{ quantity: 1, sent: 0 }])
  const [statement] = await cases(site)
  expect(statement).toMatchObject({ stage: 'received' })
  await settled(site)
  const [acknowledged] = mailTo(site, 'We have received your withdrawal')
  expect(words(acknowledged!.text)).toContain('There’s nothing to send back.')
  await expect(runOn(site, 'orders', 'ship', order)).rejects.toThrow('withdrawn from 1 piece')
  const view = (await site.get(`/api/shop/orders/${token}`)).json as OrderView
  expect(view.details!.isLeft).toBe(false)
  await runOn(site, 'orders', 'withdrawals', 'settle', String(statement!.withdrawal))
  expect(stock(site, print)).toBe(before + 1)
  expect(actions.ofNumber(order)!.state).toBe('shipped')
  // What is left of it is the piece that was sent.
  await withdraw(site, order, { confirm: true })
  expect((await cases(site)).map(({ stage }) => stage)).toEqual(['to be paid', 'goods awaited'])
})

test('the email about three pieces, one of them sent, says that one comes back', async () => {
  await using site = await startSite()
  const { order } = await orderByInvoice(site, [[...print, 3]])
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'ship', order, '--line', '1x1')
  await withdraw(site, order, { confirm: true })
  await settled(site)
  const [acknowledged] = mailTo(site, 'We have received your withdrawal')
  expect(words(acknowledged!.text)).toContain('(1 to send back; we don’t send the rest)')
  expect(await cases(site)).toMatchObject([{ stage: 'goods awaited' }])
})

test('what left in spite of a withdrawal comes back before it’s on the shelf, and its buyer is told so', async () => {
  await using site = await startSite()
  const { actions } = site.context.features.orders
  const { order } = await orderByInvoice(site, [[...print, 2]])
  await runOn(site, 'orders', 'paid', order)
  await withdraw(site, order, { lines: [{ line: 1, quantity: 1 }], confirm: true })
  await runOn(site, 'orders', 'ship', order, '--despite-withdrawal')
  const [statement] = await cases(site)
  expect(statement).toMatchObject({ stage: 'goods awaited' })
  await settled(site)
  expect(words(mailTo(site, 'is on its way')[0]!.text)).toContain(
    'You had withdrawn from 1 piece of this, which left all the same.',
  )
  const before = stock(site, print)!
  const id = String(statement!.withdrawal)
  await expect(runOn(site, 'orders', 'withdrawals', 'settle', id)).rejects.toThrow('aren’t back')
  await runOn(site, 'orders', 'withdrawals', 'back', id)
  await runOn(site, 'orders', 'withdrawals', 'settle', id)
  // Not restocked, as when it came back damaged.
  expect(stock(site, print)).toBe(before)
  expect(actions.progressOf(actions.ofNumber(order)!).map(({ rest }) => rest)).toEqual([0])
})

test('an email about a parcel announces nothing that its buyer has withdrawn from', async () => {
  await using site = await startSite()
  const { order } = await orderByInvoice(site, [
    [...print, 1],
    [...cards, 2],
  ])
  await runOn(site, 'orders', 'paid', order)
  await withdraw(site, order, { lines: [{ line: 2, quantity: 2 }], confirm: true })
  await runOn(site, 'orders', 'ship', order, '--line', '1')
  await settled(site)
  expect(mailTo(site, 'is on its way')[0]!.text).not.toContain('Still to come')
})

test('a withdrawal from what staff had credited is settled by that note: it isn’t packed, and comes back once', async () => {
  await using site = await startSite()
  const { actions } = site.context.features.orders
  for (const taken of ['2', '2=18.00']) {
    const { order, token } = await orderByInvoice(site, [
      [...print, 1],
      [...cards, 1],
    ])
    await runOn(site, 'orders', 'paid', order)
    await withdraw(site, order, { lines: [{ line: 2, quantity: 1 }], confirm: true })
    await credit(site, order, '--line', taken)
    const before = stock(site, cards)!
    const id = String((await cases(site)).at(-1)!.withdrawal)
    const told = await runOn(site, 'orders', 'withdrawals', 'settle', id)
    expect(told).toMatch(/to be paid\nCredit note \d+ had taken it off already/)
    // Pieces that staff took back by hand they put back then, or kept.
    expect(stock(site, cards)).toBe(before + (taken === '2' ? 0 : 1))
    expect(actions.progressOf(actions.ofNumber(order)!).map(({ rest }) => rest)).toEqual([1, 0])
    const asked = await withdraw(site, order)
    expect(asked.json.lines).toMatchObject([{ quantity: 1 }, { quantity: 0 }])
    const view = (await site.get(`/api/shop/orders/${token}`)).json as OrderView
    expect(view.details!.withdrawnAt).toBeNull()
    await runOn(site, 'orders', 'refund', order)
    expect(actions.balanceOf(actions.ofNumber(order)!)).toMatchObject({ paid: 0 })
    expect(stock(site, cards)).toBe(before + (taken === '2' ? 0 : 1))
  }
})

test('a withdrawal from what a discount has made free is settled without a credit note: it isn’t sent, or comes back once', async () => {
  await using site = await startSite()
  const { actions } = site.context.features.orders
  await runOn(site, 'products', 'price', ...print, '0.01')
  await runOn(site, 'discounts', 'add', 'nearly-free', '--percent', '90', '--by', 'Kaisa')
  for (const isSent of [false, true]) {
    const before = stock(site, print)!
    const visitor = shopper(site)
    await visitor.put(...print, 1)
    await visitor.put(...cards, 1)
    await visitor.post('/api/shop/cart/discount', { code: 'nearly-free' })
    const { total } = (await visitor.get('/api/shop/cart')).json as Cart
    const placed = await visitor.post('/api/shop/checkout', checkoutOf({ expectedTotal: total }))
    const { order } = placed.json as CheckoutReply
    expect(actions.ofNumber(order)!.lines.map((line) => line.total)).toEqual([0, 180])
    await runOn(site, 'orders', 'paid', order)
    if (isSent) await runOn(site, 'orders', 'ship', order, '--line', '1')
    await withdraw(site, order, { lines: [{ line: 1, quantity: 1 }], confirm: true })
    const id = String((await cases(site)).at(-1)!.withdrawal)
    if (isSent) await runOn(site, 'orders', 'withdrawals', 'back', id)
    const told = await runOn(site, 'orders', 'withdrawals', 'settle', id, '--restock')
    expect(told).toBe(`Withdrawal ${id} from ${order}: settled\n`)
    expect(stock(site, print)).toBe(before)
    expect(actions.progressOf(actions.ofNumber(order)!).map(({ rest }) => rest)).toEqual([0, 1])
    const asked = await withdraw(site, order)
    expect(asked.json.lines).toMatchObject([{ quantity: 0 }, { quantity: 1 }])
    await runOn(site, 'orders', 'refund', order)
    expect(stock(site, print)).toBe(before)
  }
})

test('the delivery goes back with the last goods that cost something, whether what was free went with them or before', async () => {
  await using site = await startSite()
  const { actions } = site.context.features.orders
  await runOn(site, 'products', 'price', ...print, '0.01')
  await runOn(site, 'discounts', 'add', 'nearly-free', '--percent', '90', '--by', 'Kaisa')
  for (const steps of [[undefined], [1, undefined], [2, undefined]]) {
    const visitor = shopper(site)
    await visitor.put(...print, 1)
    await visitor.put(...cards, 1)
    await visitor.post('/api/shop/cart/discount', { code: 'nearly-free' })
    const { total } = (await visitor.get('/api/shop/cart')).json as Cart
    const placed = await visitor.post('/api/shop/checkout', checkoutOf({ expectedTotal: total }))
    const { order } = placed.json as CheckoutReply
    await runOn(site, 'orders', 'paid', order)
    for (const line of steps) {
      const lines = line === undefined ? {} : { lines: [{ line, quantity: 1 }] }
      await withdraw(site, order, { ...lines, confirm: true })
      const id = String((await cases(site)).at(-1)!.withdrawal)
      await runOn(site, 'orders', 'withdrawals', 'settle', id)
    }
    expect(actions.balanceOf(actions.ofNumber(order)!).credited, String(steps)).toBe(total)
    expect(actions.ofNumber(order)!.state).toBe('refunded')
  }
})
