import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { euros } from '#shared/money.ts'
import type { Cart } from '#shared/shop/shop.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { actFields as formOf, postForm } from '../../support/page-form.ts'
import { orderByInvoice, shopper } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

const day = 86_400_000
const print = ['blue-hour-fine-art-print', '30x40-matte', 1] as const

async function withOrder() {
  const site = await startSite({ renderer: await builtRenderer(dist) })
  const { order } = await orderByInvoice(site, [print])
  await settled(site)
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  return { site, order, cookie: { Cookie: headers.Cookie! } }
}

/** The link of the button in the email to staff about an order. */
const linkIn = (site: Site) =>
  /\/desk\/[\w-]+/.exec(
    mailFiles(site.dataDir).find(({ subject }) => subject.startsWith('New order'))!.text,
  )![0]

test('staff record a payment and ship an order without scripts, and the history says who did', async () => {
  const { site, order, cookie } = await withOrder()
  await using _ = site
  const path = `/desk/orders/${order}`
  const open = await site.get(path, { headers: cookie })
  expect(open.status).toBe(200)
  expect(open.headers['cache-control']).toContain('no-store')
  expect(open.headers['x-robots-tag']).toContain('noindex')
  expect(open.text).toContain(`Order ${order}`)
  const paying = formOf(open.text, 'paid')
  const wrong = await postForm(site, path, { ...paying, amount: 'a lot' }, cookie)
  expect(wrong.status).toBe(400)
  expect(wrong.text).toContain('Please enter an amount such as 120.00')
  const paid = await postForm(site, path, { ...paying, on: '', note: 'seen in the bank' }, cookie)
  expect([paid.status, paid.headers.location]).toEqual([303, `${path}#result`])
  // The same form again is about an order that has changed.
  expect((await postForm(site, path, paying, cookie)).status).toBe(409)
  const shipping = formOf((await site.get(path, { headers: cookie })).text, 'ship')
  const parcel = { carrier: 'Posti', tracking: 'JJFI1' }
  expect((await postForm(site, path, { ...shipping, ...parcel }, cookie)).status).toBe(303)
  const after = (await site.get(path, { headers: cookie })).text
  expect(after).toContain('Noora: shipped')
  // After a form the title has the focus, and tells what it did.
  const words = after.replaceAll(/<!-- -->|<[^>]*>/g, '')
  expect(words).toMatch(/Last change: [^<]*shipped[^<]*, by Noora, 20 November 2026/)
  expect(after).toMatch(/<h1[^>]* aria-describedby="last-change"/)
  expect(after).not.toContain('name="act" value="ship"')
  expect(site.context.features.orders.actions.ofNumber(order)?.state).toBe('shipped')
})

test('the link in the mail to staff opens this order alone, asks for a name, and ends', async () => {
  const { site, order } = await withOrder()
  await using _ = site
  const way = await site.get(linkIn(site))
  expect(way.status).toBe(302)
  const path = way.headers.location as string
  expect(path).toMatch(/^\/desk\/orders\/[\w-]{44,}$/)
  const page = await site.get(path)
  expect(page.status).toBe(200)
  expect(page.text).not.toContain('role="search"')
  // The pages of people ask for a code; their address can be written to.
  expect(page.text).toContain('href="mailto:aino@example.com"')
  expect(page.text).not.toContain('href="/desk/people/')
  const form = formOf(page.text, 'cancel')
  expect((await postForm(site, path, form)).status).toBe(400)
  expect((await postForm(site, path, { ...form, by: 'Mika' })).status).toBe(303)
  expect((await site.get(path)).text).toContain('Mika: cancelled')
  expect((await site.get(`/desk/orders/${order}`)).text).toContain('Sign in with a staff code')
  site.clock.advance(31 * day)
  expect((await site.get(path)).status).toBe(410)
})

test('staff fetch every document of an order from its page, with a code or by the link', async () => {
  const site = await startSite({ renderer: await builtRenderer(dist) })
  await using _ = site
  const { order } = await orderByInvoice(
    site,
    [print, ['five-red-lights-editorial-licence', 'web', 1]],
    {
      digitalWaiver: true,
    },
  )
  await settled(site)
  const { actions } = site.context.features.orders
  await actions.paid(order, { actor: 'mika' })
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const cookie = { Cookie: headers.Cookie! }
  const token = /[\w-]+$/.exec(linkIn(site))![0]
  const filesOn = (text: string) =>
    [...text.matchAll(/href="(\/desk\/orders\/[^"]+\/files\/[^"]+)"/g)].map(([, href]) => href!)
  for (const [id, options] of [
    [order, { headers: cookie }],
    [token, {}],
  ] as const) {
    const page = await site.get(`/desk/orders/${id}`, options)
    const files = filesOn(page.text)
    expect(files.map((href) => href.split('/files/')[1])).toEqual([
      'invoice-1001.pdf',
      'invoice-1001.finvoice.xml',
      'invoice-1001.ubl.xml',
      `licence-${order}.pdf`,
      `packing-${order}.pdf`,
    ])
    for (const href of files) {
      expect(href).toContain(`/desk/orders/${id}/`)
      // Its library takes seconds to load; the buyer's page is tested with it.
      if (href.endsWith('.ubl.xml')) continue
      const file = await site.get(href, options)
      expect([href, file.status]).toEqual([href, 200])
      expect(file.headers['cache-control']).toBe('private, no-store')
      expect(file.text.slice(0, 5)).toBe(href.endsWith('.pdf') ? '%PDF-' : '<?xml')
    }
  }
  const name = 'files/invoice-1001.pdf'
  const status = async (path: string, options = {}) => (await site.get(path, options)).status
  expect(await status(`/desk/orders/${order}/${name}`)).toBe(401)
  const { headers: other } = await signIn(site, ['links'], { name: 'Mika' })
  expect(
    await status(`/desk/orders/${order}/${name}`, { headers: { Cookie: other.Cookie! } }),
  ).toBe(403)
  expect(await status(`/desk/orders/${token.slice(0, -1)}x/${name}`)).toBe(401)
  const wrong = ['invoice-1002.pdf', 'credit-note-1001.pdf', 'licence-X.pdf', '..%2f1001.pdf']
  for (const file of wrong) {
    expect(await status(`/desk/orders/${order}/files/${file}`, { headers: cookie })).toBe(404)
  }
})

test('no other right opens an order at the desk', async () => {
  const { site, order, cookie: desk } = await withOrder()
  await using _ = site
  const token = linkIn(site).slice('/desk/'.length)
  const flipped = (token.startsWith('A') ? 'B' : 'A') + token.slice(1)
  const buyer = new URL(
    site.context.features.orders.actions.successUrl(
      site.context.features.orders.actions.ofNumber(order)!,
    ),
  ).searchParams.get('order')!
  const viewer = await signIn(site, ['view', 'manage'], { name: 'Client' })
  const cookie = { Cookie: viewer.headers.Cookie! }
  const statuses = async (path: string, headers = {}) => (await site.get(path, { headers })).status
  expect(await statuses(`/desk/${flipped}`)).toBe(404)
  expect(await statuses(`/desk/${buyer}`)).toBe(404)
  for (const id of [flipped, buyer, order]) {
    expect(await statuses(`/api/desk/things/orders/${id}`)).toBe(401)
    expect(await statuses(`/api/desk/things/orders/${id}`, cookie)).toBe(403)
  }
  expect(await statuses(`/api/desk/things/tyres/${token}`, cookie)).toBe(403)
  expect(await statuses(`/api/desk/things/orders/${token}x`, desk)).toBe(404)
  expect(await statuses('/api/desk/things/constructor/1', desk)).toBe(404)
  const act = { act: 'dance', state: 'x', entries: {} }
  const sent = await site.post(`/api/desk/things/orders/${order}`, act, { headers: desk })
  expect(sent.status).toBe(409)
})

test('an order that is picked up says so; its buyer is told from there, and nothing is posted', async () => {
  const site = await startSite({ renderer: await builtRenderer(dist) })
  await using _ = site
  const visitor = shopper(site)
  await visitor.put(...print)
  const { total, shipping } = (await visitor.get('/api/shop/cart')).json as Cart
  const pickup = { delivery: 'pickup', expectedTotal: total - shipping }
  const { order } = await orderByInvoice(site, [print], pickup)
  await site.context.features.orders.actions.paid(order, { actor: 'Mika' })
  await settled(site)
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const cookie = { Cookie: headers.Cookie! }
  const path = `/desk/orders/${order}`
  const shown = async () => (await site.get(path, { headers: cookie })).text
  const today = async () => (await site.get('/desk', { headers: cookie })).text
  const subjects = () => mailFiles(site.dataDir).map(({ subject }) => subject)
  const open = await shown()
  expect(open).toContain('buyer not told yet')
  expect(open).not.toContain('By post')
  expect(open).not.toContain('Tracking number')
  expect(await today()).toContain('pickup, buyer not told yet')
  expect((await postForm(site, path, formOf(open, 'ready'), cookie)).status).toBe(303)
  await settled(site)
  expect(subjects()).toContain(`Your order ${order} is ready to pick up`)
  const ready = await shown()
  expect(ready).toContain('Noora: ready for pickup')
  expect(ready).not.toContain('name="act" value="ready"')
  expect(await today()).toContain('pickup, buyer told')
  expect((await postForm(site, path, formOf(ready, 'ship'), cookie)).status).toBe(303)
  const after = await shown()
  expect(after).toContain('Noora: handed over')
  expect(after).toContain('picked up')
  await settled(site)
  expect(subjects()).toContain(`You’ve picked up your order ${order}`)
})

test('the lines of an order with its delivery make its total, and its tab names it', async () => {
  const { site, order, cookie } = await withOrder()
  await using _ = site
  const { total, shipping, lines } = site.context.features.orders.actions.ofNumber(order)!
  const { text } = await site.get(`/desk/orders/${order}`, { headers: cookie })
  const words = text.replaceAll(/<[^>]*>/g, '')
  expect(shipping).toBeGreaterThan(0)
  expect(words).toContain(`Shipping${euros(shipping)} incl. VAT 25.5 %`)
  expect(shipping + lines[0]!.total).toBe(total)
  expect(text).toMatch(new RegExp(`<title>Order ${order}: Aino Virtanen[^<]* — Desk`))
  expect((await site.get('/desk', { headers: cookie })).text).toContain('<title>Today — Desk')
})

test('of an order that has left in part the desk shows the rest: what to pack, and what went in which parcel', async () => {
  const site = await startSite({ renderer: await builtRenderer(dist) })
  await using _ = site
  const { order } = await orderByInvoice(
    site,
    [
      ['blue-hour-fine-art-print', '30x40-matte', 2],
      ['five-red-lights-editorial-licence', 'web', 1],
    ],
    { digitalWaiver: true },
  )
  const { actions } = site.context.features.orders
  await actions.paid(order, { actor: 'Mika' })
  const parcel = { carrier: 'Posti', tracking: 'JJFI1', lines: [{ line: 0, quantity: 1 }] }
  await actions.ship(order, { actor: 'Mika', ...parcel })
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const read = async (path: string) => {
    const { text } = await site.get(path, { headers: { Cookie: headers.Cookie! } })
    return text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  }
  const print30 = 'Blue Hour, fine art print'
  const today = await read('/desk?group=Orders to pack')
  expect(today).toContain(`${order}: 1 × ${print30}`)
  expect(today).not.toContain('Five Red Lights')
  const page = await read(`/desk/orders/${order}`)
  expect(page).toContain(`2 × ${print30}`)
  expect(page).toContain('1 left to send')
  expect(page).toMatch(new RegExp(`Parcel 1 × ${print30}[^·]*Posti · JJFI1`))
  // The command line shows the same.
  const shown = await runOn(site, 'orders', 'show', order)
  expect(shown).toMatch(/^pieces +to send +title .*\n2 +1 +Blue Hour/m)
  expect(shown).toMatch(
    /^sent +carrier +tracking +pieces\n2026-11-20T14:00\S+ +Posti +JJFI1 +1 × Blue Hour/m,
  )
  expect(JSON.parse(await runOn(site, 'orders', 'show', order, '--json'))).toMatchObject({
    parcels: [{ carrier: 'Posti', tracking: 'JJFI1', lines: [{ line: 1, quantity: 1 }] }],
  })
  await actions.ship(order, { actor: 'Mika' })
  expect(await read(`/desk/orders/${order}`)).not.toContain('left to send')
})

test('before an order that is paid in part is cancelled, its page says what goes back', async () => {
  const { site, order, cookie } = await withOrder()
  await using _ = site
  const path = `/desk/orders/${order}`
  const { actions } = site.context.features.orders
  const page = async () => (await site.get(path, { headers: cookie })).text
  const hint = 'credits the invoice and emails the buyer.'
  expect(await page()).toContain(`${hint}<`)
  await actions.paid(order, { actor: 'Mika', amount: 2000 })
  const open = await page()
  expect(open).toContain(`${hint} €20.00 is refunded to the buyer, which you pay at the bank.<`)
  expect((await postForm(site, path, formOf(open, 'cancel'), cookie)).status).toBe(303)
  expect(actions.payoutsOf(actions.ofNumber(order)!).map(({ amount }) => amount)).toEqual([2000])
  // What came in stands among the payments; the fact counts what goes back.
  expect(open).toContain('{"name":"Paid","text":"€20.00"}')
  expect(await page()).toContain('{"name":"Paid, less refunds","text":"€0.00"}')
})

test('staff send a part of an order from its page, and the rest later', async () => {
  const site = await startSite({ renderer: await builtRenderer(dist) })
  await using _ = site
  const { order } = await orderByInvoice(site, [
    ['blue-hour-fine-art-print', '30x40-matte', 2],
    ['paddock-postcards', 'box-of-twelve', 1],
  ])
  const { actions } = site.context.features.orders
  await actions.paid(order, { actor: 'Mika' })
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const cookie = { Cookie: headers.Cookie! }
  const path = `/desk/orders/${order}`
  const form = async () => formOf((await site.get(path, { headers: cookie })).text, 'ship')
  expect(await form()).toMatchObject({ 'pieces-0': '2', 'pieces-1': '1' })
  for (const [pieces, because] of [
    [{ 'pieces-0': 'two' }, 'Please enter a number of pieces'],
    [{ 'pieces-0': '0', 'pieces-1': '0' }, 'Please enter what leaves'],
    [{ 'pieces-0': '3' }, 'Of line 1, 2 pieces are left to ship'],
  ] as const) {
    const refused = await postForm(site, path, { ...(await form()), ...pieces }, cookie)
    expect([refused.status, refused.text.includes(because)]).toEqual([
      because.startsWith('Of') ? 409 : 400,
      true,
    ])
  }
  const part = { ...(await form()), 'pieces-0': '1', 'pieces-1': '0', tracking: 'JJFI1' }
  expect((await postForm(site, path, part, cookie)).status).toBe(303)
  const left = () => actions.progressOf(actions.ofNumber(order)!).map(({ rest }) => rest)
  expect(left()).toEqual([1, 1])
  expect(actions.ofNumber(order)!.state).toBe('paid')
  expect((await postForm(site, path, await form(), cookie)).status).toBe(303)
  expect(left()).toEqual([0, 0])
  expect(actions.ofNumber(order)!.state).toBe('shipped')
})
