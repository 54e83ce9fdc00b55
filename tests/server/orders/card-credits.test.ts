import { join } from 'node:path'
import { expect, test } from 'vitest'
import { euros } from '#shared/money.ts'
import { todayGroups } from '#server/contributions/desk-source.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { credit, shownOrder } from '../../support/credits.ts'
import { signIn } from '../../support/staff.ts'
import { startSite } from '../../support/site.ts'
import { startStripe } from '../../support/stripe-double.ts'
import { hook, ordered } from '../../support/stripe-orders.ts'

test('a part of a card order goes back by Stripe, also when it is down at first', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env })
  const { placed, session } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  stripe.down = true
  expect(await credit(site, placed.order, '--amount', '7.00')).toContain(
    'is refunded through Stripe',
  )
  await site.context.jobs.runDue()
  expect(stripe.refunds).toEqual([])
  stripe.down = false
  site.clock.advance(10 * 60_000)
  await site.context.jobs.runDue()
  await site.context.jobs.runDue()
  expect(stripe.refunds).toMatchObject([{ payment_intent: session.payment_intent, amount: 700 }])
  await expect(runOn(site, 'orders', 'payouts-done', '1')).rejects.toThrow('through Stripe')
  await runOn(site, 'orders', 'refund', placed.order)
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([700, placed.total - 700])
})

test('what is refunded in Stripe’s dashboard is recorded once, and its credit note pays nothing more', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env })
  const { placed, session } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  const charge = (amount: number) =>
    stripe.event(
      { payment_intent: session.payment_intent, amount_refunded: amount },
      { type: 'charge.refunded' },
    )
  await credit(site, placed.order, '--amount', '2.00')
  await site.context.jobs.runDue()
  await hook(site, charge(200))
  expect(await shownOrder(site, placed.order)).toMatchObject({ paid: placed.total - 200, open: 0 })
  await hook(site, charge(700))
  await hook(site, charge(700))
  expect(await shownOrder(site, placed.order)).toMatchObject({
    paid: placed.total - 700,
    open: 500,
  })
  const { desk, digest } = site.context.contributions()
  const waiting = async () =>
    (await todayGroups(desk)).filter(({ title }) => title === 'Payments that went back')
  // Whatever of it has left: a download or a booking has nothing to pack that would show it.
  await runOn(site, 'orders', 'ship', placed.order, '--despite-lost-payment')
  expect(await waiting()).toMatchObject([
    { lines: [{ urgent: true, detail: expect.stringContaining('€5.00 went back') as string }] },
  ])
  expect(digest()).toContainEqual(
    expect.objectContaining({ count: 1, group: 'Payments that went back' }),
  )
  expect(await credit(site, placed.order, '--amount', '5.00')).not.toContain('goes back')
  expect(await shownOrder(site, placed.order)).toMatchObject({ state: 'shipped', open: 0 })
  expect(await waiting()).toEqual([])
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([200])
  await settled(site)
  const subjects = mailFiles(site.dataDir).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.includes('refunded at Stripe'))).toEqual([
    `€5.00 of order ${placed.order} was refunded at Stripe`,
  ])
  /** What the email about a credit note over an amount says. */
  const note = async (amount: string) => {
    await settled(site)
    const words = mailFiles(site.dataDir).map(({ text }) => text.replaceAll(/\s+/g, ' '))
    return words.find((text) => text.includes(`We’ve taken ${amount} off your order`))
  }
  expect(await note('€2.00')).toContain('We’re refunding €2.00')
  expect(await note('€5.00')).toContain('That money had already gone back to you')
  // A rest that is still to be credited is nothing that the buyer has to pay.
  await hook(site, charge(1500))
  await credit(site, placed.order, '--amount', '3.00')
  expect(await note('€3.00')).toContain('That money had already gone back to you')
  expect(await note('€3.00')).not.toContain('left to pay')
  await credit(site, placed.order, '--amount', '6.00')
  expect(await note('€6.00')).toMatch(
    /We’re refunding €1\.00 .* Another €5\.00 had already gone back to you\./,
  )
})

test('a refund in the dashboard whose event comes before that of its payment is recorded as well', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env })
  const { placed, session } = await ordered(site, stripe)
  // The site was down: the buyer paid, and staff gave a part back from their phone.
  const paid = stripe.event(stripe.pay(session))
  stripe.refundByHand(session, 700)
  const refund = stripe.event(
    { payment_intent: session.payment_intent, amount_refunded: 700 },
    { type: 'charge.refunded' },
  )
  await hook(site, refund)
  await hook(site, paid)
  site.clock.advance(61_000)
  await site.context.jobs.runDue()
  const afterwards = { paid: placed.total - 700, open: 700 }
  expect(await shownOrder(site, placed.order)).toMatchObject(afterwards)
  // Sent again from the dashboard, it's known by then.
  await hook(site, refund)
  expect(await shownOrder(site, placed.order)).toMatchObject(afterwards)
  await settled(site)
  const told = mailFiles(site.dataDir).filter(({ subject }) => subject.includes('at Stripe'))
  expect(told.map(({ subject }) => subject)).toEqual([
    `€7.00 of order ${placed.order} was refunded at Stripe`,
  ])
})

test('an event about a payment that isn’t known yet counts when it’s sent again', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env })
  const { placed, session } = await ordered(site, stripe)
  const paid = stripe.event(stripe.pay(session))
  const dispute = stripe.event(
    { payment_intent: session.payment_intent, id: 'dp_1', amount: 900, reason: 'fraudulent' },
    { type: 'charge.dispute.funds_withdrawn' },
  )
  await hook(site, dispute)
  await hook(site, paid)
  for (const _ of [1, 2]) await hook(site, dispute)
  expect(await shownOrder(site, placed.order)).toMatchObject({ paid: placed.total - 900 })
})

test('a dispute reaches staff and the history', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env })
  const { placed, session } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  const dispute = { payment_intent: session.payment_intent, amount: 8900, reason: 'fraudulent' }
  await hook(site, stripe.event(dispute, { type: 'charge.dispute.created' }))
  await settled(site)
  const mail = mailFiles(site.dataDir).find(({ subject }) => subject.includes('disputed'))
  expect(mail?.text).toContain('fraudulent')
  expect(site.context.timeline.of('order', placed.order).at(-1)).toMatchObject({
    act: 'disputed',
    actor: 'stripe',
  })
})

test.each([{}, { reason: null }])(
  'a dispute for which the bank gave no reason reaches staff all the same: %o',
  async (reason) => {
    await using stripe = await startStripe()
    await using site = await startSite({ env: stripe.env })
    const { placed, session } = await ordered(site, stripe)
    await hook(site, stripe.event(stripe.pay(session)))
    const dispute = { payment_intent: session.payment_intent, amount: 8900, ...reason }
    await hook(site, stripe.event(dispute, { type: 'charge.dispute.created' }))
    await settled(site)
    const mail = mailFiles(site.dataDir).find(({ subject }) => subject.includes('disputed'))
    expect(mail?.text).toContain('€89.00')
    expect(mail?.text).not.toContain('Reason')
    const { note } = site.context.timeline.of('order', placed.order).at(-1)!
    expect(note).toBe('€89.00')
  },
)

test('money that a dispute takes and gives back is in the balance, each once', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { placed, session } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  const dispute = { id: 'dp_1', payment_intent: session.payment_intent, amount: placed.total }
  const tell = (type: string) =>
    hook(
      site,
      stripe.event({ ...dispute, reason: 'fraudulent' }, { type: `charge.dispute.${type}` }),
    )
  await tell('funds_withdrawn')
  await tell('funds_withdrawn')
  expect(await shownOrder(site, placed.order)).toMatchObject({ paid: 0, open: placed.total })
  // It's paid by its state, and its money is gone: it isn't to be packed without a look.
  const packing = async () =>
    JSON.parse(await runOn(site, 'orders', 'pack', '--json')) as { warning: string }[]
  expect(await packing()).toMatchObject([{ warning: `payment went back: ${euros(placed.total)}` }])
  const slip = ['orders', 'packing', placed.order, '--out', join(site.dataDir, 'slip.pdf')] as const
  expect(await runOn(site, ...slip)).toContain(
    `${placed.order}: ${euros(placed.total)} of the payment went back`,
  )
  const { headers } = await signIn(site, ['desk'])
  const { json } = await site.get(`/api/desk/things/orders/${placed.order}`, { headers })
  expect(JSON.stringify(json)).toContain('went back, by a dispute')
  expect(JSON.stringify(json)).toContain('Ship it although the payment went back')
  await expect(runOn(site, 'orders', 'ship', placed.order)).rejects.toThrow('Look at that first')
  const lines = async () =>
    (await todayGroups(site.context.contributions().desk)).flatMap(({ lines: each }) => each)
  expect(await lines()).toContainEqual(
    expect.objectContaining({
      urgent: true,
      detail: expect.stringContaining('check before packing') as string,
    }),
  )
  // What a dispute took isn't a refund of ours.
  const charge = { payment_intent: session.payment_intent, amount_refunded: 0 }
  await hook(site, stripe.event(charge, { type: 'charge.refunded' }))
  expect(await shownOrder(site, placed.order)).toMatchObject({ paid: 0 })
  await tell('funds_reinstated')
  expect(await shownOrder(site, placed.order)).toMatchObject({ paid: placed.total, open: 0 })
  expect(await packing()).toMatchObject([{ warning: '' }])
  expect(await runOn(site, 'orders', 'ship', placed.order)).toContain('paid → shipped')
})

test('a credit note after a dispute says what it took, and nothing of what the dispute gave back', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env })
  const { placed, session } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  const dispute = { payment_intent: session.payment_intent, reason: 'fraudulent' }
  const tell = (id: string, type: string) =>
    hook(site, stripe.event({ ...dispute, id, amount: 500 }, { type: `charge.dispute.${type}` }))
  await tell('dp_1', 'funds_withdrawn')
  await tell('dp_1', 'funds_reinstated')
  await tell('dp_2', 'funds_withdrawn')
  const note = async (amount: string) => {
    await credit(site, placed.order, '--amount', amount)
    await site.context.jobs.runDue()
    await settled(site)
    const words = mailFiles(site.dataDir).map(({ text }) => text.replaceAll(/\s+/g, ' '))
    return words.find((text) => text.includes(`We’ve taken €${amount} off your order`))
  }
  expect(await note('5.00')).toContain('That money had already gone back to you')
  expect(stripe.refunds).toEqual([])
  const later = await note('2.00')
  expect(later).toContain('We’re refunding €2.00')
  expect(later).not.toContain('already gone back')
})

test('what Stripe charges for a dispute is in the books, and comes off again where it’s given back', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { placed, session } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  const taken = { currency: 'eur', amount: -placed.total, fee: 2000 }
  const back = { currency: 'eur', amount: placed.total, fee: -2000 }
  const tell = (type: string, booked: object[]) =>
    hook(
      site,
      stripe.event(
        {
          id: 'dp_1',
          payment_intent: session.payment_intent,
          amount: placed.total,
          reason: 'fraudulent',
          balance_transactions: booked,
        },
        { type: `charge.dispute.${type}` },
      ),
    )
  const fees = async () =>
    (
      JSON.parse(
        await runOn(site, 'orders', 'books', '--month', '2026-11', '--format', 'json'),
      ) as { kind: string; gross: string }[]
    ).flatMap(({ kind, gross }) => (kind === 'payment fee' ? [gross] : []))
  await tell('funds_withdrawn', [taken])
  expect(await fees()).toEqual(['20.00'])
  await tell('funds_reinstated', [taken, back])
  expect(await fees()).toEqual(['20.00', '-20.00'])
})

const dayOfAnswer = Date.UTC(2026, 11, 5, 21, 59, 59) / 1000

/** A site with a paid card order, and what its payment is disputed by. */
async function disputable() {
  const stripe = await startStripe()
  const site = await startSite({ env: stripe.env })
  const { placed, session } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  const tell = (type: string, status: string, changes: object = {}) => {
    const dispute = {
      id: 'dp_1',
      payment_intent: session.payment_intent,
      amount: placed.total,
      reason: 'unrecognized',
      status,
      evidence_details: { due_by: status.endsWith('needs_response') ? dayOfAnswer : null },
      ...changes,
    }
    return hook(site, stripe.event(dispute, { type: `charge.dispute.${type}` }))
  }
  const told = async () => {
    await settled(site)
    return mailFiles(site.dataDir)
      .filter(({ subject }) => /dispute|inquiry|asks about/.test(subject))
      .map(({ subject, text }) => ({ subject, text: text.replaceAll(/\s+/g, ' ') }))
  }
  const history = () =>
    site.context.timeline.of('order', placed.order).map(({ act, note }) => [act, note])
  const dispose = async () => {
    await site[Symbol.asyncDispose]()
    await stripe[Symbol.asyncDispose]()
  }
  return { site, placed, tell, told, history, [Symbol.asyncDispose]: dispose }
}

test('an inquiry is told as one, with its deadline, and takes nothing', async () => {
  await using at = await disputable()
  const { site, placed, tell, told, history } = at
  for (const _ of [1, 2]) await tell('created', 'warning_needs_response')
  await tell('updated', 'warning_under_review')
  const [mail, ...others] = await told()
  expect(others).toEqual([])
  expect(mail!.subject).toBe(`A bank asks about the payment of order ${placed.order}`)
  expect(mail!.text).toContain('No money has been taken')
  expect(mail!.text).toMatch(/Answer by:? 5 December 2026, 23:59/)
  expect(mail!.text).toContain('unrecognized')
  expect(mail!.text).not.toMatch(/disputed|wants the money back/)
  const asked = [
    'asked about by a bank',
    expect.stringContaining('answer by 5 December 2026, 23:59'),
  ]
  expect(history().at(-1)).toEqual(asked)
  // The desk shows the history.
  const { headers } = await signIn(site, ['desk'])
  const { json } = await site.get(`/api/desk/things/orders/${placed.order}`, { headers })
  expect(JSON.stringify(json)).toContain('asked about by a bank')
  expect(JSON.stringify(json)).not.toContain('disputed')
  expect(site.logLines().join('\n')).not.toContain('payment disputed')
  expect(await shownOrder(site, placed.order)).toMatchObject({ paid: placed.total, open: 0 })
  expect(await runOn(site, 'orders', 'pack', '--json')).toContain('"warning": ""')
  for (const type of ['updated', 'closed']) await tell(type, 'warning_closed')
  expect((await told()).map(({ subject }) => subject)).toEqual([
    mail!.subject,
    `The inquiry about the payment of order ${placed.order} is closed`,
  ])
  expect(history().slice(-2)).toEqual([
    asked,
    ['inquiry by a bank closed', 'no dispute, nothing taken'],
  ])
})

test.each([
  [
    'the news of it',
    [
      ['updated', 'needs_response'],
      ['funds_withdrawn', 'needs_response'],
    ],
  ],
  [
    'its money',
    [
      ['funds_withdrawn', 'needs_response'],
      ['updated', 'needs_response'],
    ],
  ],
] as const)('an inquiry that becomes a dispute is told once, %s being first', async (_, events) => {
  await using at = await disputable()
  const { site, placed, tell, told, history } = at
  await tell('created', 'warning_needs_response')
  for (const [type, status] of events) await tell(type, status)
  await tell('updated', 'under_review')
  const mails = await told()
  expect(mails.map(({ subject }) => subject)).toEqual([
    `A bank asks about the payment of order ${placed.order}`,
    `The payment of order ${placed.order} is disputed`,
  ])
  expect(mails[1]!.text).toContain('inquiry has become a dispute')
  expect(mails[1]!.text).toMatch(/Answer by:? 5 December 2026, 23:59/)
  const acts = history().map(([act]) => act)
  expect(acts.filter((act) => act === 'asked about by a bank')).toHaveLength(1)
  expect(acts.slice(-2)).toEqual(['disputed after an inquiry', 'money taken by a dispute'])
  expect(await shownOrder(site, placed.order)).toMatchObject({ paid: 0, open: placed.total })
})

test('an inquiry whose event comes after that of its dispute is no news', async () => {
  await using at = await disputable()
  const { tell, told } = at
  await tell('funds_withdrawn', 'needs_response')
  await tell('created', 'warning_needs_response')
  const [mail, ...others] = await told()
  expect(others).toEqual([])
  expect(mail!.subject).toContain('is disputed')
})

test('each dispute of an order is told, also where the money comes first', async () => {
  await using at = await disputable()
  const { placed, tell, told } = at
  const changes = { amount: 500 }
  await tell('funds_withdrawn', 'needs_response', changes)
  await tell('created', 'needs_response', changes)
  await tell('created', 'needs_response', { ...changes, id: 'dp_2' })
  expect((await told()).map(({ subject }) => subject)).toEqual(
    Array.from({ length: 2 }, () => `The payment of order ${placed.order} is disputed`),
  )
})

test.each([
  ['won', 'in our favour', 'decided in our favour'],
  ['lost', 'stays with them', 'decided in the buyer’s favour'],
] as const)('a dispute that is %s is told once more, and no more', async (end, says, note) => {
  await using at = await disputable()
  const { site, placed, tell, told, history } = at
  await tell('created', 'needs_response')
  await tell('funds_withdrawn', 'needs_response')
  await tell('updated', 'under_review')
  await tell('closed', end)
  if (end === 'won') await tell('funds_reinstated', end)
  for (const type of ['updated', 'closed']) await tell(type, end)
  const mails = await told()
  expect(mails.map(({ subject }) => subject)).toEqual([
    `The payment of order ${placed.order} is disputed`,
    `The dispute about order ${placed.order} is ${end}`,
  ])
  expect(mails[1]!.text).toContain(says)
  expect(history()).toContainEqual([`dispute ${end}`, note])
  expect(await shownOrder(site, placed.order)).toMatchObject(
    end === 'won' ? { paid: placed.total, open: 0 } : { paid: 0, open: placed.total },
  )
})

test('a dispute whose beginning is told after its end asks staff for no answer', async () => {
  await using at = await disputable()
  const { placed, tell, told } = at
  await tell('closed', 'lost')
  await tell('created', 'needs_response')
  expect((await told()).map(({ subject }) => subject)).toEqual([
    `The dispute about order ${placed.order} is lost`,
  ])
})
