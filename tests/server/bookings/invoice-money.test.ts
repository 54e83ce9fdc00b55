import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DeskThing } from '#shared/desk/things.ts'
import { agreed, last, open } from '../../support/agreed-booking.ts'
import { statement } from '../../support/bank-statement.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { book } from '../../support/bookings.ts'
import { settled } from '../../support/enquiry.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'
import { startStripe } from '../../support/stripe-double.ts'
import { hook } from '../../support/stripe-orders.ts'

test('late interest is paid by card with its invoice, and let go it leaves a page that asks for less', async () => {
  await using stripe = await startStripe()
  await using opened = await open(stripe)
  const { site, news } = opened
  const { deposit, post, view, paid, reference } = await agreed(site)
  // Due on 4 December; the second reminder comes 14 days after the first.
  for (const days of [16, 15]) {
    site.clock.advance(days * 86_400_000)
    await site.context.jobs.runDue()
  }
  const second = (await news()).find(({ subject }) => subject.startsWith('Second reminder'))!
  const [document] = (await view()).documents
  const { charges } = document!
  expect(charges).toBeGreaterThan(0)
  expect(document).toMatchObject({ open: 50_200 + charges, total: 50_200, isPayableByCard: true })
  const euros = (cents: number) => `€${(cents / 100).toFixed(2)}`
  expect(second.text).toContain(euros(50_200 + charges))
  await post('pay')
  expect(last(stripe)).toMatchObject({ amount_total: 50_200 + charges, status: 'open' })
  await runOn(site, 'orders', 'waive', deposit.order)
  await site.context.jobs.runDue()
  expect(last(stripe).status).toBe('expired')
  await post('pay')
  expect(last(stripe)).toMatchObject({ amount_total: 50_200, status: 'open' })
  expect((await hook(site, stripe.event(stripe.pay(last(stripe))))).status).toBe(200)
  expect((await view()).documents).toMatchObject([{ state: 'paid', open: 0, charges: 0 }])
  expect([paid(), stripe.refunds]).toEqual([50_200, []])
  const [receipt] = (await news()).filter(({ subject }) => subject.includes(reference))
  expect(receipt!.text).toContain('Invoice 1001 is paid.')
})

test('desk and command line say by which ways the money of an invoice goes back', async () => {
  await using stripe = await startStripe()
  await using opened = await open(stripe)
  const { site } = opened
  const { headers } = await signIn(site, ['desk'])
  const { deposit, post } = await agreed(site)
  await runOn(site, 'orders', 'paid', deposit.order, '--amount', '200.00')
  await post('pay')
  await hook(site, stripe.event(stripe.pay(last(stripe))))
  const { json } = await site.get(`/api/desk/things/orders/${deposit.order}`, { headers })
  const refund = (json as DeskThing).acts.find(({ act }) => act === 'refund')!
  expect(refund.hint).toContain(
    '€302.00 is refunded to the buyer through Stripe; €200.00 is refunded to the buyer, which you pay at the bank.',
  )
  const told = await runOn(site, 'orders', 'refund', deposit.order)
  expect(told).toContain('€302.00 is refunded through Stripe.')
  // Told to pay all of it at the bank, staff would have paid the card's part twice.
  expect(told).toContain('Refund €200.00 to the buyer')
  await site.context.jobs.runDue()
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([30_200])
})

test('a payment that staff recorded with a note of their own is known again in the statement', async () => {
  await using opened = await open(null)
  const { site } = opened
  const { deposit, paid } = await agreed(site)
  site.clock.advance(2 * 86_400_000)
  await runOn(site, 'orders', 'paid', deposit.order, '--note', 'from the bank app')
  const file = join(site.dataDir, 'bank.csv')
  writeFileSync(file, statement(['502,00', '10016', 'A1']))
  expect(await runOn(site, 'orders', 'match', file)).toContain('1 already recorded')
  expect(paid()).toBe(50_200)
})

test('what was offered without VAT is the net amount of the invoice, however its lines are rounded', async () => {
  await using site = await startSite({ sending: false })
  const { json } = await book(site, { email: 'jonas@example.com' })
  const reference = String(json?.reference)
  // Each with VAT is half a cent, so rounded by themselves they make €890.01 and its VAT.
  const lines = ['--line', 'Friday=445.00', '--line', 'Saturday=445.00']
  await runOn(site, 'bookings', 'offer', reference, ...lines)
  const shown = async () =>
    JSON.parse(await runOn(site, 'bookings', 'show', reference, '--json')) as {
      total: number
      documents: { order: string; total: number }[]
    }
  expect((await shown()).total).toBe(111_695)
  const token = String(json?.url).split('/').at(-1)
  await site.post(`/api/bookings/by-link/${token}/accept`, {})
  await site.post(`/api/bookings/by-link/${token}/billing`, {
    street: 'Testikatu 1',
    postcode: '00100',
    city: 'Helsinki',
    country: 'FI',
  })
  await runOn(site, 'bookings', 'invoice', reference, '--send')
  const [document] = (await shown()).documents
  expect(document!.total).toBe(111_695)
  const { ofNumber, invoiceOf } = site.context.features.orders.actions
  expect(invoiceOf(ofNumber(document!.order)!)!.document.vat).toEqual([
    { rate: 25.5, net: 89_000, vat: 22_695, gross: 111_695 },
  ])
})

/** A booking over €376.50 with an invoice for all of it, whose email waits. */
async function invoicedWithoutMail(site: Site, email: string) {
  const { json } = await book(site, { email, from: '2026-11-30', to: '2026-11-30' })
  const reference = String(json?.reference)
  await runOn(site, 'bookings', 'offer', reference, '--line', 'Work=300.00')
  const token = String(json?.url).split('/').at(-1)
  await site.post(`/api/bookings/by-link/${token}/accept`, {})
  await runOn(site, 'bookings', 'invoice', reference, '--send')
  const { documents } = JSON.parse(await runOn(site, 'bookings', 'show', reference, '--json')) as {
    documents: [{ order: string; invoice: number }]
  }
  return { reference, ...documents[0] }
}

test('an invoice whose email was late says what is paid, what was taken off, and nothing once it is credited', async () => {
  await using site = await startSite({ sending: false })
  const over = await invoicedWithoutMail(site, 'over@example.com')
  await runOn(site, 'orders', 'paid', over.order, '--amount', '100.00')
  await runOn(site, 'bookings', 'cancel', over.reference, '--because', 'customer')
  // What was paid has moved to the invoice of the fee, and is said there alone.
  const shown = await runOn(site, 'bookings', 'show', over.reference)
  expect(shown).toContain(`invoice ${over.invoice}, €376.50, €0.00 paid, cancelled`)
  expect(shown).toContain('€100.00 paid by bank transfer, open')
  const less = await invoicedWithoutMail(site, 'less@example.com')
  await runOn(site, 'orders', 'credit', less.order, '--amount', '76.50', '--reason', 'Shorter day')
  const part = await invoicedWithoutMail(site, 'part@example.com')
  await runOn(site, 'orders', 'paid', part.order, '--amount', '100.00')
  await runOn(site, 'orders', 'credit', part.order, '--amount', '76.50', '--reason', 'Shorter day')
  site.context.outbox.start()
  await settled(site)
  const mails = mailFiles(site.dataDir)
  const aboutInvoice = ({ invoice }: { invoice: number }) =>
    mails.filter(({ subject }) => subject.startsWith(`Invoice ${invoice} for booking`))
  // Its credit note has an email of its own, which says where the money went.
  expect(aboutInvoice(over)).toEqual([])
  expect(aboutInvoice(less)[0]!.text).toContain(
    'Here’s the invoice. We’ve taken €76.50 off it since. Please pay the remaining €300.00',
  )
  expect(aboutInvoice(part)[0]!.text).toContain(
    'What you’ve already paid covers €100.00 of it. We’ve taken €76.50 off it since. Please pay the remaining €200.00',
  )
})

test('staff who take an invoice back tell the client of that invoice, not that an order or the booking has ended', async () => {
  await using site = await startSite({ sending: false })
  const unpaid = await invoicedWithoutMail(site, 'unpaid@example.com')
  await runOn(site, 'orders', 'cancel', unpaid.order)
  const paid = await invoicedWithoutMail(site, 'paid@example.com')
  await runOn(site, 'orders', 'paid', paid.order)
  await runOn(site, 'orders', 'refund', paid.order)
  await runOn(site, 'orders', 'payouts', 'account', '1', 'FI2112345600000785')
  await runOn(site, 'orders', 'payouts-done', '1')
  site.context.outbox.start()
  await settled(site)
  const mails = mailFiles(site.dataDir)
  const of = ({ invoice }: { invoice: number }) =>
    mails.find(({ subject }) => subject.endsWith(`for invoice ${invoice}`))!
  expect(of(unpaid).text).toContain(
    `The attached credit note cancels invoice ${unpaid.invoice}. Please don’t pay it.`,
  )
  expect(of(paid).text).toContain('We’ll refund €376.50 by bank transfer within 14 days')
  const gone = mails.find(({ subject }) => subject.startsWith('We’ve paid back €376.50'))!
  expect(gone.text).toContain('the invoice was cancelled')
  for (const { to, subject, text } of mails) {
    if (to.includes('paid@example')) expect(`${subject} ${text}`).not.toMatch(/order A-/i)
  }
  const { state } = JSON.parse(await runOn(site, 'bookings', 'show', paid.reference, '--json')) as {
    state: string
  }
  expect(state).toBe('confirmed')
})
