import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { parseEuros } from '#shared/money.ts'
import { runOn } from '../support/in-process-cli.ts'
import { list, order } from '../support/listed-orders.ts'
import { startSite } from '../support/site.ts'

test('the bookkeeper gets a row for each document and rate, whose sums are those of the orders', async () => {
  await using site = await startSite({ sending: false })
  const name = '=HYPERLINK("x")'
  const [first, second] = [await order(site, { name }), await order(site)]
  await runOn(site, 'orders', 'cancel', second)
  site.clock.advance(86_400_000)
  await runOn(site, 'orders', 'paid', first, '--on', '2026-11-21')
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
  expect(text[0]).toContain('BHP-30X40-MATTE')
  expect(text[0]).not.toContain('€')
})
