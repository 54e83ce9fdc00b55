import { boolean, constantFrom, integer, record, sample, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import type { Cart } from '#shared/shop/shop.ts'
import { enter, newCard, shownCard } from '../../support/gift-cards.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { amounts, buyers, goods, sum } from '../../support/order-sums.ts'
import { checkoutOf, shopper } from '../../support/shop.ts'
import { startSite } from '../../support/site.ts'

/** What stock can be made unlimited of, so that no order fails for want of it. */
const plenty = goods.slice(0, 4)

const scenario = record({
  lines: uniqueArray(
    record({
      of: integer({ min: 0, max: plenty.length - 1 }),
      pieces: integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 3, selector: ({ of }) => of },
  ),
  /** Which of the cards pays. */
  card: integer({ min: 0, max: 2 }),
  isDiscounted: boolean(),
  buyer: constantFrom('finland', 'germany', 'swedishCompany'),
  /** What comes by transfer, in parts of what is left to pay. */
  transfers: uniqueArray(integer({ min: 10, max: 90 }), { maxLength: 2 }),
  credits: uniqueArray(integer({ min: 1, max: 4000 }), { maxLength: 3 }),
  end: constantFrom('paid', 'cancelled', 'refunded'),
})

test('whatever a card pays and what goes back, balances, documents, payments and books agree to the cent', async () => {
  await using site = await startSite({ env: { SHARES: 'off' }, sending: false })
  const { actions, books, documents } = site.context.features.orders
  for (const [handle, variant] of plenty) {
    await runOn(site, 'products', 'stock', handle, variant, 'unlimited')
  }
  await runOn(site, 'discounts', 'add', 'SEVEN', '--percent', '7')
  const cards = [
    await newCard(site, '1777.77'),
    await newCard(site, '61.03'),
    await newCard(site, '333.30'),
  ]
  const balances = async () => {
    const shown = await Promise.all(cards.map(({ card }) => shownCard(site, card)))
    return shown.map(({ balance }) => balance as number)
  }
  const month = books.daysOf(new Date(site.clock()).toISOString().slice(0, 7))
  const paidWhole: boolean[] = []
  for (const [at, { lines, buyer, transfers, credits, end, ...given }] of sample(scenario, {
    numRuns: 24,
    seed: 20_261_127,
  }).entries()) {
    const visitor = shopper(site, `127.${at + 1}.2.1`)
    for (const { of, pieces } of lines) {
      const [handle, variant] = plenty[of]!
      await visitor.put(handle, variant, pieces)
    }
    if (given.isDiscounted) await enter(visitor, 'seven')
    const entered = await enter(visitor, cards[given.card]!.code)
    const facts = { ...checkoutOf(), ...buyers[buyer] }
    const { country, postcode, city, street } = facts
    const quoted = await visitor.post('/api/shop/cart/quote', {
      country,
      postcode,
      city,
      street,
      ...('company' in facts && { company: facts.company, vatId: facts.vatId }),
    })
    const cart = quoted.json as Cart
    const before = await balances()
    const part = entered.status === 200 ? Math.min(before[given.card]!, cart.total) : 0
    expect(cart.giftCard?.amount ?? 0, String(at)).toBe(part)
    expect(sum(cart.vat.map(({ gross }) => gross))).toBe(cart.total)
    const reply = await visitor.post('/api/shop/checkout', {
      ...facts,
      email: `buyer${at}@example.com`,
      expectedTotal: cart.total,
      expectedGiftCard: part,
    })
    expect([reply.status, at]).toEqual([201, at])
    const { order: number } = reply.json as { order: string }
    const order = () => actions.ofNumber(number)!
    const after = await balances()
    expect(sum(before) - sum(after)).toBe(part)
    const due = cart.total - part
    paidWhole.push(due === 0)
    expect(order().state).toBe(due === 0 ? 'paid' : 'open')
    expect(actions.balanceOf(order()).open).toBe(due)
    const invoice = actions.invoiceOf(order())!
    const finvoice = String((await documents.write(invoice, order(), 'finvoice')).content)
    expect(amounts(finvoice, 'InvoiceTotalVatIncludedAmount')).toEqual([cart.total])
    expect(amounts(finvoice, 'EpiInstructedAmount')).toEqual([due])
    const ubl = String((await documents.write(invoice, order(), 'ubl')).content)
    expect(amounts(ubl, 'TaxInclusiveAmount')).toEqual([cart.total])
    expect(amounts(ubl, 'PayableAmount')).toEqual([due])
    expect(sum(amounts(ubl, 'PrepaidAmount'))).toBe(part)

    let inMoney = 0
    for (const share of transfers) {
      const amount = Math.floor((due * share) / 100)
      if (amount === 0 || amount > due - inMoney) continue
      await actions.paid(number, { amount, note: `transfer ${share}`, actor: 'test' })
      inMoney += amount
    }
    if (end === 'paid' && due - inMoney > 0) {
      await actions.paid(number, { actor: 'test' })
      inMoney = due
    }
    expect(actions.orders.paidInMoney(order().id)).toBe(inMoney)
    for (const amount of credits) {
      const { credited } = actions.balanceOf(order())
      if (amount >= cart.total - credited) continue
      await actions.credit(number, { amount }, { reason: 'test', restock: false, actor: 'test' })
      const paid = actions.orders.paid(order().id)
      // No one has paid more than what is left of the invoice, and no way has got back more than it paid.
      expect(paid).toBeLessThanOrEqual(cart.total - actions.balanceOf(order()).credited)
      expect(actions.orders.paidByGiftCard(order().id)).toBeGreaterThanOrEqual(0)
      expect(actions.orders.paidInMoney(order().id)).toBeGreaterThanOrEqual(0)
    }
    if (end === 'cancelled' && order().state === 'open') await actions.cancel(number, 'test')
    if (end === 'refunded' && order().state === 'paid') await actions.refund(number, 'test')

    const paid = actions.orders.paidByGiftCard(order().id)
    // What a card has less is what it has paid.
    expect(sum(before) - sum(await balances())).toBe(paid)
    if (['cancelled', 'refunded'].includes(order().state)) {
      expect(actions.orders.paid(order().id)).toBe(0)
      const papers = actions.invoices.ofOrder(order().id)
      expect(sum(papers.map((paper) => paper.total))).toBe(0)
    }
    const own = [...books.ledger(month)].filter((row) => row.order === number)
    const money = own.filter(({ kind }) => /payment|refund/.test(kind))
    expect(sum(money.map(({ gross }) => gross))).toBe(actions.orders.paid(order().id))
    const onCard = money.filter(({ account }) => account === '2850')
    expect(sum(onCard.map(({ gross }) => gross))).toBe(paid)
    for (const { account, payment } of money) {
      expect(payment === 'gift card', `${account}: ${payment}`).toBe(account === '2850')
    }
  }
  expect(new Set(paidWhole)).toEqual(new Set([true, false]))
  // What is owed for cards by the books is what is on them.
  const owed = [...books.ledger(month)].map(
    ({ account, contra, gross }) =>
      (contra === '2850' ? gross : 0) - (account === '2850' ? gross : 0),
  )
  expect(sum(owed)).toBe(sum(await balances()))
}, 180_000)
