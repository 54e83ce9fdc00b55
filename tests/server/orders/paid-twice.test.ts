import { expect, test } from 'vitest'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startStripe } from '../../support/stripe-double.ts'
import {
  again,
  expired,
  kinds,
  leave,
  ordered,
  paid,
  print,
  stock,
} from '../../support/stripe-orders.ts'

const documents = (site: Site) =>
  site.context.features.orders.actions.invoices
    .list()
    .map(({ kind, total, document }) => [kind, total, document.order])

test('the first payment comes after a second order: the first is paid, the second cancelled and closed', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env })
  await leave(site, 2)
  const first = await ordered(site, stripe)
  const second = await again(site, stripe, first)
  expect([first.state(), second.state(), stock(site)]).toEqual(['cancelled', 'pending', 0])
  await paid(site, stripe, first)
  expect([first.state(), second.state(), stock(site)]).toEqual(['paid', 'cancelled', 0])
  expect(second.session.status).toBe('expired')
  await settled(site)
  expect(kinds(site)).toEqual(['orderConfirmed', 'orderPlacedStaff'])
  expect(documents(site)).toEqual([['invoice', first.placed.total, first.placed.order]])
  expect(stripe.refunds).toEqual([])
  const cart = await first.visitor.get('/api/shop/cart')
  expect(cart.json?.lines).toEqual([])
})

test.each(['first', 'second'] as const)(
  'both are paid, the %s one before the other: one stands, the other payment goes back once and is told',
  async (which) => {
    await using stripe = await startStripe()
    await using site = await startSite({ env: stripe.env })
    const first = await ordered(site, stripe)
    const second = await again(site, stripe, first)
    const [stands, goes] = which === 'first' ? [first, second] : [second, first]
    await paid(site, stripe, stands)
    await paid(site, stripe, goes)
    expect([stands.state(), goes.state(), stock(site)]).toEqual(['paid', 'refunded', 12])
    // Events come again, and in any order.
    for (const each of [goes, stands, goes]) await paid(site, stripe, each)
    expect([stands.state(), goes.state(), stock(site)]).toEqual(['paid', 'refunded', 12])
    expect(stripe.refunds).toEqual([
      {
        payment_intent: goes.session.payment_intent,
        amount: goes.placed.total,
        key: `refund-${goes.placed.order}`,
      },
    ])
    expect(documents(site)).toEqual([['invoice', stands.placed.total, stands.placed.order]])
    await settled(site)
    const about = mailFiles(site.dataDir).map(({ to, subject, text }) => ({ to, subject, text }))
    expect(kinds(site).toSorted()).toEqual([
      'orderCancelled',
      'orderConfirmed',
      'orderPaidTwiceStaff',
      'orderPlacedStaff',
    ])
    const told = about.find(
      ({ to, text }) => to.includes('aino@example.com') && text.includes('the same order again'),
    )!
    expect(told.subject).toContain(goes.placed.order)
    expect(told.text.replaceAll(/\s+/g, ' ')).toContain(
      `You placed the same order again as ${stands.placed.order}, and that one goes ahead, so you only pay once. We’re refunding`,
    )
    const staff = about.find(({ subject }) => subject.includes('is being refunded'))!
    expect(staff.subject).toContain(goes.placed.order)
    expect(staff.text).toContain(stands.placed.order)
  },
)

test('a second order by invoice gives way to the payment of the first, and a credit note takes it back', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env })
  const first = await ordered(site, stripe)
  const second = await again(site, stripe, first, { payment: 'invoice' })
  expect([first.state(), second.state()]).toEqual(['cancelled', 'open'])
  await paid(site, stripe, first)
  expect([first.state(), second.state(), stock(site)]).toEqual(['paid', 'cancelled', 12])
  const { total } = first.placed
  expect(documents(site)).toEqual([
    ['invoice', total, second.placed.order],
    ['credit', -total, second.placed.order],
    ['invoice', total, first.placed.order],
  ])
  await settled(site)
  expect(kinds(site).toSorted()).toEqual([
    'orderCancelled',
    'orderConfirmed',
    'orderConfirmed',
    'orderPlacedStaff',
    'orderPlacedStaff',
    'orderReplacedStaff',
  ])
  const cancelled = mailFiles(site.dataDir).find(({ subject }) => subject.includes('cancelled'))!
  expect(cancelled.text).toContain('please don’t pay its invoice')
  expect(cancelled.attachments.map(({ filename }) => filename)).toEqual(['credit-note-1002.pdf'])
})

test.each([
  ['is paid by transfer', ['orders', 'paid'], 'paid'],
  ['is paid in part', ['orders', 'paid', '--amount', '1.00'], 'open'],
  ['was sent', ['orders', 'ship', '--unpaid'], 'shipped'],
] as const)(
  'an invoice that %s stays, and the late payment of the first order goes back',
  async (_, [noun, verb, ...options], state) => {
    await using stripe = await startStripe()
    await using site = await startSite({ env: stripe.env, sending: false })
    const first = await ordered(site, stripe)
    const second = await again(site, stripe, first, {
      payment: 'invoice',
      company: 'Rally Oy',
    })
    await runOn(site, noun, verb, second.placed.order, ...options)
    await paid(site, stripe, first)
    expect([first.state(), second.state(), stock(site)]).toEqual(['refunded', state, 12])
    expect(stripe.refunds).toHaveLength(1)
  },
)

test('an invoice over other pieces stays, and the late payment of the first order goes back', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const first = await ordered(site, stripe)
  await first.visitor.put(...print, 3)
  const second = await again(site, stripe, first, { payment: 'invoice' })
  await paid(site, stripe, first)
  expect([first.state(), second.state(), stock(site)]).toEqual(['refunded', 'open', 11])
})

test('a payment that can no longer be filled goes back, and the order that replaced it can still be paid', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  await leave(site, 2)
  const first = await ordered(site, stripe)
  expect((await first.visitor.put(...print, 1)).status).toBe(200)
  const second = await again(site, stripe, first)
  await leave(site, 0)
  await paid(site, stripe, first)
  expect([first.state(), second.state()]).toEqual(['refunded', 'pending'])
  await paid(site, stripe, second)
  expect([second.state(), stock(site)]).toEqual(['paid', 0])
  expect(stripe.refunds).toHaveLength(1)
})

test('of three orders of one cart one stands, whichever is paid first', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const first = await ordered(site, stripe)
  const second = await again(site, stripe, first)
  const third = await again(site, stripe, first)
  for (const each of [second, third, first, second]) await paid(site, stripe, each)
  expect([first, second, third].map(({ state }) => state())).toEqual([
    'refunded',
    'paid',
    'refunded',
  ])
  expect([stock(site), stripe.refunds.length]).toEqual([12, 2])
  const shown = JSON.parse(await runOn(site, 'orders', 'show', first.placed.order, '--json'))
  expect(shown.replacedBy).toBe(second.placed.order)
})

test('ordering again after the reservation ended is charged once', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const first = await ordered(site, stripe)
  await expired(site, first.placed.order)
  const second = await again(site, stripe, first)
  expect(first.state()).toBe('expired')
  await paid(site, stripe, second)
  await paid(site, stripe, first)
  expect([first.state(), second.state(), stock(site)]).toEqual(['refunded', 'paid', 12])
  // What is bought later with the same cart is another matter.
  await first.visitor.put(...print, 2)
  const later = await again(site, stripe, first)
  await paid(site, stripe, later)
  expect([second.state(), later.state(), stock(site)]).toEqual(['paid', 'paid', 10])
})

test('while Stripe does not answer, a payment that goes back is tried again, and staff see it', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const first = await ordered(site, stripe)
  const second = await again(site, stripe, first)
  await paid(site, stripe, second)
  stripe.down = true
  await paid(site, stripe, first)
  expect([first.state(), stripe.refunds]).toEqual(['attention', []])
  expect(await runOn(site, 'orders', 'list', '--state', 'attention')).toContain(first.placed.order)
  stripe.down = false
  site.clock.advance(60_000)
  await site.context.jobs.runDue()
  expect([first.state(), stripe.refunds.length]).toEqual(['refunded', 1])
})

test('ordering again after a payment whose webhook is late is refused with the paid order', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const first = await ordered(site, stripe)
  stripe.pay(first.session)
  const refused = await first.visitor.post('/api/shop/checkout', {
    ...first.body,
    key: 'another-key-of-the-cart',
  })
  expect([refused.status, refused.json?.code, refused.json?.lines]).toEqual([409, 'price', []])
  expect(refused.json?.message).toContain(`${first.placed.order} from this cart is already paid`)
  expect([first.state(), stock(site), stripe.sessions.size]).toEqual(['paid', 12, 1])
  // The key that was used is the order, as before.
  const repeat = await first.visitor.post('/api/shop/checkout', first.body)
  expect([repeat.status, repeat.json?.next]).toEqual([200, first.session.success_url])
})

test('a payment is shown on the page of its order before the webhook', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const first = await ordered(site, stripe)
  const second = await again(site, stripe, first)
  stripe.pay(first.session)
  const look = async () =>
    (await first.visitor.get(`/api/shop/orders/${first.placed.token}`)).json?.state
  expect([await look(), second.state()]).toEqual(['paid', 'cancelled'])
  await site.context.jobs.runDue()
  // The page of the other one is closed, so no one has to ask about it any more.
  const asked = stripe.requests.length
  await first.visitor.get(`/api/shop/orders/${second.placed.token}`)
  expect(stripe.requests).toHaveLength(asked)
})
