import { expect, test } from 'vitest'
import { last } from '../../support/agreed-booking.ts'
import { plainBrowser } from '../../support/plain-browser.ts'
import { hidden, print, printPage, startWithPages } from '../../support/shop-pages.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startStripe } from '../../support/stripe-double.ts'

const buyer = {
  email: 'aino@example.com',
  name: 'Aino Virtanen',
  street: 'Mannerheimintie 1 A 2',
  postcode: '00100',
  city: 'Helsinki',
  country: 'FI',
  payment: 'invoice',
}

test('while the payment service is down the checkout says so, keeps the cart, and takes the same form later', async () => {
  await using stripe = await startStripe()
  await using site = await startWithPages(stripe.env)
  const { get, submit } = plainBrowser(site)
  await submit(printPage, { variant: print.variant, quantity: '1' })
  const form = (await get('/shop/checkout')).text
  const [key, expectedTotal, expectedLines] = ['key', 'expectedTotal', 'expectedLines'].map(
    (name) => hidden(form, name),
  ) as [string, string, string]
  const card = { ...buyer, payment: 'stripe', terms: 'true', key, expectedTotal, expectedLines }
  stripe.down = true
  const refused = await submit('/shop/checkout', card)
  expect(refused.status).toBe(502)
  expect(refused.text).toContain('The payment service isn’t responding. We’ve kept your cart')
  expect(refused.text).not.toContain('didn’t answer')
  stripe.down = false
  const placed = await submit('/shop/checkout', card)
  expect([placed.status, placed.headers.location]).toEqual([303, last(stripe).url])
})

test('without scripts an order is refused with every reason, then placed and shown', async () => {
  await using site = await startWithPages()
  const { get, submit } = plainBrowser(site)
  const none = await get('/shop/checkout')
  expect([none.status, none.headers.location]).toEqual([302, '/shop/cart'])
  await submit(printPage, { variant: print.variant, quantity: '1' })
  const form = (await get('/shop/checkout')).text
  expect(form).toContain('Order and pay')
  expect(form).not.toMatch(/name="terms"[^>]*checked/)
  const key = hidden(form, 'key')
  const expectedTotal = hidden(form, 'expectedTotal')
  const refused = await submit('/shop/checkout', {
    key,
    expectedTotal,
    country: 'FI',
    name: 'Aino',
  })
  expect(refused.status).toBe(400)
  for (const field of ['email', 'street', 'postcode', 'city', 'payment', 'terms']) {
    expect(refused.text).toContain(`href="#checkout-${field}"`)
  }
  expect(refused.text).toContain('value="Aino"')
  // A VAT id that is none is told together with the rest.
  const company = await submit('/shop/checkout', {
    key,
    expectedTotal,
    country: 'SE',
    vatId: 'SE1',
  })
  for (const field of ['email', 'vatId']) {
    expect(company.text).toContain(`href="#checkout-${field}"`)
  }
  // Another country costs another delivery, which the button is told of first.
  const other = await submit('/shop/checkout', {
    key,
    intent: 'quote',
    expectedTotal,
    country: 'SE',
  })
  expect(other.status).toBe(200)
  expect(Number(hidden(other.text, 'expectedTotal'))).toBeGreaterThan(Number(expectedTotal))
  const entries = {
    ...buyer,
    key,
    expectedTotal,
    expectedLines: hidden(form, 'expectedLines'),
    terms: 'true',
  }
  const dearer = await submit('/shop/checkout', { ...entries, country: 'SE' })
  expect(dearer.status).toBe(409)
  expect(dearer.text).toContain('Your order wasn’t placed')
  // A VAT id counts with the order's own post, and the price without VAT is shown before it's agreed.
  const swedish = { ...entries, country: 'SE', company: 'Norrland Racing AB', payment: 'invoice' }
  const withVat = await submit('/shop/checkout', { ...swedish, intent: 'quote' })
  const gross = hidden(withVat.text, 'expectedTotal')
  const asCompany = { ...swedish, vatId: 'SE556677889901' }
  const lower = await submit('/shop/checkout', { ...asCompany, expectedTotal: gross })
  expect(lower.status).toBe(409)
  expect(lower.text).toContain('With your company’s details, the total is without VAT now.')
  expect(Number(hidden(lower.text, 'expectedTotal'))).toBeLessThan(Number(gross))
  // Who pays VAT on import is told no price that has it.
  const aland = { ...entries, postcode: '22100', city: 'Mariehamn', intent: 'quote' }
  const exported = await submit('/shop/checkout', aland)
  expect(exported.text).toContain('Total, without VAT')
  expect(exported.text).not.toContain('Total, incl. VAT')
  expect(withVat.text).toContain('Total, incl. VAT')
  // What another tab has made of the cart is shown before it's ordered.
  const unlike = { ...entries, expectedLines: 'paddock-postcards~box-of-twelve~1' }
  const changed = await submit('/shop/checkout', unlike)
  expect(changed.status).toBe(409)
  // What to do is said once.
  expect(changed.text.replaceAll('<!-- -->', '')).toContain(
    'What’s in your cart has changed. Please check your order again. Your entries are still here.</p>',
  )
  expect(hidden(changed.text, 'expectedLines')).toBe(entries.expectedLines)
  const placed = await submit('/shop/checkout', entries)
  expect(placed.status).toBe(303)
  const next = placed.headers.location!
  expect(next).toMatch(/^\/shop\/checkout\/success\?order=/)
  expect((await submit('/shop/checkout', entries)).headers.location).toBe(next)
  const shown = await get(next)
  expect(shown.status).toBe(200)
  expect(shown.headers).toMatchObject({
    'cache-control': expect.stringContaining('no-store'),
    'referrer-policy': 'no-referrer',
    'x-robots-tag': expect.stringContaining('noindex'),
  })
  expect(shown.text).toContain('Virtual barcode')
  const token = new URL(next, site.url).searchParams.get('order')!
  expect((await get(`/shop/orders/${token}/invoice.pdf`)).status).toBe(200)
  await get(`/api/shop/orders/${token}`)
  // Whoever reads the log cannot open the order.
  expect(site.logLines().filter((line) => line.includes(token))).toEqual([])
  expect(site.logLines().some((line) => line.includes('invoice.pdf'))).toBe(true)
  expect((await get('/shop/cart')).text).toContain('Your cart is empty')
  // The form of a second tab: told which order the cart has become, with the way to its page.
  const second = await submit('/shop/checkout', { ...entries, key: 'second-tab-of-this-cart' })
  expect(second.status).toBe(409)
  expect(second.text).toContain('You’ve already ordered this')
  expect(second.text).toContain(`href="${next}"`)
})

test('a total that changed is told beside a field that is wrong, since the form then sends the new one', async () => {
  await using site = await startWithPages()
  const { get, submit } = plainBrowser(site)
  await submit(printPage, { variant: print.variant, quantity: '1' })
  const form = (await get('/shop/checkout')).text
  const [key, expectedTotal, expectedLines] = ['key', 'expectedTotal', 'expectedLines'].map(
    (name) => hidden(form, name),
  ) as [string, string, string]
  const entries = { ...buyer, key, expectedTotal, expectedLines }
  const same = await submit('/shop/checkout', entries)
  expect(same.status).toBe(400)
  expect(same.text).toContain('href="#checkout-terms"')
  expect(same.text).not.toContain('Your order has changed')
  const dearer = await submit('/shop/checkout', { ...entries, country: 'SE' })
  expect(dearer.status).toBe(400)
  const cents = Number(hidden(dearer.text, 'expectedTotal'))
  expect(cents).toBeGreaterThan(Number(expectedTotal))
  expect(dearer.text.replaceAll('<!-- -->', '')).toContain(
    `The total is €${(cents / 100).toFixed(2)} now. It was €${(Number(expectedTotal) / 100).toFixed(2)}. Please check your order again.`,
  )
  // Another tab has put a second one into the cart.
  await submit(printPage, { variant: print.variant, quantity: '1' })
  const other = await submit('/shop/checkout', entries)
  expect(other.status).toBe(400)
  expect(other.text).toContain('What’s in your cart has changed. Please check your order again.')
})

test('an order for a cart that another tab has emptied comes back with a word about it', async () => {
  await using site = await startWithPages()
  const { get, submit } = plainBrowser(site)
  await submit(printPage, { variant: print.variant, quantity: '1' })
  const form = (await get('/shop/checkout')).text
  await submit('/shop/cart', { ...print, remove: 'true' })
  const entries = {
    ...buyer,
    key: hidden(form, 'key'),
    expectedTotal: hidden(form, 'expectedTotal'),
  }
  const sent = await submit('/shop/checkout', { ...entries, terms: 'true' })
  expect(sent).toMatchObject({ status: 303, headers: { location: '/shop/cart?unordered' } })
  const { text } = await get('/shop/cart?unordered')
  expect(text).toContain('Nothing was ordered: your cart has been emptied since')
  expect((await get('/shop/cart')).text).not.toContain('Nothing was ordered')
})

test('a company can give the address for its invoice, also where nothing is sent', async () => {
  await using site = await startWithPages()
  const { get, submit } = plainBrowser(site)
  await submit('/shop/products/winter-wallpapers', { variant: 'personal', quantity: '1' })
  const form = (await get('/shop/checkout')).text
  for (const name of ['company', 'vatId', 'street', 'postcode', 'city']) {
    expect(form).toMatch(new RegExp(`<input[^>]*name="${name}"`))
  }
  const placed = await submit('/shop/checkout', {
    ...buyer,
    company: 'Järvi Rally Team Oy',
    key: hidden(form, 'key'),
    expectedTotal: hidden(form, 'expectedTotal'),
    terms: 'true',
  })
  expect(placed.status).toBe(303)
  const [invoice] = site.context.features.orders.actions.invoices.list()
  expect(invoice?.document.buyer).toMatchObject({
    company: 'Järvi Rally Team Oy',
    address: ['Mannerheimintie 1 A 2', '00100 Helsinki', 'Finland'],
  })
})

test('checkout and withdrawal ask for a sum that may stay empty, and that is checked', async () => {
  await using site = await startWithPages()
  const { get, submit } = plainBrowser(site)
  await submit(printPage, { variant: print.variant, quantity: '1' })
  for (const path of ['/shop/checkout', '/shop/withdraw']) {
    const form = (await get(path)).text
    for (const name of ['captcha', 'website', 'x', 'y', 'proof']) {
      expect(form).toContain(`name="${name}"`)
    }
    const sum = { x: hidden(form, 'x'), y: hidden(form, 'y'), proof: hidden(form, 'proof') }
    const fields: Record<string, string> =
      path === '/shop/checkout'
        ? {
            ...buyer,
            key: hidden(form, 'key'),
            expectedTotal: hidden(form, 'expectedTotal'),
            terms: 'true',
          }
        : { order: 'A-BCDFGHJK', name: buyer.name, email: buyer.email }
    const wrong = await submit(path, { ...fields, ...sum, captcha: '99' })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('Please check your answer to the verification question')
    // The same sum comes back with what was answered.
    expect(hidden(wrong.text, 'proof')).toBe(sum.proof)
    const empty = await submit(path, { ...fields, ...sum, captcha: '' })
    expect(empty.status).toBe(path === '/shop/checkout' ? 303 : 200)
  }
  const order = [...site.context.features.orders.actions.orders.list()][0]!
  const notes = () => site.context.timeline.of('order', order.number).map(({ note }) => note)
  expect(notes()).toEqual(['spam check skipped'])
})

test('without scripts the answer to the sum goes with the order and the second step of a withdrawal', async () => {
  await using site = await startWithPages()
  const { get, submit } = plainBrowser(site)
  await submit(printPage, { variant: print.variant, quantity: '1' })
  const answeredSum = (form: string) => {
    const [x, y] = [hidden(form, 'x'), hidden(form, 'y')]
    return { x, y, proof: hidden(form, 'proof'), captcha: String(Number(x) + Number(y)) }
  }
  const form = (await get('/shop/checkout')).text
  const withdrawal = (await get('/shop/withdraw')).text
  site.clock.advance(5_000)
  const placed = await submit('/shop/checkout', {
    ...buyer,
    ...answeredSum(form),
    key: hidden(form, 'key'),
    expectedTotal: hidden(form, 'expectedTotal'),
    terms: 'true',
  })
  expect(placed.status).toBe(303)
  const order = [...site.context.features.orders.actions.orders.list()][0]!
  expect(site.context.timeline.of('order', order.number)[0]?.note).toBeNull()
  const statement = { order: 'A-BCDFGHJK', name: buyer.name, email: 'mika@example.com' }
  const first = await submit('/shop/withdraw', { ...statement, ...answeredSum(withdrawal) })
  expect(answeredSum(first.text)).toEqual(answeredSum(withdrawal))
  expect(hidden(first.text, 'captcha')).toBe(answeredSum(withdrawal).captcha)
})

test('an order’s page is neutral without a token, unknown with a forged one, short after a day', async () => {
  await using site = await startWithPages()
  const { get, submit } = plainBrowser(site)
  const neutral = await get('/shop/checkout/success')
  expect([neutral.status, neutral.text.includes('Looking for an order?')]).toEqual([200, true])
  expect((await get('/shop/checkout/success?order=forged')).status).toBe(404)
  await submit(printPage, { variant: print.variant, quantity: '1' })
  const form = (await get('/shop/checkout')).text
  const placed = await submit('/shop/checkout', {
    ...buyer,
    key: hidden(form, 'key'),
    expectedTotal: hidden(form, 'expectedTotal'),
    terms: 'true',
  })
  const next = placed.headers.location!
  site.clock.advance(25 * 3_600_000)
  const later = (await get(next)).text
  expect(later).toContain('Show full details')
  expect(later).not.toContain(buyer.email)
  const token = new URL(next, site.url).searchParams.get('order')!
  const asked = await submit(next, { token })
  expect(asked.text).toContain('A code is on its way')
  const wrong = await submit(next, { token, code: '000000' })
  expect([wrong.status, wrong.text.includes('This code is wrong or has expired')]).toEqual([
    400,
    true,
  ])
})

test('a withdrawal takes two steps without scripts, and is acknowledged with its time', async () => {
  await using site = await startWithPages()
  const { get, submit } = plainBrowser(site)
  expect((await get('/shop/withdraw?order=A-123')).text).toContain('value="A-123"')
  const empty = await submit('/shop/withdraw', { order: '', name: '', email: 'x' })
  expect(empty.status).toBe(400)
  expect(empty.text).toContain('Please enter your order number')
  const statement = { order: 'A-BCDFGHJK', name: 'Aino Virtanen', email: 'aino@example.com' }
  const first = await submit('/shop/withdraw', statement)
  expect(first.text).toContain('Confirm withdrawal')
  expect(first.text).not.toContain('We have received')
  const done = await submit('/shop/withdraw', { ...statement, confirm: 'true' })
  expect(done.status).toBe(200)
  expect(done.text).toContain('We have received your withdrawal')
  expect(done.text).toContain('20 November 2026')
})

test('the page of an order beyond a share says what it waits for, and that nothing is charged', async () => {
  await using site = await startWithPages()
  const files = [['winter-wallpapers', 'personal', 1]] as const
  for (let n = 0; n < 3; n += 1) await orderByInvoice(site, files)
  const { next, message } = await orderByInvoice(site, files)
  expect(message).toMatch(/several unpaid orders/)
  const { pathname, search } = new URL(next)
  const { text } = await site.get(pathname + search)
  expect(text).toContain('Your order is on hold')
  expect(text).toContain('Nothing is reserved or charged yet')
  expect(text).not.toContain('How to pay')
})
