import * as z from 'zod'
import { civilDate } from '#shared/dates/civil-dates.ts'
import { parseEuros } from '#shared/money.ts'
import { library } from '../../library.ts'
import { columnsOf, headOf, type BankField } from './columns.ts'
import {
  archiveIdIn,
  type BankEntry,
  currencyOf,
  ibanIn,
  referenceIn,
  skipReason,
} from './entry.ts'

const csv = library('csv-parse/sync')

const rowSchema = z.object({
  paidOn: z
    .string()
    .transform((written) => (written === '' || isPending(written) ? '' : dateOf(written)))
    .refine((date): date is string => date !== null, 'the date is not valid'),
  amount: z
    .string()
    .transform(amountOf)
    .refine((cents): cents is number => cents !== null, 'the amount isn’t a number of euros'),
  reference: z.string().max(500),
  message: z.string().max(5000),
  payer: z.string().max(500),
  archiveId: z.string().max(100),
  currency: z.string().max(10),
  status: z.string().max(100),
})

const isPending = (status: string) =>
  /varaus|varattu|odottaa|vireill|käsittelyssä|reserv|pågående|väntande|pending|kommande/i.test(
    status,
  )

type Cells = { line: number; cells: string[] }

/**
 * Reads the CSV of a Finnish bank: a line with names, then a line for each transfer. Before the
 * names some banks tell the account.
 * @throws an Error that names the line of the first mistake
 */
export function readBankCsv(text: string): BankEntry[] {
  const rows = cellsOf(text)
  const first = rows.shift()
  if (!first) throw new Error('Line 1: the file is empty.')
  const columns = columnsOf(first.cells)
  return rows.map(({ line, cells }) => {
    // Some banks end every line with a delimiter.
    const isLonger = cells.slice(first.cells.length).some((cell) => cell !== '')
    if (cells.length < first.cells.length || isLonger) {
      throw new Error(
        `Line ${line}: it has ${cells.length} cells, the header has ${first.cells.length}.`,
      )
    }
    const cell = (field: BankField) => {
      const at = columns.get(field)
      return at === undefined ? '' : cells[at]!.trim()
    }
    const read = rowSchema.safeParse({
      paidOn: cell('paidOn'),
      amount: cell('amount'),
      reference: cell('reference'),
      message: cell('message'),
      payer: cell('payer'),
      archiveId: cell('archiveId'),
      currency: cell('currency'),
      status: cell('status'),
    })
    if (!read.success) throw new Error(`Line ${line}: ${read.error.issues[0]!.message}.`)
    const { paidOn, amount, reference, message, payer, archiveId, status } = read.data
    const currency = currencyOf(read.data.currency)
    return {
      line,
      paidOn,
      amount,
      currency,
      reference: referenceIn(reference) ?? referenceIn(message),
      payer,
      message,
      account: ibanIn(cell('account')),
      archiveId: archiveIdIn(archiveId) || null,
      // A row without a day is one that the bank has not booked.
      skipped: skipReason({ amount, currency, isPending: paidOn === '' || isPending(status) }),
    }
  })
}

function cellsOf(text: string): Cells[] {
  const { line: from, delimiter } = headOf(text)
  const rows: Cells[] = []
  const { parse, CsvError } = csv()
  try {
    parse(text, {
      bom: true,
      delimiter,
      from_line: from,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(cells, { lines: line }) {
        rows.push({ line, cells })
        return null
      },
    })
    return rows
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new Error(`Line ${Number(error.lines) || 1}: ${error.message}`, { cause: error })
  }
}

/** A date as banks write it: 4.12.2026, 04/12/2026, 2026-12-04, 2026/12/04, 20261204. */
function dateOf(text: string): string | null {
  const [, day, month, year] = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(text) ?? []
  if (year) return civilDate(`${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`)
  const [, y, m, d] = /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})$/.exec(text) ?? []
  return y ? civilDate(`${y}-${m}-${d}`) : null
}

/** An amount as banks write it: `1 234,50`, `+89,00`, `-12.30`, `−5,00`, with or without € or EUR. */
function amountOf(text: string): number | null {
  const bare = text.replaceAll(/[\s\u00a0\u202f]|€|EUR/g, '').replace(/^[+']+/, '')
  // A point before three digits and a comma parts thousands.
  return parseEuros(
    /^[-\u2212]?\d{1,3}(?:\.\d{3})+,\d{1,2}$/.test(bare) ? bare.replaceAll('.', '') : bare,
  )
}
