import { expect, test } from 'vitest'
import type { Cart } from '#shared/shop/shop.ts'
import type { CheckoutForm, OrderView } from '#shared/shop/orders.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { checkoutOf, shopper } from '../../support/shop.ts'
import { startSite } from '../../support/site.ts'
import { startStripe } from '../../support/stripe-double.ts'
import { hook, kinds, ordered, print, stock } from '../../support/stripe-orders.ts'

test('an order by Stripe waits for its payment, and the webhook makes it paid once', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env })
  const { visitor, placed, session, state } = await ordered(site, stripe)
  expect(placed.next).toBe(session.url)
  expect(session).toMatchObject({
    amount_total: placed.total,
    currency: 'eur',
    client_reference_id: placed.order,
    success_url: `${site.url}/shop/checkout/success?order=${placed.token}`,
  })
  expect([state(), stock(site), kinds(site)]).toEqual(['pending', 12, []])
  const event = stripe.event(stripe.pay(session))
  expect((await hook(site, event, { 'Sec-Fetch-Site': 'none' })).status).toBe(200)
  expect((await hook(site, event)).status).toBe(200)
  expect((await hook(site, stripe.event(session))).status).toBe(200)
  expect(state()).toBe('paid')
  await settled(site)
  expect(kinds(site)).toEqual(['orderConfirmed', 'orderPlacedStaff'])
  const { invoices } = site.context.features.orders.actions
  expect(invoices.list()).toMatchObject([
    { number: 1001, total: placed.total, document: { paid: true } },
  ])
  expect(((await visitor.get('/api/shop/cart')).json as Cart).lines).toEqual([])
})

test('the same checkout again leads to the same page, and to the order once it is paid', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { visitor, body, placed, session } = await ordered(site, stripe)
  const again = await visitor.post('/api/shop/checkout', body)
  expect([again.status, again.json?.order, again.json?.next]).toEqual([
    200,
    placed.order,
    session.url,
  ])
  await hook(site, stripe.event(stripe.pay(session)))
  const paid = await visitor.post('/api/shop/checkout', body)
  expect([paid.status, paid.json?.next]).toEqual([200, session.success_url])
  expect(stripe.sessions.size).toBe(1)
})

test('events that come out of order, or about what is not paid, change nothing before it is', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { session, state } = await ordered(site, stripe)
  const ask = async (type: string) => (await hook(site, stripe.event(session, { type }))).status
  expect(await ask('payment_intent.succeeded')).toBe(200)
  expect(await ask('checkout.session.completed')).toBe(200)
  expect(await ask('checkout.session.async_payment_failed')).toBe(200)
  expect(state()).toBe('pending')
  stripe.pay(session)
  expect(await ask('checkout.session.async_payment_succeeded')).toBe(200)
  expect(await ask('checkout.session.completed')).toBe(200)
  expect(await ask('checkout.session.expired')).toBe(200)
  expect(state()).toBe('paid')
})

test('forged, unsigned, changed and old webhooks are refused', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { session, state } = await ordered(site, stripe)
  stripe.pay(session)
  const good = stripe.event(session)
  const old = stripe.event(session, { at: Math.floor(Date.now() / 1000) - 301 })
  for (const bad of [
    stripe.event(session, { secret: 'whsec_other' }),
    { ...good, signature: '' },
    { ...good, signature: 'nonsense' },
    { ...good, body: good.body.replace('"paid"', '"paid" ') },
    { ...good, body: '' },
    old,
  ]) {
    expect((await hook(site, bad)).status).toBe(400)
  }
  expect(state()).toBe('pending')
  expect((await hook(site, good)).status).toBe(200)
  expect(state()).toBe('paid')
})

test.each([
  ['amount', { amount_total: 1 }, '0.01 EUR'],
  ['currency', { amount_total: 200_000, currency: 'sek' }, '2000.00 SEK'],
])(
  'money of another %s is kept for staff, who get a mail; the pieces are free',
  async (_, wrong, came) => {
    await using stripe = await startStripe()
    await using site = await startSite({ env: stripe.env })
    const { placed, session, state } = await ordered(site, stripe)
    expect(session.currency).toBe('eur')
    const event = stripe.event({ ...stripe.pay(session), ...wrong })
    expect((await hook(site, event)).status).toBe(200)
    expect([state(), stock(site)]).toEqual(['attention', 14])
    await settled(site)
    expect(kinds(site)).toEqual(['orderAttention'])
    expect(site.context.features.orders.actions.invoices.list()).toEqual([])
    // What staff give back or ask for depends on what it was.
    expect(await runOn(site, 'orders', 'show', placed.order)).toContain(`${came} came instead of`)
  },
)

test('a late webhook: the success page asks once, and the order is paid', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { visitor, placed, session, state } = await ordered(site, stripe)
  stripe.pay(session)
  const view = (await visitor.get(`/api/shop/orders/${placed.token}`)).json as OrderView
  expect([view.state, state()]).toEqual(['paid', 'paid'])
  await visitor.get(`/api/shop/orders/${placed.token}`)
  expect(stripe.requests.filter((each) => each.startsWith('GET'))).toHaveLength(1)
  expect((await hook(site, stripe.event(session))).status).toBe(200)
  expect(site.context.features.orders.actions.invoices.list()).toHaveLength(1)
})

test('while Stripe is down a checkout is 502 with the cart kept; the same key works afterwards', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const visitor = shopper(site)
  const { total } = (await visitor.put(...print, 2)).json as Cart
  const body = checkoutOf({ expectedTotal: total, payment: 'stripe' })
  stripe.down = true
  const refused = await visitor.post('/api/shop/checkout', body)
  expect([refused.status, refused.json?.code]).toEqual([502, 'payment-down'])
  expect(refused.json?.message).toContain('We’ve kept your cart')
  const cart = (await visitor.get('/api/shop/cart')).json as Cart
  expect(cart.lines).toMatchObject([{ quantity: 2 }])
  stripe.down = false
  const { status, json } = await visitor.post('/api/shop/checkout', body)
  expect([200, 201]).toContain(status)
  expect(json?.next).toBe([...stripe.sessions.values()][0]!.url)
  expect(stock(site)).toBe(12)
  expect([...site.context.features.orders.actions.orders.list()]).toHaveLength(1)
})

test('without keys the choice does not appear, and there is no webhook', async () => {
  await using site = await startSite({ sending: false })
  const form = (await site.get('/api/shop/checkout')).json as CheckoutForm
  expect(form.payments).toEqual(['invoice'])
  expect((await hook(site, { body: '{}', signature: 't=1,v1=00' })).status).toBe(404)
})

test('a payment service that hangs holds up no view of an order, and is asked once for many', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { visitor, placed, session, state } = await ordered(site, stripe)
  const answer = Promise.withResolvers<void>()
  stripe.looking = answer.promise
  const asked = () => stripe.requests.filter((each) => each.startsWith('GET')).length
  const view = async () =>
    ((await visitor.get(`/api/shop/orders/${placed.token}`)).json as OrderView).state
  const began = performance.now()
  const views = await Promise.all(Array.from({ length: 20 }, view))
  // The payment service gets six seconds to answer; a view that waited for it would take as long.
  expect(performance.now() - began).toBeLessThan(5_000)
  expect([new Set(views), asked()]).toEqual([new Set(['pending']), 1])
  stripe.pay(session)
  answer.resolve()
  await expect.poll(state).toBe('paid')
  expect([await view(), asked()]).toEqual(['paid', 1])
})

test('an order that stays unpaid is asked about in growing pauses, however often it is looked at', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { visitor, placed } = await ordered(site, stripe)
  const looks: number[] = []
  for (let seconds = 0; seconds < 120; seconds += 1) {
    const before = stripe.requests.length
    await visitor.get(`/api/shop/orders/${placed.token}`)
    if (stripe.requests.length > before) looks.push(seconds)
    site.clock.advance(1_000)
  }
  const pauses = looks.slice(1).map((at, index) => at - looks[index]!)
  expect(looks[0]).toBe(0)
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  expect(looks.length).toBeLessThan(12)
})

test('a checkout does not wait for a payment service that hangs until its page is given up', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const visitor = shopper(site)
  const { total } = (await visitor.put(...print, 2)).json as Cart
  stripe.opening = new Promise(() => {})
  const began = performance.now()
  const body = checkoutOf({ expectedTotal: total, payment: 'stripe' })
  expect((await visitor.post('/api/shop/checkout', body)).status).toBe(502)
  expect(performance.now() - began).toBeLessThan(8_500)
})
