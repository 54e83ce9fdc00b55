import { array, assert, constantFrom, integer, property, record } from 'fast-check'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newCreditNote, restOf } from '#server/orders/documents/credit-note.ts'
import type { InvoiceDocument } from '#server/orders/documents/invoice-document.ts'
import type { WithdrawalCase } from '#server/orders/withdrawal/withdrawal-cases.ts'
import type { OrderView } from '#shared/shop/orders.ts'
import { vatTable } from '#shared/money.ts'
import { statement } from '../../support/bank-statement.ts'
import { credit, shownOrder } from '../../support/credits.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite } from '../../support/site.ts'
import { stock } from '../../support/stripe-orders.ts'

const day = 86_400_000
const print = ['blue-hour-fine-art-print', '30x40-matte', 3] as const
const files = ['winter-wallpapers', 'personal', 1] as const

const invoiceOf = (lines: { unit: number; quantity: number; rate: number }[]): InvoiceDocument => {
  const bought = lines.map(({ unit, quantity, rate }, at) => ({
    title: `Line ${at}`,
    unit,
    quantity,
    rate,
    total: unit * quantity,
    kind: null,
    ground: null,
    taxCountry: 'FI',
    reason: null,
    line: null,
    isReduction: false,
    discount: 0,
    note: null,
  }))
  const place = { street: null, postcode: null, city: null }
  const known = { businessId: null, vatId: null, email: null, phone: null }
  const seller = { name: '', address: [], ...place, ...known }
  return {
    kind: 'invoice',
    number: 1,
    refersTo: null,
    order: 'A-1',
    issuedOn: '2026-11-20',
    suppliedOn: '2026-11-20',
    dueOn: null,
    paid: false,
    seller: { ...seller, iban: null, bic: null },
    buyer: {
      name: '',
      company: null,
      address: [],
      vatId: null,
      ...place,
      street2: null,
      region: null,
      country: null,
    },
    suppliedFrom: null,
    lines: bought,
    vat: vatTable(bought.map(({ total, rate }) => ({ gross: total, rate }))),
    total: bought.reduce((sum, { total }) => sum + total, 0),
    covered: 0,
    discountCode: null,
    giftCard: null,
    reference: '13',
    rf: '',
    barcode: null,
    remark: null,
    exemption: null,
  }
}

test('whatever is credited in whatever parts, documents make nothing in the end', () => {
  const line = record({
    unit: integer({ min: 1, max: 50_000 }),
    quantity: integer({ min: 1, max: 20 }),
    rate: constantFrom(25.5, 13.5, 10, 0, 19),
  })
  const part = record({
    line: integer({ min: 0, max: 5 }),
    share: integer({ min: 1, max: 100 }),
    by: constantFrom('pieces', 'amount', 'spread'),
  })
  assert(
    property(
      array(line, { minLength: 1, maxLength: 5 }),
      array(part, { maxLength: 8 }),
      (lines, parts) => {
        const invoice = invoiceOf(lines)
        const credits: InvoiceDocument[] = []
        const issue = (wish: Parameters<typeof newCreditNote>[2]) => {
          const about = { number: credits.length + 2, today: '2026-12-01', reason: null }
          credits.push(newCreditNote(invoice, credits, wish, about))
        }
        for (const { line: at, share, by } of parts) {
          const rest = restOf(invoice, credits)
          const { left, pieces } = rest[at] ?? { left: 0, pieces: 0 }
          const all = rest.reduce((sum, each) => sum + each.left, 0)
          const of = (count: number) => Math.ceil((count * share) / 100)
          if (by === 'spread' && all > 0) issue({ amount: of(all) })
          else if (by === 'amount' && left > 0) issue({ lines: [{ line: at, amount: of(left) }] })
          else if (by === 'pieces' && left > 0 && pieces > 0) {
            issue({ lines: [{ line: at, quantity: of(pieces) }] })
          }
        }
        for (const document of credits) {
          const { vat, total } = document
          expect(vat.reduce((sum, { gross }) => sum + gross, 0)).toBe(total)
          for (const row of vat) expect(row.net + row.vat).toBe(row.gross)
          expect(total).toBeLessThan(0)
        }
        if (restOf(invoice, credits).some(({ left }) => left > 0)) issue({ all: true })
        expect(() => issue({ all: true })).toThrow('nothing left')
        const documents = [invoice, ...credits]
        expect(documents.reduce((sum, { total }) => sum + total, 0)).toBe(0)
        for (const rate of new Set(invoice.vat.map((row) => row.rate))) {
          const rows = documents.flatMap(({ vat }) => vat.filter((row) => row.rate === rate))
          for (const sum of ['net', 'vat', 'gross'] as const) {
            expect(rows.reduce((all, row) => all + row[sum], 0)).toBe(0)
          }
        }
      },
    ),
  )
})

test('a piece of a line of which a cent is left is credited with that cent', () => {
  const invoice = invoiceOf([{ unit: 1, quantity: 3, rate: 25.5 }])
  const about = { today: '2026-12-01', reason: null }
  const reduction = newCreditNote(invoice, [], { amount: 2 }, { ...about, number: 2 })
  const one = { lines: [{ line: 0, quantity: 1 }] }
  const piece = newCreditNote(invoice, [reduction], one, { ...about, number: 3 })
  expect(piece.total).toBe(-1)
  expect(() => newCreditNote(invoice, [reduction, piece], one, { ...about, number: 4 })).toThrow(
    'nothing left',
  )
})

test('one of three pieces comes back: a note of its own, the money on the list, the piece on the shelf', async () => {
  await using site = await startSite()
  const { order, token, total } = await orderByInvoice(site, [print, files], {
    digitalWaiver: true,
  })
  await runOn(site, 'orders', 'paid', order)
  const left = stock(site)!
  expect(await credit(site, order, '--line', '1x1', '--restock')).toContain('Refund €89.00')
  expect(stock(site)).toBe(left + 1)
  expect(await shownOrder(site, order)).toMatchObject({
    state: 'paid',
    total,
    credited: 8900,
    paid: total - 8900,
    open: 0,
  })
  const list = async () =>
    JSON.parse(await runOn(site, 'orders', 'payouts', '--json')) as Record<string, unknown>[]
  const [payout] = await list()
  expect(payout).toMatchObject({ order, method: 'bank', amount: 8900, reason: 'scratched' })
  await runOn(site, 'orders', 'payouts-done', String(payout!.payout))
  expect(await list()).toEqual([])
  await expect(runOn(site, 'orders', 'payouts-done', String(payout!.payout))).rejects.toThrow(
    'already paid',
  )
  await settled(site)
  const mail = mailFiles(site.dataDir).find(({ subject }) => subject.startsWith('Credit note'))!
  expect(mail.text).toMatch(/refund €89\.00 by bank transfer within 14 days/)
  expect(mail.text).toContain('scratched')

  // The order's page shows what was taken off, and that the rest is still to come.
  const view = async () =>
    ((await site.get(`/api/shop/orders/${token}`)).json as OrderView).details!
  expect((await view()).invoice!.credits).toEqual([
    {
      number: '1002',
      amount: 8900,
      lines: ['1 × Blue Hour, fine art print, 30 × 40 cm, matte cotton paper'],
    },
  ])
  expect((await view()).isLeft).toBe(true)
  await expect(credit(site, order, '--line', '1x3')).rejects.toThrow('2 pieces left')
  await expect(credit(site, order, '--line', '1=500')).rejects.toThrow('€178.00')
  await expect(credit(site, order, '--line', '9')).rejects.toThrow('no line 9')
  await expect(credit(site, order, '--amount', '999')).rejects.toThrow('left of the invoice')

  await runOn(site, 'orders', 'refund', order)
  expect(await shownOrder(site, order)).toMatchObject({ state: 'refunded', paid: 0, open: 0 })
  // What the first credit note paid back isn't told once more.
  await settled(site)
  const last = mailFiles(site.dataDir).find(({ subject }) => subject.endsWith('is refunded'))!
  expect(last.text).toContain(`refund €${((total - 8900) / 100).toFixed(2)} by bank transfer`)
  expect(last.text).not.toContain('€89.00')
  expect((await view()).isLeft).toBe(false)
  const { invoices } = site.context.features.orders.actions
  expect(invoices.list().reduce((sum, document) => sum + document.total, 0)).toBe(0)
})

test('a reduction before the payment leaves less to pay, and that much pays the order', async () => {
  await using site = await startSite()
  const { order, total, token } = await orderByInvoice(site, [print])
  expect(await credit(site, order, '--amount', '20.00')).toContain('outstanding')
  const open = total - 2000
  const { details } = (await site.get(`/api/shop/orders/${token}`)).json as OrderView
  expect(details?.invoice).toMatchObject({ open })
  expect(details?.invoice?.barcode).toContain(String(open).padStart(8, '0'))
  const file = join(site.dataDir, 'op.csv')
  writeFileSync(file, statement([(open / 100).toFixed(2).replace('.', ','), '10016', 'A1']))
  expect(await runOn(site, 'orders', 'match', file)).toContain('1 paid')
  expect(await shownOrder(site, order)).toMatchObject({ state: 'paid', open: 0, credited: 2000 })
  // All of what was owed came, so the books call it no part of it.
  const books = JSON.parse(
    await runOn(site, 'orders', 'books', '--month', '2026-11', '--format', 'json'),
  ) as { kind: string; gross: string }[]
  expect(books.find(({ gross }) => gross === (open / 100).toFixed(2))?.kind).toBe('payment')
})

test('the bookkeeper has the days of each document’s own money, not those of the order’s last', async () => {
  await using site = await startSite({ sending: false })
  const { order } = await orderByInvoice(site, [print])
  const days = async () =>
    (
      JSON.parse(await runOn(site, 'orders', 'export', '--format', 'json')) as { paid: string }[]
    ).map(({ paid }) => paid)
  await runOn(site, 'orders', 'paid', order, '--on', '2026-11-20')
  await credit(site, order, '--line', '1x1')
  expect(await days()).toEqual(['2026-11-20', '2026-11-20'])
  site.clock.advance(15 * day)
  await runOn(
    site,
    'orders',
    'paid',
    order,
    '--amount',
    '5.00',
    '--on',
    '2026-12-04',
    '--note',
    '2',
  )
  await credit(site, order, '--line', '1x1')
  expect(await days()).toEqual(['2026-11-20', '2026-11-20', '2026-12-05'])
})

test('all lines credited one by one end the order', async () => {
  await using site = await startSite({ sending: false })
  const unpaid = await orderByInvoice(site, [files])
  await credit(site, unpaid.order, '--line', '1')
  expect(await shownOrder(site, unpaid.order)).toMatchObject({ state: 'cancelled', open: 0 })
  const paid = await orderByInvoice(site, [files])
  await runOn(site, 'orders', 'paid', paid.order)
  await credit(site, paid.order, '--line', '1=3.00')
  await credit(site, paid.order, '--line', '1')
  expect(await shownOrder(site, paid.order)).toMatchObject({ state: 'refunded', paid: 0, open: 0 })
})

test('what is paid too much goes back once, and never more', async () => {
  await using site = await startSite()
  const { order, total, token } = await orderByInvoice(site, [files])
  await expect(runOn(site, 'orders', 'pay-back', order)).rejects.toThrow('isn’t overpaid')
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'paid', order, '--amount', '5.00', '--note', 'twice')
  const results = await Promise.allSettled(
    [1, 2, 3].map(() => site.context.features.orders.actions.payBackExcess(order, 'mika')),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await shownOrder(site, order)).toMatchObject({ state: 'paid', paid: total, open: 0 })
  await settled(site)
  const mail = mailFiles(site.dataDir).find(({ subject }) =>
    subject.startsWith('Overpaid by €5.00'),
  )
  expect(mail?.text).toContain('by bank transfer')
  expect(mail?.text).toContain(`/shop/checkout/success?order=${token}`)
})

test('the email of a credit note says what of the refund was paid beyond the invoice', async () => {
  await using site = await startSite({ sending: true })
  const { order, total } = await orderByInvoice(site, [files])
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'paid', order, '--amount', '9.00', '--note', 'twice')
  await credit(site, order, '--amount', '1.50')
  await settled(site)
  expect(total).toBe(900)
  const { text } = mailFiles(site.dataDir).find(({ subject }) => subject.startsWith('Credit note'))!
  const said = text.replaceAll(/\s+/g, ' ')
  expect(said).toContain('We’ve taken €1.50 off your order.')
  expect(said).toContain('We’ll refund €10.50 by bank transfer')
  expect(said).toContain('Of that, €9.00 is what you had paid beyond the invoice.')
})

test('credits at once never take more than there is', async () => {
  await using site = await startSite({ sending: false })
  const { order, total } = await orderByInvoice(site, [files])
  const { actions } = site.context.features.orders
  await actions.paid(order, { actor: 'mika' })
  const half = Math.floor(total / 2)
  const results = await Promise.allSettled(
    [1, 2, 3, 4].map(() =>
      actions.credit(order, { amount: half }, { reason: 'late', restock: false, actor: 'mika' }),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(await shownOrder(site, order)).toMatchObject({
    paid: total - 2 * half,
    credited: 2 * half,
  })
})

test('reminders ask for what is left, and never for what is withdrawn, credited or paid', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  const place = async (email: string) => {
    const { order } = await orderByInvoice(site, [files], { email })
    return order
  }
  const part = await place('part@example.com')
  const withdrawn = await place('withdrawn@example.com')
  const credited = await place('credited@example.com')
  await runOn(site, 'orders', 'paid', part, '--amount', '4.00')
  await credit(site, credited, '--line', '1=5.00')
  await runOn(site, 'orders', 'paid', credited)
  const statementOf = { order: withdrawn, name: 'Aino', email: 'withdrawn@example.com' }
  await site.post('/api/shop/withdraw', { ...statementOf, confirm: true })
  site.clock.advance(9 * day)
  await site.context.jobs.runDue()
  await settled(site)
  const reminders = mailFiles(site.dataDir).filter(({ subject }) => subject.startsWith('Reminder'))
  expect(reminders.map(({ to }) => to)).toEqual(['part@example.com'])
  expect(reminders[0]!.text).toContain('€5.00')
  expect(reminders[0]!.text).toContain('Paid so far')
})

test('what was sent on account is paid once a credit note takes what is left of it', async () => {
  await using site = await startSite()
  const { order, token, total } = await orderByInvoice(site, [print], {
    company: 'Rally Oy',
    vatId: 'FI01120389',
  })
  await runOn(site, 'orders', 'ship', order, '--unpaid')
  await runOn(site, 'orders', 'paid', order, '--amount', '50.00')
  site.clock.advance(day - 3_600_000)
  const rest = ((total - 5000) / 100).toFixed(2)
  await runOn(site, 'orders', 'credit', order, '--amount', rest, '--reason', 'came late')
  expect(await shownOrder(site, order)).toMatchObject({
    state: 'shipped',
    open: 0,
    paid: 5000,
    paidAt: expect.stringMatching(/^2026-11-21/),
  })
  const { json } = await site.get(`/api/shop/orders/${token}`)
  // A page that asked for €0.00 with bars to scan.
  expect((json as OrderView).details).toMatchObject({
    invoice: { open: 0, iban: '', barcodePicture: '' },
  })
  site.clock.advance(30 * day)
  const { invoices } = site.context.features.orders.actions
  expect(invoices.late()).toEqual([])
})

test('pieces that were credited and put back are for sale once, however the rest of their order ends', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  const before = stock(site)!
  const cancelled = await orderByInvoice(site, [print])
  await credit(site, cancelled.order, '--line', '1x1', '--restock')
  expect(stock(site)).toBe(before - 2)
  await runOn(site, 'orders', 'cancel', cancelled.order)
  expect(stock(site)).toBe(before)

  const expired = await orderByInvoice(site, [print])
  await site.post('/api/shop/withdraw', {
    order: expired.order,
    name: 'Aino',
    email: 'aino@example.com',
    lines: [{ line: 1, quantity: 2 }],
    confirm: true,
  })
  const [{ withdrawal }] = site.context.features.orders.actions.withdrawals.cases() as [
    WithdrawalCase,
  ]
  await runOn(site, 'orders', 'withdrawals', 'settle', String(withdrawal.id))
  expect(stock(site)).toBe(before - 1)
  site.clock.advance(12 * day)
  await site.context.jobs.runDue()
  expect(await shownOrder(site, expired.order)).toMatchObject({ state: 'expired' })
  expect(stock(site)).toBe(before)
})
