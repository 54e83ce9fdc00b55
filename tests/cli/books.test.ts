import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseEuros } from '#shared/money.ts'
import { runCli } from '../support/run-cli.ts'
import { orderByInvoice } from '../support/shop.ts'
import { startSite } from '../support/site.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte', 2] as const
const month = ['--month', '2026-11']

test('what the bookkeeper is given comes as JSON, too, with the fields of the export and amounts in cents', async () => {
  await using site = await startSite({ sending: false })
  const { order, total } = await orderByInvoice(site, [print])
  const orders = (...args: string[]) => runCli(['orders', ...args], { dataDir: site.dataDir })
  const amounts = ['net', 'vat', 'gross', 'goods', 'services', 'price', 'total', 'claim']
  const verbs = [
    ['books', ...month],
    ['stock-list'],
    ['eu-sales-list', ...month],
    ['oss-report', '--quarter', '2026-Q4'],
    ['collection'],
  ]
  for (const verb of verbs) {
    const { code, out, err } = await orders(...verb, '--json')
    expect([verb, code, err]).toEqual([verb, 0, ''])
    const rows = JSON.parse(out) as Record<string, unknown>[]
    const exported = await orders(...verb, '--format', 'json')
    const inEuros = JSON.parse(exported.out) as Record<string, string | number | null>[]
    expect(rows).toEqual(
      inEuros.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            amounts.includes(name) && typeof value === 'string' ? parseEuros(value) : value,
          ]),
        ),
      ),
    )
    // Two things at once are wrong use.
    for (const other of [['--format', 'ndjson'], ['--out', join(site.dataDir, 'x')], ['--raw']]) {
      expect(await orders(...verb, '--json', ...other)).toMatchObject({ code: 2 })
    }
  }
  const ledger = await orders('books', ...month, '--json', 'order,gross')
  expect(JSON.parse(ledger.out)).toEqual([{ order, gross: total }])
  const sum = await orders('books', ...month, '--jq', 'map(.gross) | add')
  expect(sum.out).toBe(`${total}\n`)
  const wrong = await orders('stock-list', '--json', 'sum')
  expect(wrong).toMatchObject({ code: 2 })
  expect(wrong.err).toContain('Unknown field: sum')
  // The export is what it was.
  const file = join(site.dataDir, 'stock.csv')
  expect(await orders('stock-list', '--out', file)).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8')).toContain('day,handle,variant,title')
})
