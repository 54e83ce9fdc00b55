import { expect, test } from 'vitest'
import type { Cart } from '#shared/shop/shop.ts'
import { runOn } from '../support/in-process-cli.ts'
import { checkoutOf, shopper } from '../support/shop.ts'
import { startSite } from '../support/site.ts'

const poster = ['five-red-lights-poster', '50x70'] as const

test('of fifty checkouts at once for five uses of a code, five get it', async () => {
  await using site = await startSite({ env: { SHARES: 'off' }, sending: false })
  await runOn(site, 'discounts', 'add', 'FIVE', '--percent', '50', '--uses', '5')
  const visitors = await Promise.all(
    Array.from({ length: 50 }, async (_, at) => {
      const visitor = shopper(site, `127.${at + 1}.0.1`)
      await visitor.put(...poster, 1)
      const { json, status } = await visitor.post('/api/shop/cart/discount', { code: 'five' })
      expect(status).toBe(200)
      return { visitor, total: (json as Cart).total, email: `buyer${at}@example.com` }
    }),
  )
  const replies = await Promise.all(
    visitors.map(({ visitor, total, email }) =>
      visitor.post('/api/shop/checkout', checkoutOf({ expectedTotal: total, email })),
    ),
  )
  const counts = Map.groupBy(replies, ({ status }) => status)
  expect([counts.get(201)?.length, counts.get(409)?.length]).toEqual([5, 45])
  for (const { json } of counts.get(409)!) {
    expect((json as { message: string }).message).toContain('used up')
  }
  const { discountActs, catalogue } = site.context.features.shop
  expect(discountActs.count(discountActs.known('FIVE'))).toBe(5)
  expect(catalogue.find(poster[0])!.variants[0]!.stock).toBe(115)
  expect([...site.context.features.orders.actions.orders.list()]).toHaveLength(5)
})

test('guessing codes ends after a few tries, for its own address alone', async () => {
  await using site = await startSite({ sending: false })
  await runOn(site, 'discounts', 'add', 'SECRET7', '--percent', '5')
  const guesser = shopper(site, '127.9.0.1')
  await guesser.put(...poster, 1)
  const statuses: number[] = []
  for (let at = 0; at < 40; at += 1) {
    const { status } = await guesser.post('/api/shop/cart/discount', { code: `GUESS${at}` })
    statuses.push(status)
  }
  expect(statuses.slice(0, 30).every((status) => status === 400)).toBe(true)
  expect(statuses.slice(30).every((status) => status === 429)).toBe(true)
  const other = shopper(site, '127.10.0.1')
  await other.put(...poster, 1)
  expect((await other.post('/api/shop/cart/discount', { code: 'secret7' })).status).toBe(200)
})

test('whatever is entered as a code, the answer is a sentence', async () => {
  await using site = await startSite({ sending: false })
  const visitor = shopper(site)
  await visitor.put(...poster, 1)
  for (const code of [
    'x'.repeat(100),
    '\u0000',
    '%_%',
    "' OR 1=1 --",
    '=HYPERLINK("https://example.com")',
    '<script>alert(1)</script>',
    '\u{1F3C1}'.repeat(20),
    'ﷺ'.repeat(30),
    '__proto__',
  ]) {
    const { status, json } = await visitor.post('/api/shop/cart/discount', { code })
    expect([status, (json as { errors: unknown }).errors], code).toEqual([
      400,
      { discount: 'We don’t know this code. Please check its spelling.' },
    ])
  }
  for (const body of [
    {},
    { code: 7 },
    { code: null },
    { code: ['A'] },
    { code: 'x'.repeat(101) },
  ]) {
    const { status, json } = await visitor.post('/api/shop/cart/discount', body)
    expect(
      [status, (json as { errors: unknown }).errors],
      JSON.stringify(body).slice(0, 40),
    ).toEqual([400, { discount: 'We don’t know this code. Please check its spelling.' }])
  }
  // Without the form’s token the request didn’t come from our page.
  const forged = await site.post(
    '/api/shop/cart/discount',
    { code: 'SECRET7' },
    { headers: { Cookie: 'cart=1', 'X-CSRF-Token': '' } },
  )
  expect(forged.status).toBe(403)
})
