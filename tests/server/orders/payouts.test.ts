import { XMLParser } from 'fast-xml-parser'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pain001 } from '#server/orders/payment/pain001.ts'
import { camt } from '../../support/bank-statement.ts'
import { book } from '../../support/bookings.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'

const files = ['northern-light-colour-looks', 'single', 1] as const

const export_ = (site: Site, ...told: string[]) => {
  const out = join(site.dataDir, 'pain.xml')
  return runOn(site, 'orders', 'payouts', 'export', '--out', out, ...told)
}
const written = (site: Site) => readFileSync(join(site.dataDir, 'pain.xml'), 'utf8')
const payouts = async (site: Site, ...told: string[]) =>
  JSON.parse(await runOn(site, 'orders', 'payouts', '--json', ...told)) as Record<string, unknown>[]

/** Two orders that are paid, one with an account in the statement, and both paid back. */
async function twoRefunds(site: Site) {
  const [first, second] = [await orderByInvoice(site, [files]), await orderByInvoice(site, [files])]
  const file = join(site.dataDir, 'statement.xml')
  const amount = (first.total / 100).toFixed(2)
  writeFileSync(
    file,
    camt([
      { amount, reference: '10016', id: 'A1', iban: 'FI2112345600000785' },
      { amount, reference: '10029', id: 'A2' },
    ]),
  )
  expect(await runOn(site, 'orders', 'match', file)).toContain('2 paid')
  await runOn(site, 'orders', 'refund', first.order)
  await runOn(site, 'orders', 'refund', second.order)
  return { first, second, amount }
}

test('refunds leave in one file for the bank, each of them once, by the account they came from', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  const { first, amount } = await twoRefunds(site)
  // In a file for a day that the bank refuses, they could go into no other one.
  for (const on of ['2026-11-19', '2062-11-23']) {
    await expect(export_(site, '--on', on)).rejects.toThrow('The bank can’t pay on')
  }
  const said = await export_(site, '--on', '2026-11-23')
  expect(said).toContain('File 1: 1 transfer,')
  expect(said).toContain('Payout 2')
  expect(said).toContain('has no account')
  const xml = written(site)
  const { Document } = new XMLParser({ parseTagValue: false }).parse(xml) as {
    Document: {
      CstmrCdtTrfInitn: { GrpHdr: Record<string, string>; PmtInf: Record<string, unknown> }
    }
  }
  const { GrpHdr, PmtInf } = Document.CstmrCdtTrfInitn
  expect(GrpHdr).toMatchObject({
    NbOfTxs: '1',
    CtrlSum: amount,
    InitgPty: { Nm: 'Apex North Media Oy' },
  })
  // The sequence of PaymentInstruction30 and CreditTransferTransaction34.
  expect(Object.keys(PmtInf)).toEqual(
    'PmtInfId PmtMtd NbOfTxs CtrlSum PmtTpInf ReqdExctnDt Dbtr DbtrAcct DbtrAgt ChrgBr CdtTrfTxInf'.split(
      ' ',
    ),
  )
  expect(PmtInf).toMatchObject({
    ReqdExctnDt: { Dt: '2026-11-23' },
    DbtrAcct: { Id: { IBAN: 'FI3715903000000776' } },
    DbtrAgt: { FinInstnId: { BICFI: 'NDEAFIHH' } },
    CdtTrfTxInf: {
      Cdtr: { Nm: 'Äijö Son - Racing' },
      CdtrAcct: { Id: { IBAN: 'FI2112345600000785' } },
    },
  })
  expect(Object.keys(PmtInf.CdtTrfTxInf as object)).toEqual([
    'PmtId',
    'Amt',
    'Cdtr',
    'CdtrAcct',
    'RmtInf',
  ])
  expect(xml).toContain(first.order)

  // Nothing is in two files, and a lost one can be written again, word for word.
  await expect(export_(site)).rejects.toThrow('No account for payout 2')
  await runOn(
    site,
    'orders',
    'payouts',
    'export',
    '--again',
    '1',
    '--out',
    join(site.dataDir, 'again.xml'),
  )
  expect(readFileSync(join(site.dataDir, 'again.xml'), 'utf8')).toBe(xml)

  await expect(
    runOn(site, 'orders', 'payouts', 'account', '2', 'FI2112345600000786'),
  ).rejects.toThrow('IBAN')
  await runOn(
    site,
    'orders',
    'payouts',
    'account',
    '2',
    'DE89 3704 0044 0532 0130 00',
    '--name',
    'Aino V',
  )
  expect(await export_(site)).toContain('File 2: 1 transfer,')
  expect(written(site)).toContain('DE89370400440532013000')
  await expect(
    runOn(site, 'orders', 'payouts', 'account', '2', 'FI2112345600000785'),
  ).rejects.toThrow('file')
  await expect(export_(site)).rejects.toThrow('Nothing to pay')
  expect(await payouts(site)).toMatchObject([{ file: 1 }, { file: 2 }])

  // A slip in the number isn't a file of which everything has been noted.
  await expect(runOn(site, 'orders', 'payouts-done', '--file', '7')).rejects.toThrow(
    'Bank file not found: 7',
  )
  await runOn(site, 'orders', 'payouts-done', '--file', '1')
  expect(await payouts(site)).toMatchObject([{ payout: 2 }])
  await settled(site)
  const mails = mailFiles(site.dataDir)
  const mail = mails.find(({ subject }) => subject.startsWith('We’ve paid back'))!
  expect(mail.text).toContain('… 0785')
  expect(mail.text).toContain('20 November 2026')
  expect(mail.text).not.toContain('FI2112345600000785')
  const refunded = mails.find(({ subject }) => subject === `Order ${first.order} is refunded`)!
  expect(refunded.text).toMatch(/refund €\d+\.\d\d by bank transfer within 14 days/)
})

test('exports at once put each refund into one file only', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  await twoRefunds(site)
  const { actions } = site.context.features.orders
  const results = await Promise.allSettled(
    [1, 2, 3].map(() => actions.exportPayouts({ executeOn: '2026-11-23', actor: 'mika' })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a file that cannot be written is named, and can be written again', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  await twoRefunds(site)
  const nowhere = join(site.dataDir, 'no', 'such', 'folder', 'pain.xml')
  await expect(runOn(site, 'orders', 'payouts', 'export', '--out', nowhere)).rejects.toThrow(
    'payouts export --again 1',
  )
  const out = join(site.dataDir, 'late.xml')
  await runOn(site, 'orders', 'payouts', 'export', '--again', '1', '--out', out)
  expect(existsSync(out)).toBe(true)
})

test('names that SEPA has no letters for are written as far as it has', () => {
  const transfer = {
    endToEndId: 'E1',
    cents: 1,
    iban: 'FI2112345600000785',
    message: 'Ünïcode <b> "x" 日本',
  }
  const xml = pain001({
    message: 'M',
    madeAt: '2026-11-20T12:00:00',
    executeOn: '2026-11-20',
    debtor: { name: 'Åbo & Söner', iban: 'FI3715903000000776', bic: null },
    transfers: [
      { ...transfer, name: '日本' },
      { ...transfer, name: 'Łukasz Żółć' },
      { ...transfer, name: 'Bjørn Weiß-Ægir O’Neill' },
    ],
  })
  // Banks compare the name with that of the account.
  expect(xml).toContain('<Nm>Lukasz Zolc</Nm>')
  expect(xml).toContain('<Nm>Bjorn Weiss-AEgir O&apos;Neill</Nm>')
  expect(xml).toContain('<Nm>Åbo Söner</Nm>')
  expect(xml).toContain('<Nm>Customer</Nm>')
  expect(xml).toContain('<Ustrd>Unicode b x</Ustrd>')
  expect(xml).toContain('NOTPROVIDED')
  expect(xml).toContain('<CtrlSum>0.03</CtrlSum>')
})

test('money of a booking goes back with the booking and the invoice that its client knows', async () => {
  await using site = await startSite({ sending: false })
  const { json } = await book(site, { email: 'jonas@example.com' })
  const reference = String(json?.reference)
  const token = String(json?.url).split('/').at(-1)
  await runOn(site, 'bookings', 'offer', reference, '--line', 'Work=300.00')
  await site.post(`/api/bookings/by-link/${token}/accept`, {})
  await runOn(site, 'bookings', 'invoice', reference, '--send')
  const shown = JSON.parse(await runOn(site, 'bookings', 'show', reference, '--json')) as {
    documents: { order: string; invoice: number }[]
  }
  const [{ order, invoice }] = shown.documents as [{ order: string; invoice: number }]
  await runOn(site, 'orders', 'paid', order, '--amount', '400.00')
  await runOn(site, 'orders', 'pay-back', order)
  await runOn(site, 'orders', 'payouts', 'account', '1', 'FI2112345600000785')
  await export_(site)
  // No email to the client has named the order that the invoice is kept as.
  expect(written(site)).toContain(
    `<Ustrd>Booking ${reference}, invoice ${invoice}, overpaid</Ustrd>`,
  )
  expect(written(site)).toContain(`<EndToEndId>payout-${order}-1</EndToEndId>`)
})

test('money to send back waits at the desk and in the digest, first on its order and then on the list', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  const { order, total } = await orderByInvoice(site, [files])
  const other = await orderByInvoice(site, [files])
  const groups = async () =>
    Object.fromEntries(
      (
        JSON.parse(await runOn(site, 'today', '--json')) as {
          title: string
          lines: { title: string; detail: string }[]
        }[]
      )
        .filter(({ title }) => ['Overpaid orders', 'Refunds to pay'].includes(title))
        .map(({ title, lines }) => [title, lines.map((line) => `${line.title}: ${line.detail}`)]),
    )
  const counted = () =>
    site.context
      .contributions()
      .digest()
      .filter(({ group = '' }) => ['Overpaid orders', 'Refunds to pay'].includes(group))
      .map(({ count, group }) => [group, count])
  const file = join(site.dataDir, 'statement.xml')
  const amount = (total / 100).toFixed(2)
  const paid = { amount, reference: '10016' }
  // The buyer has paid twice; the other order is paid as it should be.
  const rows = [
    { ...paid, id: 'A1' },
    { ...paid, id: 'A2' },
    { amount, reference: '10029', id: 'A3' },
  ]
  writeFileSync(file, camt(rows))
  await runOn(site, 'orders', 'match', file)
  expect(await groups()).toEqual({
    'Overpaid orders': [
      `Order ${order}: Aino Virtanen · aino@example.com · €${amount} too much · paid`,
    ],
  })
  expect(counted()).toEqual([['Overpaid orders', 1]])
  await runOn(site, 'orders', 'pay-back', order)
  const payout = 'Aino Virtanen · aino@example.com'
  expect(await groups()).toEqual({
    'Refunds to pay': [
      `Payout 1, order ${order}: ${payout} · €${amount} to pay at the bank · ask for the IBAN`,
    ],
  })
  expect(counted()).toEqual([['Refunds to pay', 1]])
  await runOn(site, 'orders', 'payouts', 'account', '1', 'FI2112345600000785')
  await export_(site)
  expect((await groups())['Refunds to pay']![0]).toContain('in file 1')
  await runOn(site, 'orders', 'payouts-done', '--file', '1')
  // What is credited and paid back, or late and paid with its charges, isn't too much.
  await runOn(site, 'orders', 'refund', other.order)
  await runOn(site, 'orders', 'payouts-done', '2')
  expect([await groups(), counted()]).toEqual([{}, []])
})
