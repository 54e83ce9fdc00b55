import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { agreed, last, open } from '../../support/agreed-booking.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { inputsOf, postForm } from '../../support/page-form.ts'
import { startStripe, stripeFee } from '../../support/stripe-double.ts'
import { hook } from '../../support/stripe-orders.ts'

test('the deposit is paid by card from the page, with one document, once, whatever Stripe repeats', async () => {
  await using stripe = await startStripe()
  await using opened = await open(stripe)
  const { site, news } = opened
  const { reference, deposit, post, view, cli } = await agreed(site)
  expect(deposit).toMatchObject({ part: 'deposit', total: 50_200, open: 50_200, paidBy: null })
  expect(deposit.isPayableByCard).toBe(true)
  const told = await news()
  const confirmed = told.find(({ subject }) => subject.startsWith('Confirmed'))!
  expect(confirmed.text).toContain('Pay the deposit by card')
  expect(confirmed.text).toContain('or by bank transfer')
  expect(confirmed.text).toContain('€502')
  const invoice = told.find(({ subject }) => /^Invoice \d+ for booking/.test(subject))!
  expect(invoice.text).toContain('by card on the page of your booking, or by bank transfer')

  const reply = await post('pay')
  expect(reply.status).toBe(200)
  const session = last(stripe)
  expect(reply.json?.next).toBe(session.url)
  expect(session).toMatchObject({ amount_total: 50_200, currency: 'eur' })
  // Called as on the page of the booking.
  expect(session.name).toBe(`Deposit 1001, booking ${reference}`)
  expect(session.success_url).toContain(`?paid=${deposit.order}`)
  // Pressed again it's the same page.
  expect((await post('pay', { order: deposit.order })).json?.next).toBe(session.url)
  expect(stripe.sessions.size).toBe(1)

  const event = stripe.event(stripe.pay(session))
  expect((await hook(site, event)).status).toBe(200)
  expect((await hook(site, event)).status).toBe(200)
  expect((await hook(site, stripe.event(session))).status).toBe(200)
  expect((await view()).documents).toMatchObject([
    { part: 'deposit', state: 'paid', open: 0, paidBy: 'card', isPayableByCard: false },
  ])
  expect((await post('pay')).status).toBe(409)
  const [receipt, ...more] = (await news()).filter(({ to }) => to.includes('aino'))
  expect(more).toEqual([])
  expect(receipt!.subject).toBe(`Your payment for booking ${reference} has arrived`)
  expect(await cli('show')).toContain('€502.00 paid by card, paid')
  expect(await cli('show')).toMatch(/payment .*€502\.00 for invoice 1001, by card/)
  // What Stripe kept of it is known a moment later.
  site.clock.advance(61_000)
  await site.context.jobs.runDue()
  const { orders } = site.context.features.orders.actions
  expect(orders.paymentsOf(orders.find(deposit.order)!.id)).toMatchObject([
    { source: 'stripe', amount: 50_200, fee: stripeFee(50_200) },
  ])
  const books = await runOn(site, 'orders', 'export', '--format', 'csv')
  expect(books).toMatch(/1001.*stripe/)

  // The rest is over what the deposit left, and can be paid in the same way.
  await cli('invoice', '--send')
  expect((await view()).documents).toMatchObject([
    { part: 'deposit', open: 0 },
    { part: 'rest', total: 75_300, open: 75_300, isPayableByCard: true },
  ])
  expect((await post('pay')).status).toBe(200)
  expect(last(stripe).amount_total).toBe(75_300)
  expect(last(stripe).name).toBe(`Balance 1002, booking ${reference}`)
  stripe.pay(last(stripe))
  // Before the webhook comes, the page asks by itself.
  expect((await view()).documents).toMatchObject([{ state: 'paid' }, { state: 'paid' }])
  expect(stripe.refunds).toEqual([])
})

test('a card payment that isn’t in euros is told to staff once, and the invoice can still be paid', async () => {
  await using stripe = await startStripe()
  await using opened = await open(stripe)
  const { site, news } = opened
  const { reference, deposit, post, view, cli } = await agreed(site)
  await news()
  await post('pay')
  const session = stripe.pay(last(stripe))
  session.currency = 'sek'
  for (let times = 0; times < 2; times += 1) {
    expect((await hook(site, stripe.event(session))).status).toBe(200)
    expect((await view()).documents).toMatchObject([{ open: 50_200, state: 'open' }])
  }
  const [told, ...more] = (await news()).filter(({ subject }) => subject.startsWith('Review'))
  expect(more.map(({ subject }) => subject)).toEqual([])
  expect(told!.subject).toBe(`Review booking ${reference}: a card payment that isn’t in euros`)
  expect(told!.text.replaceAll(/\s+/g, ' ')).toContain('the invoice is still open')
  const note = '502.00 SEK came by card and isn’t counted: refund it in'
  expect((await cli('show')).split(note)).toHaveLength(2)
  expect(await runOn(site, 'orders', 'show', deposit.order)).toContain(note)
  const again = await post('pay')
  expect(again.status).toBe(200)
  expect(again.json?.next).not.toBe(session.url)
})

test('without scripts the page has a form that leads to the payment, and says how it went', async () => {
  await using stripe = await startStripe()
  await using opened = await open(stripe, { renderer: await builtRenderer(dist), sending: false })
  const { site } = opened
  const { token, deposit } = await agreed(site)
  const page = await site.get(`/booking/${token}`)
  expect(page.text).toContain('Pay the deposit by card')
  expect(page.text).toContain('Or by bank transfer')
  expect(inputsOf(page.text).order).toBe(deposit.order)
  const reply = await postForm(site, `/booking/${token}/pay`, { order: deposit.order })
  expect([reply.status, reply.headers.location]).toEqual([303, last(stripe).url])
  const back = last(stripe).success_url.replace(site.context.config.siteUrl, '')
  const waiting = await site.get(back)
  expect(waiting.text).toContain('Your payment isn’t confirmed yet')
  expect(waiting.text).toContain('<noscript><meta http-equiv="refresh" content="2"/></noscript>')
  stripe.pay(last(stripe))
  site.clock.advance(60_000)
  expect((await site.get(back)).text).toContain('Thank you, your payment has arrived')
  const again = await postForm(site, `/booking/${token}/pay`, { order: deposit.order })
  expect(again.status).toBe(409)
  expect(again.text).toContain('Nothing is left to pay by card')
})

test('paid by card and by transfer: only one counts, and the other goes back', async () => {
  await using stripe = await startStripe()
  await using opened = await open(stripe)
  const { site, news } = opened
  const { deposit, post, view, paid } = await agreed(site)
  const { actions } = site.context.features.orders
  await post('pay')
  const session = last(stripe)
  // A part comes by transfer: the page that asks for all of it is closed, and the next asks for the rest.
  await actions.paid(deposit.order, { actor: 'mika', amount: 20_000, note: 'first' })
  await site.context.jobs.runDue()
  expect(session.status).toBe('expired')
  await post('pay')
  const rest = last(stripe)
  expect(rest.amount_total).toBe(30_200)
  // The transfer of the rest and the card payment cross.
  stripe.pay(rest)
  await actions.paid(deposit.order, { actor: 'mika', note: 'second' })
  // One job closes the page, and the next one sends the money back.
  await site.context.jobs.runDue()
  await site.context.jobs.runDue()
  expect(paid()).toBe(50_200)
  expect(stripe.refunds).toMatchObject([{ payment_intent: `pi_${rest.id}`, amount: 30_200 }])
  expect((await hook(site, stripe.event(rest))).status).toBe(200)
  expect(paid()).toBe(50_200)
  expect((await view()).documents).toMatchObject([
    { state: 'paid', open: 0, paidBy: 'card and bank transfer' },
  ])
  const mails = await news()
  expect(mails.find(({ subject }) => subject.startsWith('Overpaid by €302.00'))!.text).toContain(
    'We’re refunding €302.00 to the card or account you paid with.',
  )
  expect(
    mails.find(({ subject }) => subject.startsWith('€302.00 is being refunded'))!.to,
  ).toContain('staff')
  // A transfer after a card payment waits on staff's list.
  await actions.paid(deposit.order, { actor: 'mika', amount: 50_200, note: 'third' })
  await runOn(site, 'orders', 'pay-back', deposit.order)
  expect(await runOn(site, 'orders', 'payouts')).toContain('502.00')
  expect(stripe.refunds).toHaveLength(1)
})

test('cancelled while a payment is on its way: what is not owed goes back to the card', async () => {
  await using stripe = await startStripe()
  await using opened = await open(stripe)
  const { site, news } = opened
  const { post, view, paid } = await agreed(site)
  await post('pay')
  const session = last(stripe)
  // Down at the moment of cancelling, Stripe closes the page later, and by then it is paid.
  stripe.down = true
  expect((await post('cancel')).status).toBe(200)
  await site.context.jobs.runDue()
  stripe.down = false
  stripe.pay(session)
  site.clock.advance(61_000)
  await site.context.jobs.runDue()
  expect((await view()).documents).toMatchObject([{ part: 'deposit', state: 'cancelled' }])
  expect(stripe.refunds).toMatchObject([{ amount: 50_200 }])
  expect(paid()).toBe(0)
  const back = (await news()).find(({ subject }) => subject.startsWith('Overpaid by €502.00'))!
  expect(back.text).toContain('we’d cancelled that invoice')
})

test('a deposit paid by card covers the fee of a cancellation; the rest goes back by the same way', async () => {
  await using stripe = await startStripe()
  await using opened = await open(stripe)
  const { site, news } = opened
  const { reference, post, view } = await agreed(site, { from: '2027-01-12', to: '2027-01-12' })
  await post('pay')
  await hook(site, stripe.event(stripe.pay(last(stripe))))
  // Ten days are left: half of €1,255 is due, which is more than the deposit.
  site.clock.advance(Date.UTC(2027, 0, 2, 10) - site.clock())
  const before = (await view()) as unknown as { acts: { cancelling: string[] } }
  expect(before.acts.cancelling).toContain(
    '€502.00 already paid goes towards it; €125.50 is left to pay.',
  )
  expect((await post('cancel')).status).toBe(200)
  const [deposit, fee] = (await view()).documents
  // It pays a part of the fee; nothing of it was paid back.
  expect(deposit).toMatchObject({ state: 'cancelled' })
  expect(fee).toMatchObject({ part: 'fee', total: 62_750, open: 12_550, paidBy: 'card' })
  const asked = (await news()).find(({ text }) => text.includes('already paid covers'))!
  expect(asked.text.replaceAll(/\s+/g, ' ')).toContain(
    'What you’ve already paid covers €502.00 of it. Please pay the remaining €125.50 by its due date: by card on the page of your booking, or by bank transfer',
  )
  await site.context.jobs.runDue()
  expect(stripe.refunds).toEqual([])
  expect((await post('pay', { order: fee!.order })).status).toBe(200)
  expect(last(stripe).amount_total).toBe(12_550)
  await hook(site, stripe.event(stripe.pay(last(stripe))))
  expect((await view()).documents[1]).toMatchObject({ state: 'paid', open: 0 })

  // What covers the fee never left Stripe, so the bank's account knows nothing of it.
  const { books } = site.context.features.orders
  const rows = [...books.ledger({ from: '2026-11-01', to: '2027-01-31' })]
  const money = rows.filter(({ kind }) => /^(?:payment|part payment|refund)$/.test(kind))
  expect(money.map(({ gross, account, payment }) => [gross, account, payment])).toEqual([
    [50_200, '1920', 'stripe'],
    [-50_200, '1920', 'stripe'],
    [50_200, '1920', 'stripe'],
    [12_550, '1920', 'stripe'],
  ])

  // What moved to the fee is still a payment of Stripe's, and goes back there: the newest one first.
  const [first, second] = [...stripe.sessions.values()].map((session) => session.payment_intent)
  await runOn(site, 'orders', 'credit', fee!.order, '--amount', '200.00', '--reason', 'goodwill')
  await site.context.jobs.runDue()
  expect(stripe.refunds.map(({ payment_intent: intent, amount }) => [intent, amount])).toEqual([
    [second, 12_550],
    [first, 7_450],
  ])
  // To who booked it's a booking, whose order nobody has told them of.
  const credited = (await news()).find(({ subject }) => subject.startsWith('Credit note'))!
  expect(credited.subject).toMatch(new RegExp(`^Credit note \\d+ for booking ${reference}$`))
  expect(credited.text).toMatch(/We’ve taken €200\.00 off invoice \d+\./)
  expect(credited.text).not.toContain(fee!.order)
  const { orders, ofNumber, payouts } = site.context.features.orders.actions
  const of = (number: string) => orders.paymentsOf(ofNumber(number)!.id)
  // Stripe's own cut of it is counted once.
  site.clock.advance(61_000)
  await site.context.jobs.runDue()
  expect([...of(deposit!.order), ...of(fee!.order)].map((each) => each.fee)).toEqual([
    stripeFee(50_200),
    null,
    null,
    stripeFee(12_550),
    null,
  ])
  // What is known is no news; what goes beyond it is taken from where the money is.
  const told = (refunded: number) =>
    stripe.event(
      { object: 'charge', payment_intent: first, amount_refunded: refunded },
      { type: 'charge.refunded' },
    )
  await hook(site, told(7_450))
  expect(of(fee!.order)).toHaveLength(3)
  await hook(site, told(8_000))
  expect(of(fee!.order).at(-1)).toMatchObject({ source: 'refund', amount: -550 })
  expect(of(deposit!.order)).toHaveLength(2)
  const failed = {
    id: 're_9',
    object: 'refund',
    amount: 7_450,
    payment_intent: first,
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
  }
  for (let n = 0; n < 2; n += 1) {
    await hook(site, stripe.event(failed, { id: `evt_failed_${n}`, type: 'refund.failed' }))
  }
  expect(payouts()).toMatchObject([{ method: 'bank', amount: 7_450 }])
  stripe.refunds.length = 0

  // Nothing of it is left at the deposit, so a dispute is about the fee alone.
  const dispute = { id: 'dp_1', payment_intent: first, amount: 10_000, reason: 'fraudulent' }
  const paidFor = () => [deposit, fee].map((each) => orders.paid(ofNumber(each!.order)!.id))
  const [, paidBefore] = paidFor()
  for (const type of ['created', 'funds_withdrawn', 'funds_withdrawn']) {
    await hook(site, stripe.event(dispute, { type: `charge.dispute.${type}` }))
  }
  expect(paidFor()).toEqual([0, paidBefore! - 10_000])
  expect((await news()).filter(({ subject }) => subject.includes('disputed'))).toMatchObject([
    { subject: expect.stringContaining(fee!.order) },
  ])
  await hook(site, stripe.event(dispute, { type: 'charge.dispute.funds_reinstated' }))
  expect(paidFor()).toEqual([0, paidBefore])

  const early = await agreed(site, { from: '2027-02-20', to: '2027-02-20' })
  await early.post('pay')
  await hook(site, stripe.event(stripe.pay(last(stripe))))
  expect((await early.post('cancel')).status).toBe(200)
  await site.context.jobs.runDue()
  expect(stripe.refunds).toMatchObject([{ amount: 50_200 }])
})

test('a page that has ended is opened anew; one whose payment is on its way is not', async () => {
  await using stripe = await startStripe()
  await using opened = await open(stripe)
  const { site } = opened
  const { post, view } = await agreed(site)
  await post('pay')
  const first = last(stripe)
  first.status = 'expired'
  expect((await post('pay')).json?.next).toBe(last(stripe).url)
  expect(stripe.sessions.size).toBe(2)
  last(stripe).status = 'complete'
  const waiting = await post('pay')
  expect([waiting.status, waiting.json?.message]).toEqual([
    409,
    'Your payment is on its way. Please don’t pay again; we’ll email you once it arrives.',
  ])
  const failed = stripe.event(last(stripe), { type: 'checkout.session.async_payment_failed' })
  expect((await hook(site, failed)).status).toBe(200)
  expect((await post('pay')).status).toBe(200)
  expect(stripe.sessions.size).toBe(3)
  // Should the money of the page that was given up come after all, it counts.
  const given = [...stripe.sessions.values()][1]!
  expect((await hook(site, stripe.event(stripe.pay(given)))).status).toBe(200)
  expect((await view()).documents).toMatchObject([{ state: 'paid', open: 0, paidBy: 'card' }])
  expect((await post('pay')).status).toBe(409)
  await site.context.jobs.runDue()
  expect(last(stripe).status).toBe('expired')
  const other = await agreed(site, { from: '2027-02-11', to: '2027-02-11' })
  stripe.down = true
  const down = await other.post('pay')
  expect([down.status, down.json?.success]).toEqual([502, false])
  // There is no cart that could be kept, and there is another way to pay.
  expect(down.json?.message).toContain('or pay by bank transfer with the invoice')
  expect(down.json?.message).not.toContain('cart')
})

test('the page of a booking says that the payment service is down, and how else to pay', async () => {
  await using stripe = await startStripe()
  await using opened = await open(stripe, { renderer: await builtRenderer(dist) })
  const { site } = opened
  const { token, deposit } = await agreed(site)
  stripe.down = true
  const own = await postForm(site, `/booking/${token}/pay`, { order: deposit.order })
  expect(own.status).toBe(502)
  expect(own.text).toContain('or pay by bank transfer with the invoice')
  expect(own.text).not.toContain('didn’t answer')
})

test('without keys, for strangers and for other bookings nothing is paid by card', async () => {
  await using plain = await open(null)
  const alone = await agreed(plain.site)
  expect(alone.deposit.isPayableByCard).toBe(false)
  expect((await alone.post('pay')).status).toBe(409)
  const mails = await plain.news()
  const confirmed = mails.find(({ subject }) => subject.startsWith('Confirmed'))!
  expect(confirmed.text).not.toMatch(/by card/)
  expect(confirmed.text).toContain('by bank transfer with the invoice we’ve emailed you')

  await using stripe = await startStripe()
  await using opened = await open(stripe)
  const { site } = opened
  const one = await agreed(site)
  const other = await agreed(site, { from: '2027-02-11', to: '2027-02-11' })
  expect((await one.post('pay', { order: other.deposit.order })).status).toBe(404)
  expect((await one.post('pay', { order: 'A-NONE00' })).status).toBe(404)
  expect((await site.post('/api/bookings/by-link/forged/pay', {})).status).toBe(404)
  expect(
    (
      await site.post(
        `/api/bookings/by-link/${one.token}/pay`,
        {},
        { headers: { 'X-CSRF-TOKEN': '' } },
      )
    ).status,
  ).toBe(403)
  expect(stripe.sessions.size).toBe(0)
})

test('two card payments of one invoice each have their own fee, and are refunded on their own', async () => {
  await using stripe = await startStripe()
  await using opened = await open(stripe)
  const { site } = opened
  const { deposit, post, paid } = await agreed(site)
  const { actions } = site.context.features.orders
  const { id } = actions.orders.find(deposit.order)!
  await post('pay')
  const first = last(stripe)
  await actions.paid(deposit.order, { actor: 'mika', amount: 20_000, note: 'by bank' })
  await site.context.jobs.runDue()
  await post('pay')
  const second = last(stripe)
  // The first page was paid while it was closed.
  for (const session of [first, second]) {
    expect((await hook(site, stripe.event(stripe.pay(session)))).status).toBe(200)
  }
  site.clock.advance(61_000)
  await site.context.jobs.runDue()
  const byCard = actions.orders.paymentsOf(id).filter(({ source }) => source === 'stripe')
  expect(byCard.map(({ amount, fee }) => [amount, fee])).toEqual([
    [50_200, stripeFee(50_200)],
    [30_200, stripeFee(30_200)],
  ])
  // What was too much went back from the payment that it came by.
  expect(stripe.refunds).toMatchObject([
    { payment_intent: `pi_${first.id}`, amount: 20_000 },
    { payment_intent: `pi_${second.id}`, amount: 30_200 },
  ])
  expect(paid()).toBe(50_200)

  // Stripe counts the refunds of each payment by itself.
  const charge = {
    object: 'charge',
    payment_intent: `pi_${first.id}`,
    amount_refunded: 21_000,
  }
  expect((await hook(site, stripe.event(charge, { type: 'charge.refunded' }))).status).toBe(200)
  expect(paid()).toBe(49_200)

  // The rest goes back from what is left of either way.
  expect((await post('cancel')).status).toBe(200)
  await site.context.jobs.runDue()
  expect(stripe.refunds.slice(2)).toMatchObject([
    { payment_intent: `pi_${first.id}`, amount: 29_200 },
  ])
  expect(actions.payouts().map(({ method, amount }) => [method, amount])).toEqual([
    ['bank', 20_000],
  ])
  expect(paid()).toBe(0)
})
