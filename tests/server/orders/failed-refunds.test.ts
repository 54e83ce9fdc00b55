import { expect, test } from 'vitest'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { settled } from '../../support/enquiry.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startStripe } from '../../support/stripe-double.ts'
import { hook, ordered } from '../../support/stripe-orders.ts'

const iban = 'FI21 1234 5600 0007 85'
type Row = Record<string, unknown>
const payouts = async (site: Site, ...more: string[]): Promise<Row[]> =>
  JSON.parse(await runOn(site, 'orders', 'payouts', '--json', ...more))
const shown = async (site: Site, order: string): Promise<Row> =>
  JSON.parse(await runOn(site, 'orders', 'show', order, '--json'))

test('a refund that fails at Stripe is paid at the bank, once, and its buyer is told once', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env })
  const { placed, session } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  await runOn(site, 'orders', 'credit', placed.order, '--amount', '12.34', '--reason', 'scratched')
  await site.context.jobs.runDue()
  const [sent] = await payouts(site, '--all')
  expect(sent).toMatchObject({ method: 'stripe', amount: 1234, failed: null })
  const told = {
    id: 're_1',
    object: 'refund',
    amount: 1234,
    payment_intent: session.payment_intent,
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
    metadata: { payout: String(sent!.payout) },
  }
  // Stripe tells it by two events, repeats one, and first says that it is on its way.
  const onTheWay = stripe.event({ ...told, status: 'succeeded' }, { type: 'refund.updated' })
  expect((await hook(site, onTheWay)).status).toBe(200)
  expect(await payouts(site)).toEqual([])
  const failed = stripe.event(told, { type: 'refund.failed' })
  const answers = await Promise.all([
    hook(site, failed),
    hook(site, failed),
    hook(site, stripe.event(told, { type: 'charge.refund.updated' })),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])

  const [open, ...others] = await payouts(site)
  expect(others).toEqual([])
  expect(open).toMatchObject({ method: 'bank', amount: 1234, sent: null, reason: 'scratched' })
  expect((await payouts(site, '--all'))[0]).toMatchObject({ method: 'stripe', failed: 1234 })
  // It is owed to the buyer as before.
  expect(await shown(site, placed.order)).toMatchObject({ paid: placed.total - 1234, open: 0 })
  const { actions, books } = site.context.features.orders
  const order = actions.ofNumber(placed.order)!
  expect(await runOn(site, 'today')).toContain('Failed refunds')
  expect(site.context.timeline.of('order', placed.order).at(-1)).toMatchObject({
    act: 'refund failed',
    actor: 'stripe',
  })
  // What Stripe counts as refunded is less now, so nothing more was refunded in its dashboard.
  const charge = { payment_intent: session.payment_intent, amount_refunded: 0 }
  await hook(site, stripe.event(charge, { type: 'charge.refunded' }))
  expect(actions.payouts()).toHaveLength(1)

  const number = String(open!.payout)
  await runOn(site, 'orders', 'payouts', 'account', number, iban)
  await runOn(site, 'orders', 'payouts-done', number)
  await expect(runOn(site, 'orders', 'payouts-done', number)).rejects.toThrow('already paid')
  expect(await runOn(site, 'today')).not.toContain('Failed refunds')
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([1234])
  const month = books.daysOf(new Date(site.clock()).toISOString().slice(0, 7))
  const money = [...books.ledger(month)].filter(({ kind }) => kind === 'refund')
  expect(money.map(({ gross, account }) => [gross, account])).toEqual([
    [-1234, money[0]!.account],
    [1234, money[0]!.account],
    [-1234, money[2]!.account],
  ])
  expect(money[2]!.account).not.toBe(money[0]!.account)
  await settled(site)
  const subjects = mailFiles(site.dataDir).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.includes('failed at Stripe'))).toEqual([
    `A refund of €12.34 for order ${placed.order} failed at Stripe`,
  ])
  expect(subjects.filter((subject) => subject.includes('paid back'))).toEqual([
    `We’ve paid back €12.34 for your order ${order.number}`,
  ])
})

test('a failed refund of a whole order, and one made without a payout of ours', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { placed, session } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  const tell = (id: string, amount: number) =>
    hook(
      site,
      stripe.event(
        {
          id,
          object: 'refund',
          amount,
          payment_intent: session.payment_intent,
          status: 'failed',
          metadata: { payout: '1e9' },
        },
        { type: 'refund.failed' },
      ),
    )
  // Nothing was refunded yet: a word of it, however signed, opens no payout.
  expect((await tell('re_0', 100)).status).toBe(200)
  expect(await payouts(site, '--all')).toEqual([])
  await runOn(site, 'orders', 'refund', placed.order)
  expect((await tell('re_1', placed.total)).status).toBe(200)
  expect(await payouts(site)).toMatchObject([{ method: 'bank', amount: placed.total }])
  expect((await tell('re_2', placed.total)).status).toBe(200)
  expect(await payouts(site)).toHaveLength(1)
  expect(await shown(site, placed.order)).toMatchObject({ state: 'refunded', paid: 0 })
})
