import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import type { DeskThing } from '#shared/desk/things.ts'
import type { OrderView } from '#shared/shop/orders.ts'
import { statement } from '../../support/bank-statement.ts'
import { settled } from '../../support/enquiry.ts'
import { newCard, orderCart, withCard } from '../../support/gift-cards.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { orderCodes } from '../../support/order-codes.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'
import { cases } from '../../support/withdrawals.ts'

const day = 86_400_000
const files = ['northern-light-colour-looks', 'single', 3] as const
const referenceRates = [{ from: '2026-07-01', percent: 2.5 }]

/** The sample content with settings of its books. */
function contentWith(books: unknown): Disposable & { dir: string; set(books: unknown): void } {
  const dir = mkdtempSync(join(tmpdir(), 'pitlane-books-'))
  for (const name of readdirSync('data/content')) {
    if (name !== 'books.json') symlinkSync(resolve('data/content', name), join(dir, name))
  }
  const set = (settings: unknown) =>
    writeFileSync(join(dir, 'books.json'), JSON.stringify(settings))
  set(books)
  return { dir, set, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) }
}

const siteOf = ({ dir }: { dir: string }) => startSite({ env: { CONTENT_DIR: dir, SHARES: 'off' } })

/** An order that doesn’t end unpaid by itself, as one of a booking or a company with terms. */
async function owed(site: Site, changes: Record<string, unknown> = {}) {
  const placed = await orderByInvoice(site, [files], changes)
  const { actions } = site.context.features.orders
  await site.context.commit((tx) =>
    actions.orders.change(tx, actions.ofNumber(placed.order)!, { reservedUntil: null }),
  )
  return placed
}

async function daysLater(site: Site, days: number) {
  site.clock.advance(days * day)
  await site.context.jobs.runDue()
  await settled(site)
}

const reminders = (site: Site) =>
  mailFiles(site.dataDir).filter(({ subject }) => /reminder/i.test(subject))
const collection = async (site: Site, ...told: string[]) =>
  JSON.parse(await runOn(site, 'orders', 'collection', '--format', 'json', ...told)) as Record<
    string,
    unknown
  >[]
const balance = async (site: Site, order: string) =>
  JSON.parse(await runOn(site, 'orders', 'show', order, '--json')) as Record<string, unknown>

test('a second reminder claims the interest and fee that the law allows, and both can be paid', async () => {
  using content = contentWith({ referenceRates, late: { consumerFee: 500 } })
  await using site = await siteOf(content)
  const { order, total } = await owed(site)
  await daysLater(site, 9)
  expect(reminders(site).map(({ subject }) => subject)).toEqual(['Reminder: invoice 1001'])
  await daysLater(site, 13)
  expect(reminders(site)).toHaveLength(1)
  await daysLater(site, 2)
  const second = reminders(site).find(({ subject }) => subject.startsWith('Second'))!
  expect(second.subject).toBe('Second reminder: invoice 1001')
  // Due on 27 November; 16 days up to 13 December at 9.5 %.
  const interest = Math.round((total * 16 * 95) / 365_000)
  expect(await balance(site, order)).toMatchObject({ open: total, charges: interest + 500 })
  expect(second.text).toContain('9.5 % a year')
  expect(second.text).toContain('Reminder fee')
  expect(second.text).toContain('€5.00')
  const due = total + interest + 500
  expect(second.text).toContain(String(due).padStart(8, '0'))
  expect(await collection(site)).toEqual([])

  await daysLater(site, 14)
  const [row] = await collection(site)
  expect(row).toMatchObject({ order, debtor: 'consumer', fees: '5.00', rate: 9.5 })
  const csv = parse(await runOn(site, 'orders', 'collection'), { bom: true, columns: true })
  expect(csv).toHaveLength(1)

  const file = join(site.dataDir, 'bank.csv')
  const amount = (due / 100).toFixed(2).replace('.', ',')
  writeFileSync(file, statement([amount, '10016', 'A1']))
  expect(await runOn(site, 'orders', 'match', file)).toContain('1 paid')
  expect(await balance(site, order)).toMatchObject({ open: 0, charges: 0, paid: due })
  expect(await collection(site)).toEqual([])
  await expect(runOn(site, 'orders', 'pay-back', order)).rejects.toThrow('overpaid')
  const books = JSON.parse(
    await runOn(site, 'orders', 'books', '--month', '2026-12', '--format', 'json'),
  ) as { kind: string; gross: string }[]
  expect(books.map(({ kind }) => kind)).toContain('late interest')
  expect(books.find(({ kind }) => kind === 'reminder fee')?.gross).toBe('5.00')
})

test('companies owe a point more, and the compensation where it is switched on', async () => {
  using content = contentWith({
    referenceRates,
    late: { businessCompensation: true, consumerFee: 500 },
  })
  await using site = await siteOf(content)
  const { order, total } = await owed(site, { company: 'Rata Oy', vatId: 'FI01120389' })
  await daysLater(site, 9)
  await daysLater(site, 15)
  const interest = Math.round((total * 16 * 105) / 365_000)
  expect(await balance(site, order)).toMatchObject({ charges: interest + 4_000 })
  const second = reminders(site).find(({ subject }) => subject.startsWith('Second'))!
  expect(second.text).toContain('section 4 a')
  expect(second.text).not.toContain('Reminder fee')
  const claims = async (month: string) =>
    (
      JSON.parse(await runOn(site, 'orders', 'books', '--month', month, '--format', 'json')) as {
        kind: string
        date: string
        gross: string
      }[]
    ).filter(({ kind }) => kind === 'late interest' || kind === 'compensation')
  const december = await claims('2026-12')
  expect(december.map(({ gross }) => gross)).toEqual([(interest / 100).toFixed(2), '40.00'])
  await daysLater(site, 21)
  expect(await runOn(site, 'orders', 'waive', order)).toContain('charges waived')
  // December has been handed in: what is let go in January is taken off there.
  expect(await claims('2026-12')).toEqual(december)
  expect(await claims('2027-01')).toMatchObject(
    december.map(({ kind, gross }) => ({ kind, gross: `-${gross}`, date: '2027-01-04' })),
  )
  expect(await balance(site, order)).toMatchObject({ charges: 0, open: total })
  await expect(runOn(site, 'orders', 'waive', order)).rejects.toThrow('Nothing is charged')
  // What was let go is claimed by no one.
  expect(await collection(site)).toMatchObject([{ interest: '0.00', fees: '0.00' }])
})

test('a company’s name alone owes no more than the consumer who keeps every right', async () => {
  using content = contentWith({ referenceRates, late: { businessCompensation: true } })
  await using site = await siteOf(content)
  const { order, total } = await owed(site, { company: 'Rata Oy' })
  await daysLater(site, 9)
  await daysLater(site, 15)
  const interest = Math.round((total * 16 * 95) / 365_000)
  expect(await balance(site, order)).toMatchObject({ charges: interest })
  const second = reminders(site).find(({ subject }) => subject.startsWith('Second'))!
  expect(second.text).toContain('section 4), 9.5 % a year')
  expect(second.text).not.toContain('Compensation')
  await daysLater(site, 14)
  expect(await collection(site)).toMatchObject([{ order, debtor: 'consumer', rate: 9.5 }])
})

test('a withdrawal costs no interest, and what is left after it has the time of a new order', async () => {
  using content = contentWith({ referenceRates, late: { consumerFee: 500 } })
  await using site = await siteOf(content)
  const { order } = await owed(site)
  // Due on 27 November; the buyer withdraws from one of three pieces on 25 November.
  await daysLater(site, 5)
  await site.post('/api/shop/withdraw', {
    order,
    name: 'Aino Virtanen',
    email: 'aino@example.com',
    lines: [{ line: 1, quantity: 1 }],
    confirm: true,
  })
  await daysLater(site, 10)
  expect(reminders(site)).toEqual([])
  // Settled on 5 December: the rest is to be paid by the 14th, a Monday.
  const [stated] = await cases(site)
  await runOn(site, 'orders', 'withdrawals', 'settle', String(stated!.withdrawal))
  const { open } = (await balance(site, order)) as { open: number }
  await daysLater(site, 9)
  expect(reminders(site)).toEqual([])
  await daysLater(site, 1)
  expect(reminders(site).map(({ subject }) => subject)).toEqual(['Reminder: invoice 1001'])
  await daysLater(site, 15)
  const interest = Math.round((open * 15 * 95) / 365_000)
  expect(await balance(site, order)).toMatchObject({ open, charges: interest + 500 })
})

test('nobody is reminded twice of what is withdrawn, credited, cancelled or paid; parts count', async () => {
  using content = contentWith({ referenceRates })
  await using site = await siteOf(content)
  const place = (name: string) => owed(site, { email: `${name}@example.com` })
  const [part, withdrawn, credited, paid] = [
    await place('part'),
    await place('withdrawn'),
    await place('credited'),
    await place('paid'),
  ]
  await daysLater(site, 9)
  expect(reminders(site)).toHaveLength(4)
  await runOn(site, 'orders', 'paid', part.order, '--amount', '17.00')
  await runOn(site, 'orders', 'paid', paid.order)
  await runOn(site, 'orders', 'credit', credited.order, '--line', '1', '--reason', 'faulty')
  await site.post('/api/shop/withdraw', {
    order: withdrawn.order,
    name: 'Aino',
    email: 'withdrawn@example.com',
    confirm: true,
  })
  await daysLater(site, 15)
  const second = reminders(site).filter(({ subject }) => subject.startsWith('Second'))
  expect(second.map(({ to }) => to)).toEqual(['part@example.com'])
  expect(second[0]!.text).toContain('Paid so far')
  await daysLater(site, 15)
  const [row, ...others] = await collection(site)
  expect(others).toEqual([])
  expect(row).toMatchObject({ order: part.order, paid: '17.00', open: '100.00' })
  await runOn(
    site,
    'orders',
    'collection',
    '--hand-over',
    '--out',
    join(site.dataDir, 'agency.csv'),
  )
  expect(readFileSync(join(site.dataDir, 'agency.csv'), 'utf8')).toContain(part.order)
  expect(await collection(site)).toEqual([])
  expect(await collection(site, '--all')).toHaveLength(1)
})

test('without a row for the half-year no interest is claimed, and staff are told to add it', async () => {
  using content = contentWith({ referenceRates: [{ from: '2026-01-01', percent: 2.5 }] })
  await using site = await siteOf(content)
  const { order } = await owed(site)
  await daysLater(site, 9)
  await daysLater(site, 15)
  expect(await balance(site, order)).toMatchObject({ charges: 0 })
  const second = reminders(site).find(({ subject }) => subject.startsWith('Second'))!
  expect(second.text).not.toContain('interest')
  expect(await runOn(site, 'doctor').catch(String)).toContain(
    'the reference rates in books.json end on 30 June 2026',
  )
})

test('what is credited whole after its charges owes nothing, charges neither', async () => {
  using content = contentWith({ referenceRates, late: { consumerFee: 500 } })
  await using site = await siteOf(content)
  const { order } = await owed(site)
  await daysLater(site, 9)
  await daysLater(site, 15)
  await runOn(site, 'orders', 'paid', order, '--amount', '10.00')
  await runOn(site, 'orders', 'credit', order, '--line', '1', '--reason', 'faulty')
  expect(await balance(site, order)).toMatchObject({
    state: 'refunded',
    charges: 0,
    paid: 0,
    open: 0,
  })
})

test('page, desk and emails ask for what the second reminder asks for, until its last cent is paid', async () => {
  using content = contentWith({ referenceRates, late: { consumerFee: 500 } })
  await using site = await siteOf(content)
  const { order, token, total } = await owed(site)
  await daysLater(site, 9)
  await daysLater(site, 15)
  const { headers } = await signIn(site, ['desk'])
  const { charges } = (await balance(site, order)) as { charges: number }
  expect(charges).toBeGreaterThan(500)
  await site.post(`/api/shop/orders/${token}/code`, {})
  const code = orderCodes(site)[0]!
  const opened = await site.post(`/api/shop/orders/${token}/code`, { code })
  const cookie = [opened.headers['set-cookie']].flat()[0]!.split(';')[0]!
  const page = async () => {
    const { json } = await site.get(`/api/shop/orders/${token}`, { headers: { Cookie: cookie } })
    return (json as OrderView).details!.invoice!
  }
  const due = total + charges
  expect(await page()).toMatchObject({
    open: due,
    charges: [
      { name: 'Late interest', amount: charges - 500 },
      { name: 'Reminder fee', amount: 500 },
    ],
    barcode: expect.stringContaining(String(due).padStart(8, '0')),
  })
  const desk = async () => {
    const { json } = await site.get(`/api/desk/things/orders/${order}`, { headers })
    return json as DeskThing
  }
  const paying = ({ acts }: DeskThing) => acts.find(({ act }) => act === 'paid')
  const amountOf = (thing: DeskThing) =>
    paying(thing)?.fields.find(({ name }) => name === 'amount')?.value
  expect(amountOf(await desk())).toBe((due / 100).toFixed(2))

  // The buyer pays the invoice alone, then the rest.
  await runOn(site, 'orders', 'paid', order, '--amount', (total / 100).toFixed(2))
  await settled(site)
  const arrived = mailFiles(site.dataDir).find(({ subject }) => subject.endsWith('has arrived'))!
  expect(arrived.text).not.toContain('Nothing is left to pay')
  expect(arrived.text).toContain(`€${(charges / 100).toFixed(2)} of what paying late has cost`)
  const after = await desk()
  expect(after.facts).toContainEqual({
    name: 'Open for paying late',
    text: `€${(charges / 100).toFixed(2)}`,
  })
  expect(amountOf(after)).toBe((charges / 100).toFixed(2))
  await runOn(site, 'orders', 'paid', order)
  expect(paying(await desk())).toBeUndefined()
  expect(await balance(site, order)).toMatchObject({ open: 0, charges: 0, paid: due })
})

test('a collection agency gets the whole address, with its second line and its state', async () => {
  using content = contentWith({ referenceRates })
  await using site = await siteOf(content)
  await owed(site, {
    street: '500 West 16th Street',
    street2: 'Apartment 7B',
    postcode: '46222',
    city: 'Speedway',
    country: 'US',
    state: 'IN',
    phone: '+13175550100',
    // Without VAT.
    expectedTotal: 9324,
  })
  for (const days of [8, 14, 14]) await daysLater(site, days)
  expect(await collection(site)).toMatchObject([
    { street2: 'Apartment 7B', city: 'Speedway', region: 'IN', country: 'US' },
  ])
  const [row] = parse(await runOn(site, 'orders', 'collection'), { bom: true, columns: true })
  expect(row).toMatchObject({ street2: 'Apartment 7B', region: 'IN' })
})

test('a second reminder of an invoice that is paid in part asks for the rest', async () => {
  using content = contentWith({ referenceRates })
  await using site = await siteOf(content)
  const { order } = await owed(site)
  await runOn(site, 'orders', 'paid', order, '--amount', '20.00')
  const other = await owed(site, { email: 'other@example.com' })
  for (const days of [9, 15]) await daysLater(site, days)
  const second = reminders(site).filter(({ subject }) => subject.startsWith('Second'))
  const of = (address: string) => second.find(({ to }) => to.includes(address))!.text
  expect(other.order).not.toBe(order)
  expect(of('aino@example.com')).toContain(
    'still not paid in full after our first reminder. Please pay the rest within 14 days',
  )
  expect(of('other@example.com')).toContain('still unpaid after our first reminder. Please pay it')
})

test('the reminder of an order that ends unpaid says when, unless a part of it is paid in money', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  const { order } = await orderByInvoice(site, [files])
  await orderByInvoice(site, [files], { email: 'mikko@example.com' })
  const { code } = await newCard(site, '50')
  const { visitor } = await withCard(site, code, [files])
  await orderCart(visitor, { email: 'liisa@example.com' })
  await runOn(site, 'orders', 'paid', order, '--amount', '10.00')
  await daysLater(site, 9)
  const textTo = (address: string) => reminders(site).find(({ to }) => to.includes(address))!.text
  const end = 'If it stays unpaid, the order ends on 1 December 2026.'
  expect(textTo('mikko@example.com')).toContain(end)
  expect(textTo('aino@example.com')).not.toContain('ends on')
  // What a gift card pays goes back onto it as the order ends.
  expect(textTo('liisa@example.com')).toContain(end)
})

test('an invoice that is due on a holiday is late only after the working day that follows', async () => {
  using content = contentWith({ referenceRates })
  await using site = await siteOf(content)
  await daysLater(site, 29)
  const { order, total } = await owed(site)
  const documents = await runOn(site, 'orders', 'documents', order, '--json')
  expect(JSON.parse(documents)).toMatchObject([{ due: '2026-12-26' }])
  const seen = () => [
    site.context.features.orders.actions.lateInvoices().length,
    reminders(site).length,
  ]
  // Saint Stephen’s Day is a Saturday: Monday the 28th is in time.
  await daysLater(site, 9)
  expect(seen()).toEqual([0, 0])
  await daysLater(site, 1)
  expect(seen()).toEqual([1, 1])
  // From the 29th to the 31st; the table of rates ends there.
  await daysLater(site, 14)
  expect(await balance(site, order)).toMatchObject({
    charges: Math.round((total * 3 * 95) / 365_000),
  })
})

test('an order whose invoice is paid on its last day does not end before the money can be here', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  // Due on Friday 27 November; a transfer of that evening is booked on Monday, and read on Tuesday.
  const { order, total } = await orderByInvoice(site, [files])
  await daysLater(site, 11)
  expect(await balance(site, order)).toMatchObject({ state: 'open' })
  const file = join(site.dataDir, 'bank.csv')
  writeFileSync(
    file,
    statement([(total / 100).toFixed(2).replace('.', ','), '10016', 'A1'] as const),
  )
  expect(await runOn(site, 'orders', 'match', file)).toContain('1 paid')
  expect(await balance(site, order)).toMatchObject({ state: 'paid' })
  await settled(site)
  // The day of the statement, as the books have it, not that on which someone read it.
  const told = mailFiles(site.dataDir).find(({ subject }) => subject.includes('has arrived'))!
  expect(told.text).toMatch(/Paid on\s+21 November 2026/)
  const other = await orderByInvoice(site, [files])
  await daysLater(site, 12)
  expect(await balance(site, other.order)).toMatchObject({ state: 'expired' })
})
