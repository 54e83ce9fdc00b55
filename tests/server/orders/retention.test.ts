import { expect, test } from 'vitest'
import { runOn } from '../../support/in-process-cli.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startStripe } from '../../support/stripe-double.ts'
import { again, hook, ordered, print } from '../../support/stripe-orders.ts'

const day = 86_400_000
const email = 'aino@example.com'

const numbers = (site: Site) =>
  [...site.context.features.orders.actions.orders.list()].map(({ number }) => number)

const statement = (site: Site, order: string) =>
  site.post('/api/shop/withdraw', { order, name: 'Aino', email, confirm: true })

test('an erasure takes what was never paid, and leaves vouchers with their statements, and says so', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const first = await ordered(site, stripe)
  const second = await again(site, stripe, first, { payment: 'invoice' })
  await statement(site, second.placed.order)
  await statement(site, 'A-NOTHING')
  await site.context.jobs.runDue()
  const rehearsal = await runOn(site, 'privacy', 'erase', email)
  expect(rehearsal).toMatch(/orders\s+2\s+2\s+The Accounting Act/)
  expect(numbers(site)).toHaveLength(2)
  await runOn(site, 'privacy', 'erase', email, '--yes')
  expect(numbers(site)).toEqual([second.placed.order])
  expect(
    site.context.features.orders.withdrawals.list().map(({ orderNumber }) => orderNumber),
  ).toEqual([second.placed.order])
  expect(site.context.timeline.of('order', first.placed.order)).toEqual([])
})

test('while its payment page is open, an order that is over stays: money may still come', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { placed, session } = await ordered(site, stripe)
  await runOn(site, 'orders', 'cancel', placed.order)
  stripe.down = true
  await site.context.jobs.runDue()
  await runOn(site, 'privacy', 'erase', email, '--yes')
  expect(numbers(site)).toEqual([placed.order])
  stripe.down = false
  expect((await hook(site, stripe.event(stripe.pay(session)))).status).toBe(200)
  await site.context.jobs.runDue()
  expect(stripe.refunds).toHaveLength(1)
})

test('orders that were never paid go after 90 days, vouchers after the sixth year, the last number stays', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const left = await ordered(site, stripe)
  await again(site, stripe, left, { payment: 'invoice' })
  const cancelled = await orderByInvoice(site, [[...print, 1]])
  await runOn(site, 'orders', 'cancel', cancelled.order)
  const last = await orderByInvoice(site, [[...print, 1]])
  expect(numbers(site)).toHaveLength(4)
  site.clock.advance(91 * day)
  await site.context.jobs.runDue()
  expect(numbers(site)).not.toContain(left.placed.order)
  expect(numbers(site)).toHaveLength(3)
  // 31 December 2032, and the day after.
  site.clock.advance(Date.UTC(2032, 11, 31, 12) - site.clock())
  await site.context.jobs.runDue()
  expect(numbers(site)).toHaveLength(3)
  site.clock.advance(day)
  await site.context.jobs.runDue()
  expect(numbers(site)).toEqual([last.order])
  const { invoices } = site.context.features.orders.actions
  expect(invoices.list().map(({ number }) => number)).toEqual([1004])
  const next = await orderByInvoice(site, [[...print, 1]])
  expect(invoices.list().map(({ document }) => [document.number, document.order])).toEqual([
    [1004, last.order],
    [1005, next.order],
  ])
})
