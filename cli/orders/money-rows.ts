import type { Command } from 'commander'
import { decimal } from '#shared/money.ts'
import * as options from '../common/options.ts'
import type { ExportTo, Print, Row } from '../common/print.ts'

/** What people say to a verb that prints rows for the bookkeeper: `json` shuts the others out. */
export type AskedRows = ExportTo & { json?: boolean }

/** Adds `--json` and the options of an export. */
export const rowOptions = (command: Command): Command =>
  command
    .addOption(options.json())
    .addOption(options.format().conflicts('json'))
    .addOption(options.out().conflicts('json'))
    .addOption(options.raw().conflicts('json'))

/**
 * Prints rows for the bookkeeper: as JSON with cents, as every other `--json`, or as an export with euros.
 * @param rows one at a time, so any number of them fits; `amounts` are their columns with cents
 */
export async function printRows(
  print: Pick<Print, 'export' | 'list'>,
  rows: Iterable<Row>,
  { json, amounts, ...to }: AskedRows & { columns: readonly string[]; amounts: readonly string[] },
): Promise<void> {
  if (json) {
    print.list(rows, { json, what: 'rows', none: '', row: (row) => row, full: (row) => row })
    return
  }
  await print.export(inEuros(rows, amounts), { amounts, ...to })
}

function* inEuros(rows: Iterable<Row>, amounts: readonly string[]): Generator<Row> {
  for (const row of rows) {
    const cells = Object.entries(row).map(([name, cell]) => [
      name,
      amounts.includes(name) && typeof cell === 'number' ? decimal(cell) : cell,
    ])
    yield Object.fromEntries(cells) as Row
  }
}
