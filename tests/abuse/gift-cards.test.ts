import { expect, test } from 'vitest'
import { enter, newCard, orderCart, shownCard } from '../support/gift-cards.ts'
import { runOn } from '../support/in-process-cli.ts'
import { checkoutOf, shopper } from '../support/shop.ts'
import { startSite } from '../support/site.ts'
import type { Cart } from '#shared/shop/shop.ts'

const poster = ['five-red-lights-poster', '50x70'] as const

test('of a hundred checkouts at once with one card, none spends a cent of another', async () => {
  await using site = await startSite({ env: { SHARES: 'off' }, sending: false })
  await runOn(site, 'products', 'stock', ...poster, 'unlimited')
  const one = shopper(site)
  const { total } = (await one.put(...poster, 1)).json as Cart
  // Enough for seven of them, and a rest that pays a part of none: each was shown the whole.
  const { card, code } = await newCard(site, ((7 * total + 1234) / 100).toFixed(2))
  const visitors = await Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      const visitor = shopper(site, `127.${at + 1}.0.1`)
      await visitor.put(...poster, 1)
      expect((await enter(visitor, code)).status).toBe(200)
      return visitor
    }),
  )
  const replies = await Promise.all(
    visitors.map((visitor, at) =>
      visitor.post(
        '/api/shop/checkout',
        checkoutOf({
          expectedTotal: total,
          expectedGiftCard: total,
          email: `buyer${at}@example.com`,
        }),
      ),
    ),
  )
  const counts = Map.groupBy(replies, ({ status }) => status)
  expect([counts.get(201)?.length, counts.get(409)?.length]).toEqual([7, 93])
  const shown = await shownCard(site, card)
  expect(shown.balance).toBe(1234)
  expect(shown.orders).toHaveLength(7)
  const { orders } = site.context.features.orders.actions
  const placed = orders.list()
  expect(placed.map(({ state }) => state)).toEqual(Array.from({ length: 7 }, () => 'paid'))
  expect(placed.reduce((sum, { id }) => sum + orders.paid(id), 0)).toBe(7 * total)

  // All of them refunded at once, and each again: the card has what it had.
  const { actions } = site.context.features.orders
  await Promise.allSettled(
    [...placed, ...placed].map(({ number }) => actions.refund(number, 'test')),
  )
  expect((await shownCard(site, card)).balance).toBe(7 * total + 1234)
  expect(placed.every(({ id }) => orders.paid(id) === 0)).toBe(true)
})

test('one cart sent twenty times at once is one order, and one part of the card', async () => {
  await using site = await startSite({ env: { SHARES: 'off' }, sending: false })
  const { card, code } = await newCard(site, '500')
  const visitor = shopper(site)
  await visitor.put(...poster, 1)
  const { total } = (await enter(visitor, code)).json as Cart
  const body = checkoutOf({ expectedTotal: total, expectedGiftCard: total })
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => visitor.post('/api/shop/checkout', body)),
  )
  expect(new Set(replies.map(({ json }) => (json as { order: string }).order)).size).toBe(1)
  expect((await shownCard(site, card)).balance).toBe(50_000 - total)
  // The key of that order doesn’t buy something else.
  await visitor.put(...poster, 2)
  await enter(visitor, code)
  const reused = await visitor.post('/api/shop/checkout', { ...body, name: 'Someone Else' })
  expect(reused.status).toBe(409)
  expect((await shownCard(site, card)).balance).toBe(50_000 - total)
})

test('guessing cards and codes has one limit, and a part that is made up pays nothing', async () => {
  await using site = await startSite({ sending: false })
  const { card, code } = await newCard(site, '500')
  const guesser = shopper(site, '127.9.0.1')
  await guesser.put(...poster, 1)
  for (const expectedGiftCard of [100, 50_000, -1, 1.5, '100', null]) {
    const { total } = (await guesser.get('/api/shop/cart')).json as Cart
    const { status } = await guesser.post(
      '/api/shop/checkout',
      checkoutOf({ expectedTotal: total, expectedGiftCard }),
    )
    expect([400, 409], JSON.stringify(expectedGiftCard)).toContain(status)
  }
  const statuses: number[] = []
  for (let at = 0; at < 40; at += 1) {
    const guess = at % 2 === 0 ? code.replace(/.$/, at % 4 === 0 ? '2' : '3') : `GUESS${at}`
    const tried = guess === code ? `${code.slice(0, -1)}4` : guess
    statuses.push((await enter(guesser, tried)).status)
  }
  expect(statuses.slice(0, 30).every((status) => status === 400)).toBe(true)
  expect(statuses.slice(30).every((status) => status === 429)).toBe(true)
  // Beyond the limit not even the right one is told.
  expect((await enter(guesser, code)).status).toBe(429)
  const other = shopper(site, '127.10.0.1')
  await other.put(...poster, 1)
  for (const typed of [card, code.slice(0, 18), `${code}2`, '2'.repeat(16), 'ﬀ'.repeat(8)]) {
    expect((await enter(other, typed)).status, typed).toBe(400)
  }
  expect((await enter(other, code)).status).toBe(200)
  for (const of of ['all', '', 7, null]) {
    const { status } = await other.post('/api/shop/cart/discount', { code: '', of })
    expect(status, String(of)).toBe(400)
  }
  const { placed } = await orderCart(other)
  expect(placed.order).toMatch(/^A-/)
})
