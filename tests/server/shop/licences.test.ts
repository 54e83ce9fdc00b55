import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CheckoutReply, OrderView } from '#shared/shop/orders.ts'
import type { Cart, ProductView } from '#shared/shop/shop.ts'
import { withDotsBehind } from '#shared/text/measures.ts'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { checkoutOf, orderByInvoice, shopper } from '../../support/shop.ts'
import { createClock, startSite } from '../../support/site.ts'

const rally = ['gravel-jump-commercial-licence', 'finland-1-year'] as const
const line =
  'Advertising and marketing · Finland · one year · not exclusive · for one company, one brand'
const buyer = { company: 'Äijö Racing Oy', name: 'Aino Virtanen', digitalWaiver: true }

test('page, order, invoice and document say what was sold, and to whom', async () => {
  await using site = await startSite({ sending: false })
  const product = (await site.get(`/api/shop/products/${rally[0]}`)).json as ProductView
  expect(product.variants[0]).toMatchObject({ variant: rally[1], licence: line })
  const { order, token } = await orderByInvoice(site, [[...rally, 1]], buyer)
  const { actions } = site.context.features.orders
  const view = async () => (await site.get(`/api/shop/orders/${token}`)).json as OrderView
  const number = `${order}-L1`
  expect((await view()).details?.licences).toEqual([
    { number, title: expect.stringContaining('Finland, one year'), terms: line, href: null },
  ])
  const { document } = actions.invoices.list()[0]!
  expect(document.lines[0]!.note).toBe(`Licence ${number}, Äijö Racing Oy: ${line}`)
  const path = `/shop/orders/${token}/licence.pdf`
  expect((await site.get(path)).status).toBe(404)
  await expect(runOn(site, 'orders', 'licence', order, '--out', 'x')).rejects.toThrow('no licences')

  await actions.paid(order, { actor: 'mika' })
  expect((await view()).details?.licences[0]!.href).toBe(path)
  const reply = await site.get(path)
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/pdf'])
  const [licence] = actions.licencesOf(actions.orders.find(order)!)
  expect(licence).toMatchObject({
    number,
    licensee: 'Äijö Racing Oy',
    from: '2026-11-20',
    until: '2027-11-19',
    licence: { territory: 'FI', months: 12, exclusive: false, version: '2.0' },
  })
  const file = join(site.dataDir, 'licence.pdf')
  await runOn(site, 'orders', 'licence', order, '--out', file)
  expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-')

  await actions.refund(order, 'mika')
  expect((await site.get(path)).status).toBe(404)
})

test('an order of two licences speaks of both, by email and on its page', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const web = ['five-red-lights-editorial-licence', 'web'] as const
  const told = async (lines: Parameters<typeof orderByInvoice>[1]) => {
    const { order, token } = await orderByInvoice(site, lines, buyer)
    await site.context.features.orders.actions.paid(order, { actor: 'mika' })
    await settled(site)
    const mail = mailFiles(site.dataDir).find(
      ({ subject }) => subject === `Your payment for order ${order} has arrived`,
    )
    const page = (await site.get(`/shop/checkout/success?order=${token}`)).text
    return [
      mail!.text.match(/Your licences?.*attached\./)?.[0],
      page.match(/Licences? as PDF/)?.[0],
    ]
  }
  expect(await told([[...rally, 1]])).toEqual(['Your licence is attached.', 'Licence as PDF'])
  expect(
    await told([
      [...rally, 1],
      [...web, 1],
    ]),
  ).toEqual(['Your licences are attached.', 'Licences as PDF'])
})

test('a term that begins on a day which its last month lacks lasts to the end of that month', async () => {
  await using site = await startSite({
    sending: false,
    clock: createClock(Date.parse('2028-02-29T10:00:00Z')),
  })
  const { order } = await orderByInvoice(site, [[...rally, 1]], buyer)
  const { actions } = site.context.features.orders
  await actions.paid(order, { actor: 'mika' })
  const [licence] = actions.licencesOf(actions.orders.find(order)!)
  expect(licence).toMatchObject({ from: '2028-02-29', until: '2029-02-28' })
})

test('a licence stays what was sold, whatever becomes of its product', async () => {
  await using site = await startSite({ sending: false })
  const { order } = await orderByInvoice(site, [[...rally, 1]], buyer)
  const { acts } = site.context.features.shop
  const changed = { title: 'Sweden, two years' }
  const file = acts.asFile(acts.known(rally[0]))
  const variants = file.variants.map((each) =>
    each.variant === rally[1]
      ? { ...each, ...changed, licence: { ...each.licence, territory: 'SE', months: 24 } }
      : each,
  )
  await acts.edit(rally[0], { variants }, 'mika')
  const [kept] = site.context.features.orders.actions.orders.find(order)!.lines
  expect(kept!.soldLicence).toMatchObject({ territory: 'FI', months: 12 })
})

test.each<[string, (product: Product) => unknown, RegExp]>([
  ['of no known kind', (product) => (product.licence = 'forever'), /unknown licence forever/],
  ['without terms', (product) => delete product.variants[0]!.licence, /needs territory, months/],
  [
    'of another term than its title',
    (p) => (p.variants[0]!.licence!.months = 24),
    /says one year, but the licence is for two years/,
  ],
  [
    'of another place than its title',
    (p) => (p.variants[0]!.licence!.territory = 'worldwide'),
    /says Finland/,
  ],
  [
    'of a place that is none',
    (p) => (p.variants[0]!.licence!.territory = 'QQ'),
    /unknown territory QQ/,
  ],
  [
    'that is exclusive beside others',
    (p) => (p.variants[0]!.licence!.exclusive = true),
    /is not exclusive/,
  ],
  [
    'whose summary promises more',
    (p) => (p.summary = 'Exclusive for ten years.'),
    /says ten years[^]*says exclusive/,
  ],
  ['for another use', (p) => (p.variants[0]!.licence!.use = 'editorial'), /is for advertising/],
  ['on a thing', (product) => (product.kind = 'physical'), /only digital products/],
  ['on no product', (product) => delete product.licence, /the product has no licence/],
])('a licence %s is refused, by import and by edit', async (_, spoil, problem) => {
  await using site = await startSite({ sending: false })
  const all = JSON.parse(await runOn(site, 'products', 'export')) as Product[]
  const product = all.find(({ handle }) => handle === rally[0])!
  spoil(product)
  const file = join(site.dataDir, 'products.json')
  writeFileSync(file, JSON.stringify([{ ...all[0], title: 'Changed' }, product]))
  await expect(runOn(site, 'products', 'import', file)).rejects.toThrow(problem)
  expect(site.context.features.shop.catalogue.find(all[0]!.handle)!.title).not.toBe('Changed')
})

test('the terms of a variant are set by command, and a contradiction refused', async () => {
  await using site = await startSite({ sending: false })
  const set = (...told: string[]) => runOn(site, 'products', 'licence', ...rally, ...told)
  expect(await set('--print-run', '5000', '--by', 'mika')).toContain('up to 5000 copies')
  await expect(set('--months', '36')).rejects.toThrow('says one year')
  await expect(set('--territory', 'worldwide')).rejects.toThrow('says Finland')
  const { history } = JSON.parse(await runOn(site, 'products', 'show', rally[0], '--json')) as {
    history: unknown[]
  }
  expect(history).toMatchObject([{ actor: 'mika', act: 'licence' }])
  await expect(runOn(site, 'products', 'edit', rally[0], '--licence', 'editorial')).rejects.toThrow(
    'is for editorial',
  )
})

test('a licence that changes between checkout and order is shown again before it is sold', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist), sending: false })
  const visitor = shopper(site)
  await visitor.put(...rally, 1)
  const shown = async () => (await visitor.get('/api/shop/cart')).json as Cart
  const { lines, total } = await shown()
  expect(lines[0]!.licence).toBe(line)
  const page = (await visitor.get('/shop/checkout')).text
  expect(page).toContain(`<small>${withDotsBehind(line)}</small>`)
  expect(page).toContain(`name="expectedLicences" value="${line}"`)
  await runOn(site, 'products', 'licence', ...rally, '--print-run', '5000')
  const order = (expectedLicences: string) =>
    visitor.post(
      '/api/shop/checkout',
      checkoutOf({ ...buyer, expectedTotal: total, expectedLicences }),
    )
  const refused = await order(line)
  expect([refused.status, refused.json]).toMatchObject([
    409,
    { code: 'price', message: expect.stringContaining('licence in your cart') },
  ])
  const { licence } = (await shown()).lines[0]!
  expect(licence).toContain('up to 5000 copies')
  const { json } = await order(licence!)
  const { token } = json as CheckoutReply
  const { details } = (await site.get(`/api/shop/orders/${token}`)).json as OrderView
  expect(details!.lines[0]!.licence).toBe(licence)
})

test('a licence without a licensee is refused', async () => {
  await using site = await startSite({ sending: false })
  await expect(orderByInvoice(site, [[...rally, 1]], { name: 'www.example.com' })).rejects.toThrow(
    '400',
  )
})

test('a catalogue that contradicts itself leaves the shop empty, and the site runs', async () => {
  await using site = await startSite({ sending: false })
  const all = JSON.parse(await runOn(site, 'products', 'export')) as Product[]
  for (const product of all) if (product.handle === rally[0]) product.summary = 'For ten years.'
  writeFileSync(join(site.dataDir, 'products.json'), JSON.stringify(all))
  await using other = await startSite({ sending: false, env: { CONTENT_DIR: site.dataDir } })
  expect(other.context.features.shop.catalogue.count()).toBe(0)
  expect((await other.get('/api/health')).json).toMatchObject({ catalogue: 'broken' })
})

type Product = {
  handle: string
  title: string
  kind: string
  summary: string
  licence?: string
  variants: {
    licence?: { months?: number; territory?: string; exclusive?: boolean; use?: string }
  }[]
}
