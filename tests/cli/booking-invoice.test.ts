import { expect, test } from 'vitest'
import { book } from '../support/bookings.ts'
import { runOn } from '../support/in-process-cli.ts'
import { toBeWhole } from '../support/orders.ts'
import { startSite, type Site } from '../support/site.ts'

/** A booking, and what invoices it. */
async function booked(site: Site, { confirmed = true } = {}) {
  const { reference } = (await book(site)).json as { reference: string }
  if (confirmed) {
    const staff = { name: 'mika', isVisitor: false }
    await site.context.features.bookings.actions.confirm(reference, staff, null)
  }
  const { orders, invoiceOf } = site.context.features.orders.actions
  return {
    reference,
    invoice: (...args: string[]) => runOn(site, 'bookings', 'invoice', reference, ...args),
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
  await expect(invoice()).rejects.toThrow(`invoiced whole already: order ${made!.number}`)
  await expect(invoice('--amount', '900.00')).rejects.toThrow(made!.number)
  await expect(runOn(site, 'orders', 'from-booking', reference)).rejects.toThrow(made!.number)
  expect(site.context.mails.list().map(({ kind }) => kind)).toContain('orderConfirmed')
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
  await expect(invoice('--deposit', '20')).rejects.toThrow('has a deposit invoice already')
  await expect(invoice('--amount', '150.00')).rejects.toThrow('no more than the deposit')
  expect(await invoice()).toContain('invoice 1002 over €350.01')
  const [deposit, rest] = orders()
  expect(deposit!.title).toMatch(/^Deposit of 30 %: /)
  expect(rest!.title).toMatch(/^Rest of €500\.01 after the deposit \(invoice 1001\): /)
  expect(deposit!.total + rest!.total).toBe(50_001)
  const both = `Booking ${reference} is invoiced whole already: order ${deposit!.number} and ${rest!.number}.`
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
