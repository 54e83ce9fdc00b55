import { expect, test } from 'vitest'
import { shippingFor } from '#server/shop/cart/shipping.ts'
import { countries } from '#shared/shop/delivery-areas.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { plainBrowser } from '../../support/plain-browser.ts'
import { hidden, print, printPage, startWithPages } from '../../support/shop-pages.ts'

/** The text of a page as people read it. */
const words = (html: string) =>
  html
    .replaceAll(/<!--.*?-->/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test('the list is filtered, sorted and paged by its address, and each page says so', async () => {
  await using site = await startWithPages()
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
  // The form sends the fields that nobody touched.
  expect((await get('/shop?kind=&q=&sort=featured')).text).toContain('24 products')
  for (const wrong of ['category=cars', 'kind=car', 'sort=nothing', 'category=licences&kind=x']) {
    expect([wrong, (await get(`/shop?${wrong}`)).status]).toEqual([wrong, 404])
  }
  for (const page of ['0', '-1', '1.5', 'x', '', '3', '9999', '100001', '99999999999999999999']) {
    expect([page, (await get(`/shop?page=${page}`)).status]).toEqual([page, 404])
  }
  expect((await get('/shop?category=licences&page=2')).status).toBe(404)
  expect((await get('/shop?q=no-such-thing')).text).toContain('No matches')
})

test('a shop without products says that, and not that filters leave none', async () => {
  await using site = await startWithPages()
  const { get } = plainBrowser(site)
  const { catalogue, editing } = site.context.features.shop
  await site.context.commit((tx) => {
    for (const { id } of catalogue.list()) editing.publish(tx, id, false)
  })
  const text = words((await get('/shop')).text)
  expect(text).toContain('Nothing for sale yet')
  expect(text).not.toContain('No matches')
  expect(words((await get('/shop?q=rally')).text)).toContain('No matches')
})

test('a product has a title, offers for machines, and one address', async () => {
  await using site = await startWithPages()
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
  // The variant of another product has the same name.
  const skus = await Promise.all(
    ['five-red-lights-poster', 'ice-track-poster'].map(async (handle) => {
      const { offers } = (await productThing(get, handle)) ?? {}
      return offers?.map(({ sku }) => sku)
    }),
  )
  expect(new Set(skus.flat()).size).toBe(skus.flat().length)
  const moved = await get('/shop/products/kemijarvi-ice-poster')
  expect([moved.status, moved.headers.location]).toEqual([301, '/shop/products/ice-track-poster'])
  expect((await get('/shop/products/no-such-print')).status).toBe(404)
  const soldOut = await get('/shop/products/lakeside-saloon-fine-art-print')
  expect(soldOut.text).not.toContain('Add to cart')
  expect(soldOut.text).toContain('SoldOut')
})

test('the tags of a product lead to the list without a redirect, also those of two words', async () => {
  await using site = await startWithPages()
  const { text } = await site.get('/shop/products/light-trails-limited-edition')
  const tags = [...text.matchAll(/href="(\/shop\?q=[^"]*)"/g)].map(([, address]) => address!)
  expect(tags).toContain('/shop?q=limited+edition')
  for (const address of tags) {
    expect([address, (await site.get(address)).status]).toEqual([address, 200])
  }
})

test('machines read what delivery costs, how long it takes and how goods go back, as pages say', async () => {
  await using site = await startWithPages()
  const { get } = plainBrowser(site)
  const handle = 'kerb-at-golden-hour-fine-art-print'
  const [offer] = (await productThing(get, handle))!.offers
  const { text } = await get(`/shop/products/${handle}`)
  expect(text).toContain('Ships 1–10 working days after payment')
  const home = offer!.shippingDetails?.[0]
  expect(home).toMatchObject({
    '@type': 'OfferShippingDetails',
    shippingDestination: { addressCountry: ['FI', 'AX'] },
    deliveryTime: {
      handlingTime: { minValue: 1, maxValue: 10, unitCode: 'DAY' },
      transitTime: { minValue: 1, maxValue: 3, unitCode: 'DAY' },
    },
  })
  const product = site.context.features.shop.catalogue.find(handle)!
  for (const [place, { shippingRate, shippingDestination }] of offer!.shippingDetails!.entries()) {
    const { weight } = product.variants[0]!
    const [country] = shippingDestination.addressCountry
    const cost = (shippingFor(country!, weight!) / 100).toFixed(2)
    expect([place, shippingRate]).toEqual([
      place,
      { '@type': 'MonetaryAmount', value: cost, currency: 'EUR' },
    ])
  }
  const everywhere = offer!.shippingDetails!.flatMap(
    ({ shippingDestination }) => shippingDestination.addressCountry,
  )
  expect(everywhere.toSorted()).toEqual(countries.map(({ code }) => code).toSorted())
  expect(offer!.hasMerchantReturnPolicy).toMatchObject({
    merchantReturnDays: 14,
    returnFees: 'https://schema.org/ReturnFeesCustomerResponsibility',
    merchantReturnLink: expect.stringMatching(/\/terms-of-service#withdrawal$/),
  })
  expect((await get('/terms-of-service')).text).toContain('id="withdrawal"')
  // Nothing of it is sent.
  const [licence] = (await productThing(get, 'five-red-lights-editorial-licence'))!.offers
  expect(licence).not.toHaveProperty('shippingDetails')
  expect(licence).not.toHaveProperty('hasMerchantReturnPolicy')
})

type Offer = {
  sku: string
  shippingDetails?: {
    shippingRate: unknown
    shippingDestination: { addressCountry: string[] }
  }[]
  hasMerchantReturnPolicy?: unknown
}

/** A product as its page tells machines. */
async function productThing(
  get: (path: string) => Promise<{ text: string }>,
  handle: string,
): Promise<{ '@type': string; offers: Offer[] } | undefined> {
  const { text } = await get(`/shop/products/${handle}`)
  return Array.from(
    text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs),
    ([, json]) => JSON.parse(json!) as { '@type': string; offers: Offer[] },
  ).find((thing) => thing['@type'] === 'Product')
}

test('a variant that is sold out says so when it’s pressed for, and is the one that an email tells of', async () => {
  await using site = await startWithPages()
  const { get, submit } = plainBrowser(site)
  const { catalogue, editing } = site.context.features.shop
  const [, first, second] = catalogue.find(print.handle)!.variants
  await site.context.commit((tx) => {
    for (const { id } of [first!, second!]) editing.setStock(tx, id, 0)
  })
  const page = (await get(`${printPage}?variant=${second!.variant}`)).text
  expect(page).toMatch(new RegExp(`<option [^>]*value="${second!.variant}" selected=""`))
  // Browsers don't send a radio button that can't be pressed.
  const refused = await submit(printPage, { quantity: '1' })
  expect([refused.status, words(refused.text)]).toEqual([
    400,
    expect.stringContaining('This one is sold out. Please choose another.'),
  ])
})

test('without scripts things go into the cart, change there and leave it', async () => {
  await using site = await startWithPages()
  const { get, submit, cookies } = plainBrowser(site)
  expect((await get('/shop/cart')).text).toContain('Your cart is empty')
  const added = await submit(printPage, { variant: print.variant, quantity: '2' })
  expect(added.status).toBe(303)
  expect(added.headers.location).toBe(`/shop/cart?added=${print.handle}%2F${print.variant}#result`)
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

test('a browser that keeps no cookies hears why what it added isn’t in the cart', async () => {
  await using site = await startWithPages()
  const hint = 'please allow cookies'
  const cartOf = async (query: string) => (await site.get(`/shop/cart${query}`)).text
  const added = await cartOf(`?added=${print.handle}%2F${print.variant}`)
  expect(words(added)).toContain(hint)
  const saved = await cartOf('?taken=1&left=0&fewer=0')
  expect(words(saved)).toContain(hint)
  expect(words(saved)).not.toContain('is in your cart')
  for (const query of ['', '?taken=0&left=2&fewer=0']) {
    expect(words(await cartOf(query))).not.toContain(hint)
  }
  const calls = [
    ['header alone', { 'X-CSRF-TOKEN': '0123456789abcdef0123456789abcdef' }, 'allow cookies'],
    ['nothing', {}, 'Reload the page'],
  ] as const
  for (const [what, headers, said] of calls) {
    const reply = await fetch(`${site.url}/api/shop/cart`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ ...print, quantity: 1 }),
    })
    expect([what, reply.status, await reply.text()]).toEqual([
      what,
      403,
      expect.stringContaining(said),
    ])
  }
})

test('the cart names the size that was added, and not another of the same print', async () => {
  await using site = await startWithPages()
  const { get, submit } = plainBrowser(site)
  const said = async (variant: string) => {
    const { headers } = await submit(printPage, { variant, quantity: '1' })
    return /Added: [^<]*/.exec((await get(headers.location!)).text.replaceAll('<!-- -->', ''))?.[0]
  }
  expect([await said('30x40-matte'), await said('50x70-matte')]).toEqual([
    'Added: Blue Hour, fine art print, 30\u00a0×\u00a040\u00a0cm, matte cotton paper',
    'Added: Blue Hour, fine art print, 50\u00a0×\u00a070\u00a0cm, matte cotton paper',
  ])
})

test.each([
  ['0', 400, 'from 1 to 20'],
  ['1e1', 400, 'from 1 to 20'],
  ['-1', 400, 'from 1 to 20'],
  ['1.5', 400, 'from 1 to 20'],
  ['21', 400, 'from 1 to 20'],
])('a quantity of %s is refused on the product’s page', async (quantity, status, said) => {
  await using site = await startWithPages()
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
  await using site = await startWithPages()
  const { submit } = plainBrowser(site)
  const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
  for (const path of [printPage, '/shop/cart', '/shop/checkout', '/shop/withdraw']) {
    expect((await submit(path, { variant: print.variant, quantity: '1' }, foreign)).status).toBe(
      403,
    )
  }
})

test('the cart says what is no longer sold, also when something else was just put into it', async () => {
  await using site = await startWithPages()
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

test('the withdrawal function is linked from the shop and the terms', async () => {
  await using site = await startWithPages()
  const { get } = plainBrowser(site)
  for (const path of ['/shop', printPage, '/shop/cart', '/terms-of-service']) {
    expect((await get(path)).text).toContain('Withdraw from contract here')
  }
})

test('what was put into the cart is said', async () => {
  await using site = await startWithPages()
  const visitor = plainBrowser(site)
  const put = await visitor.submit(printPage, { variant: print.variant, quantity: '1' })
  const cart = await visitor.get(String(put.headers.location).split('#')[0]!)
  expect(words(cart.text)).toContain('Added: Blue Hour, fine art print, 30 × 40 cm')
})

test('a cart is saved as a link, which offers it with today’s prices', async () => {
  await using site = await startWithPages()
  const first = plainBrowser(site)
  await first.submit(printPage, { variant: print.variant, quantity: '2' })
  await first.submit('/shop/products/paddock-postcards', {
    variant: 'box-of-twelve',
    quantity: '5',
  })
  const cart = await first.get('/shop/cart')
  const link = /href="(\/shop\/cart\?items=[^"]+)"/.exec(cart.text)![1]!.replaceAll('&amp;', '&')

  const other = plainBrowser(site)
  const offered = await other.get(link)
  expect(words(offered.text)).toMatch(/2 × Blue Hour, fine art print, 30 × 40 cm[^€]*€178/)
  // What so many pieces cost, each of them less than one alone.
  expect(words(offered.text)).toMatch(/5 × Paddock Post[^€]*€80/)
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
  expect((json!.lines as { quantity: number }[]).map(({ quantity }) => quantity)).toEqual([2, 5])
})

test('a saved cart and an open page still find a product that was renamed since', async () => {
  await using site = await startWithPages()
  const first = plainBrowser(site)
  await first.submit(printPage, { variant: print.variant, quantity: '2' })
  const cart = await first.get('/shop/cart')
  const link = /href="(\/shop\/cart\?items=[^"]+)"/.exec(cart.text)![1]!.replaceAll('&amp;', '&')
  await runOn(site, 'products', 'rename', print.handle, 'blue-hour')
  await runOn(site, 'products', 'rename', 'blue-hour', 'the-blue-hour')

  const other = plainBrowser(site)
  const offered = await other.get(link)
  expect(words(offered.text)).toMatch(/2 × Blue Hour, fine art print, 30 × 40 cm[^€]*€178/)
  expect(words(offered.text)).not.toContain('available any more')
  await other.submit(printPage, { variant: print.variant, quantity: '3' })
  // What is in the cart already isn't made less.
  const sent = await other.submit('/shop/cart', { items: hidden(offered.text, 'items') })
  const taken = await other.get(String(sent.headers.location).split('#')[0]!)
  expect(words(taken.text)).toContain('The saved cart is in your cart.')
  expect(words(taken.text)).toContain('€267')
})

test('a saved cart with more pieces than are left takes those that are, and says so', async () => {
  await using site = await startWithPages()
  const visitor = plainBrowser(site)
  const handle = 'light-trails-limited-edition'
  const product = await site.get(`/api/shop/products/${handle}`)
  const { variant, stock } = (
    product.json as { variants: { variant: string; stock: number | null }[] }
  ).variants.find((each) => (each.stock ?? 20) < 20)!
  const items = `${handle}~${variant}~20 paddock-postcards~box-of-twelve~1`
  const offered = await visitor.get(`/shop/cart?items=${encodeURIComponent(items)}`)
  expect(words(offered.text)).toMatch(
    new RegExp(`${stock} × Light Trails[^€]*\\(only ${stock} left\\)`),
  )
  const sent = await visitor.submit('/shop/cart', { items })
  const taken = await visitor.get(String(sent.headers.location).split('#')[0]!)
  expect(words(taken.text)).toContain(
    'One item is down to fewer pieces than were saved: all that are left are in your cart.',
  )
  expect(words(taken.text)).not.toContain('available any more')
  const cart = await site.get('/api/shop/cart', {
    headers: {
      Cookie: Array.from(visitor.cookies, ([name, value]) => `${name}=${value}`).join('; '),
    },
  })
  expect(cart.json).toMatchObject({
    lines: [
      { handle, quantity: stock },
      { handle: 'paddock-postcards', quantity: 1 },
    ],
  })
})

test('a saved cart that names what isn’t sold, too many or nonsense loses nothing else', async () => {
  await using site = await startWithPages()
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
  expect(words(taken.text)).toContain('4 items aren’t available any more.')
  const foreign = await visitor.submit('/shop/cart', { items }, { Origin: 'https://evil.example' })
  expect(foreign.status).toBe(403)
  for (const odd of ['', ' ', '~', '%00', 'x'.repeat(7000)]) {
    expect((await visitor.get(`/shop/cart?items=${encodeURIComponent(odd)}`)).status).toBe(200)
  }
})
