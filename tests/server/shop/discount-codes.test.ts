import { euros } from '#shared/money.ts'
import { expect, test } from 'vitest'
import type { OrderView } from '#shared/shop/orders.ts'
import type { Cart } from '#shared/shop/shop.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { checkoutOf, shopper } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startStripe } from '../../support/stripe-double.ts'
import { expired, hook } from '../../support/stripe-orders.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte'] as const
const poster = ['five-red-lights-poster', '50x70'] as const
const looks = ['northern-light-colour-looks', 'single'] as const
type Visitor = ReturnType<typeof shopper>
type Row = Record<string, unknown>

const enter = (visitor: Visitor, code: string) => visitor.post('/api/shop/cart/discount', { code })
const cartOf = async (visitor: Visitor) => (await visitor.get('/api/shop/cart')).json as Cart
const shown = async (site: Site, code: string): Promise<Row> =>
  JSON.parse(await runOn(site, 'discounts', 'show', code, '--json'))
const problem = ({ json }: { json: unknown }) =>
  (json as { errors?: { discount?: string } }).errors?.discount

/** A visitor with a cart, and a code in it. */
async function withCode(
  site: Site,
  code: string,
  lines: readonly (readonly [string, string, number])[],
  from?: string,
) {
  const visitor = shopper(site, from)
  for (const line of lines) await visitor.put(...line)
  const reply = await enter(visitor, code)
  expect(reply.status).toBe(200)
  return { visitor, cart: reply.json as Cart }
}

/** Orders the cart of a visitor. */
async function order(visitor: Visitor, changes: Row = {}) {
  const { total } = await cartOf(visitor)
  return visitor.post('/api/shop/checkout', checkoutOf({ expectedTotal: total, ...changes }))
}

test('a percentage is an amount of its own from the cart to the invoice, and every line has its part', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  await runOn(site, 'discounts', 'add', 'summer10', '--percent', '10', '--by', 'Kaisa')
  // However it is typed: small and full-width letters, blanks, another dash.
  const { visitor, cart } = await withCode(site, ' ｓｕｍmer\u200b 10 ', [
    [...print, 1],
    [...poster, 3],
  ])
  expect(cart.discount).toEqual({ code: 'SUMMER10', amount: 2060, problem: null })
  expect(cart.lines.map(({ total }) => total)).toEqual([8900, 11_700])
  expect(cart.total).toBe(8900 + 11_700 - 2060 + cart.shipping)
  expect(cart.vat.reduce((sum, { gross }) => sum + gross, 0)).toBe(cart.total)

  const placed = (await order(visitor)).json as { order: string; token: string; total: number }
  expect(placed.total).toBe(cart.total)
  const view = (await visitor.get(`/api/shop/orders/${placed.token}`)).json as OrderView
  expect(view.details).toMatchObject({
    discount: { code: 'SUMMER10', amount: 2060 },
    total: cart.total,
    lines: [{ total: 8900 }, { total: 11_700 }],
  })
  const kept = JSON.parse(await runOn(site, 'orders', 'show', placed.order, '--json')) as Row
  // People read euros, scripts cents.
  const forPeople = await runOn(site, 'orders', 'show', placed.order)
  expect(forPeople).toContain(`discount: ${euros(Number(kept.discount))}\n`)
  expect(forPeople).toContain('giftCardAmount: €0.00\n')
  expect(kept).toMatchObject({
    discountCode: 'SUMMER10',
    discount: 2060,
    lines: [
      { total: 8010, discount: 890 },
      { total: 10_530, discount: 1170 },
    ],
  })
  const { actions } = site.context.features.orders
  const { document } = actions.invoiceOf(actions.ofNumber(placed.order)!)!
  expect([document.total, document.discountCode]).toEqual([cart.total, 'SUMMER10'])
  await settled(site)
  const mail = mailFiles(site.dataDir).find(({ subject }) => subject.includes(placed.order))
  expect(mail?.text).toContain('SUMMER10')
  expect(mail?.text).toContain('−€20.60')
  // The next cart of the visitor begins without it.
  await visitor.put(...poster, 1)
  expect((await cartOf(visitor)).discount).toBe(undefined)
  expect(await shown(site, 'SUMMER10')).toMatchObject({
    uses: 1,
    orders: [{ order: placed.order, off: 2060, givenBackAt: null }],
    history: [{ actor: 'Kaisa', act: 'added' }],
  })
})

test('each reason why a code is not valid has its sentence, and nothing changes', async () => {
  await using site = await startSite({ env: { SHARES: 'off' }, sending: false })
  const add = (...told: string[]) => runOn(site, 'discounts', 'add', ...told)
  await add('LATER', '--percent', '5', '--from', '2099-01-01')
  await add('OVER', '--percent', '5', '--until', '2099-01-01')
  await runOn(site, 'discounts', 'end', 'over')
  await add('BIG', '--amount', '20', '--min', '150')
  await add('PRINTS', '--amount', '5', '--category', 'prints', '--min', '60')
  await add('FILES', '--percent', '5', '--category', 'files')
  await add('ONE', '--percent', '5', '--product', print[0])
  await add('OPEN', '--percent', '5', '--no-licences')
  const visitor = shopper(site)
  expect(problem(await enter(visitor, 'BIG'))).toBe('Your cart is empty.')
  await visitor.put(...poster, 1)
  const { total } = await cartOf(visitor)
  const said = async (code: string) => {
    const reply = await enter(visitor, code)
    return [reply.status, problem(reply)]
  }
  expect(await said('NOPE')).toEqual([400, 'We don’t know this code. Please check its spelling.'])
  expect(await said('later')).toEqual([400, 'This code isn’t valid yet.'])
  expect(await said('over')).toEqual([400, 'This code has expired.'])
  expect(await said('big')).toEqual([400, 'This code needs at least €150.00 before delivery.'])
  expect(await said('prints')).toEqual([
    400,
    'This code needs at least €60.00 of the items that it is for.',
  ])
  expect(await said('files')).toEqual([400, 'This code isn’t for anything in your cart.'])
  expect(await said('one')).toEqual([400, 'This code isn’t for anything in your cart.'])
  expect((await cartOf(visitor)).total).toBe(total)
  // One that stops being valid while it is in the cart takes nothing off, and says why.
  expect(await said('open')).toEqual([200, undefined])
  await runOn(site, 'discounts', 'end', 'OPEN')
  expect((await cartOf(visitor)).discount).toEqual({
    code: 'OPEN',
    amount: 0,
    problem: 'This code has expired.',
  })
  const refused = await visitor.post(
    '/api/shop/checkout',
    checkoutOf({ expectedTotal: total - 195 }),
  )
  expect(refused.status).toBe(409)
  expect((refused.json as { message: string }).message).toContain('This code has expired.')
  expect(await said('')).toEqual([200, undefined])
  expect((await cartOf(visitor)).discount).toBe(undefined)
})

test('a price that changes before an order is named, also where a code is without effect', async () => {
  await using site = await startSite({ sending: false })
  await runOn(site, 'discounts', 'add', 'GRID', '--amount', '40', '--min', '100')
  const { visitor } = await withCode(site, 'GRID', [[...poster, 3]])
  await visitor.put(...poster, 2)
  const { total, discount } = await cartOf(visitor)
  expect(discount?.problem).toBe('This code needs at least €100.00 before delivery.')
  await runOn(site, 'products', 'price', ...poster, '35.00')
  const refused = await visitor.post('/api/shop/checkout', checkoutOf({ expectedTotal: total }))
  expect([refused.status, refused.json?.message]).toEqual([
    409,
    'A price has changed. This code needs at least €100.00 before delivery. The total is without it now. Please check your order again.',
  ])
})

test('a code for some goods takes nothing off the others', async () => {
  await using site = await startSite({ env: { SHARES: 'off' }, sending: false })
  await runOn(site, 'discounts', 'add', 'POSTER', '--amount', '10', '--product', poster[0])
  const { visitor } = await withCode(site, 'POSTER', [
    [...print, 1],
    [...poster, 2],
    [...looks, 1],
  ])
  const { order: number } = (await order(visitor, { digitalWaiver: true })).json as {
    order: string
  }
  const { lines } = JSON.parse(await runOn(site, 'orders', 'show', number, '--json')) as {
    lines: { handle: string; discount: number }[]
  }
  expect(lines.map(({ handle, discount }) => [handle, discount])).toEqual([
    [print[0], 0],
    [poster[0], 1000],
    [looks[0], 0],
  ])
})

test('a code leaves a cent of what costs only a few: no order is over nothing', async () => {
  await using site = await startSite()
  await runOn(site, 'products', 'price', ...looks, '0.04')
  await runOn(site, 'discounts', 'add', 'nearly-free', '--percent', '90', '--by', 'Kaisa')
  const { visitor, cart } = await withCode(site, 'nearly-free', [[...looks, 1]])
  expect(cart.total).toBe(1)
  const { total } = (await order(visitor)).json as { total: number }
  expect(total).toBe(1)
})

test('a mailbox uses a code as often as it may, however it is spelt', async () => {
  await using site = await startSite({ env: { SHARES: 'off' }, sending: false })
  await runOn(site, 'discounts', 'add', 'ONCE', '--percent', '20', '--per-email', '1')
  const first = await withCode(site, 'once', [[...poster, 1]])
  expect((await order(first.visitor, { email: 'aino@example.com' })).status).toBe(201)
  const second = await withCode(site, 'once', [[...poster, 1]])
  const refused = await order(second.visitor, { email: 'Aino@Example.com' })
  expect([refused.status, problem(refused)]).toEqual([
    400,
    'This code has already been used with your email address. Take it off to order without it.',
  ])
  expect((await order(second.visitor, { email: 'eero@example.com' })).status).toBe(201)
  expect(await shown(site, 'ONCE')).toMatchObject({ uses: 2 })
})

test('a use comes back when its order ends unpaid, and counts again when it is paid after all', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: { ...stripe.env, SHARES: 'off' }, sending: false })
  await runOn(site, 'discounts', 'add', 'LAST', '--percent', '20', '--uses', '1')
  const { visitor } = await withCode(site, 'last', [[...poster, 1]])
  const placed = (await order(visitor, { payment: 'stripe' })).json as { order: string }
  const session = [...stripe.sessions.values()].at(-1)!
  const other = shopper(site)
  await other.put(...poster, 1)
  expect(problem(await enter(other, 'LAST'))).toBe('This code has been used up.')
  // Its own visitor comes back from the payment page, and may order it again.
  expect((await cartOf(visitor)).discount).toMatchObject({ amount: 780, problem: null })
  const anew = await order(visitor, { payment: 'stripe' })
  expect(anew.status).toBe(201)
  expect(await shown(site, 'LAST')).toMatchObject({ uses: 1 })
  const { order: second } = anew.json as { order: string }
  await expired(site, second)
  expect(await shown(site, 'LAST')).toMatchObject({ uses: 0 })
  expect((await enter(other, 'LAST')).status).toBe(200)
  // The first page was paid in the last second.
  await hook(site, stripe.event(stripe.pay(session)))
  const { orders } = site.context.features.orders.actions
  expect(orders.find(placed.order)!.state).toBe('paid')
  expect(await shown(site, 'LAST')).toMatchObject({ uses: 1 })
  // So the other visitor is shown, and pays, the price without it.
  expect((await cartOf(other)).discount).toMatchObject({ amount: 0 })
  const late = await order(other)
  expect([late.status, (late.json as { total: number }).total]).toEqual([201, 3900 + 590])
})

test('an invoice that staff cancel gives its use back; one that is paid keeps it', async () => {
  await using site = await startSite({ env: { SHARES: 'off' }, sending: false })
  await runOn(site, 'discounts', 'add', 'TWO', '--amount', '5', '--uses', '2')
  const numbers: string[] = []
  for (const email of ['a@example.com', 'b@example.com']) {
    const { visitor } = await withCode(site, 'TWO', [[...poster, 1]])
    numbers.push(((await order(visitor, { email })).json as { order: string }).order)
  }
  expect(await shown(site, 'TWO')).toMatchObject({ state: 'used up', uses: 2 })
  await runOn(site, 'orders', 'cancel', numbers[0]!)
  expect(await shown(site, 'TWO')).toMatchObject({ state: 'valid', uses: 1 })
  await runOn(site, 'orders', 'paid', numbers[1]!)
  await runOn(site, 'orders', 'refund', numbers[1]!)
  expect(await shown(site, 'TWO')).toMatchObject({ uses: 1 })
})

test('codes that make no sense are refused with the reason, and a dry run keeps nothing', async () => {
  await using site = await startSite({ sending: false })
  const add = (...told: string[]) => runOn(site, 'discounts', 'add', ...told)
  for (const [told, reason] of [
    [['A B'], 'Use 3 to 30 letters'],
    [['RÄIKKÖNEN', '--percent', '5'], 'Use 3 to 30 letters'],
    [['NONE'], 'either --percent or --amount'],
    [['ALL', '--percent', '91'], 'from 1 to 90'],
    [['HALF', '--percent', '12.5'], 'a whole percentage from 1 to 90'],
    [['FREE', '--amount', '39', '--min', '39'], 'needs a minimum of at least €40.00'],
    [['BACK', '--percent', '5', '--from', '2030-01-02', '--until', '2030-01-01'], 'ends before'],
    [['GONE', '--percent', '5', '--product', 'no-such-thing'], 'Product not found'],
  ] as const) {
    await expect(add(...told), told.join(' ')).rejects.toThrow(reason)
  }
  expect(await add('DRY', '--percent', '5', '--dry-run')).toContain('Dry run')
  expect(JSON.parse(await runOn(site, 'discounts', 'list', '--json'))).toEqual([])
  await add('REAL', '--amount', '5')
  await expect(add('real', '--percent', '5')).rejects.toThrow('There is a code REAL already.')
  expect(await runOn(site, 'discounts', 'end', 'real', '--dry-run')).toContain('would end')
  expect(JSON.parse(await runOn(site, 'discounts', 'list', '--json'))).toMatchObject([
    { code: 'REAL', state: 'valid', amount: 500, minimum: 600 },
  ])
  await runOn(site, 'discounts', 'end', 'real')
  await expect(runOn(site, 'discounts', 'end', 'real')).rejects.toThrow('has ended already')
})

test('who used a code is forgotten once it is over', async () => {
  await using site = await startSite({ env: { SHARES: 'off' }, sending: false })
  await runOn(site, 'discounts', 'add', 'BRIEF', '--percent', '5')
  const { visitor } = await withCode(site, 'BRIEF', [[...poster, 1]])
  await order(visitor)
  const { discountActs } = site.context.features.shop
  const mailboxes = () =>
    discountActs.usesOf(discountActs.known('BRIEF')).map(({ mailbox }) => typeof mailbox)
  expect(mailboxes()).toEqual(['string'])
  await runOn(site, 'discounts', 'end', 'BRIEF')
  site.clock.advance(2 * 86_400_000)
  await site.context.jobs.runDue()
  expect(mailboxes()).toEqual(['object'])
})
