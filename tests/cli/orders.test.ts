import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { parseEuros } from '#shared/money.ts'
import { statement } from '../support/bank-statement.ts'
import { runOn } from '../support/in-process-cli.ts'
import { runCli } from '../support/run-cli.ts'
import { orderByInvoice } from '../support/shop.ts'
import { startSite, type Site } from '../support/site.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte'] as const
const postcards = ['paddock-postcards', 'box-of-twelve'] as const

/** Orders two prints and postcards. @returns the number of the order */
const order = async (site: Site, changes: Record<string, unknown> = {}) =>
  (
    await orderByInvoice(
      site,
      [
        [...print, 2],
        [...postcards, 1],
      ],
      changes,
    )
  ).order

type Shown = {
  order: string
  state: string
  payment: string
  total: number
  paid: number
  reference: string
  invoice: string
  lines: unknown[]
}

const list = async (site: Site, ...args: string[]) =>
  JSON.parse(await runOn(site, 'orders', 'list', '--json', ...args)) as Shown[]

test('orders are listed, shown, sent and cancelled, and wrong ones are told', async () => {
  await using site = await startSite({ sending: false })
  const [first, second] = [await order(site), await order(site)]
  expect(await list(site)).toMatchObject([
    {
      order: first,
      state: 'open',
      payment: 'invoice',
      total: expect.any(Number),
      reference: '10016',
      invoice: '1001',
      lines: [{ handle: print[0], variant: print[1], quantity: 2 }, { handle: postcards[0] }],
    },
    { order: second, invoice: '1002' },
  ])
  expect(await runOn(site, 'orders', 'ship', first.toLowerCase())).toBe(
    `${first}: open → shipped\n`,
  )
  expect(await runOn(site, 'orders', 'cancel', second)).toBe(`${second}: open → cancelled\n`)
  expect((await list(site, '--state', 'cancelled')).map((each) => each.order)).toEqual([second])
  const shown = await runOn(site, 'orders', 'show', second)
  expect(shown).toContain('cancelled')
  expect(shown).toContain('€')
  await expect(runOn(site, 'orders', 'show', 'A-NOTHING')).rejects.toThrow('no order A-NOTHING')
  await expect(runOn(site, 'orders', 'ship', second)).rejects.toThrow('cancelled')
})

test('money is recorded in parts, once, and the rest is told', async () => {
  await using site = await startSite({ sending: false })
  const number = await order(site)
  const paid = (...args: string[]) => runOn(site, 'orders', 'paid', number, ...args)
  expect(await paid('--amount', '100.00', '--note', 'cash')).toContain('still open')
  await expect(paid('--amount', '100.00', '--note', 'cash')).rejects.toThrow('recorded before')
  expect(await paid()).toBe(`${number}: paid\n`)
  await expect(paid()).rejects.toThrow('paid already')
  expect(await runOn(site, 'orders', 'refund', number)).toContain('pay €')
})

test('the bookkeeper gets a row for each document and rate, whose sums are those of the orders', async () => {
  await using site = await startSite({ sending: false })
  const name = '=HYPERLINK("x")'
  const [first, second] = [await order(site, { name }), await order(site)]
  await runOn(site, 'orders', 'paid', first, '--on', '2026-11-21')
  await runOn(site, 'orders', 'cancel', second)
  const out = await runOn(site, 'orders', 'export')
  const rows = parse(out, { bom: true, columns: true }) as Record<string, string>[]
  expect(Object.keys(rows[0]!).join(' ')).toBe(
    'document kind date order buyer country vatId rate net vat gross payment paid reference refersTo',
  )
  expect(rows.map(({ document, kind, refersTo }) => [document, kind, refersTo])).toEqual([
    ['1001', 'invoice', ''],
    ['1002', 'invoice', ''],
    ['1003', 'credit note', '1002'],
  ])
  expect(rows[0]).toMatchObject({ buyer: `'${name}`, paid: '2026-11-21', rate: '25.5' })
  const sum = (column: string, of = rows) =>
    of.reduce((total, row) => total + parseEuros(row[column]!)!, 0)
  expect(sum('gross')).toBe((await list(site))[0]!.total)
  expect(sum('net') + sum('vat')).toBe(sum('gross'))
  expect(sum('gross', rows.slice(1))).toBe(0)
  expect(rows[2]!.net).toMatch(/^-\d+\.\d\d$/)
  const later = await runOn(site, 'orders', 'export', '--format', 'json', '--from', '2026-11-21')
  expect(JSON.parse(later)).toEqual([])
})

test('the invoice is written as PDF and HTML, the packing slips as one PDF', async () => {
  await using site = await startSite({ sending: false })
  const name = 'Łukasz <b>Ødegård</b>'
  const numbers = [await order(site, { name }), await order(site)]
  const file = join(site.dataDir, 'invoice.pdf')
  const textOf = async () =>
    (await extractText(await getDocumentProxy(new Uint8Array(readFileSync(file))), {
      mergePages: false,
    })) as { text: string[] }
  await runOn(site, 'orders', 'invoice', numbers[0]!, '--out', file)
  expect((await textOf()).text[0]).toContain('Invoice 1001')
  const html = await runOn(site, 'orders', 'invoice', numbers[0]!, '--html')
  expect(html).toContain('<h1>Invoice 1001</h1>')
  expect(html).toContain('Łukasz &lt;b&gt;Ødegård&lt;/b&gt;')
  expect(html).toMatch(/<dt>Virtual barcode<\/dt>\s*<dd>(\d{54})<\/dd>/)
  // 27 pairs of digits in Code 128 C are 332 bars and gaps wide, with ten of white at either side.
  expect(html).toMatch(
    /<svg role="img" aria-label="Virtual barcode to scan: \d{54}" viewBox="0 0 352 /,
  )
  await runOn(site, 'orders', 'packing', ...numbers, '--out', file)
  const { text } = await textOf()
  expect(text).toHaveLength(2)
  expect(text[1]).toContain(`Packing slip ${numbers[1]}`)
  expect(text[0]).toContain('30x40-matte')
  expect(text[0]).not.toContain('€')
})

test('a bank statement pays by reference number; the same file again changes nothing', async () => {
  await using site = await startSite({ sending: false })
  await order(site)
  await order(site)
  const [{ total }] = (await list(site)) as [Shown]
  const euros = (total / 100).toFixed(2).replace('.', ',')
  const file = join(site.dataDir, 'op.csv')
  writeFileSync(
    file,
    statement(
      [`+${euros}`, '0000 0000 0000 0001 0016', 'A1'],
      ['10,00', '10029', 'A2'],
      ['10,00', '10029', 'A3'],
      [euros, '10016', 'A4'],
      ['5,00', '99999', 'A5'],
      ['-12,34', '', 'A6'],
    ),
  )
  const match = async (...args: string[]) =>
    (
      JSON.parse(await runOn(site, 'orders', 'match', file, '--json', ...args)) as {
        outcome: string
        open: number | null
      }[]
    ).map(({ outcome, open }) => [outcome, open])
  const first = [
    ['paid', 0],
    ['part', total - 1000],
    ['part', total - 2000],
    ['double', -total],
    ['unknown', null],
  ]
  expect(await match('--rehearse')).toEqual(first)
  expect((await list(site)).map(({ state }) => state)).toEqual(['open', 'open'])
  expect(await match()).toEqual(first)
  const after = await list(site)
  expect(after.map(({ state, paid }) => [state, paid])).toEqual([
    ['paid', 2 * total],
    ['open', 2000],
  ])
  expect((await match()).map(([outcome]) => outcome)).toEqual([
    'known',
    'known',
    'known',
    'known',
    'unknown',
  ])
  expect(await list(site)).toEqual(after)
})

const camt = (entries: string) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">
<BkToCstmrStmt><Stmt><Id>1</Id>
${entries}
</Stmt></BkToCstmrStmt></Document>`

const entry = (euros: string, reference: string, currency = 'EUR') =>
  `<Ntry><Amt Ccy="${currency}">${euros}</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-11-22</Dt></BookgDt>
<NtryDtls><TxDtls><Refs><AcctSvcrRef>N1</AcctSvcrRef></Refs><RltdPties><Dbtr><Nm>Aino</Nm></Dbtr></RltdPties>
<RmtInf><Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry>`

test('camt.053 with an RF reference pays, and too much is told', async () => {
  await using site = await startSite({ sending: false })
  await order(site)
  const [{ total, order: number }] = (await list(site)) as [Shown]
  const { rf } = site.context.features.orders.actions.invoices.list()[0]!.document
  const file = join(site.dataDir, 'statement.xml')
  writeFileSync(file, camt(entry(((total + 1) / 100).toFixed(2), rf)))
  const out = await runOn(site, 'orders', 'match', file)
  expect(out).toContain('paid too much')
  expect((await list(site))[0]).toMatchObject({ order: number, state: 'paid', paid: total + 1 })
})

test.each([
  ['an amount that is none', statement(['10,00', '10016', 'A'], ['ten', '10016', 'B']), 'Line 3'],
  ['a day that is none', statement(['1,00', '10016', 'A']).replaceAll('21.11', '31.11'), 'Line 2'],
  ['a quote that never ends', `${statement(['1,00', '10016', 'A'])}\r\n"x`, 'Line'],
  ['a cell too few', `${statement(['1,00', '10016', 'A'])}\r\n21.11.2026;1,00`, 'Line 3'],
  ['other columns', 'a;b\r\n1;2', 'Line 1'],
  ['nothing', '', 'Line 1'],
  ['another currency', camt(entry('10.00', '10016', 'USD')), 'Line 4'],
  ['XML that is cut off', camt(entry('10.00', '10016')).slice(0, 300), 'Line'],
  ['other XML', '<a/>', 'Line 1'],
  ['entities', `<!DOCTYPE a [<!ENTITY b "c">]>${camt('')}`, 'entities'],
])('a bank statement with %s is refused whole, and the line named', async (_, content, told) => {
  await using site = await startSite({ sending: false })
  await order(site)
  const file = join(site.dataDir, 'statement')
  writeFileSync(file, content)
  await expect(runOn(site, 'orders', 'match', file)).rejects.toThrow(told)
  expect((await list(site))[0]).toMatchObject({ state: 'open', paid: 0 })
})

test('exit codes tell done, failed and wrong use apart', { timeout: 120_000 }, async () => {
  await using site = await startSite({ sending: false })
  const code = async (...args: string[]) => (await runCli(['orders', ...args], site)).code
  expect(await code('list', '--json')).toBe(0)
  expect(await code('show', 'A-NOTHING')).toBe(1)
  expect(await code('match', join(site.dataDir, 'nothing.csv'))).toBe(1)
  expect(await code('paid', 'A-NOTHING', '--amount', '-1')).toBe(2)
  expect(await code('invoice', 'A-NOTHING')).toBe(2)
  expect(await code('list', '--status', 'gone')).toBe(2)
})
