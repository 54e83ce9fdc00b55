import { expect, test } from 'vitest'
import { euros } from '#shared/money.ts'
import type { OrderView } from '#shared/shop/orders.ts'
import type { Cart } from '#shared/shop/shop.ts'
import { settled } from '../../support/enquiry.ts'
import { balance, enter, newCard, orderCart, problem, withCard } from '../../support/gift-cards.ts'
import { runOn, toldOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { checkoutOf, shopper } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startStripe } from '../../support/stripe-double.ts'
import { again, expired, leave, paid, stock } from '../../support/stripe-orders.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte'] as const
const poster = ['five-red-lights-poster', '50x70'] as const
const dayMs = 86_400_000

const cartOf = async (visitor: ReturnType<typeof shopper>) =>
  (await visitor.get('/api/shop/cart')).json as Cart
const orderOf = (site: Site, number: string) =>
  site.context.features.orders.actions.ofNumber(number)!
/** What the doctor says of the cards, and of their orders. */
const sound = async (site: Site) => {
  const { out } = await toldOn(site, 'doctor', '--json')
  const checks = JSON.parse(out) as { check: string; state: string }[]
  return checks.filter(({ check }) => check.startsWith('gift card')).map(({ state }) => state)
}

test('a card that pays a part leaves total and VAT as they are, and every document asks for the rest', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  const { card, code } = await newCard(site, '50', '--name', 'Kimi', '--email', 'kimi@example.com')
  expect(code).toMatch(/^(?:[2-9B-Z]{4}-){3}[2-9B-Z]{4}$/)
  await settled(site)
  const gift = mailFiles(site.dataDir).find(({ to }) => to.includes('kimi@example.com'))
  expect(gift?.subject).toBe('Your gift card: €50.00 for the shop')
  // It asks who has lost the card to reply.
  expect(gift?.replyTo).toContain('staff@localhost')
  expect(gift?.text).toContain(code)
  expect(gift?.text).toContain('Kimi')
  // Nowhere else is the code to be read.
  const kept = JSON.stringify(site.context.mails.list())
  expect(kept).not.toContain(code)
  expect(kept).not.toContain(code.replaceAll('-', ''))

  // However it is typed: small and full-width letters, blanks, other dashes or none.
  const typed = code.toLowerCase().replaceAll('-', ' – ').replace('b', 'ｂ')
  const { visitor, cart } = await withCard(site, typed, [[...print, 1]])
  const plain = shopper(site)
  const without = (await plain.put(...print, 1)).json as Cart
  expect(cart.giftCard).toEqual({ number: card, balance: 5000, amount: 5000, problem: null })
  expect([cart.total, cart.vat]).toEqual([without.total, without.vat])
  const due = cart.total - 5000

  const { placed, body } = await orderCart(visitor)
  // The same submission again is the same order, and takes nothing twice.
  expect((await visitor.post('/api/shop/checkout', body)).status).toBe(200)
  const order = orderOf(site, placed.order)
  expect([order.state, order.giftCard, order.giftCardAmount]).toEqual(['open', card, 5000])
  expect(await balance(site, card)).toBe(0)
  const { actions, documents } = site.context.features.orders
  const invoice = actions.invoiceOf(order)!
  expect(invoice.document).toMatchObject({ total: cart.total, covered: 5000, giftCard: card })
  const cents = (xml: string, name: string) =>
    Math.round(
      Number(
        new RegExp(`<(?:\\w+:)?${name}(?: [^>]*)?>([^<]*)</`).exec(xml)![1]!.replace(',', '.'),
      ) * 100,
    )
  const finvoice = String((await documents.write(invoice, order, 'finvoice')).content)
  expect(cents(finvoice, 'InvoiceTotalVatIncludedAmount')).toBe(cart.total)
  expect(cents(finvoice, 'InvoicePaidAmount')).toBe(5000)
  expect(cents(finvoice, 'EpiInstructedAmount')).toBe(due)
  const ubl = String((await documents.write(invoice, order, 'ubl')).content)
  expect(cents(ubl, 'PrepaidAmount')).toBe(5000)
  expect(cents(ubl, 'PayableAmount')).toBe(due)
  const page = String((await documents.write(invoice, order, 'html')).content)
  expect(page).toContain(`Gift card ${card}`)
  // The virtual barcode asks for the rest: euros and cents from its 18th digit on.
  expect(invoice.document.barcode!.slice(17, 25)).toBe(String(due).padStart(8, '0'))

  const { details } = (await visitor.get(`/api/shop/orders/${placed.token}`)).json as OrderView
  expect(details).toMatchObject({
    giftCard: { number: card, amount: 5000 },
    total: cart.total,
    invoice: { open: due },
  })
  await settled(site)
  const confirmed = mailFiles(site.dataDir).find(({ subject }) => subject.includes(placed.order))
  expect(confirmed?.text).toContain(`Gift card ${card}`)
  expect(confirmed?.text).toContain('−€50.00')
  // The next cart of the visitor begins without it, and it has nothing to give.
  await visitor.put(...poster, 1)
  expect((await cartOf(visitor)).giftCard).toBe(undefined)
  expect(problem(await enter(visitor, code))).toBe('There’s nothing left on this gift card.')

  await runOn(site, 'orders', 'paid', placed.order)
  expect(orderOf(site, placed.order).state).toBe('paid')
  expect(actions.orders.paid(order.id)).toBe(cart.total)
  expect(actions.orders.paidInMoney(order.id)).toBe(due)
  expect(await sound(site)).toEqual(['ok', 'ok'])
  // A cent that no payment tells of is found.
  const { giftCards } = site.context.features.shop
  await site.context.commit((tx) => giftCards.giveBack(tx, order.id, 1))
  expect(await sound(site)).toEqual(['ok', 'fail'])
})

test('a card that pays all of it, delivery and a discount included, needs no other way to pay', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  await runOn(site, 'discounts', 'add', 'TEN', '--percent', '10')
  const { card, code } = await newCard(site, '500')
  const { visitor } = await withCard(site, code, [[...poster, 2]])
  const cart = (await enter(visitor, 'ten')).json as Cart
  expect(cart.discount?.amount).toBe(780)
  expect(cart.shipping).toBeGreaterThan(0)
  expect(cart.giftCard).toMatchObject({ number: card, amount: cart.total, balance: 50_000 })
  // Whatever way the caller names: nothing is left for it.
  const { status, placed } = await orderCart(visitor)
  expect(status).toBe(201)
  const order = orderOf(site, placed.order)
  expect([order.state, order.reservedUntil]).toEqual(['paid', null])
  expect(await balance(site, card)).toBe(50_000 - cart.total)
  const { actions } = site.context.features.orders
  const { document } = actions.invoiceOf(order)!
  expect([document.paid, document.dueOn, document.barcode]).toEqual([true, null, null])
  await settled(site)
  const mail = mailFiles(site.dataDir).find(
    ({ subject }) => subject === `Your order ${placed.order}`,
  )
  expect(mail?.text).toContain('Your gift card has paid for it; the receipt is attached.')
  // Neither part of it speaks of money that has come.
  expect(mail?.html).not.toContain('payment has arrived')
  expect(mail?.text).not.toContain('IBAN')
  const { books } = site.context.features.orders
  expect([...books.rows({})].map(({ payment }) => payment)).toEqual(['gift card'])
  // Staff read the same at the command line, whatever the checkout was sent with.
  const [listed] = JSON.parse(await runOn(site, 'orders', 'list', '--json')) as object[]
  expect(listed).toMatchObject({ order: placed.order, payment: 'gift card' })
  // Taken off and on again, and what is on it is shown for each cart again.
  await visitor.put(...poster, 1)
  const next = (await enter(visitor, code)).json as Cart
  expect(next.giftCard?.balance).toBe(50_000 - cart.total)
  const off = await visitor.post('/api/shop/cart/discount', { code: '', of: 'gift-card' })
  expect((off.json as Cart).giftCard).toBe(undefined)

  // All of it goes back onto the card, and none to an account.
  await runOn(site, 'orders', 'refund', placed.order)
  expect(orderOf(site, placed.order).state).toBe('refunded')
  expect(await balance(site, card)).toBe(50_000)
  expect(actions.payouts()).toEqual([])
  await settled(site)
  const refund = mailFiles(site.dataDir).find(({ subject }) => subject.includes('is refunded'))
  expect(refund?.text).toContain('Your refund is on your gift card')
  expect(refund?.text).toContain('is back on the gift card you paid with')
  expect(refund?.text).not.toContain('on its way')
  expect(await sound(site)).toEqual(['ok', 'ok'])
})

test('an invoice that isn’t paid ends as ever, and the card has its part again', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  const { card, code } = await newCard(site, '20')
  const { visitor } = await withCard(site, code, [[...poster, 1]])
  const first = (await orderCart(visitor)).placed.order
  await visitor.put(...poster, 1)
  expect(await balance(site, card)).toBe(0)
  site.clock.advance(20 * dayMs)
  await site.context.jobs.runDue()
  expect(orderOf(site, first).state).toBe('expired')
  expect(await balance(site, card)).toBe(2000)
  const { actions } = site.context.features.orders
  expect(actions.orders.paid(orderOf(site, first).id)).toBe(0)
  expect(actions.payouts()).toEqual([])
  await settled(site)
  const ended = mailFiles(site.dataDir).find(({ subject }) => subject.includes('has ended'))
  expect(ended?.text).toContain('€20.00 is back on the gift card')

  // Cancelled by staff after a part came by transfer: each way gets back what it paid.
  await enter(visitor, code)
  const second = (await orderCart(visitor)).placed.order
  await runOn(site, 'orders', 'paid', second, '--amount', '5')
  await runOn(site, 'orders', 'cancel', second)
  expect(await balance(site, card)).toBe(2000)
  expect(actions.payouts()).toMatchObject([{ method: 'bank', amount: 500 }])
  expect(await sound(site)).toEqual(['ok', 'ok'])
})

test('money goes back before the card gets its part, and never more than each has paid', async () => {
  await using site = await startSite({ env: { SHARES: 'off' }, sending: false })
  const { card, code } = await newCard(site, '50')
  const { visitor, cart } = await withCard(site, code, [[...print, 1]])
  const { placed } = await orderCart(visitor)
  const { actions } = site.context.features.orders
  const number = placed.order
  await runOn(site, 'orders', 'paid', number)
  const inMoney = cart.total - 5000
  const by = { reason: 'test', restock: false, actor: 'test' }
  const first = await actions.credit(number, { amount: inMoney - 100 }, by)
  expect(first.payouts).toMatchObject([{ method: 'bank', amount: inMoney - 100 }])
  const second = await actions.credit(number, { amount: 600 }, by)
  expect(second.payouts).toMatchObject([
    { method: 'bank', amount: 100 },
    { method: 'gift-card', amount: 500 },
  ])
  expect(await balance(site, card)).toBe(500)
  const last = await actions.credit(number, { all: true }, by)
  expect(last.payouts).toMatchObject([{ method: 'gift-card', amount: 4500 }])
  expect([await balance(site, card), orderOf(site, number).state]).toEqual([5000, 'refunded'])
  // The database itself refuses a cent more.
  const { giftCards } = site.context.features.shop
  await expect(
    site.context.commit((tx) => giftCards.giveBack(tx, orderOf(site, number).id, 1)),
  ).rejects.toThrow('constraint')
  expect(await balance(site, card)).toBe(5000)
  // What was paid too much by transfer is money, not the card’s.
  await visitor.put(...print, 1)
  await enter(visitor, code)
  const over = (await orderCart(visitor)).placed.order
  await runOn(site, 'orders', 'paid', over, '--amount', String(cart.total / 100))
  expect(await actions.payBackExcess(over, 'test')).toMatchObject([
    { method: 'bank', amount: 5000 },
  ])
  expect(await balance(site, card)).toBe(0)
  expect(await sound(site)).toEqual(['ok', 'ok'])
})

test('an order by card asks the payment service for the rest, and holds its part until it ends', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: { ...stripe.env, SHARES: 'off' } })
  const { card, code } = await newCard(site, '50')
  const { visitor, cart } = await withCard(site, code, [[...print, 1]])
  const first = await orderCart(visitor, { payment: 'stripe' })
  expect(first.status).toBe(201)
  const session = [...stripe.sessions.values()].at(-1)!
  expect(session.amount_total).toBe(cart.total - 5000)
  expect([await balance(site, card), await sound(site)]).toEqual([0, ['ok', 'ok']])
  // Its own visitor may come back and order again with the same card; no one else has any of it.
  expect((await cartOf(visitor)).giftCard).toMatchObject({ balance: 5000, amount: 5000 })
  const other = shopper(site, '127.0.0.2')
  await other.put(...poster, 1)
  expect(problem(await enter(other, code))).toBe('There’s nothing left on this gift card.')
  const second = await orderCart(visitor, { payment: 'stripe' })
  expect(second.status).toBe(201)
  expect(orderOf(site, first.placed.order).state).toBe('cancelled')
  expect(await balance(site, card)).toBe(0)

  const latest = [...stripe.sessions.values()].at(-1)!
  await paid(site, stripe, { session: latest })
  const order = orderOf(site, second.placed.order)
  const { actions } = site.context.features.orders
  expect([order.state, actions.orders.paid(order.id)]).toEqual(['paid', cart.total])
  expect((await cartOf(visitor)).giftCard).toBe(undefined)
  // Page, email and receipt say how all of it was paid.
  const { details } = (await visitor.get(`/api/shop/orders/${second.placed.token}`))
    .json as OrderView
  expect(details?.paid).toEqual([
    { name: 'Paid by gift card', amount: 5000 },
    { name: 'Paid by card', amount: cart.total - 5000 },
  ])
  const receipt = actions.invoiceOf(order)!
  const paper = (await site.context.features.orders.documents.write(receipt, order, 'html')).content
  const rest = euros(cart.total - 5000)
  expect(String(paper)).toContain(`Paid: €50.00 by gift card ${card}, ${rest} by card. Thank you.`)
  await settled(site)
  const confirmed = mailFiles(site.dataDir).find(
    ({ subject }) => subject === `Your order ${second.placed.order}`,
  )
  expect(confirmed?.text).toMatch(new RegExp(`Paid by card +${rest.replace('.', '\\.')}`))
  // Refunded: Stripe sends back what it took, the rest is on the card again.
  await runOn(site, 'orders', 'refund', second.placed.order)
  await site.context.jobs.runDue()
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([cart.total - 5000])
  expect(await balance(site, card)).toBe(5000)
  expect(actions.orders.paid(order.id)).toBe(0)
  expect(await sound(site)).toEqual(['ok', 'ok'])
})

test('money that comes late takes the card’s part once more, and waits for staff where it is spent', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: { ...stripe.env, SHARES: 'off' }, sending: false })
  const { card, code } = await newCard(site, '50')
  await leave(site, 20)
  const { visitor } = await withCard(site, code, [[...print, 1]])
  const first = (await orderCart(visitor, { payment: 'stripe' })).placed.order
  const session = [...stripe.sessions.values()].at(-1)!
  await expired(site, first)
  expect([orderOf(site, first).state, await balance(site, card)]).toEqual(['expired', 5000])
  await paid(site, stripe, { session })
  expect([orderOf(site, first).state, await balance(site, card)]).toEqual(['paid', 0])
  expect(stock(site)).toBe(19)

  const gift = await newCard(site, '50')
  const late = await withCard(site, gift.code, [[...print, 1]])
  const second = (await orderCart(late.visitor, { payment: 'stripe' })).placed.order
  const page = [...stripe.sessions.values()].at(-1)!
  await expired(site, second)
  const quick = await withCard(site, gift.code, [[...poster, 2]])
  expect((await orderCart(quick.visitor)).status).toBe(201)
  await paid(site, stripe, { session: page })
  expect(orderOf(site, second).state).toBe('attention')
  await runOn(site, 'orders', 'refund', second)
  expect(orderOf(site, second).state).toBe('refunded')
  expect(await balance(site, gift.card)).toBe(0)

  // The invoice of the same cart gives way to the card payment, and with it its part of the gift card.
  const third = await newCard(site, '50')
  const both = await withCard(site, third.code, [[...print, 1]])
  const byCard = (await orderCart(both.visitor, { payment: 'stripe' })).placed.order
  const cardPage = [...stripe.sessions.values()].at(-1)!
  const byInvoice = (await orderCart(both.visitor)).placed.order
  expect([orderOf(site, byCard).state, orderOf(site, byInvoice).state]).toEqual([
    'cancelled',
    'open',
  ])
  await paid(site, stripe, { session: cardPage })
  expect([orderOf(site, byCard).state, orderOf(site, byInvoice).state]).toEqual([
    'paid',
    'cancelled',
  ])
  expect(await balance(site, third.card)).toBe(0)
  const { actions } = site.context.features.orders
  expect(actions.orders.paidByGiftCard(orderOf(site, byCard).id)).toBe(5000)
  expect(actions.orders.paid(orderOf(site, byInvoice).id)).toBe(0)
  expect(await sound(site)).toEqual(['ok', 'ok'])
})

test('what the card pays has to be what was shown, and too little is no card payment', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: { ...stripe.env, SHARES: 'off' }, sending: false })
  const { card, code } = await newCard(site, '50')
  const one = await withCard(site, code, [[...print, 1]])
  const two = await withCard(site, code, [[...print, 1]])
  const first = await orderCart(one.visitor)
  expect(first.status).toBe(201)
  const late = await two.visitor.post(
    '/api/shop/checkout',
    checkoutOf({ expectedTotal: two.cart.total, expectedGiftCard: 5000 }),
  )
  expect(late.status).toBe(409)
  expect(late.json).toMatchObject({ giftCard: { amount: 0, balance: 0 } })
  expect((late.json as { message: string }).message).toContain('nothing left on this gift card')
  // Who doesn’t know of cards is not charged another sum than the total.
  await runOn(site, 'orders', 'cancel', first.placed.order)
  expect(await balance(site, card)).toBe(5000)
  const unaware = await two.visitor.post(
    '/api/shop/checkout',
    checkoutOf({ expectedTotal: two.cart.total }),
  )
  expect(unaware.status).toBe(409)
  const almost = await newCard(site, ((two.cart.total - 49) / 100).toFixed(2))
  await enter(two.visitor, almost.code)
  const tiny = await orderCart(two.visitor, { payment: 'stripe' })
  expect([tiny.status, Object.keys((tiny.json as { errors: object }).errors)]).toEqual([
    400,
    ['payment'],
  ])
  expect((await orderCart(two.visitor)).status).toBe(201)
})

test('an order that waits holds the card’s part, and gives it back when it ends', async () => {
  await using site = await startSite()
  const { card, code } = await newCard(site, '5')
  const numbers: string[] = []
  for (let at = 0; at < 8; at += 1) {
    const visitor = shopper(site)
    await visitor.put(...poster, 1)
    if (at === 7) await enter(visitor, code)
    numbers.push((await orderCart(visitor)).placed.order)
  }
  const waiting = numbers.at(-1)!
  expect(orderOf(site, waiting).state).toBe('waiting')
  expect(await balance(site, card)).toBe(0)
  expect(await sound(site)).toEqual(['ok', 'ok'])
  await runOn(site, 'orders', 'accept', waiting)
  const { actions } = site.context.features.orders
  expect(actions.orders.paidByGiftCard(orderOf(site, waiting).id)).toBe(500)
  expect(actions.balanceOf(orderOf(site, waiting)).open).toBe(orderOf(site, waiting).total - 500)
  await runOn(site, 'orders', 'cancel', waiting)
  expect(await balance(site, card)).toBe(500)
  // Paid whole by a card, an order holds nothing unpaid, so no limit stops it.
  const rich = await newCard(site, '200')
  const { visitor } = await withCard(site, rich.code, [[...poster, 1]])
  const { placed } = await orderCart(visitor)
  expect(orderOf(site, placed.order).state).toBe('paid')
  expect(await sound(site)).toEqual(['ok', 'ok'])
})

test('an earlier order that waits for its card stands in for the one after it', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: { ...stripe.env, SHARES: 'off' }, sending: false })
  const { card, code } = await newCard(site, '50')
  const { visitor, cart } = await withCard(site, code, [[...print, 1]])
  await orderCart(visitor, { payment: 'stripe' })
  const session = [...stripe.sessions.values()].at(-1)!
  await visitor.post('/api/shop/cart/discount', { code: '', of: 'gift-card' })
  const whole = await again(site, stripe, { visitor })
  expect(whole.session.amount_total).toBe(cart.total)
  expect(await balance(site, card)).toBe(5000)
  // The first page is paid after all: one order stands, with its part of the card.
  await paid(site, stripe, { session })
  expect(whole.state()).toBe('cancelled')
  expect(await balance(site, card)).toBe(0)
  expect(await sound(site)).toEqual(['ok', 'ok'])
})
