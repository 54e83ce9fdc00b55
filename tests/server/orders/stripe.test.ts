import { expect, test } from 'vitest'
import type { Cart } from '#shared/shop.ts'
import type { CheckoutForm, CheckoutReply, OrderView } from '#shared/orders.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { send } from '../../support/send.ts'
import { checkoutOf, shopper } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startStripe, type StripeDouble } from '../../support/stripe-double.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte'] as const

/** An order that waits for its payment. */
async function ordered(site: Site, stripe: StripeDouble) {
  const visitor = shopper(site)
  const { total } = (await visitor.put(...print, 2)).json as Cart
  const body = checkoutOf({ expectedTotal: total, payment: 'stripe' })
  const reply = await visitor.post('/api/shop/checkout', body)
  expect(reply.status).toBe(201)
  const placed = reply.json as CheckoutReply
  const session = [...stripe.sessions.values()].at(-1)!
  const { orders } = site.context.features.orders.actions
  return { visitor, body, placed, session, state: () => orders.find(placed.order)!.state }
}

/** A webhook as Stripe sends it: no cookie, no token, no Origin. */
const hook = (
  site: Site,
  { body, signature }: { body: string; signature: string },
  headers: Record<string, string> = {},
) =>
  send(`${site.url}/api/shop/stripe/webhook`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature, ...headers },
  })

/** Mails about orders; the daily ones of the site may come between. */
const kinds = (site: Site) =>
  site.context.mails
    .list()
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith('order'))
const stock = (site: Site) =>
  site.context.features.shop.catalogue.find(print[0])!.variants[0]!.stock

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
  ['amount', { amount_total: 1 }],
  ['currency', { currency: 'sek' }],
])(
  'money of another %s is kept for staff, who get a mail; the pieces are free',
  async (_, wrong) => {
    await using stripe = await startStripe()
    await using site = await startSite({ env: stripe.env })
    const { session, state } = await ordered(site, stripe)
    const event = stripe.event({ ...stripe.pay(session), ...wrong })
    expect((await hook(site, event)).status).toBe(200)
    expect([state(), stock(site)]).toEqual(['attention', 14])
    await settled(site)
    expect(kinds(site)).toEqual(['orderAttention'])
    expect(site.context.features.orders.actions.invoices.list()).toEqual([])
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

/** Lets the reservation end. */
async function expired(site: Site, number: string) {
  site.clock.advance(31 * 60_000)
  await site.context.features.orders.actions.expire(number)
}

test('money after the reservation: paid while there are pieces, else kept for staff', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const first = await ordered(site, stripe)
  await expired(site, first.placed.order)
  expect([first.state(), stock(site)]).toEqual(['expired', 14])
  expect((await hook(site, stripe.event(stripe.pay(first.session)))).status).toBe(200)
  expect([first.state(), stock(site)]).toEqual(['paid', 12])

  const second = await ordered(site, stripe)
  await expired(site, second.placed.order)
  const { catalogue, editing } = site.context.features.shop
  const { id } = catalogue.find(print[0])!.variants[0]!
  await site.context.commit((tx) => editing.setStock(tx, id, 1))
  expect((await hook(site, stripe.event(stripe.pay(second.session)))).status).toBe(200)
  expect([second.state(), stock(site)]).toEqual(['attention', 1])
  expect(kinds(site)).toContain('orderAttention')
})

test('a refund from the terminal calls Stripe once, and a credit note takes the receipt back', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { placed, session, state } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  expect(await runOn(site, 'orders', 'refund', placed.order)).toContain('paid → refunded')
  await expect(runOn(site, 'orders', 'refund', placed.order)).rejects.toThrow('refunded')
  expect(stripe.refunds).toEqual([
    {
      payment_intent: session.payment_intent,
      amount: placed.total,
      key: `refund-${placed.order}`,
    },
  ])
  const [receipt, credit] = site.context.features.orders.actions.invoices.list()
  expect(receipt!.total + credit!.total).toBe(0)
  expect([state(), stock(site)]).toEqual(['refunded', 14])
})

test('a refund that Stripe does not answer changes nothing', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { placed, session, state } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  stripe.down = true
  await expect(runOn(site, 'orders', 'refund', placed.order)).rejects.toThrow('does not answer')
  expect(state()).toBe('paid')
  stripe.down = false
  await runOn(site, 'orders', 'refund', placed.order)
  expect(state()).toBe('refunded')
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
