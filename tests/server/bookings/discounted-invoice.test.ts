import { expect, test } from 'vitest'
import { sum } from '#shared/money.ts'
import { book } from '../../support/bookings.ts'
import { credit, shownOrder } from '../../support/credits.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { startSite, type Site } from '../../support/site.ts'
import { mailTo } from '../../support/withdrawals.ts'

/** A booking over €1,255 with €125.50 for travel, less a discount of €376.50: €1,004 in all. */
async function discounted(site: Site) {
  const reply = await book(site, { from: '2027-02-10', to: '2027-02-10' })
  const token = String(reply.json?.url).split('/').at(-1)!
  const reference = String(reply.json?.reference)
  const post = (act: string, body: object = {}) =>
    site.post(`/api/bookings/by-link/${token}/${act}`, body)
  await post('billing', {
    street: 'Ratakatu 1',
    postcode: '96100',
    city: 'Rovaniemi',
    country: 'FI',
  })
  const price = ['--line', 'Work=1000.00', '--travel', '100.00', '--discount', '300.00']
  await runOn(site, 'bookings', 'offer', reference, ...price)
  expect((await post('accept')).status).toBe(200)
  const { orders } = site.context.features.orders.actions
  return {
    invoice: (...asked: string[]) =>
      runOn(site, 'orders', 'from-booking', reference, '--send', ...asked),
    orders: () => orders.ofBooking(reference),
  }
}

test('no more is credited than the invoice of a booking came to, whatever its discount took off', async () => {
  await using site = await startSite()
  const { invoice, orders } = await discounted(site)
  await invoice()
  const { id, number: order } = orders()[0]!
  await runOn(site, 'orders', 'paid', order)
  const before = await shownOrder(site, order)
  expect(before).toMatchObject({ total: 100_400, paid: 100_400 })

  await expect(credit(site, order, '--line', '1')).rejects.toThrow(
    'That’s €1,255.00, and the invoice has €1,004.00 left. Line 3 is a discount',
  )
  await expect(credit(site, order, '--line', '3')).rejects.toThrow('has to take something off')
  await expect(credit(site, order, '--line', '3=10.00')).rejects.toThrow('more than is left')
  expect(await shownOrder(site, order)).toEqual(before)

  await credit(site, order, '--amount', '100.00')
  await credit(site, order, '--line', '1', '3')
  await credit(site, order, '--line', '2')
  const documents = site.context.features.orders.actions.invoices.ofOrder(id)
  expect(sum(documents.map(({ total }) => total))).toBe(0)
  expect(sum(documents.flatMap(({ document }) => document.vat.map(({ vat }) => vat)))).toBe(0)
  expect(await shownOrder(site, order)).toMatchObject({ credited: 100_400, paid: 0, open: 0 })
})

test('a discount is invoiced with what it’s taken off, so that no invoice is below zero or above the price', async () => {
  await using site = await startSite()
  const { invoice, orders } = await discounted(site)
  await expect(invoice('--lines', '3')).rejects.toThrow('comes to −€376.50')
  await expect(invoice('--lines', '1')).rejects.toThrow(
    'comes to €1,255.00, and €1,004.00 is left to invoice. Invoice the discount together',
  )
  expect(orders()).toEqual([])
  await invoice('--lines', '2')
  await expect(invoice('--lines', '1')).rejects.toThrow('€878.50 is left to invoice')
  await invoice('--lines', '1,3')
  expect(sum(orders().map(({ total }) => total))).toBe(100_400)
})

test('a withdrawal from an invoice with a discount gives back what it came to', async () => {
  await using site = await startSite()
  const { invoice, orders } = await discounted(site)
  await invoice()
  const { number } = orders()[0]!
  await runOn(site, 'orders', 'paid', number)
  const { email, name } = orders()[0]!
  const reply = await site.post('/api/shop/withdraw', { order: number, name, email, confirm: true })
  expect(reply.status).toBe(200)
  const { actions } = site.context.features.orders
  const [found] = actions.withdrawals.ofOrder(actions.ofNumber(number)!)
  await runOn(site, 'orders', 'withdrawals', 'settle', String(found!.withdrawal.id))
  expect(await shownOrder(site, number)).toMatchObject({ credited: 100_400, paid: 0, open: 0 })
})

test.each([
  [[1], [87_850]],
  [
    [2, 1],
    [12_550, 100_400],
  ],
  [
    [1, 2],
    [87_850, 100_400],
  ],
])(
  'a withdrawal from lines %j of an invoice with a discount gives back what is left when the others are paid',
  async (chosen, credited) => {
    await using site = await startSite()
    const { actions } = site.context.features.orders
    const { invoice, orders } = await discounted(site)
    await invoice()
    const { number, name, email } = orders()[0]!
    await runOn(site, 'orders', 'paid', number)
    const withdraw = (line: number) => {
      const lines = [{ line, quantity: 1 }]
      return site.post('/api/shop/withdraw', { order: number, name, email, lines, confirm: true })
    }
    const asked = await site.post('/api/shop/withdraw', { order: number, name, email })
    expect(asked.json).toMatchObject({ lines: [{ line: 1 }, { line: 2, title: 'Travel' }] })
    // The discount is no line to withdraw from.
    expect((await withdraw(3)).status).toBe(400)
    for (const [at, line] of chosen.entries()) {
      expect((await withdraw(line)).status).toBe(200)
      const { id } = actions.withdrawals.ofOrder(actions.ofNumber(number)!).at(-1)!.withdrawal
      await runOn(site, 'orders', 'withdrawals', 'settle', String(id))
      expect(await shownOrder(site, number)).toMatchObject({
        credited: credited[at],
        paid: 100_400 - credited[at]!,
        open: 0,
      })
    }
    await settled(site)
    const [acknowledged] = mailTo(site, 'We have received your withdrawal')
    expect(acknowledged!.text).toContain('We pay back what you have paid for this within 14 days.')
  },
)
