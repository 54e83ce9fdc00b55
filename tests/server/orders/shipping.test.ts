import { extractText, getDocumentProxy } from 'unpdf'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert, integer, property, record, array } from 'fast-check'
import { expect, test } from 'vitest'
import { dayMs } from '#shared/dates/durations.ts'
import { euros } from '#shared/money.ts'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { customsForm } from '#server/orders/shipping/customs.ts'
import type { LineProgress } from '#server/orders/shipping/parcels.ts'
import type { Order } from '#server/orders/order.ts'
import type { CheckoutForm, CheckoutReply, OrderView } from '#shared/shop/orders.ts'
import type { Cart } from '#shared/shop/shop.ts'
import { makeClient, signIn } from '../../support/clients.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { csrfHeaders } from '../../support/send.ts'
import { checkoutOf, orderByInvoice, shopper } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte'] as const
const cards = ['paddock-postcards', 'box-of-twelve'] as const
const files = ['winter-wallpapers', 'personal'] as const

const paidOrder = async (site: Site, changes: Record<string, unknown> = {}) => {
  const placed = await orderByInvoice(
    site,
    [
      [...print, 2],
      [...cards, 1],
      [...files, 1],
    ],
    changes,
  )
  await runOn(site, 'orders', 'paid', placed.order)
  return placed
}

const mails = async (site: Site, subject: string) => {
  await settled(site)
  return mailFiles(site.dataDir).filter((mail) => mail.subject.includes(subject))
}

test('an order leaves in two parcels, each with its carrier, number and mail', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { order, token } = await paidOrder(site)
  const ship = (...args: string[]) => runOn(site, 'orders', 'ship', order, ...args)
  await expect(ship('--line', '1x3')).rejects.toThrow('2 pieces are left')
  await expect(ship('--line', '3')).rejects.toThrow('Line 3 has nothing left')
  const first = await ship(
    '--line',
    '1x1',
    '--carrier',
    'Posti',
    '--tracking',
    'JJFI60000000000001',
  )
  expect(first).toBe(`${order}: paid → paid\n2 pieces are left to ship.\n`)
  const [part] = await mails(site, 'Part of your order')
  expect(part!.text).toMatch(/Blue Hour[^\n]*\s1\s/)
  expect(part!.text).toContain('JJFI60000000000001')
  expect(part!.text).toMatch(/Still to come: 1 × Blue Hour[\s\S]*1 × Paddock Post/)
  expect(part!.html).toContain('https://www.posti.fi/en/tracking#/lahetys/JJFI60000000000001')
  expect(part!.text).not.toContain('wallpapers')
  const pack = JSON.parse(await runOn(site, 'orders', 'pack', '--json')) as { items: string }[]
  expect(pack).toHaveLength(1)
  await expect(runOn(site, 'orders', 'cancel', order)).rejects.toThrow()
  expect(await ship()).toBe(`${order}: paid → shipped\n`)
  expect(await runOn(site, 'orders', 'pack')).toContain('Nothing to pack')
  await expect(ship()).rejects.toThrow('shipped')
  const [rest] = await mails(site, `The rest of your order ${order} is on its way`)
  expect(rest!.text).toMatch(/Blue Hour[^\n]*\s1\s/)
  const page = (await site.get(`/shop/checkout/success?order=${token}`)).text
  expect(page.replaceAll(/<!-- -->|<\/?time[^>]*>/g, '')).toContain(
    'The last of your parcels left us on 20 November 2026.',
  )
  expect(page).not.toContain('We’ve emailed the confirmation')
  const view = (await site.get(`/api/shop/orders/${token}`)).json as OrderView
  expect(view.details!.parcels.map(({ lines, tracking }) => [lines.length, tracking])).toEqual([
    [1, 'JJFI60000000000001'],
    [2, null],
  ])
})

test('consumers pay before delivery; a company that staff let pays within 14 days', async () => {
  await using site = await startSite()
  const { actions } = site.context.features.orders
  const { order } = await orderByInvoice(site, [[...print, 1]])
  await expect(actions.ship(order, { actor: 'mika' })).rejects.toThrow('isn’t paid yet')
  const allow = ['orders', 'accounts', 'allow', 'team@example.com', '--company', 'Rally Oy']
  await runOn(site, ...allow)
  const asCompany = { email: 'team@example.com', company: 'Rally Oy' }
  // Anyone can type a company's address: without its session it pays first.
  const typed = await orderByInvoice(site, [[...print, 1]], asCompany)
  expect(actions.ofNumber(typed.order)).toMatchObject({ onAccount: false })
  const { code } = await makeClient(site, { emails: ['team@example.com'] })
  const session = await signIn(site, code)
  const put = await site.post(
    '/api/shop/cart',
    { handle: print[0], variant: print[1], quantity: 1 },
    { headers: { Cookie: `${csrfHeaders.Cookie}; ${session}` } },
  )
  const cart = [put.headers['set-cookie'] ?? []].flat().find((each) => each.includes('cart='))!
  const headers = { Cookie: [csrfHeaders.Cookie, session, cart.split(';')[0]].join('; ') }
  const filled = await site.post(
    '/api/shop/cart',
    { handle: files[0], variant: files[1], quantity: 1 },
    { headers },
  )
  const form = (await site.get('/api/shop/checkout', { headers })).json as CheckoutForm
  expect(form.creditDays).toBe(14)
  expect(form.delivery[0]!.words).toMatch(/^Ships .* after your order\.$/)
  const { total } = filled.json as Cart
  const body = (changes: object) => checkoutOf({ expectedTotal: total, ...asCompany, ...changes })
  const reply = await site.post('/api/shop/checkout', body({}), { headers })
  const { order: let_, token } = reply.json as CheckoutReply
  const placed = actions.ofNumber(let_)!
  expect(placed).toMatchObject({ onAccount: true, state: 'open', reservedUntil: null })
  expect(actions.invoiceOf(placed)!.dueOn).toBe('2026-12-04')
  // Its files don't wait either, and no one offers it a consumer's rights.
  const { json: view } = await site.get(`/api/shop/orders/${token}`)
  const { downloads, canWithdraw } = (view as OrderView).details!
  expect(canWithdraw).toBe(false)
  expect((await site.get(downloads[0]!.href!)).status).toBe(200)
  expect(await runOn(site, 'orders', 'ship', let_)).toBe(`${let_}: open → shipped\n`)
  // Sent isn't paid: its panel says what is still due.
  const panel = (await site.get('/api/panel', { headers })).text
  expect(panel).toContain(`${euros(placed.total)} left to pay`)
  const [confirmed] = await mails(site, `Your order ${let_}`)
  expect(confirmed!.text).toContain('We don’t wait for it to deliver.')
  expect(confirmed!.text).toContain(form.delivery[0]!.words)
  expect(confirmed!.text).not.toContain('after payment')
  expect(confirmed!.text).toContain('Your files are ready on the order page.')
  await runOn(site, 'orders', 'accounts', 'disallow', 'team@example.com')
  await expect(runOn(site, 'orders', 'accounts', 'disallow', 'team@example.com')).rejects.toThrow(
    'pays before delivery',
  )
})

test('the checkout says when each line is delivered, in the words of its page and its mail', async () => {
  await using site = await startSite()
  const visitor = shopper(site)
  await visitor.put(...print, 1)
  const form = (await visitor.get('/api/shop/checkout')).json as CheckoutForm
  const product = (await visitor.get(`/api/shop/products/${print[0]}`)).json as {
    delivery: string
    maker: { name: string; address: string }
    shipping: string
  }
  expect(form.delivery.map(({ words }) => words)).toEqual([product.delivery])
  expect(form.payments).toEqual(['invoice'])
  expect(product.maker).toMatchObject({ name: 'Apex North Media Oy' })
  expect(product.maker.address).toContain('Satamaradankatu 4')
  expect(product.shipping).toContain('Finland from €5.90')
  const { order } = await orderByInvoice(site, [[...print, 1]])
  const [confirmed] = await mails(site, `Your order ${order}`)
  expect(confirmed!.text.replaceAll(/\s+/g, ' ')).toContain(product.delivery)
})

test('a service that promises its answer sooner than others is delivered in the same words', async () => {
  await using site = await startSite({ sending: false })
  const handle = 'race-weekend-social-package'
  const { json } = await site.get(`/api/shop/products/${handle}`)
  expect(json?.description).toContain('within one working day')
  expect(json?.delivery).toBe(
    'We contact you within 1 working day of your order to agree on a date.',
  )
})

test('what is picked up costs no delivery, needs no address, and is told when it is ready', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const visitor = shopper(site)
  await visitor.put(...print, 1)
  const quote = (await visitor.post('/api/shop/cart/quote', { country: 'US', delivery: 'pickup' }))
    .json as Cart
  expect(quote).toMatchObject({ shipping: 0, vat: [{ rate: 25.5 }] })
  const {
    street: _s,
    postcode: _p,
    city: _c,
    ...body
  } = checkoutOf({
    expectedTotal: quote.total,
    delivery: 'pickup',
    country: 'US',
  })
  const reply = await visitor.post('/api/shop/checkout', body)
  expect(reply.status).toBe(201)
  const { order, token } = reply.json as CheckoutReply
  const deliveryOf = async () =>
    ((await visitor.get(`/api/shop/orders/${token}`)).json as OrderView).details!.delivery
  expect((await deliveryOf())[0]!.words).toMatch(/^Ships .* You pick it up: we’ll email you/)
  await expect(runOn(site, 'orders', 'ready', order)).rejects.toThrow('isn’t paid yet')
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'ready', order)
  await expect(runOn(site, 'orders', 'ready', order)).rejects.toThrow('already been told')
  const [ready] = await mails(site, 'is ready to pick up')
  expect(ready!.text).toContain('Satamaradankatu 4')
  expect(ready!.text).toContain(`/shop/checkout/success?order=${token}`)
  const view = (await visitor.get(`/api/shop/orders/${token}`)).json as OrderView
  expect(view.details).toMatchObject({ isSent: false, pickup: { isReady: true }, delivery: [] })
  expect(await runOn(site, 'orders', 'ship', order)).toBe(`${order}: paid → shipped\n`)
  expect(await mails(site, 'You’ve picked up')).toHaveLength(1)
  const page = (await visitor.get(`/shop/checkout/success?order=${token}`)).text
  expect(/<h1[^>]*>([^<]*)/.exec(page)?.[1]).toBe('Picked up')
})

test('who picks up what was made to order is told of no days to change their mind for it', async () => {
  await using site = await startSite()
  const made = ['pit-lane-in-the-rain-acrylic', '60x90-acrylic', 1] as const
  const pickedUp = async (
    expectedTotal: number,
    ...lines: Parameters<typeof orderByInvoice>[1]
  ) => {
    const { order } = await orderByInvoice(site, lines, { delivery: 'pickup', expectedTotal })
    await runOn(site, 'orders', 'paid', order)
    await runOn(site, 'orders', 'ship', order)
    const [mail] = await mails(site, `You’ve picked up your order ${order}`)
    return mail!.text.replaceAll(/\s+/g, ' ')
  }
  const days = 'Your 14 days to change your mind count from that day.'
  expect(await pickedUp(42_000, made)).not.toContain('14 days')
  expect(await pickedUp(50_900, [...print, 1], made)).toContain(
    `${days} They don’t apply to what was made to your order.`,
  )
  const usual = await pickedUp(8900, [...print, 1])
  // The email may come days later, and the days count from when the goods were handed over.
  expect(usual).toContain(`You picked these up on 20 November 2026. ${days}`)
  expect(usual).not.toContain('made to your order')
})

test('what a company got of an order before it paid is owed: the order doesn’t end unpaid, and nothing of it is back in stock', async () => {
  await using site = await startSite()
  const { actions } = site.context.features.orders
  const { order } = await orderByInvoice(
    site,
    [
      [...print, 1],
      [...cards, 1],
    ],
    { company: 'Kaamos Racing Oy' },
  )
  await runOn(site, 'orders', 'ship', order, '--line', '1', '--unpaid')
  const { total } = actions.ofNumber(order)!
  const stockOf = () =>
    [print, cards].map(
      ([handle, variant]) =>
        site.context.features.shop.catalogue
          .find(handle)!
          .variants.find((each) => each.variant === variant)!.stock,
    )
  const left = stockOf()
  site.clock.advance(20 * dayMs)
  await actions.expire(order)
  expect(actions.ofNumber(order)!.state).toBe('open')
  expect(actions.balanceOf(actions.ofNumber(order)!)).toMatchObject({ credited: 0, open: total })
  expect(stockOf()).toEqual(left)
})

test('an order whose rest is credited after its first parcel is shipped, with the day of that parcel', async () => {
  await using site = await startSite()
  const { actions } = site.context.features.orders
  const { order, token } = await orderByInvoice(site, [
    [...print, 1],
    [...cards, 1],
  ])
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'ship', order, '--line', '1')
  const sentAt = site.clock()
  site.clock.advance(3 * dayMs)
  const told = await runOn(site, 'orders', 'credit', order, '--line', '2', '--reason', 'sold out')
  expect(told).toMatch(/; shipped\n/)
  expect(actions.ofNumber(order)).toMatchObject({ state: 'shipped', shippedAt: sentAt })
  expect((await site.get(`/api/shop/orders/${token}`)).json).toMatchObject({ state: 'shipped' })
})

test('a parcel to the United States has a state, a second line, a phone number and a customs form', async () => {
  await using site = await startSite()
  const visitor = shopper(site)
  await visitor.put(...print, 2)
  await visitor.put(...files, 1)
  const { total } = (await visitor.post('/api/shop/cart/quote', { country: 'US' })).json as Cart
  const body = (changes: Record<string, unknown>) =>
    checkoutOf({
      expectedTotal: total,
      country: 'US',
      street: '4790 W 16th Street',
      street2: 'Gasoline Alley 7',
      postcode: '46222',
      city: 'Indianapolis',
      ...changes,
    })
  const place = (changes: Record<string, unknown>) =>
    visitor.post('/api/shop/checkout', body(changes))
  for (const state of [undefined, '', 'ZZ']) {
    const refused = await place({ state })
    expect([refused.status, refused.json?.errors]).toMatchObject([400, { state: /state/ }])
  }
  const wrong = await place({ state: 'IN', phone: 'call me' })
  expect([wrong.status, wrong.json?.errors]).toMatchObject([400, { phone: expect.any(String) }])
  const { order } = (await place({ state: 'IN', phone: '+1 317 555 0100' })).json as CheckoutReply
  await runOn(site, 'orders', 'paid', order)
  const form = JSON.parse(await runOn(site, 'orders', 'customs', order, '--json')) as {
    form: string
    items: { quantity: number; weight: number }[]
    value: number
    weight: number
    missing: string[]
  }
  expect(form).toMatchObject({
    form: 'CN22',
    weight: 760,
    items: [{ quantity: 2, weight: 760, code: '491191', origin: 'FI' }],
    missing: [],
  })
  const out = join(site.dataDir, 'slip.pdf')
  await runOn(site, 'orders', 'packing', order, '--out', out)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(readFileSync(out))), {
    mergePages: true,
  })
  expect(text).toContain('Gasoline Alley 7')
  expect(text).toContain('Indianapolis, IN 46222')
  expect(text).toContain('Blue Hour, fine art print')
  expect(text).toContain('CN 22')
  expect(text).toMatch(/Invoice: 1001\b/)
  expect(text).not.toContain('wallpapers')
})

test('a parcel to Åland has no customs form, and staff are told what it needs at the VAT border', async () => {
  await using site = await startSite({ sending: false })
  const order = async (changes: Record<string, unknown>) => {
    const visitor = shopper(site)
    await visitor.put(...print, 1)
    const at = { country: 'FI', ...changes }
    const { total } = (await visitor.post('/api/shop/cart/quote', at)).json as Cart
    const body = checkoutOf({ expectedTotal: total, ...changes })
    return ((await visitor.post('/api/shop/checkout', body)).json as CheckoutReply).order
  }
  const said = async (changes: Record<string, unknown>) =>
    runOn(site, 'orders', 'customs', await order(changes))
  const away = await order({ postcode: '22100', city: 'Mariehamn' })
  const aland = await runOn(site, 'orders', 'customs', away)
  expect(aland).toContain('across the VAT border')
  expect(aland).toContain('copy of its invoice')
  await runOn(site, 'orders', 'paid', away)
  const out = join(site.dataDir, 'slip.pdf')
  await runOn(site, 'orders', 'packing', away, '--out', out)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(readFileSync(out))), {
    mergePages: true,
  })
  expect(text).toContain('put a copy of the invoice with it')
  expect(await said({ delivery: 'pickup' })).toContain('is picked up')
  expect(await said({})).toContain('stays in the EU')
})

test('Canada asks for a province; other countries for none', async () => {
  await using site = await startSite({ sending: false })
  const visitor = shopper(site)
  await visitor.put(...print, 1)
  const { total } = (await visitor.post('/api/shop/cart/quote', { country: 'CA' })).json as Cart
  const place = (changes: object) =>
    visitor.post('/api/shop/checkout', checkoutOf({ expectedTotal: total, ...changes }))
  expect((await place({ country: 'CA' })).status).toBe(400)
  expect((await place({ country: 'CA', state: 'Ontario' })).status).toBe(201)
})

test('a SKU that several variants have is named, and the slip has it', async () => {
  await using site = await startSite({ sending: false })
  const { acts } = site.context.features.shop
  const check = () =>
    site.context.features.shop.doctor!.find(({ check: name }) => name === 'skus')!.look()
  expect(await check()).toMatchObject({ state: 'ok' })
  const withSku = (handle: string, sku: string) => {
    const file = acts.asFile(acts.known(handle))
    const variants = file.variants.map((each, at) => (at === 0 ? { ...each, sku } : each))
    return acts.edit(handle, { variants }, 'mika')
  }
  await withSku(print[0], 'BH-3040-M')
  await withSku(cards[0], 'BH-3040-M')
  expect(await check()).toMatchObject({ state: 'warn', text: /BH-3040-M/ })
  await expect(withSku(cards[0], 'not a sku')).rejects.toThrow('Capital letters')
  const { order } = await paidOrder(site)
  const [slip] = [site.context.features.orders.actions.slip(order)]
  expect(slip.lines[0]!.line.sku).toBe('BH-3040-M')
})

test('the postage on the customs forms of all parcels together is the shipping, to the cent', () => {
  const line = record({
    unit: integer({ min: 1, max: 200_000 }),
    quantity: integer({ min: 1, max: 20 }),
  })
  assert(
    property(
      array(line, { minLength: 1, maxLength: 6 }),
      integer({ min: 0, max: 50_000 }),
      (of, shipping) => {
        const lines = of.map(({ unit, quantity }, id) => ({
          id,
          kind: 'physical',
          title: `Line ${id}`,
          unit,
          quantity,
          total: unit * quantity,
          weight: 100,
          customs: null,
        }))
        const order = {
          country: 'US',
          postcode: '46222',
          pickup: false,
          shipping,
          phone: null,
          lines,
        }
        const progress = (rests: readonly number[]) =>
          lines.map((each, at) => ({ line: each, at, sent: 0, rest: rests[at]! }))
        const formOf = (rests: readonly number[]) =>
          customsForm(order as unknown as Order, progress(rests) as unknown as LineProgress[])!
        const whole = formOf(lines.map(({ quantity }) => quantity))
        expect([whole.value, whole.postage]).toEqual([
          lines.reduce((sum, { total }) => sum + total, 0),
          shipping,
        ])
        const some = formOf(lines.map(({ quantity }) => Math.floor(quantity / 2)))
        expect(some.postage).toBeGreaterThanOrEqual(0)
        expect(some.postage).toBeLessThanOrEqual(shipping)
      },
    ),
  )
})
