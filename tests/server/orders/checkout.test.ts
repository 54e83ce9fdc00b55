import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import type { Cart } from '#shared/shop/shop.ts'
import type { CheckoutReply, OrderView } from '#shared/shop/orders.ts'
import { settled } from '../../support/enquiry.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { orderCodes } from '../../support/order-codes.ts'
import { checkoutOf, shopper } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte'] as const

/** A visitor with two prints in the cart, and what they cost. */
async function ready(site: Site, from?: string, quantity = 2) {
  const visitor = shopper(site, from)
  const { json } = await visitor.put(...print, quantity)
  return { visitor, total: (json as Cart).total }
}

const place = async (
  { visitor, total }: Awaited<ReturnType<typeof ready>>,
  changes: Record<string, unknown> = {},
) => visitor.post('/api/shop/checkout', checkoutOf({ expectedTotal: total, ...changes }))

test('an order by invoice: number, token, mails with the invoice, the cart empty, the stock less', async () => {
  await using site = await startSite()
  const buyer = await ready(site)
  const body = checkoutOf({ expectedTotal: buyer.total })
  const { status, json } = await buyer.visitor.post('/api/shop/checkout', body)
  expect(status).toBe(201)
  const reply = json as CheckoutReply
  expect(reply.order).toMatch(/^[A-Z0-9-]{6,14}$/)
  expect(reply.token.length).toBeGreaterThanOrEqual(22)
  expect(reply.total).toBe(buyer.total)
  expect(reply.next).toBe(`${site.url}/shop/checkout/success?order=${reply.token}`)
  const again = await buyer.visitor.post('/api/shop/checkout', body)
  expect([again.status, again.json?.order]).toEqual([200, reply.order])
  const other = await buyer.visitor.post('/api/shop/checkout', { ...body, name: 'Somebody Else' })
  expect([other.status, other.json?.code]).toEqual([409, 'key'])
  const cart = (await buyer.visitor.get('/api/shop/cart')).json as Cart
  expect(cart.lines).toEqual([])
  const { catalogue } = site.context.features.shop
  expect(catalogue.find(print[0])!.variants[0]!.stock).toBe(12)
  await settled(site)
  const kinds = site.context.mails.list().map(({ kind, status: sent }) => `${kind} ${sent}`)
  expect(kinds).toEqual(['orderConfirmed sent', 'orderPlacedStaff sent'])
  const { json: seen } = await buyer.visitor.get(`/api/shop/orders/${reply.token}`)
  const { details } = seen as OrderView
  expect(details?.invoice).toMatchObject({ number: '1001', reference: '10016' })
  const digits = details?.invoice?.barcode ?? ''
  expect(digits).toMatch(/^\d{54}$/)
  expect(details?.invoice?.barcodePicture).toMatch(
    new RegExp(`^<svg role="img" aria-label="Virtual barcode to scan: ${digits}" `),
  )
})

test('page and mails name the country of an order, and the barcode stands there until it is paid', async () => {
  await using site = await startSite()
  const visitor = shopper(site)
  await visitor.put(...print, 1)
  const quote = await visitor.post('/api/shop/cart/quote', { country: 'SE' })
  const { total } = quote.json as Cart
  const reply = await visitor.post(
    '/api/shop/checkout',
    checkoutOf({ expectedTotal: total, country: 'SE', company: 'Rallylaget AB' }),
  )
  const { token, order } = reply.json as CheckoutReply
  const seen = async () =>
    ((await visitor.get(`/api/shop/orders/${token}`)).json as OrderView).details!
  expect((await seen()).address).toEqual(['Mannerheimintie 1 A 2', '00100 Helsinki', 'Sweden'])
  await settled(site)
  const staff = mailFiles(site.dataDir).find(({ subject }) => subject.startsWith('New order'))!
  expect(staff.text).toContain('00100 Helsinki, Sweden')
  expect(staff.text).toMatch(/^Payment +bank transfer$/m)
  const { actions } = site.context.features.orders
  await actions.ship(order, { isUnpaid: true, actor: 'mika' })
  expect((await seen()).invoice).toMatchObject({ iban: expect.stringContaining('FI') })
  expect((await seen()).invoice?.barcodePicture).toContain('<svg')
  await actions.paid(order, { note: 'test', actor: 'mika' })
  expect((await seen()).invoice).toMatchObject({ number: '1001', iban: '', barcodePicture: '' })
})

test('the PDF says everything that an invoice has to say', async () => {
  await using site = await startSite()
  const buyer = await ready(site)
  const name = 'Łukasz Ødegård-Müller & Ελένη Иванова'
  const { json } = await place(buyer, { name, company: 'Äijö Racing Oy', vatId: 'FI01120389' })
  const reply = json as CheckoutReply
  const response = await fetch(`${site.url}/shop/orders/${reply.token}/invoice.pdf`)
  expect(response.headers.get('content-type')).toBe('application/pdf')
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(Buffer.from(bytes).toString('latin1')).toContain('/MarkInfo')
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true })
  for (const part of [
    'Invoice 1001',
    name,
    'Äijö Racing Oy',
    'FI01120389',
    'Blue Hour, fine art print',
    '25.5 %',
    `Order: ${reply.order}`,
    'Reference: 10016',
    'RF',
    'Due date: 27 November 2026',
  ]) {
    expect(text).toContain(part)
  }
  expect(text.replaceAll(/\s/g, '')).toMatch(/Virtualbarcode:\d{54}/)
})

test('after a day the page tells number and state alone, until the code from the mail is entered', async () => {
  await using site = await startSite()
  const buyer = await ready(site)
  const { token } = (await place(buyer)).json as CheckoutReply
  site.clock.advance(25 * 3_600_000)
  const closed = (await buyer.visitor.get(`/api/shop/orders/${token}`)).json as OrderView
  expect(closed).toMatchObject({ state: 'open', details: null })
  expect((await site.get(`/shop/orders/${token}/invoice.pdf`)).status).toBe(404)
  await buyer.visitor.post(`/api/shop/orders/${token}/code`, {})
  await settled(site)
  const code = orderCodes(site)[0]!
  // A copy of the database opens nothing.
  const row = site.context.mails.list().find(({ kind }) => kind === 'orderCode')
  expect(row?.data).not.toContain(code)
  const wrong = code === '000000' ? '000001' : '000000'
  expect((await buyer.visitor.post(`/api/shop/orders/${token}/code`, { code: wrong })).status).toBe(
    400,
  )
  const opened = await site.post(`/api/shop/orders/${token}/code`, { code })
  expect(opened.json).toMatchObject({ opened: true })
  const cookie = [opened.headers['set-cookie']].flat()[0]!.split(';')[0]!
  const open = await site.get(`/api/shop/orders/${token}`, { headers: { Cookie: cookie } })
  expect((open.json as OrderView).details?.email).toBe('aino@example.com')
  for (const forged of ['x', token.slice(0, -1), `${token}x`]) {
    expect((await site.get(`/api/shop/orders/${forged}`)).status).toBe(404)
  }
})

test('codes beyond three a day are refused, and the newest one of them still opens the order', async () => {
  await using site = await startSite({ sending: false })
  const buyer = await ready(site)
  const { token } = (await place(buyer)).json as CheckoutReply
  site.clock.advance(25 * 3_600_000)
  const ask = () => site.post(`/api/shop/orders/${token}/code`, {})
  for (let n = 0; n < 3; n += 1) {
    expect((await ask()).status).toBe(200)
    site.clock.advance(1_000)
  }
  const refused = await ask()
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '86400'])
  const codes = orderCodes(site)
  expect(codes).toHaveLength(3)
  const opened = await Promise.all(
    codes.map(async (code) => (await site.post(`/api/shop/orders/${token}/code`, { code })).status),
  )
  expect(opened).toContain(200)
})

test('a hundred checkouts for ten pieces: ten orders, no piece left, no number missing', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  const { catalogue, editing } = site.context.features.shop
  const variant = catalogue.find(print[0])!.variants[0]!
  await site.context.commit((tx) => editing.setStock(tx, variant.id, 10))
  const buyers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => ready(site, `127.0.${1 + (index % 40)}.2`, 1)),
  )
  const replies = await Promise.all(buyers.map((buyer) => place(buyer)))
  const counts = Map.groupBy(replies, ({ status }) => status)
  expect(counts.get(201)).toHaveLength(10)
  expect(counts.get(409)).toHaveLength(90)
  expect(counts.get(409)![0]!.json).toMatchObject({ code: 'stock', lines: expect.any(Array) })
  expect(catalogue.find(print[0])!.variants[0]!.stock).toBe(0)
  const { invoices } = site.context.features.orders.actions
  expect(invoices.list().map(({ number }) => number)).toEqual(
    Array.from({ length: 10 }, (_, index) => 1001 + index),
  )
})

test.each<[string, Record<string, unknown>, string]>([
  ['no terms', { terms: false }, 'terms'],
  ['no street for what is sent', { street: '' }, 'street'],
  ['a country that is none', { country: 'Finland' }, 'country'],
  ['a country that we do not send to', { country: 'AQ' }, 'country'],
  ['an unknown payment', { payment: 'gold' }, 'payment'],
  ['stripe without keys', { payment: 'stripe' }, 'payment'],
  ['a VAT id of another form', { vatId: 'FI123' }, 'vatId'],
  ['a total that is no whole number', { expectedTotal: 1.5 }, 'expectedTotal'],
  ['an address that is none', { email: 'aino@' }, 'email'],
])('a checkout with %s is refused, and the field named', async (_, changes, field) => {
  await using site = await startSite({ sending: false })
  const buyer = await ready(site)
  const { status, json } = await place(buyer, changes)
  expect(status).toBe(400)
  expect(Object.keys((json as { errors: object }).errors)).toContain(field)
})

test.each(['yes', 'true', 1, null, []])(
  'a waiver of %j is refused in a sentence',
  async (waiver) => {
    await using site = await startSite({ sending: false })
    const buyer = await ready(site)
    const { status, json } = await place(buyer, { digitalWaiver: waiver })
    expect([status, json?.errors]).toEqual([
      400,
      { digitalWaiver: 'Please answer with true or false' },
    ])
  },
)

test.each<[string, string, Record<string, unknown>]>([
  ['/api/shop/withdraw', 'confirm', { confirm: 'yes' }],
  ['/api/shop/withdraw', 'website', { website: 5 }],
  ['/api/shop/checkout', 'website', { website: ['x'] }],
  ['/api/shop/cart/quote', 'vatId', { vatId: 5 }],
  ['/api/shop/cart/quote', 'vatId', { vatId: 'F'.repeat(31) }],
])('%s tells in a sentence what is wrong with %s', async (path, field, changes) => {
  await using site = await startSite({ sending: false })
  const body = { ...checkoutOf({ expectedTotal: 0 }), order: 'A-BCDFGHJK', ...changes }
  const { status, json } = await site.post(path, body)
  const errors = json?.errors as Record<string, string>
  expect([status, Object.keys(errors)]).toEqual([400, [field]])
  expect(errors[field]).toMatch(/^Please /)
})

test('another total than expected is 409 with the lines, and nothing is taken', async () => {
  await using site = await startSite({ sending: false })
  const buyer = await ready(site)
  const { status, json } = await place(buyer, { expectedTotal: buyer.total - 1 })
  expect([status, json?.code, json?.total]).toEqual([409, 'price', buyer.total])
  expect(site.context.features.shop.catalogue.find(print[0])!.variants[0]!.stock).toBe(14)
  const empty = await place({ visitor: shopper(site), total: 0 })
  expect([empty.status, empty.json?.code]).toEqual([409, 'stock'])
})

test('a cart that another tab has changed isn’t ordered unseen, even where its total is the same', async () => {
  await using site = await startSite({ sending: false })
  const visitor = shopper(site)
  const size = '50x70'
  await visitor.put('five-red-lights-poster', size, 1)
  const shown = (await visitor.get('/api/shop/cart')).json as Cart
  await visitor.put('five-red-lights-poster', size, 0)
  await visitor.put('ice-track-poster', size, 1)
  const now = (await visitor.get('/api/shop/cart')).json as Cart
  expect(now.total).toBe(shown.total)
  const send = (expectedLines?: string) => place({ visitor, total: now.total }, { expectedLines })
  const refused = await send('five-red-lights-poster~50x70~1')
  expect([refused.status, refused.json?.code, refused.json?.lines]).toEqual([
    409,
    'price',
    now.lines,
  ])
  expect((await send('ice-track-poster~50x70~1')).status).toBe(201)
})

test('cancelling takes the invoice back to zero and gives the pieces back', async () => {
  await using site = await startSite()
  const buyer = await ready(site)
  const { order } = (await place(buyer)).json as CheckoutReply
  const { actions } = site.context.features.orders
  await actions.cancel(order, 'mika')
  const [invoice, credit] = actions.invoices.list()
  expect(credit).toMatchObject({ kind: 'credit', refersTo: invoice!.number, number: 1002 })
  expect(invoice!.total + credit!.total).toBe(0)
  expect(site.context.features.shop.catalogue.find(print[0])!.variants[0]!.stock).toBe(14)
  await settled(site)
  expect(site.context.mails.list().at(-1)).toMatchObject({ kind: 'orderCancelled', status: 'sent' })
  await expect(actions.ship(order, { actor: 'mika' })).rejects.toMatchObject({
    failure: 'wrong-state',
  })
})

test('a statement of withdrawal is kept and acknowledged, whatever order it names', async () => {
  await using site = await startSite()
  const buyer = await ready(site)
  const { order } = (await place(buyer)).json as CheckoutReply
  const statement = { order: order.toLowerCase(), name: 'Aino', email: 'aino@example.com' }
  const first = await site.post('/api/shop/withdraw', statement)
  const title = 'Blue Hour, fine art print, 30 × 40 cm, matte cotton paper'
  expect(first.json).toEqual({
    success: true,
    step: 'confirm',
    receivedAt: null,
    lines: [{ line: 1, title, quantity: 2, why: null, sent: 0 }],
    exempt: [],
  })
  const done = await site.post('/api/shop/withdraw', { ...statement, confirm: true })
  expect(done.json).toMatchObject({ step: 'done', receivedAt: '2026-11-20T12:00:00.000Z' })
  await site.post('/api/shop/withdraw', { ...statement, confirm: true })
  await site.post('/api/shop/withdraw', { ...statement, order: 'A-UNKNOWN', confirm: true })
  expect(site.context.features.orders.withdrawals.list()).toMatchObject([
    { order, orderNumber: order },
    { order: null, orderNumber: 'A-UNKNOWN' },
  ])
  await settled(site)
  const kinds = site.context.mails.list().map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'orderWithdrawal')).toHaveLength(2)
})
