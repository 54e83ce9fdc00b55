import { expect, test } from 'vitest'
import type { OrderView } from '#shared/shop/orders.ts'
import { settled } from '../../support/enquiry.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { startSite } from '../../support/site.ts'
import { startStripe } from '../../support/stripe-double.ts'
import { expired, kinds, leave, ordered, paid, stock } from '../../support/stripe-orders.ts'

test('money after the reservation: paid while there are pieces, else kept for staff', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const first = await ordered(site, stripe)
  await expired(site, first.placed.order)
  expect([first.state(), stock(site)]).toEqual(['expired', 14])
  await paid(site, stripe, first)
  expect([first.state(), stock(site)]).toEqual(['paid', 12])

  const second = await ordered(site, stripe)
  await expired(site, second.placed.order)
  await leave(site, 1)
  await paid(site, stripe, second)
  expect([second.state(), stock(site)]).toEqual(['attention', 1])
  expect(kinds(site).slice(-2)).toEqual(['orderAttention', 'orderDelayed'])
  expect(stripe.refunds).toEqual([])
})

test('a page whose time is over is closed, also when Stripe was down at that moment', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { placed, session, state } = await ordered(site, stripe)
  stripe.down = true
  await expired(site, placed.order)
  await site.context.jobs.runDue()
  expect([state(), session.status]).toEqual(['expired', 'open'])
  stripe.down = false
  site.clock.advance(60_000)
  await site.context.jobs.runDue()
  expect(session.status).toBe('expired')
})

test('money for an order that staff cancelled goes back', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { session, placed, state } = await ordered(site, stripe)
  await runOn(site, 'orders', 'cancel', placed.order)
  await site.context.jobs.runDue()
  expect(session.status).toBe('expired')
  await paid(site, stripe, { session })
  expect([state(), stock(site)]).toEqual(['refunded', 14])
})

test('an email about a cancellation says so, even if the money has come before it leaves', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env })
  const { session, placed } = await ordered(site, stripe)
  // The email of the cancellation is written once the payment is known.
  stripe.down = true
  await runOn(site, 'orders', 'cancel', placed.order)
  await paid(site, stripe, { session })
  await settled(site)
  const [cancelled] = mailFiles(site.dataDir).filter(({ to }) => to === 'aino@example.com')
  expect(cancelled!.subject).toBe(`Order ${placed.order} is cancelled`)
  expect(cancelled!.text).toContain('The order is cancelled and there’s nothing to pay.')
  // Nothing of it is promised on its page any more.
  const { json } = await site.get(`/api/shop/orders/${placed.token}`)
  expect((json as OrderView).details).toMatchObject({ downloads: [], licences: [] })
})
