import { expect, test } from 'vitest'
import { dateRange, longDate } from '#shared/dates/date-format.ts'
import { book } from '../support/bookings.ts'
import { runOn } from '../support/in-process-cli.ts'
import { toBeWhole } from '../support/orders.ts'
import { startSite, type Site } from '../support/site.ts'

/** A booking, and what invoices it. */
async function booked(site: Site, { confirmed = true } = {}) {
  const { reference } = (await book(site)).json as { reference: string }
  if (confirmed) {
    const staff = { name: 'mika', isVisitor: false }
    const { actions } = site.context.features.bookings
    await actions.confirm(reference, staff, null)
    const address = { street: 'Ratakatu 1', postcode: '96100', city: 'Rovaniemi' }
    await actions.setBilling(reference, staff, address as never)
  }
  const { orders, invoiceOf } = site.context.features.orders.actions
  return {
    reference,
    invoice: (...args: string[]) =>
      runOn(site, 'bookings', 'invoice', reference, '--send', ...args),
    orders: () =>
      [...orders.list()].map((order) => {
        toBeWhole(order, invoiceOf(order)!)
        return { number: order.number, total: order.total, title: order.lines[0]!.title }
      }),
  }
}

test('a confirmed booking becomes an order with an invoice, once', async () => {
  await using site = await startSite({ sending: false })
  const { invoice, orders, reference } = await booked(site)
  expect(await invoice('--amount', '500.00')).toContain('invoice 1001 over €500.00')
  const [made] = orders()
  await expect(invoice()).rejects.toThrow(`already fully invoiced: order ${made!.number}`)
  await expect(invoice('--amount', '900.00')).rejects.toThrow(made!.number)
  await expect(runOn(site, 'orders', 'from-booking', reference, '--send')).rejects.toThrow(
    made!.number,
  )
  expect(site.context.mails.list().map(({ kind }) => kind)).toContain('bookingInvoice')
  // The work is supplied on the days of the booking.
  const { actions } = site.context.features.bookings
  const { from, to } = actions.find(reference)
  const { invoices } = site.context.features.orders.actions
  expect(invoices.list()[0]!.document).toMatchObject({ suppliedFrom: from, suppliedOn: to })
  const html = await runOn(site, 'orders', 'invoice', made!.number, '--html')
  expect(html).toContain(`<dd>${from === to ? longDate(to) : dateRange(from, to)}</dd>`)
})

test('only confirmed bookings get an invoice', async () => {
  await using site = await startSite({ sending: false })
  const { invoice, orders } = await booked(site, { confirmed: false })
  await expect(invoice('--amount', '500.00')).rejects.toThrow('requested')
  expect(orders()).toEqual([])
})

test('after a deposit the second invoice is over the rest, and a third is refused', async () => {
  await using site = await startSite({ sending: false })
  const { invoice, orders, reference } = await booked(site)
  expect(await invoice('--amount', '500.01', '--deposit', '30')).toContain('over €150.00')
  await expect(invoice('--deposit', '20')).rejects.toThrow('already has a deposit invoice')
  await expect(invoice('--amount', '150.00')).rejects.toThrow('no more than the deposit')
  expect(await invoice()).toContain('invoice 1002 over €350.01')
  const [deposit, rest] = orders()
  expect(deposit!.title).toMatch(/^Deposit of 30 %: /)
  expect(rest!.title).toMatch(/^Balance of €500\.01 after the deposit \(invoice 1001\): /)
  expect(deposit!.total + rest!.total).toBe(50_001)
  const both = `Booking ${reference} is already fully invoiced: order ${deposit!.number} and ${rest!.number}.`
  await expect(invoice()).rejects.toThrow(both)
  await expect(invoice('--amount', '900.00')).rejects.toThrow(both)
  expect(orders()).toHaveLength(2)
})

test('the rest follows another whole, and comes again when it was cancelled', async () => {
  await using site = await startSite({ sending: false })
  const { invoice, orders } = await booked(site)
  await invoice('--amount', '500.00', '--deposit', '30')
  expect(await invoice('--amount', '600.00')).toContain('over €450.00')
  await runOn(site, 'orders', 'cancel', orders()[1]!.number)
  expect(await invoice()).toContain('over €350.00')
})
