import { expect, test } from 'vitest'
import type { CheckoutReply } from '#shared/shop/orders.ts'
import type { Cart } from '#shared/shop/shop.ts'
import { eventually } from '../../support/eventually.ts'
import { checkoutOf, shopper } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startStripe } from '../../support/stripe-double.ts'
import { ordered, paid } from '../../support/stripe-orders.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte'] as const

const variantOf = (site: Site) => site.context.features.shop.catalogue.find(print[0])!.variants[0]!

/** A visitor with the last piece in the cart. */
async function withLastPiece(site: Site) {
  const { editing } = site.context.features.shop
  await site.context.commit((tx) => editing.setStock(tx, variantOf(site).id, 1))
  const visitor = shopper(site)
  const { total } = (await visitor.put(...print, 1)).json as Cart
  return {
    checkout: (payment: 'invoice' | 'stripe') =>
      visitor.post('/api/shop/checkout', checkoutOf({ expectedTotal: total, payment })),
    states: () => [...site.context.features.orders.actions.orders.list()].map(({ state }) => state),
  }
}

test('ordering again from an abandoned payment page gets the last piece and closes that page', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { checkout, states } = await withLastPiece(site)
  expect((await checkout('stripe')).status).toBe(201)
  const [first] = stripe.sessions.values()
  const second = await checkout('stripe')
  expect(second.status).toBe(201)
  expect((second.json as CheckoutReply).next).not.toBe(first!.url)
  await site.context.jobs.runDue()
  expect(first!.status).toBe('expired')
  expect([states(), variantOf(site).stock]).toEqual([['cancelled', 'pending'], 0])
  expect((await checkout('invoice')).status).toBe(201)
  expect([states(), variantOf(site).stock]).toEqual([['cancelled', 'cancelled', 'open'], 0])
})

test('a refused second try leaves the first one as it is', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { checkout, states } = await withLastPiece(site)
  await checkout('stripe')
  const { id } = variantOf(site)
  const { editing } = site.context.features.shop
  await site.context.commit((tx) =>
    editing.price(tx, id, { cents: 9_500, fromAt: site.clock(), untilAt: null }),
  )
  expect((await checkout('stripe')).status).toBe(409)
  expect([states(), variantOf(site).stock]).toEqual([['pending'], 0])
})

test('pieces that are being paid for are not sold to another visitor', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { checkout, states } = await withLastPiece(site)
  const { editing } = site.context.features.shop
  const other = shopper(site, '127.0.0.9')
  const { total } = (await other.put(...print, 1)).json as Cart
  await checkout('stripe')
  const refused = await other.post('/api/shop/checkout', checkoutOf({ expectedTotal: total }))
  expect([refused.status, refused.json?.code]).toEqual([409, 'stock'])
  expect(states()).toEqual(['pending'])
  await site.context.commit((tx) => editing.setStock(tx, variantOf(site).id, 1))
  const { status } = await other.post('/api/shop/checkout', checkoutOf({ expectedTotal: total }))
  expect([status, states()]).toEqual([201, ['pending', 'open']])
})

test('an order that is replaced while its payment page is being opened leaves no page to pay on', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { checkout, states } = await withLastPiece(site)
  const { promise, resolve } = Promise.withResolvers<void>()
  stripe.opening = promise
  const first = checkout('stripe')
  await eventually(() => expect(states()).toEqual(['pending']))
  expect((await checkout('invoice')).status).toBe(201)
  expect([states(), stripe.sessions.size]).toEqual([['cancelled', 'open'], 0])
  resolve()
  const { status, json } = await first
  // It leads to its own page, which says that it is over.
  expect([status, (json as CheckoutReply).next]).toEqual([
    201,
    expect.stringContaining('/shop/checkout/success?order='),
  ])
  const { token } = json as CheckoutReply
  expect((await site.get(`/api/shop/orders/${token}`)).json?.state).toBe('cancelled')
  await site.context.jobs.runDue()
  expect([...stripe.sessions.values()].map((session) => session.status)).toEqual(['expired'])
  expect(variantOf(site).stock).toBe(0)
})

test('sending an ordered cart again names its order', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const first = await ordered(site, stripe)
  const again = () => first.visitor.post('/api/shop/checkout', { ...first.body, key: newKey() })
  const newKey = () => `another-tab-${Math.random().toString(36).slice(2)}-of-the-cart`
  await paid(site, stripe, first)
  const refused = await again()
  expect([refused.status, refused.json]).toEqual([
    409,
    {
      success: false,
      code: 'stock',
      message: `Order ${first.placed.order} from this cart is already paid, so nothing was ordered again. You’ll find the confirmation in your inbox.`,
      lines: [],
      total: 0,
      order: first.placed.order,
      next: first.session.success_url,
    },
  ])
  // A day later it is an empty cart like any other.
  site.clock.advance(25 * 3_600_000)
  expect((await again()).json).toMatchObject({ message: 'Your cart is empty.', lines: [] })
})
