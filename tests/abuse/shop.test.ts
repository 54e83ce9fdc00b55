import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Cart } from '#shared/shop/shop.ts'
import { shopLimits } from '#shared/shop/limits.ts'
import type { CheckoutReply, OrderView } from '#shared/shop/orders.ts'
import { orderCodes } from '../support/order-codes.ts'
import { checkoutOf, shopper } from '../support/shop.ts'
import { startSite, type Site } from '../support/site.ts'

const files = ['winter-wallpapers', 'personal'] as const
const looks = ['northern-light-colour-looks', 'single'] as const
const print = ['blue-hour-fine-art-print', '30x40-matte'] as const

/** An order of files by invoice, and the links to them once it is paid. */
async function downloads(site: Site, of: readonly [string, string], paid = true) {
  const visitor = shopper(site)
  const { total } = (await visitor.put(...of, 1)).json as Cart
  const body = checkoutOf({ expectedTotal: total, digitalWaiver: true })
  const { order, token } = (await visitor.post('/api/shop/checkout', body)).json as CheckoutReply
  const { actions } = site.context.features.orders
  if (paid) await actions.paid(order, { note: `test/${order}`, actor: 'mika' })
  const { json } = await visitor.get(`/api/shop/orders/${token}`)
  return { order, token, files: (json as OrderView).details!.downloads }
}

test('a link opens the files of its own line alone, and no other file of the machine', async () => {
  await using site = await startSite({ sending: false })
  writeFileSync(join(site.dataDir, 'secret.txt'), 'secret')
  const mine = await downloads(site, files)
  const href = mine.files[0]!.href!
  const { status, headers: sent } = await site.get(href)
  expect([status, sent['content-disposition']]).toEqual([
    200,
    expect.stringContaining('attachment'),
  ])
  const base = href.slice(0, href.lastIndexOf('/'))
  const other = await downloads(site, looks)
  for (const name of [
    other.files[0]!.name,
    '..%2f..%2fsecret.txt',
    '..%2Fsecret.txt',
    '..%5csecret.txt',
    '%2e%2e',
    '..',
    '.',
    '%00',
    `${mine.files[0]!.name}%00.txt`,
    `.%2f${mine.files[0]!.name}`,
    'C:%5csecret.txt',
    '%',
    'a'.repeat(10_000),
  ]) {
    const { text, headers } = await site.get(`${base}/${name}`)
    expect([name.slice(0, 40), headers['content-disposition']]).toEqual([
      name.slice(0, 40),
      undefined,
    ])
    expect(text).not.toContain('secret')
  }
})

test('links are refused before payment, when they are too old, forged, or of another kind', async () => {
  await using site = await startSite({ sending: false })
  const waiting = await downloads(site, files, false)
  expect(waiting.files.every(({ href }) => href === null)).toBe(true)
  const { order, token, files: mine } = await downloads(site, files)
  const href = mine[0]!.href!
  const [, , , link = '', name = ''] = href.split('/')
  const turned = (link.startsWith('A') ? 'B' : 'A') + link.slice(1)
  for (const forged of [turned, link.slice(0, -1), `${link}A`, token, order, 'null', '1']) {
    expect((await site.get(`/shop/downloads/${forged}/${name}`)).status).toBe(404)
  }
  for (const forged of [
    link,
    `${token}A`,
    token.slice(1),
    order,
    '..%2f',
    '%00',
    'a'.repeat(5000),
  ]) {
    expect((await site.get(`/api/shop/orders/${forged}`)).status).toBeGreaterThanOrEqual(400)
    expect((await site.get(`/shop/orders/${forged}/invoice.pdf`)).status).toBeGreaterThanOrEqual(
      400,
    )
  }
  site.clock.advance(61 * 60_000)
  expect((await site.get(href)).status).toBe(404)
  await site.context.features.orders.actions.refund(order, 'mika')
  const { json } = await site.get(`/api/shop/orders/${token}`)
  expect((json as OrderView).details!.downloads).toEqual([])
})

test.each([21, -1, 1.5, 1e9, '1', null, true, [1], { $gt: 0 }, Number.MAX_VALUE])(
  'a quantity of %j is refused',
  async (quantity) => {
    await using site = await startSite({ sending: false })
    const { status } = await site.post('/api/shop/cart', {
      handle: print[0],
      variant: print[1],
      quantity,
    })
    expect(status).toBe(400)
  },
)

test('a cart takes so many lines and no more', async () => {
  await using site = await startSite({ sending: false })
  const { catalogue, editing } = site.context.features.shop
  const variants = Array.from({ length: shopLimits.maxLines + 1 }, (_, n) => ({
    variant: `v${n}`,
    title: `Variant ${n}`,
    price: 100,
    stock: null,
    files: [],
  }))
  await site.context.commit((tx) =>
    editing.save(
      tx,
      {
        handle: 'many',
        title: 'Many',
        kind: 'service',
        category: 'services',
        summary: '',
        description: '',
        pictures: [],
        vat: 'standard',
        published: true,
        tags: [],
        madeToOrder: false,
        formerHandles: [],
        variants,
        history: [],
      },
      '',
    ),
  )
  expect(catalogue.find('many')!.variants).toHaveLength(shopLimits.maxLines + 1)
  const visitor = shopper(site)
  const statuses: number[] = []
  for (const { variant } of variants) statuses.push((await visitor.put('many', variant, 1)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(shopLimits.maxLines)
  expect(statuses.at(-1)).toBe(409)
})

const signs = ['a', ' ', '@', '.', '-', '<', '😀', 'é', '0', 'FI', 'a@', '\u0000']

test.each(['key', 'email', 'name', 'company', 'vatId', 'street', 'postcode', 'city', 'country'])(
  'ten thousand equal characters in %s order nothing and hold nobody up',
  async (field) => {
    await using site = await startSite({ sending: false })
    let slowest = 0
    const post = async (path: string, body: unknown, from: string) => {
      const begun = performance.now()
      const { status } = await site.post(path, body, { from })
      slowest = Math.max(slowest, performance.now() - begun)
      // The cart is empty, so what is only trimmed away is refused, too.
      expect([400, 409, 413]).toContain(status)
    }
    for (const [at, sign] of signs.entries()) {
      const text = sign.repeat(10_000)
      const from = `127.2.${at}.1`
      await post('/api/shop/checkout', checkoutOf({ expectedTotal: 0, [field]: text }), from)
      const statement = { order: 'A-1', name: 'A', email: 'a@example.com', confirm: true }
      if (field in statement)
        await post('/api/shop/withdraw', { ...statement, [field]: text }, from)
    }
    expect(slowest).toBeLessThan(2000)
    expect(site.context.features.orders.withdrawals.list()).toEqual([])
    expect([...site.context.features.orders.actions.orders.list()]).toEqual([])
  },
)

test('a hundred equal posts at once are one order', async () => {
  await using site = await startSite({ sending: false })
  const visitor = shopper(site)
  const { total } = (await visitor.put(...print, 1)).json as Cart
  const body = checkoutOf({ expectedTotal: total })
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => visitor.post('/api/shop/checkout', body)),
  )
  expect(new Set(replies.map(({ json }) => json?.order)).size).toBe(1)
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(99)
  const { orders, invoices } = site.context.features.orders.actions
  expect([[...orders.list()].length, invoices.list().length]).toEqual([1, 1])
})

test('the code of an order cannot be guessed', async () => {
  await using site = await startSite({ sending: false })
  const { token } = await downloads(site, files)
  site.clock.advance(25 * 3_600_000)
  await site.post(`/api/shop/orders/${token}/code`, {})
  const code = orderCodes(site)[0]!
  const statuses: number[] = []
  for (let n = 0; n < 6; n += 1) {
    const guess = String((Number(code) + 1 + n) % 1_000_000).padStart(6, '0')
    statuses.push((await site.post(`/api/shop/orders/${token}/code`, { code: guess })).status)
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  expect((await site.post(`/api/shop/orders/${token}/code`, { code })).status).toBe(429)
})

test('one address begins so many carts in an hour; carts that are there, and others, go on', async () => {
  await using site = await startSite({ sending: false })
  const known = shopper(site)
  expect((await known.put(...print, 1)).status).toBe(200)
  const steady = performance.now.bind(performance)
  let passed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => steady() + passed)
  onTestFinished(() => void vi.restoreAllMocks())
  const statuses: number[] = []
  for (let n = 0; n < 1220; n += 1) {
    // Changes of carts have a limit of their own, of ten minutes by the clock that limits are measured with.
    if (n % 500 === 499) passed += 11 * 60_000
    statuses.push((await shopper(site).put(...print, 1)).status)
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(1199)
  const refused = await shopper(site).post('/api/shop/cart/lines', {
    lines: [{ handle: print[0], variant: print[1], quantity: 1 }],
  })
  expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
  const { count } = site.context.db.prepare('SELECT count(*) AS count FROM carts').get() as {
    count: number
  }
  expect(count).toBe(1200)
  expect((await known.put(...print, 2)).status).toBe(200)
  expect((await shopper(site, '127.0.0.2').put(...print, 1)).status).toBe(200)
})
