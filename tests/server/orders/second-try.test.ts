import { expect, test } from 'vitest'
import type { CheckoutReply } from '#shared/orders.ts'
import type { Cart } from '#shared/shop.ts'
import { checkoutOf, shopper } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startStripe } from '../../support/stripe-double.ts'

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

test('who comes back from the payment page gets the last piece, and the page left is closed', async () => {
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

test('another visitor does not get what somebody is paying for', async () => {
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
