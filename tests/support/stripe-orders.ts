import { expect } from 'vitest'
import type { CheckoutReply } from '#shared/shop/orders.ts'
import type { Cart } from '#shared/shop/shop.ts'
import { send } from './send.ts'
import { checkoutOf, shopper } from './shop.ts'
import type { Site } from './site.ts'
import type { DoubleSession, StripeDouble } from './stripe-double.ts'

/** What these orders are of. */
export const print = ['blue-hour-fine-art-print', '30x40-matte'] as const

/** An order of two prints that waits for its payment, of a visitor with a new cart. */
export async function ordered(site: Site, stripe: StripeDouble) {
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

/** One more order of the visitor's cart as it is now, with its own key. */
export async function again(
  site: Site,
  stripe: StripeDouble,
  { visitor }: Pick<Awaited<ReturnType<typeof ordered>>, 'visitor'>,
  changes: { payment?: 'stripe' | 'invoice'; company?: string } = {},
) {
  const { total } = (await visitor.get('/api/shop/cart')).json as Cart
  const reply = await visitor.post(
    '/api/shop/checkout',
    checkoutOf({ expectedTotal: total, payment: 'stripe', ...changes }),
  )
  expect(reply.status).toBe(201)
  const placed = reply.json as CheckoutReply
  const session = [...stripe.sessions.values()].at(-1)!
  const { orders } = site.context.features.orders.actions
  return { placed, session, state: () => orders.find(placed.order)!.state }
}

/** A webhook as Stripe sends it: no cookie, no token, no Origin. */
export const hook = (
  site: Site,
  { body, signature }: { body: string; signature: string },
  headers: Record<string, string> = {},
) =>
  send(`${site.url}/api/shop/stripe/webhook`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature, ...headers },
  })

/** Emails about orders; the daily ones of the site may come between. */
export const kinds = (site: Site) =>
  site.context.mails
    .list()
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith('order'))
/** How many of them are left. */
export const stock = (site: Site) =>
  site.context.features.shop.catalogue.find(print[0])!.variants[0]!.stock

/** The payment of a session, as the webhook tells it. */
export const paid = async (
  site: Site,
  stripe: StripeDouble,
  { session }: { session: DoubleSession },
) => {
  expect((await hook(site, stripe.event(stripe.pay(session)))).status).toBe(200)
  await site.context.jobs.runDue()
}

/** Sets how many prints are left. */
export const leave = (site: Site, pieces: number) => {
  const { catalogue, editing } = site.context.features.shop
  const { id } = catalogue.find(print[0])!.variants[0]!
  return site.context.commit((tx) => editing.setStock(tx, id, pieces))
}

/** Lets the reservation end. */
export async function expired(site: Site, number: string) {
  site.clock.advance(31 * 60_000)
  await site.context.features.orders.actions.expire(number)
}
