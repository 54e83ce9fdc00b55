import { expect, test } from 'vitest'
import { extractText, getDocumentProxy } from 'unpdf'
import type { OrderView } from '#shared/shop/orders.ts'
import { legalVersions } from '#shared/legal/legal.ts'
import { builtRenderer } from '#server/renderer.ts'
import { dist } from '#server/dist.ts'
import { settled } from '../../support/enquiry.ts'
import { eventually } from '../../support/eventually.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { runSql } from '../../support/raw-database.ts'
import { checkoutOf, orderByInvoice, shopper } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startStripe } from '../../support/stripe-double.ts'
import { hook, ordered } from '../../support/stripe-orders.ts'

const inForce = legalVersions.terms[0].version

const files = ['winter-wallpapers', 'personal', 1] as const
const print = ['blue-hour-fine-art-print', '30x40-matte', 1] as const

const confirmation = (site: Site, order: string) =>
  mailFiles(site.dataDir).find(({ subject }) => subject === `Your order ${order}`)!

test('the mail about a parcel lists what is in it, and nothing else of the order', async () => {
  await using site = await startSite()
  const { order } = await orderByInvoice(site, [print, files])
  await site.context.features.orders.actions.paid(order, { actor: 'mika' })
  await site.context.features.orders.actions.ship(order, { actor: 'mika' })
  await settled(site)
  const mail = mailFiles(site.dataDir).find(({ subject }) => subject.endsWith('is on its way'))!
  expect(mail.text).toMatch(/Item\s+Quantity\s+Blue Hour, fine art print[^\n]*\s1\s/)
  expect(mail.text).not.toMatch(/wallpapers|Shipping|Total|€/)
  // A parcel without a number can't be followed; its order can be looked at.
  const page = /See your order (\S+)/.exec(mail.text)![1]!.slice(site.url.length)
  expect(
    (await site.get(page.replace('/shop/checkout/success?order=', '/api/shop/orders/'))).json,
  ).toMatchObject({ order })
  // The button comes between the text and the list.
  expect(mail.text).not.toMatch(/:\s*(Follow|Item)/)
})

test('mails to the buyer show what was ordered, by addresses that open, and go out without it', async () => {
  await using site = await startSite()
  const { order } = await orderByInvoice(site, [print, files])
  await settled(site)
  const { html, text } = confirmation(site, order)
  const pictures = Array.from(html.matchAll(/<img\b[^>]*>/g), ([tag]) => ({
    src: /src="([^"]*)"/.exec(tag)![1]!.replaceAll('&amp;', '&'),
    alt: /alt="([^"]*)"/.exec(tag)![1]!,
  }))
  expect(pictures).toHaveLength(2)
  for (const { src, alt } of pictures) {
    expect(src).toMatch(new RegExp(`^${site.url}/assets/`))
    expect(alt).toMatch(/\w{3}/)
    const reply = await site.get(src.slice(site.url.length))
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/jpeg'])
  }
  // Addresses are where they are to be read: in the plain text, not below the buttons.
  expect(html.replaceAll(/<[^>]*>/g, ' ')).not.toMatch(/https?:\/\/\S*\/checkout\//)
  expect(text).toContain(`${site.url}/shop/checkout/success?order=`)
  // A product that is taken out of the shop meanwhile is named all the same.
  await site.context.features.shop.acts.publish(print[0], false, 'test')
  const { actions } = site.context.features.orders
  await actions.paid(order, { actor: 'mika' })
  await actions.ship(order, { actor: 'mika' })
  await settled(site)
  const shipped = mailFiles(site.dataDir).find(({ subject }) => subject.endsWith('is on its way'))!
  expect(shipped.html).toContain('Blue Hour, fine art print')
  expect(shipped.html).not.toContain('<img')
})

test('the tables of an order fit into the lines of a mail that is read as text', async () => {
  await using site = await startSite()
  const { order } = await orderByInvoice(site, [print, files])
  await settled(site)
  const { text } = confirmation(site, order)
  const rows = text.split('\n').filter((line) => / {2}/.test(line))
  expect(rows.length).toBeGreaterThan(8)
  expect(rows.filter((line) => line.length > 76)).toEqual([])
})

test('the confirmation carries the invoice and the terms word for word, as files to keep', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { order } = await orderByInvoice(site, [print])
  await settled(site)
  const { attachments } = confirmation(site, order)
  expect(attachments.map(({ filename, type }) => [filename, type])).toEqual([
    ['invoice-1001.pdf', 'application/pdf'],
    [`terms-of-service-${inForce}.pdf`, 'application/pdf'],
  ])
  const bytes = new Uint8Array(attachments[1]!.bytes)
  expect(Buffer.from(bytes).toString('latin1')).toContain('/MarkInfo')
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true })
  const bare = (words: string) => words.replaceAll(/\s/g, '')
  const { text: html } = await site.get('/terms-of-service')
  const page = html.slice(html.indexOf('id="parties"'), html.indexOf('id="versions-title"'))
  const paragraphs = Array.from(page.matchAll(/<(?:p|li)>([^<]{60,})<\/(?:p|li)>/g), ([, words]) =>
    words!.replaceAll('&#x27;', "'").replaceAll('&quot;', '"'),
  )
  expect(paragraphs.length).toBeGreaterThan(15)
  for (const words of paragraphs) expect(bare(text)).toContain(bare(words))
  expect(text).toContain('Withdrawal form')
  expect(bare(text)).toContain(`Withdrawfromcontracthere(${site.url}/shop/withdraw)`)
})

test('who agreed to a version of the terms gets that one, and can read it once another is in force', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist), sending: false })
  const { order, token } = await orderByInvoice(site, [print])
  site.context.features.legal.start?.()
  // As an earlier version of the program left its terms, and an order whose email still waits.
  const older = `INSERT INTO terms_texts SELECT ?, '2026-11-26',
    replace(sections, 'These terms apply', 'These older terms apply') FROM terms_texts`
  await eventually(() => expect(runSql(site.dataDir, older, '1.8')).toBe(1))
  runSql(site.dataDir, `UPDATE orders SET terms_version = '1.8'`)
  site.context.outbox.start()
  await settled(site)
  const textOf = async (bytes: Uint8Array) =>
    (await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })).text
  const { attachments, text } = confirmation(site, order)
  const attached = attachments.find(({ filename }) => filename === 'terms-of-service-1.8.pdf')!
  expect(await textOf(attached.bytes)).toContain('Version 1.8, 26 November 2026')
  expect(await textOf(attached.bytes)).toContain('These older terms apply')
  expect(text).toMatch(/terms of service, version 1\.8, are\s+attached/)
  expect(text).toContain('/terms-of-service/1.8.pdf')
  // Its page and that of the terms lead to it; of a version that wasn't kept nothing is promised.
  const page = (await site.get(`/shop/checkout/success?order=${token}`)).text
  expect(page).toContain('href="/terms-of-service/1.8.pdf"')
  const terms = (await site.get('/terms-of-service')).text
  expect(terms.match(/\/terms-of-service\/[\d.]+pdf/g)).toEqual([
    `/terms-of-service/${inForce}.pdf`,
    '/terms-of-service/1.8.pdf',
  ])
  const statusOf = async (version: string) =>
    (await site.get(`/terms-of-service/${version}.pdf`)).status
  expect(await Promise.all([inForce, '1.8', '1.7', '7.1'].map(statusOf))).toEqual([
    200, 200, 303, 404,
  ])
})

test('an order by Stripe gets the terms as well, once it is paid', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env })
  const { placed, session } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  await settled(site)
  const names = confirmation(site, placed.order).attachments.map(({ filename }) => filename)
  expect(names).toEqual(['invoice-1001.pdf', `terms-of-service-${inForce}.pdf`])
})

test('the page of an order promises what happens to it, and nothing else', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({
    env: stripe.env,
    sending: false,
    renderer: await builtRenderer(dist),
  })
  const pageOf = async (token: string) =>
    (await site.get(`/shop/checkout/success?order=${token}`)).text
  // Files that go to an address for the invoice are still not packed.
  const { token } = await orderByInvoice(site, [files])
  const { json } = await site.get(`/api/shop/orders/${token}`)
  expect((json as OrderView).details).toMatchObject({ isSent: false, address: expect.any(Array) })
  expect(await pageOf(token)).not.toContain('when your order ships')
  expect(await pageOf((await orderByInvoice(site, [print])).token)).toContain(
    'when your order ships',
  )
  // No confirmation is there before the payment is.
  const { placed, session } = await ordered(site, stripe)
  const waiting = await pageOf(placed.token)
  expect(waiting).not.toContain('Keep your confirmation email')
  expect(waiting).toContain('once the payment clears')
  await hook(site, stripe.event(stripe.pay(session)))
  const paid = await pageOf(placed.token)
  expect(paid).toContain('Keep your confirmation email')
  // As true a week later.
  expect(paid).toContain('We’ve emailed the confirmation with terms and invoice to ')
  await site.context.features.orders.actions.refund(placed.order, 'mika')
  const refunded = await pageOf(placed.token)
  expect(refunded).not.toContain('We’ve emailed the confirmation')
  expect(refunded).toContain('It goes back to the card or account you paid from')
})

test('a buyer abroad is told the numbers that a bank there knows, in the email and on the page', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const visitor = shopper(site)
  await visitor.put('blue-hour-fine-art-print', '30x40-matte', 1)
  const there = { country: 'SE', postcode: '111 20', city: 'Stockholm' }
  const { total } = (await visitor.post('/api/shop/cart/quote', there)).json as { total: number }
  const { json } = await visitor.post(
    '/api/shop/checkout',
    checkoutOf({ ...there, expectedTotal: total }),
  )
  await settled(site)
  const [mail] = mailFiles(site.dataDir).filter(({ to }) => to.includes('aino@example.com'))
  expect(mail!.text).toMatch(/^International reference +RF\d\d \d/m)
  expect(mail!.text).not.toMatch(/Virtual barcode|^Reference/m)
  const { details } = (await site.get(`/api/shop/orders/${String(json?.token)}`)).json as OrderView
  expect(details!.invoice?.abroad).toMatchObject({ reference: expect.stringMatching(/^RF/) })
  const { text: page } = await site.get(`/shop/checkout/success?order=${String(json?.token)}`)
  expect(page).toContain('International reference')
  expect(page).not.toMatch(/<dt>(?:Virtual barcode|Reference)</)
})
