import * as z from 'zod'
import { civilDate } from '#shared/dates/civil-dates.ts'
import { columnsOf, headOf, type BankField } from './columns.ts'
import {
  archiveIdIn,
  type BankEntry,
  bookingDay,
  currencyOf,
  hundredthsIn,
  ibanIn,
  referenceIn,
  skipReason,
  unreadEntry,
} from './entry.ts'

const rowSchema = z.object({
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

type Cells = { line: number; cells: readonly string[] | null }

/**
 * Reads the CSV of a Finnish bank: a line with names, then a line for each transfer. Before the
 * names some banks tell the account. A row that can't be read for certain is `unread`.
 * @throws an Error that names the line where the file isn't one of a bank
 */
export function readBankCsv(text: string): BankEntry[] {
  const lines = text.split(text.includes('\n') ? /\r?\n/ : '\r')
  if (lines.every((line) => line === '')) throw new Error('Line 1: the file is empty.')
  const { line: from, delimiter } = headOf(lines)
  const head = cellsOf(lines[from - 1]!, delimiter)
  const columns = columnsOf(head)
  return rowsOf(lines, { from, delimiter, width: head.length }).map(({ line, cells }) => {
    if (cells === null) return unreadEntry(line, 'its cells aren’t those of the header')
    const cell = (field: BankField) => {
      const at = columns.get(field)
      return at === undefined ? '' : cells[at]!.trim()
    }
    const day = cell('paidOn')
    // Then each day of the file up to the twelfth would be read as a day of another month.
    if (isMonthFirst(day)) throw new Error(`Line ${line}: the date is not valid.`)
    const paidOn = day === '' || isPending(day) ? '' : dateOf(day)
    const read = rowSchema.safeParse({
      reference: cell('reference'),
      message: cell('message'),
      payer: cell('payer'),
      archiveId: cell('archiveId'),
      currency: cell('currency'),
      status: cell('status'),
    })
    if (!read.success) return unreadEntry(line, 'a cell is too long')
    const { reference, message, payer, archiveId, status } = read.data
    const currency = currencyOf(read.data.currency)
    const amount = hundredthsIn(cell('amount'), currency)
    if (paidOn === null) return unreadEntry(line, 'the date is not valid')
    if (amount === null) {
      return unreadEntry(line, `the amount isn’t a number${currency === 'EUR' ? ' of euros' : ''}`)
    }
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
      fault: null,
    }
  })
}

/** How many lines a message in quotes may have. */
const maxLines = 20

/**
 * The rows after the header; null for cells that can't be told apart. Some banks write what a payer
 * typed as it is, quotes too, so a quote counts only where the row then has as many cells as the header:
 * otherwise one message could take the rows after it along.
 */
function rowsOf(
  lines: readonly string[],
  { from, delimiter, width }: { from: number; delimiter: string; width: number },
): Cells[] {
  // Some banks end every line with a delimiter.
  const isWhole = (cells: readonly string[] | null): cells is readonly string[] =>
    cells !== null && cells.length >= width && cells.slice(width).every((cell) => cell === '')
  const wholeIn = (line: string) =>
    [quotedCells(line, delimiter), plainCells(line, delimiter)].find(isWhole)
  const rows: Cells[] = []
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at]!
    const first = at
    let cells = quotedCells(line, delimiter)
    // A cell in quotes may have several lines, none of which is a row.
    for (let next = at + 1, joined = line; cells === null && next < lines.length; next += 1) {
      if (next > first + maxLines || wholeIn(lines[next]!)) break
      joined += `\n${lines[next]}`
      const more = quotedCells(joined, delimiter)
      if (more === null) continue
      if (isWhole(more)) [cells, at] = [more, next]
      break
    }
    if (!isWhole(cells)) cells = plainCells(line, delimiter)
    if (cells.every((cell) => cell.trim() === '')) continue
    rows.push({ line: first + 1, cells: isWhole(cells) ? cells : null })
  }
  return rows
}

const cellsOf = (line: string, delimiter: string): readonly string[] =>
  quotedCells(line, delimiter) ?? plainCells(line, delimiter)

/** The cells of a line whose quotes are a part of what they hold. */
const plainCells = (line: string, delimiter: string): readonly string[] =>
  line.split(delimiter).map((cell) => /^"(.*)"$/s.exec(cell)?.[1] ?? cell)

/** The cells of a line, some of them in quotes; null where one of these doesn't end. */
function quotedCells(line: string, delimiter: string): readonly string[] | null {
  if (!line.includes('"')) return line.split(delimiter)
  const cells: string[] = []
  for (let at = 0; at <= line.length;) {
    const isQuoted = line[at] === '"'
    const end = isQuoted ? endOfQuoted(line, at + 1, delimiter) : line.indexOf(delimiter, at)
    if (isQuoted && end === null) return null
    const to = end === null || end < 0 ? line.length : end
    cells.push(isQuoted ? line.slice(at + 1, to).replaceAll('""', '"') : line.slice(at, to))
    at = to + (isQuoted ? 2 : 1)
  }
  return cells
}

/** Where the quote stands that ends a cell: the first one that isn't doubled, with nothing of the cell after it. */
function endOfQuoted(line: string, from: number, delimiter: string): number | null {
  for (let at = line.indexOf('"', from); at >= 0; at = line.indexOf('"', at)) {
    const after = line[at + 1]
    if (after === undefined || after === delimiter) return at
    at += after === '"' ? 2 : 1
  }
  return null
}

/** Whether a date has the order of the United States. */
function isMonthFirst(text: string): boolean {
  const [, month, day] = /^(\d{1,2})\/(\d{1,2})\/\d{4}/.exec(text) ?? []
  return day !== undefined && Number(day) > 12 && Number(month) <= 12
}

/** A date as banks write it: 4.12.2026, 04/12/2026, 2026-12-04, 2026/12/04, 20261204, maybe with a time. */
function dateOf(written: string): string | null {
  const iso = bookingDay(written)
  if (iso !== null) return iso
  const text = written.replace(/ \d{1,2}[.:]\d\d(?:[.:]\d\d)?$/, '')
  const [, day, month, year] = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(text) ?? []
  if (year) return civilDate(`${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`)
  const [, y, m, d] = /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})$/.exec(text) ?? []
  return y ? civilDate(`${y}-${m}-${d}`) : null
}
