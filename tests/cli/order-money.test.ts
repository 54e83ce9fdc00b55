import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { decimal, parseEuros } from '#shared/money.ts'
import { statement } from '../support/bank-statement.ts'
import { settled } from '../support/enquiry.ts'
import { runOn } from '../support/in-process-cli.ts'
import { mailFiles } from '../support/mail-files.ts'
import { orderByInvoice } from '../support/shop.ts'
import { startSite, type Site } from '../support/site.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte', 2] as const
const files = ['winter-wallpapers', 'personal', 1] as const

/** The emails that tell of money which has come. */
async function paidMails(site: Site) {
  await settled(site)
  return mailFiles(site.dataDir).filter(({ subject }) => subject.startsWith('Your payment'))
}

const comma = (cents: number) => decimal(cents).replace('.', ',')

test('payment in parts sends one mail, with the last part', async () => {
  await using site = await startSite()
  const { order, token } = await orderByInvoice(site, [print])
  await runOn(site, 'orders', 'paid', order, '--amount', '100.00', '--note', 'cash')
  expect(await paidMails(site)).toEqual([])
  await runOn(site, 'orders', 'paid', order)
  const [mail] = await paidMails(site)
  expect(mail).toMatchObject({
    subject: `Your payment for order ${order} has arrived`,
    to: 'aino@example.com',
  })
  expect(mail!.text).toContain('20 November 2026')
  expect(mail!.html).toContain(token)
  expect(mail!.text).not.toContain('download')
  await runOn(site, 'orders', 'paid', order, '--amount', '1.00', '--note', 'by mistake')
  await runOn(site, 'orders', 'ship', order)
  expect(await paidMails(site)).toHaveLength(1)
})

test('matching a bank statement mails the buyers; a dry run and a repeat mail none', async () => {
  await using site = await startSite()
  const waived = await orderByInvoice(site, [files], { digitalWaiver: true })
  const kept = await orderByInvoice(site, [files])
  const file = join(site.dataDir, 'op.csv')
  writeFileSync(
    file,
    statement(
      [comma(waived.total), '10016', 'A1'],
      [comma(kept.total), '10029', 'A2'],
      [comma(kept.total), '10029', 'A3'],
    ),
  )
  await runOn(site, 'orders', 'match', file, '--rehearse')
  expect(await paidMails(site)).toEqual([])
  await runOn(site, 'orders', 'match', file)
  await runOn(site, 'orders', 'match', file)
  const mails = await paidMails(site)
  expect(mails).toHaveLength(2)
  const textOf = (order: string) => mails.find(({ subject }) => subject.includes(order))!.text
  expect(textOf(waived.order)).toContain('Your downloads are ready')
  expect(textOf(kept.order)).toContain('Your downloads open on 5 December 2026')
})

test('money for a cancelled order sends no thanks', async () => {
  await using site = await startSite()
  const { order } = await orderByInvoice(site, [print])
  await runOn(site, 'orders', 'cancel', order)
  const file = join(site.dataDir, 'op.csv')
  writeFileSync(file, statement(['178,00', '10016', 'A1'], ['1000,00', '10016', 'A2']))
  expect(await runOn(site, 'orders', 'match', file)).toContain('2 to refund')
  expect(await paidMails(site)).toEqual([])
  // What goes back was not too much for an order: there was none any more.
  await runOn(site, 'orders', 'pay-back', order)
  await settled(site)
  const [back] = mailFiles(site.dataDir).filter(({ subject }) => subject.startsWith('Overpaid'))
  expect(back!.text.replaceAll(/\s+/g, ' ')).toContain(
    'Your payment has arrived, but this order had ended, so you don’t owe it.',
  )
})

test('a refund goes back in the books, too: money, documents and orders add up to nothing', async () => {
  await using site = await startSite({ sending: false })
  const refunded = await orderByInvoice(site, [print, files])
  const cancelled = await orderByInvoice(site, [print])
  const sold = await orderByInvoice(site, [files])
  await runOn(site, 'orders', 'paid', refunded.order, '--on', '2026-11-20')
  await runOn(site, 'orders', 'paid', refunded.order, '--amount', '5.00', '--note', 'twice')
  await runOn(site, 'orders', 'paid', cancelled.order, '--amount', '10.00')
  await runOn(site, 'orders', 'paid', sold.order)
  site.clock.advance(3 * 86_400_000)
  expect(await runOn(site, 'orders', 'refund', refunded.order)).toContain(
    `Refund €${decimal(refunded.total + 500)}`,
  )
  expect(await runOn(site, 'orders', 'cancel', cancelled.order)).toContain('Refund €10.00')

  const { orders, invoices } = site.context.features.orders.actions
  const list = [...orders.list()]
  expect(list.map(({ id }) => orders.paid(id))).toEqual([0, 0, sold.total])
  const documents = invoices.list().reduce((sum, { total }) => sum + total, 0)
  expect(documents).toBe(sold.total)
  const rows = parse(await runOn(site, 'orders', 'export'), { bom: true, columns: true }) as Record<
    string,
    string
  >[]
  const sum = (column: string, of = rows) =>
    of.reduce((total, row) => total + parseEuros(row[column]!)!, 0)
  expect([sum('gross'), sum('net') + sum('vat')]).toEqual([sold.total, sold.total])
  const ofRefunded = rows.filter(({ order }) => order === refunded.order)
  expect([sum('gross', ofRefunded), sum('net', ofRefunded)]).toEqual([0, 0])
  const credits = rows.filter(({ kind }) => kind === 'credit note')
  expect(new Set(credits.map(({ paid }) => paid))).toEqual(new Set(['2026-11-23']))
  expect(ofRefunded[0]).toMatchObject({ kind: 'invoice', paid: '2026-11-20' })
})

test('cancelling a shipped, unpaid order takes it back and mentions no money', async () => {
  await using site = await startSite()
  const { order } = await orderByInvoice(site, [print], { company: 'Rally Oy' })
  await runOn(site, 'orders', 'ship', order, '--unpaid')
  expect(await runOn(site, 'orders', 'refund', order)).toBe(`${order}: shipped → refunded\n`)
  await settled(site)
  const mail = mailFiles(site.dataDir).findLast(({ subject }) => subject.includes(order))!
  expect(mail.text).not.toContain('refunded you')
})
