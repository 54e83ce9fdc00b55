import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { send, type Reply } from '../../support/send.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'

const print = { handle: 'blue-hour-fine-art-print', variant: '30x40-matte' }
const printPage = `/shop/products/${print.handle}`

const start = async (env: Record<string, string> = {}) =>
  startSite({ env, sending: false, renderer: await builtRenderer(dist) })

/** A browser without scripts: it has no token, keeps its cookies and follows a redirect by hand. */
function plainBrowser(site: Site) {
  const cookies = new Map<string, string>()
  const keep = (reply: Reply) => {
    for (const set of [reply.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (name) cookies.set(name, value!)
    }
    return reply
  }
  const headers = () => ({
    Cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; '),
    Accept: 'text/html',
  })
  return {
    cookies,
    get: async (path: string) => keep(await send(site.url + path, { headers: headers() })),
    submit: async (
      path: string,
      fields: Readonly<Record<string, string>>,
      from: Readonly<Record<string, string>> = {
        Origin: site.url,
        'Sec-Fetch-Site': 'same-origin',
      },
    ) =>
      keep(
        await send(site.url + path, {
          method: 'POST',
          headers: { ...headers(), ...from, 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(fields).toString(),
        }),
      ),
  }
}

const hidden = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''

const buyer = {
  email: 'aino@example.com',
  name: 'Aino Virtanen',
  street: 'Mannerheimintie 1 A 2',
  postcode: '00100',
  city: 'Helsinki',
  country: 'FI',
  payment: 'invoice',
}

test('the list is filtered, sorted and paged by its address, and each page says so', async () => {
  await using site = await start()
  const { get } = plainBrowser(site)
  const all = await get('/shop')
  expect(all.status).toBe(200)
  expect(all.text).toContain('24 products')
  expect(all.text).toMatch(/Lowest price in the last 30 days: (?:<!-- -->)?€179\.00/)
  const licences = await get('/shop?category=licences&prices=net')
  expect(licences.text).toContain('3 products')
  expect(licences.text).toContain('excl. VAT')
  // Search engines know one address for all of it.
  expect(licences.text).toContain('name="robots" content="noindex"')
  expect((await get('/shop?category=cars&page=x&sort=nothing')).status).toBe(200)
  for (const page of ['3', '9999', '100001', '99999999999999999999']) {
    expect((await get(`/shop?page=${page}`)).status).toBe(404)
  }
  expect((await get('/shop?category=licences&page=2')).status).toBe(404)
  expect((await get('/shop?q=no-such-thing')).text).toContain('No matches')
})

test('a product has a title, offers for machines, and one address', async () => {
  await using site = await start()
  const { get } = plainBrowser(site)
  const { text, status } = await get('/shop/products/kerb-at-golden-hour-fine-art-print')
  expect(status).toBe(200)
  expect(text).toMatch(/<title>Kerb at Golden Hour/)
  const things = Array.from(
    text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs),
    ([, json]) => JSON.parse(json!) as { '@type': string; offers?: unknown },
  )
  expect(things.find((thing) => thing['@type'] === 'Product')?.offers).toContainEqual(
    expect.objectContaining({
      price: '139.00',
      priceCurrency: 'EUR',
      availability: 'https://schema.org/InStock',
    }),
  )
  const moved = await get('/shop/products/kemijarvi-ice-poster')
  expect([moved.status, moved.headers.location]).toEqual([301, '/shop/products/ice-track-poster'])
  expect((await get('/shop/products/no-such-print')).status).toBe(404)
  const soldOut = await get('/shop/products/lakeside-saloon-fine-art-print')
  expect(soldOut.text).not.toContain('Add to cart')
  expect(soldOut.text).toContain('SoldOut')
})

test('without scripts things go into the cart, change there and leave it', async () => {
  await using site = await start()
  const { get, submit, cookies } = plainBrowser(site)
  expect((await get('/shop/cart')).text).toContain('Your cart is empty')
  const added = await submit(printPage, { variant: print.variant, quantity: '2' })
  expect(added.status).toBe(303)
  expect(added.headers.location).toBe(`/shop/cart?added=${print.handle}#result`)
  expect([...cookies.keys()]).toEqual(['cart'])
  // What is there already counts.
  await submit(printPage, { variant: print.variant, quantity: '3' })
  const cart = await get('/shop/cart')
  expect(cart.headers['cache-control']).toContain('no-store')
  expect(cart.headers['x-robots-tag']).toContain('noindex')
  expect(cart.text).toMatch(/name="quantity"[^>]*value="5"|value="5"[^>]*name="quantity"/)
  const changed = await submit('/shop/cart', { ...print, quantity: '1' })
  expect(changed.text).toContain('€89.00')
  expect((await submit('/shop/cart', { ...print, quantity: '1', remove: '1' })).text).toContain(
    'Your cart is empty',
  )
})

test.each([
  ['0', 400, 'from 1 to 20'],
  ['1e1', 400, 'from 1 to 20'],
  ['-1', 400, 'from 1 to 20'],
  ['1.5', 400, 'from 1 to 20'],
  ['21', 400, 'from 1 to 20'],
])('a quantity of %s is refused on the product’s page', async (quantity, status, said) => {
  await using site = await start()
  const { submit } = plainBrowser(site)
  const reply = await submit(printPage, { variant: print.variant, quantity })
  expect(reply.status).toBe(status)
  expect(reply.text).toContain(said)
  const unknown = await submit(printPage, { variant: 'no-such-variant', quantity: '1' })
  expect([unknown.status, unknown.text.includes('This is no longer available')]).toEqual([
    409,
    true,
  ])
})

test('another site cannot put anything into a cart or place an order', async () => {
  await using site = await start()
  const { submit } = plainBrowser(site)
  const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
  for (const path of [printPage, '/shop/cart', '/shop/checkout', '/shop/withdraw']) {
    expect((await submit(path, { variant: print.variant, quantity: '1' }, foreign)).status).toBe(
      403,
    )
  }
})

test('without scripts an order is refused with every reason, then placed and shown', async () => {
  await using site = await start()
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
  const entries = { ...buyer, key, expectedTotal, terms: 'true' }
  const dearer = await submit('/shop/checkout', { ...entries, country: 'SE' })
  expect(dearer.status).toBe(409)
  expect(dearer.text).toContain('Your order wasn’t placed')
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

test('the cart says what is no longer sold, also when something else was just put into it', async () => {
  await using site = await start()
  const { get, submit } = plainBrowser(site)
  await submit(printPage, { variant: print.variant, quantity: '1' })
  const { catalogue, editing } = site.context.features.shop
  await site.context.commit((tx) => editing.publish(tx, catalogue.find(print.handle)!.id, false))
  const plain = async (path: string) => (await get(path)).text.replaceAll('<!-- -->', '')
  expect(await plain('/shop/cart')).toContain(
    'Blue Hour, fine art print, 30 × 40 cm, matte cotton paper is no longer available',
  )
  expect(await plain('/shop/cart')).not.toContain('no longer available')
  await site.context.commit((tx) => editing.publish(tx, catalogue.find(print.handle)!.id, true))
  await submit(printPage, { variant: print.variant, quantity: '1' })
  await site.context.commit((tx) => editing.publish(tx, catalogue.find(print.handle)!.id, false))
  const added = await submit('/shop/products/winter-wallpapers', {
    variant: 'personal',
    quantity: '1',
  })
  expect(await plain(added.headers.location!)).toContain(
    'An item in your cart is no longer available',
  )
})

test('a company can give the address for its invoice, also where nothing is sent', async () => {
  await using site = await start()
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
  await using site = await start()
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
  await using site = await start()
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
  await using site = await start()
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
  await using site = await start()
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

test('the withdrawal function is linked from the shop and the terms', async () => {
  await using site = await start()
  const { get } = plainBrowser(site)
  for (const path of ['/shop', printPage, '/shop/cart', '/terms-of-service']) {
    expect((await get(path)).text).toContain('Withdraw from contract here')
  }
})

test('the page of an order beyond a share says what it waits for, and that nothing is charged', async () => {
  await using site = await start()
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

/** The text of a page as people read it. */
const words = (html: string) =>
  html
    .replaceAll(/<!--.*?-->/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test('what was put into the cart is said', async () => {
  await using site = await start()
  const visitor = plainBrowser(site)
  const put = await visitor.submit(printPage, { variant: print.variant, quantity: '1' })
  const cart = await visitor.get(String(put.headers.location).split('#')[0]!)
  expect(words(cart.text)).toContain('Added: Blue Hour, fine art print, 30 × 40 cm')
})

test('a cart is saved as a link, which offers it with today’s prices', async () => {
  await using site = await start()
  const first = plainBrowser(site)
  await first.submit(printPage, { variant: print.variant, quantity: '2' })
  await first.submit('/shop/products/paddock-postcards', {
    variant: 'box-of-twelve',
    quantity: '1',
  })
  const cart = await first.get('/shop/cart')
  const link = /href="(\/shop\/cart\?items=[^"]+)"/.exec(cart.text)![1]!.replaceAll('&amp;', '&')

  const other = plainBrowser(site)
  const offered = await other.get(link)
  expect(words(offered.text)).toMatch(/2 × Blue Hour, fine art print, 30 × 40 cm[^€]*€89/)
  expect(words(offered.text)).toMatch(/1 × Paddock Post[^€]*€18/)
  // Opening the link, as a scanner does, takes nothing.
  expect(other.cookies.size).toBe(0)
  const sent = await other.submit('/shop/cart', { items: hidden(offered.text, 'items') })
  const taken = await other.get(String(sent.headers.location).split('#')[0]!)
  expect(words(taken.text)).toContain('The saved cart is in your cart.')
  expect(taken.text).toContain('/shop/products/paddock-postcards')
  // Twice is the same as once.
  await other.submit('/shop/cart', { items: hidden(offered.text, 'items') })
  const { json } = await site.get('/api/shop/cart', {
    headers: {
      Cookie: Array.from(other.cookies, ([name, value]) => `${name}=${value}`).join('; '),
    },
  })
  expect((json!.lines as { quantity: number }[]).map(({ quantity }) => quantity)).toEqual([2, 1])
})

test('a saved cart that names what isn’t sold, too many or nonsense loses nothing else', async () => {
  await using site = await start()
  const visitor = plainBrowser(site)
  const items = [
    'paddock-postcards~box-of-twelve~3',
    'paddock-postcards~box-of-thirteen~1',
    'nothing~there~1',
    'lakeside-saloon-fine-art-print~40x40-walnut-frame~1',
    'paddock-postcards~box-of-twelve~21',
    '../../etc/passwd~x~1',
    '~~',
    `${'a'.repeat(5000)}~b~1`,
  ].join(' ')
  const offered = await visitor.get(`/shop/cart?items=${encodeURIComponent(items)}`)
  expect(offered.status).toBe(200)
  expect(words(offered.text)).toContain('3 × Paddock Post')
  expect(words(offered.text)).toContain('4 items aren’t available any more.')
  const sent = await visitor.submit('/shop/cart', { items })
  const taken = await visitor.get(String(sent.headers.location).split('#')[0]!)
  expect(words(taken.text)).toContain('4 items aren’t available any more, or not in that number.')
  const foreign = await visitor.submit('/shop/cart', { items }, { Origin: 'https://evil.example' })
  expect(foreign.status).toBe(403)
  for (const odd of ['', ' ', '~', '%00', 'x'.repeat(7000)]) {
    expect((await visitor.get(`/shop/cart?items=${encodeURIComponent(odd)}`)).status).toBe(200)
  }
})
