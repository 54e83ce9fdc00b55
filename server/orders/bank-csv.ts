import { parse, CsvError } from 'csv-parse/sync'
import * as z from 'zod'
import { civilDate } from '#shared/civil-dates.ts'
import { parseEuros } from '#shared/money.ts'
import { referenceIn, type BankEntry } from './bank-entry.ts'

/**
 * What the banks call their columns, in Finnish and English: Nordea, OP, Danske Bank, S-Pankki,
 * Handelsbanken, Aktia. Names are compared in small letters without spaces and signs.
 */
const names = {
  paidOn: [
    'kirjauspäivä',
    'arvopäivä',
    'maksupäivä',
    'pvm',
    'päivämäärä',
    'bookingdate',
    'entrydate',
    'valuedate',
    'paymentdate',
    'date',
  ],
  amount: [
    'määräeuroa',
    'määräeur',
    'määrä',
    'summa',
    'summaeur',
    'rahamäärä',
    'amount',
    'amounteur',
    'sum',
  ],
  reference: [
    'viitenumero',
    'viite',
    'viitenumerotaiviesti',
    'referencenumber',
    'reference',
    'viiteviesti',
  ],
  message: ['viesti', 'viestiviite', 'message', 'selitys', 'description', 'otsikko', 'title'],
  payer: [
    'maksaja',
    'saajamaksaja',
    'maksajannimi',
    'payer',
    'payersname',
    'nimi',
    'name',
    'counterparty',
  ],
  archiveId: [
    'arkistointitunnus',
    'arkistotunnus',
    'archiveid',
    'archivereference',
    'filingcode',
    'transactionid',
  ],
} as const satisfies Record<string, readonly string[]>

type Field = keyof typeof names

const plainName = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const rowSchema = z.object({
  paidOn: z
    .string()
    .transform(dateOf)
    .refine((date): date is string => date !== null, 'the day is no date'),
  amount: z
    .string()
    .transform(amountOf)
    .refine((cents): cents is number => cents !== null, 'the amount is no number of euros'),
  reference: z.string().max(500),
  message: z.string().max(5000),
  payer: z.string().max(500),
  archiveId: z.string().max(100),
})

type Cells = { line: number; cells: string[] }

/**
 * Reads the CSV of a Finnish bank: a line with names, then a line for each transfer.
 * @throws an Error that names the line of the first mistake
 */
export function readBankCsv(text: string): BankEntry[] {
  const rows = cellsOf(text)
  const first = rows.shift()
  if (!first) throw new Error('Line 1: the file is empty.')
  const columns = columnsOf(first.cells)
  return rows.map(({ line, cells }) => {
    if (cells.length !== first.cells.length) {
      throw new Error(
        `Line ${line}: it has ${cells.length} cells, the first line has ${first.cells.length}.`,
      )
    }
    const cell = (field: Field) => {
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
    })
    if (!read.success) throw new Error(`Line ${line}: ${read.error.issues[0]!.message}.`)
    const { paidOn, amount, reference, message, payer, archiveId } = read.data
    return {
      line,
      paidOn,
      amount,
      reference: referenceIn(reference) ?? referenceIn(message),
      payer,
      archiveId: archiveId || null,
    }
  })
}

function cellsOf(text: string): Cells[] {
  const [head = ''] = text.split(/\r?\n/, 1)
  const count = (sign: string) => head.split(sign).length
  const delimiter = [';', '\t', ','].toSorted((a, b) => count(b) - count(a))[0]!
  const rows: Cells[] = []
  try {
    parse(text, {
      bom: true,
      delimiter,
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

/** Where each field stands; the first of its names that the file has. @throws for a file of another kind */
function columnsOf(head: readonly string[]): Map<Field, number> {
  const known = head.map(plainName)
  const found = new Map<Field, number>()
  for (const [field, candidates] of Object.entries(names) as [Field, readonly string[]][]) {
    const at = candidates.map((name) => known.indexOf(name)).find((index) => index >= 0)
    if (at !== undefined) found.set(field, at)
  }
  if (!found.has('paidOn') || !found.has('amount')) {
    throw new Error(
      'Line 1: there is no column for the day and the amount, such as Kirjauspäivä and Määrä.',
    )
  }
  return found
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
  const bare = text
    .replaceAll(/[\s\u00a0\u202f]|€|EUR/g, '')
    .replace(/^\u2212/, '-')
    .replace(/^[+']+/, '')
  // A point before three digits and a comma parts thousands.
  return parseEuros(/^-?\d{1,3}(?:\.\d{3})+,\d{1,2}$/.test(bare) ? bare.replaceAll('.', '') : bare)
}
