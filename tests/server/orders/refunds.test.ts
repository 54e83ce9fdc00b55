import { expect, test } from 'vitest'
import { shownOrder } from '../../support/credits.ts'
import { settled } from '../../support/enquiry.ts'
import { enter, newCard, orderCart } from '../../support/gift-cards.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { runCli } from '../../support/run-cli.ts'
import { shopper } from '../../support/shop.ts'
import { startSite } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'
import { startStripe } from '../../support/stripe-double.ts'
import { hook, ordered, print, stock } from '../../support/stripe-orders.ts'

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

test('a refund that Stripe made, and whose answer got lost, is finished on a later day', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env })
  const { placed, session, state } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  stripe.losingAnswers = true
  await expect(runOn(site, 'orders', 'refund', placed.order)).rejects.toThrow('nothing was changed')
  stripe.losingAnswers = false
  stripe.forgetKeys()
  await runOn(site, 'orders', 'refund', placed.order)
  expect(state()).toBe('refunded')
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([placed.total])
  const shown = await shownOrder(site, placed.order)
  expect(shown).toMatchObject({ paid: 0, open: 0, credited: placed.total })
  // Its event, which was late, changes nothing.
  await hook(
    site,
    stripe.event(
      { payment_intent: session.payment_intent, amount_refunded: placed.total },
      { type: 'charge.refunded' },
    ),
  )
  expect(await shownOrder(site, placed.order)).toEqual(shown)
})

test('a refund of an order asks for the rest of what the dashboard gave back without telling', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env })
  const { placed, session, state } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  stripe.refundByHand(session, 700)
  await runOn(site, 'orders', 'refund', placed.order)
  expect(state()).toBe('refunded')
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([placed.total - 700])
  expect(await shownOrder(site, placed.order)).toMatchObject({ paid: 0, credited: placed.total })
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

test('an order whose money went back before is refunded without Stripe: by credit note, in the dashboard, by a dispute', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env })
  const { headers } = await signIn(site, ['desk'])
  const atDesk = async (order: string) =>
    JSON.stringify((await site.get(`/api/desk/things/orders/${order}`, { headers })).json)
  const placed = async (card?: string) => {
    const visitor = shopper(site)
    await visitor.put(...print, 2)
    if (card) await enter(visitor, card)
    const { placed: order } = await orderCart(visitor, { payment: 'stripe' })
    const session = [...stripe.sessions.values()].at(-1)!
    await hook(site, stripe.event(stripe.pay(session)))
    return { order: order.order, session }
  }
  const told = (object: Record<string, unknown>, type: string) =>
    hook(site, stripe.event(object, { type }))

  const { code } = await newCard(site, '100.00')
  const byCard = await placed(code)
  const money = (byCard.session.amount_total / 100).toFixed(2)
  await runOn(site, 'orders', 'credit', byCard.order, '--amount', money, '--reason', 'scratched')
  const inDashboard = await placed()
  await told(
    {
      payment_intent: inDashboard.session.payment_intent,
      amount_refunded: inDashboard.session.amount_total,
    },
    'charge.refunded',
  )
  const disputed = await placed()
  await told(
    {
      id: 'dp_1',
      payment_intent: disputed.session.payment_intent,
      amount: disputed.session.amount_total,
    },
    'charge.dispute.funds_withdrawn',
  )
  await site.context.jobs.runDue()
  const refunds = stripe.refunds.map(({ amount }) => amount)
  expect(refunds).toEqual([byCard.session.amount_total])

  expect(await atDesk(byCard.order)).toContain('€100.00 goes back on the gift card')
  for (const { order } of [byCard, inDashboard, disputed]) {
    if (order !== byCard.order) expect(await atDesk(order)).toContain('went back before')
    expect(await runOn(site, 'orders', 'refund', order)).toContain('paid → refunded')
    const { actions } = site.context.features.orders
    const found = actions.ofNumber(order)!
    expect(actions.orders.paid(found.id)).toBe(0)
    const papers = actions.invoices.ofOrder(found.id)
    expect(papers.reduce((all, paper) => all + paper.total, 0)).toBe(0)
  }
  expect(stripe.refunds).toHaveLength(refunds.length)
  const page = await atDesk(byCard.order)
  expect(page).toContain('"label":"Onto the gift card"')
  expect(page).not.toContain('"label":"At the bank"')
  await settled(site)
  const mails = mailFiles(site.dataDir)
  const of = (order: string) =>
    mails.find(({ subject }) => subject === `Order ${order} is refunded`)!
  expect(of(byCard.order).text).toContain('€100.00 is back on the gift card')
  for (const { order } of [inDashboard, disputed]) {
    expect(of(order).text).toContain('What you paid has already gone back to you')
    expect(of(order).text).not.toContain('on its way')
  }
})

test('money that was refunded in the dashboard while its payout waited is not paid twice', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { placed, session } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  const credit = (amount: string, reason: string) =>
    runOn(site, 'orders', 'credit', placed.order, '--amount', amount, '--reason', reason)
  let counted = 0
  const byHand = async (cents: number) => {
    stripe.refundByHand(session, cents)
    counted += cents
    const charge = { payment_intent: session.payment_intent, amount_refunded: counted }
    await hook(site, stripe.event(charge, { type: 'charge.refunded' }))
  }
  const waiting = async () =>
    JSON.parse(await runOn(site, 'orders', 'payouts', '--json')) as unknown[]

  // Stripe doesn't answer, and staff don't wait for it: all of it, and a part.
  stripe.down = true
  await credit('12.00', 'scratched')
  await credit('5.00', 'came late')
  await site.context.jobs.runDue()
  expect(await waiting()).toHaveLength(2)
  await byHand(1200)
  await byHand(200)
  stripe.down = false
  site.clock.advance(3_600_000)
  await site.context.jobs.runDue()
  expect(await waiting()).toEqual([])
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([300])
  const order = site.context.features.orders.actions.ofNumber(placed.order)!
  expect(site.context.features.orders.actions.balanceOf(order)).toMatchObject({
    paid: placed.total - 1700,
    open: 0,
  })
  const notes = site.context.timeline.of('order', placed.order).map(({ note }) => note)
  expect(notes).toContain('€12.00, in Stripe’s dashboard')
  expect(notes).toContain('€5.00, €2.00 of it in Stripe’s dashboard')

  // What is refunded there beside a payout is money of its own.
  counted += 300
  await byHand(100)
  await credit('4.00', 'a dented box')
  await site.context.jobs.runDue()
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([300, 300])
})

test.each([
  ['of its own number', 1],
  ['of another number', 5],
])(
  'what Stripe gave back since a restored backup, for a payout %s, is not given back twice',
  async (_, before) => {
    await using stripe = await startStripe()
    await using site = await startSite({ env: stripe.env, sending: false })
    const { placed, session } = await ordered(site, stripe)
    await hook(site, stripe.event(stripe.pay(session)))
    // Credited and refunded in the state that was lost, and credited again in the restored one.
    stripe.refundByHand(session, 700, before)
    await runOn(
      site,
      'orders',
      'credit',
      placed.order,
      '--amount',
      '12.00',
      '--reason',
      'scratched',
    )
    await site.context.jobs.runDue()
    expect(stripe.refunds.map(({ amount }) => amount)).toEqual([500])
    expect(JSON.parse(await runOn(site, 'orders', 'payouts', '--json'))).toEqual([])
  },
)
