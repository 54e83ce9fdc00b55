import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CheckoutReply, OrderView } from '#shared/shop/orders.ts'
import type { Cart } from '#shared/shop/shop.ts'
import { invoicePdf } from '#server/orders/documents/pdf/invoice-pdf.ts'
import { contentFiles } from '../support/content-files.ts'
import { answered, settled } from '../support/enquiry.ts'
import { mailFiles } from '../support/mail-files.ts'
import { csrfHeaders } from '../support/send.ts'
import { checkoutOf, shopper } from '../support/shop.ts'
import { startSite, type Site } from '../support/site.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte'] as const

/** Gives the print so many pieces. */
async function stock(site: Site, pieces: number): Promise<number> {
  const { catalogue } = site.context.features.shop
  const variant = () =>
    catalogue.find(print[0])!.variants.find((each) => each.variant === print[1])!
  const { id, stock: now } = variant()
  await site.context.commit((tx) => {
    if (now! > pieces) catalogue.take(tx, id, now! - pieces)
    else catalogue.restock(tx, id, pieces - now!)
  })
  return id
}

const left = (site: Site) =>
  site.context.features.shop.catalogue
    .find(print[0])!
    .variants.find((each) => each.variant === print[1])!.stock

/** Orders the print as someone who answered the sum. */
async function order(
  site: Site,
  changes: Record<string, unknown> = {},
  from = '127.0.0.1',
  quantity = 1,
) {
  const visitor = shopper(site, from)
  const put = await visitor.put(...print, quantity)
  const cookie = [put.headers['set-cookie'] ?? []].flat().map((each) => each.split(';', 1)[0])
  const { total } = put.json as Cart
  return site.post('/api/shop/checkout', checkoutOf({ expectedTotal: total, ...changes }), {
    from,
    headers: {
      Cookie: [csrfHeaders.Cookie, ...cookie].join('; '),
      'X-Form-Proof': answered(site.context),
    },
  })
}

const ordersOf = (site: Site) => [...site.context.features.orders.actions.orders.list()]
const mailsOf = (site: Site, kind: string) =>
  site.context.mails.list().filter((mail) => mail.kind === kind)

/** The link in the email of an order that waited, as a path. */
const linkOf = (site: Site, number: string) => {
  const claim = site.context.shares.claims.find('order', number)!
  return `/shop/orders/confirm/${site.context.shares.linkToken(claim)}`
}

/** Checks that the series of documents has no gap. */
const toBeGapless = (site: Site) => {
  const numbers = site.context.features.orders.actions.invoices.list().map(({ number }) => number)
  expect(numbers).toEqual(numbers.map((_, n) => 1001 + n))
  return numbers.length
}

test('one mailbox gets three unpaid orders, three numbers and three mails', async () => {
  await using site = await startSite({ sending: false })
  await stock(site, 1000)
  for (let n = 0; n < 20; n += 1) {
    const reply = await order(site, {}, `127.21.${n}.1`)
    expect(reply.status).toBe(201)
    if (n >= 3)
      expect(reply.json).toMatchObject({ message: expect.stringMatching(/unpaid orders/) })
  }
  expect(toBeGapless(site)).toBe(3)
  expect(
    ordersOf(site)
      .map(({ state }) => state)
      .slice(0, 4),
  ).toEqual(['open', 'open', 'open', 'waiting'])
  expect(left(site)).toBe(997)
  const toBuyer = site.context.mails.list().filter(({ kind }) => /^order(?!.*Staff)/.test(kind))
  expect(toBuyer).toHaveLength(3)
  expect(mailsOf(site, 'limitAlarm')).toHaveLength(1)
  // Cancelling what staff see as a flood gives no new numbers to the same mailbox on the same day.
  const { actions } = site.context.features.orders
  const [first] = ordersOf(site)
  for (const { number } of actions.like(first!.number)) await actions.cancel(number, 'mika')
  await order(site, {}, '127.21.50.1')
  expect(ordersOf(site).at(-1)!.state).toBe('waiting')
  expect(toBeGapless(site)).toBe(6)
  expect(left(site)).toBe(1000)
})

test('fifty mailboxes of one network get ten orders and twenty pieces', async () => {
  await using site = await startSite({ sending: false })
  await stock(site, 1000)
  for (let n = 0; n < 30; n += 1) {
    await order(site, { email: `a${n}@example.com` }, `127.22.1.${n + 1}`)
  }
  expect(ordersOf(site).filter(({ state }) => state === 'open')).toHaveLength(10)
  expect(toBeGapless(site)).toBe(10)
  await using pieces = await startSite({ sending: false })
  await stock(pieces, 1000)
  await order(pieces, { email: 'a@example.com' }, '127.22.1.1', 15)
  await order(pieces, { email: 'b@example.com' }, '127.22.1.2', 6)
  await order(pieces, { email: 'c@example.com' }, '127.22.1.3', 5)
  expect(ordersOf(pieces).map(({ state }) => state)).toEqual(['open', 'waiting', 'open'])
})

test('strangers by bank transfer reserve half of the pieces; the others stay for real buyers', async () => {
  await using site = await startSite({ sending: false })
  await stock(site, 7)
  for (let n = 0; n < 50; n += 1) {
    const { status } = await order(site, { email: `b${n}@example.com` }, `127.23.${n}.1`)
    expect(status).toBe(201)
  }
  expect(left(site)).toBe(4)
  expect(toBeGapless(site)).toBe(3)
  const waiting = ordersOf(site).filter(({ state }) => state === 'waiting')
  expect(waiting).toHaveLength(47)
  // A mailbox in whose name something was ordered gets one link, with nothing that was typed.
  expect(mailsOf(site, 'orderWaiting')).toHaveLength(47)

  // Pressing the link is what a person does who wants the piece.
  const [buyer, ...others] = waiting
  const link = linkOf(site, buyer!.number)
  expect((await site.get(link)).text).toContain('Confirm this order')
  expect(left(site)).toBe(4)
  expect((await site.post(link, undefined)).status).toBe(200)
  expect(left(site)).toBe(3)
  expect(toBeGapless(site)).toBe(4)
  expect((await site.post(link, undefined)).status).toBe(200)
  expect(toBeGapless(site)).toBe(4)
  for (const other of others.slice(0, 3)) await site.post(linkOf(site, other.number), undefined)
  expect(left(site)).toBe(0)
  const late = await site.post(linkOf(site, others[3]!.number), undefined)
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('sold out')])
  expect(toBeGapless(site)).toBe(7)

  // What no one confirms ends after a day; what no one pays after ten, or on the second
  // working day after it is due.
  site.clock.advance(25 * 3_600_000)
  await site.context.jobs.runDue()
  expect(ordersOf(site).filter(({ state }) => state === 'waiting')).toEqual([])
  expect((await site.get(linkOf(site, others[5]!.number))).status).toBe(410)
  const paid = ordersOf(site)[0]!.number
  await site.context.features.orders.actions.paid(paid, { note: 'test/1', actor: 'mika' })
  site.clock.advance(11 * 24 * 3_600_000)
  await site.context.jobs.runDue()
  expect(left(site)).toBe(6)
  // Each ended order has its credit note, in the same series.
  expect(toBeGapless(site)).toBe(13)
  expect(mailsOf(site, 'orderCancelled')).toHaveLength(6)
  expect(ordersOf(site).filter(({ state }) => state === 'expired')).toHaveLength(43 + 6)
})

test('the last piece is there for one buyer', async () => {
  await using site = await startSite({ sending: false })
  await stock(site, 2)
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      order(site, { email: `d${n}@example.com` }, `127.24.${n}.1`),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201))
  expect(left(site)).toBe(1)
})

test('the page of an order on hold says what it waits for, and its buyer pays nothing', async () => {
  await using site = await startSite({ sending: false })
  await stock(site, 2)
  await order(site, { email: 'a@example.com' }, '127.25.1.1')
  const { json } = await order(site, { email: 'b@example.com' }, '127.25.2.1')
  const { token, next, message } = json as CheckoutReply
  expect([message, next]).toEqual([expect.stringMatching(/link/), expect.stringContaining(token)])
  const view = (await site.get(`/api/shop/orders/${token}`)).json as OrderView
  expect(view).toMatchObject({
    state: 'waiting',
    waits: { for: 'link' },
    details: { invoice: null },
  })
  expect((await site.get(`/shop/orders/${token}/invoice.pdf`)).status).toBe(404)
  // Staff let it on without limits.
  const { actions } = site.context.features.orders
  await actions.accept(view.order, 'mika')
  expect(actions.orders.find(view.order)!.state).toBe('open')
  expect(left(site)).toBe(0)
})

test('nothing that a stranger typed can be clicked in what goes to a mailbox', async () => {
  await using site = await startSite()
  const bait = `Win a car at https://spam.example/win or www.spam.example, spam.example/x ${'!'.repeat(50)}`
  const name = bait.slice(0, 100)
  await order(site, { name, company: name, street: name, city: name, email: 'victim@example.com' })
  await expect.poll(() => site.context.outbox.counts().queued).toBe(0)
  const [mail] = mailFiles(site.dataDir).filter(({ to }) => to.includes('victim@example.com'))
  expect([mail!.text, mail!.html, mail!.subject].join('\n')).not.toMatch(/spam|Win a car/)
  const [invoice] = site.context.features.orders.actions.invoices.list()
  const { buyer } = invoice!.document
  for (const line of [buyer.name, buyer.company!, ...buyer.address]) {
    expect(line).not.toMatch(/https?:|www|spam\.example/)
    expect(line.length).toBeLessThanOrEqual(70)
  }
  expect((await invoicePdf(invoice!.document)).length).toBeGreaterThan(1000)
})

test('the email about an order that waits names the time until which its link works', async () => {
  using content = contentFiles({
    'shares.json': { orders: { inAll: { part: 0.1, least: 1 } }, waitingHours: 3 },
  })
  for (const part of ['products.json', 'products']) {
    cpSync(join('data/content', part), join(content.dir, part), { recursive: true, force: true })
  }
  await using site = await startSite({ env: { CONTENT_DIR: content.dir } })
  await stock(site, 2)
  for (let n = 0; n < 3; n += 1) await order(site, { email: `b${n}@example.com` }, `127.24.${n}.1`)
  await settled(site)
  const asked = mailFiles(site.dataDir).find(({ subject }) =>
    subject.startsWith('Confirm your order'),
  )!
  expect(asked.text).toContain('The link works until 20 November 2026, 17:00 (Helsinki).')
})
