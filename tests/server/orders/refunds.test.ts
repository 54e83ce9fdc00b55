import { expect, test } from 'vitest'
import { runOn } from '../../support/in-process-cli.ts'
import { runCli } from '../../support/run-cli.ts'
import { startSite } from '../../support/site.ts'
import { startStripe } from '../../support/stripe-double.ts'
import { hook, ordered, stock } from '../../support/stripe-orders.ts'

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
  await expect(runOn(site, 'orders', 'refund', placed.order)).rejects.toThrow('nothing was changed')
  expect(state()).toBe('paid')
  stripe.down = false
  await runOn(site, 'orders', 'refund', placed.order)
  expect(state()).toBe('refunded')
})

test('a refund where Stripe has no keys says what is missing, and changes nothing', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { placed, session, state } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  // A terminal on the same data whose environment lacks the keys of the server.
  const { out, err, code } = await runCli(['orders', 'refund', placed.order], site)
  expect([out, code]).toEqual(['', 1])
  expect(err).toContain('STRIPE_SECRET_KEY')
  expect([state(), stripe.refunds]).toEqual(['paid', []])
})
