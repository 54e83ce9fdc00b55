import { CsvError, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import type { Cell, Row } from './table.ts'

/**
 * The beginning of a formula where a field may begin: at the start of a cell, and inside of it after
 * a semicolon, a tab or a line break. A spreadsheet whose list separator is the semicolon, as it is
 * in Finland, does not see the quotes around a cell that does not begin its line, and splits it.
 */
const formula = /(^|[;\t\r\n])(?=(?:[^\S\t\r\n]|["'])*[=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** What {@link csvLine} puts before a formula. */
const guard = /(^|[;\t\r\n])'(?=(?:[^\S\t\r\n]|["'])*[=+\-@\uff1d\uff0b\uff0d\uff20])/g

/**
 * One line of a CSV file (RFC 4180), with its line break.
 * @param cells numbers are written as they are; texts that a spreadsheet would run as a formula get
 *   an apostrophe before it
 * @param options `raw` leaves such texts as they are, all of them or those at the places it tells
 */
export function csvLine(
  cells: readonly Cell[],
  { raw = false }: { raw?: boolean | ((at: number) => boolean) } = {},
) {
  const texts = cells.map((cell, at) => {
    if (cell === null) return ''
    const left = typeof raw === 'function' ? raw(at) : raw
    return typeof cell === 'string' && !left ? cell.replaceAll(formula, "$1'") : String(cell)
  })
  return stringify([texts], { record_delimiter: '\r\n' })
}

/** A record of a CSV file by the names of its first line; `problem` says why it can't be read. */
export type CsvRecord = { line: number; fields: Record<string, string>; problem?: string }

/**
 * {@link parseCsv}, with a problem beside a line that is longer than the first instead of an error.
 * @throws an Error when a quote is never closed, or for a workbook or a ZIP that is only called .csv
 */
export function parseCsvRows(text: string): CsvRecord[] {
  if (text.includes('\0')) {
    throw new Error('The file isn’t text. In your spreadsheet program, save it as CSV (UTF-8).')
  }
  const [first = ''] = text.split(/\r?\n/, 1)
  const delimiter = [',', ';', '\t'].find((each) => first.includes(each)) ?? ','
  const [head, ...rows] = rowsOf(text, delimiter)
  const names = head?.cells.map((name) => name.trim().toLowerCase()) ?? []
  return rows.map(({ line, cells }) => ({
    line,
    fields: Object.fromEntries(names.map((name, at) => [name, plain(cells[at] ?? '')])),
    ...(cells.length > names.length && { problem: 'has more cells than the first line' }),
  }))
}

/**
 * Reads a CSV file: RFC 4180, with a comma, semicolon or tab, with or without a byte order mark. The
 * apostrophes that exports put before formulas are taken away.
 * @returns the records by the names of the first line, in lower case, with their line numbers
 * @throws an Error when a quote is never closed or a line is longer than the first
 */
export function parseCsv(text: string): { line: number; fields: Record<string, string> }[] {
  return parseCsvRows(text).map(({ line, fields, problem }) => {
    if (problem !== undefined) throw new Error(`Line ${line} has more cells than the first.`)
    return { line, fields }
  })
}

const plain = (cell: string) => cell.replaceAll(guard, '$1').trim()

/** The lines that have something in a cell, each with the number of the line that it begins on. */
function rowsOf(text: string, delimiter: string): { line: number; cells: string[] }[] {
  const rows: { line: number; cells: string[] }[] = []
  try {
    parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      on_record(cells, { lines }) {
        if (cells.some(Boolean)) rows.push({ line: lines - breaksIn(cells), cells })
        return null
      },
    })
    return rows
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== 'CSV_QUOTE_NOT_CLOSED') throw error
    throw new Error(`Unclosed quote in line ${String(error.lines)}.`, { cause: error })
  }
}

const breaksIn = (cells: readonly string[]) => cells.join('').split(/\r\n|\r|\n/).length - 1

/** The lines of a CSV file, with its heading. @param options see `Print.export` */
export function* csvLines(
  rows: Iterable<Row>,
  columns: readonly string[],
  { raw, amounts }: { raw: boolean; amounts: readonly string[] },
): Generator<string> {
  // Spreadsheets take UTF-8 for granted only with a byte order mark.
  yield `\uFEFF${csvLine(columns, { raw })}`
  for (const row of rows) {
    const cells = columns.map((column) => row[column] ?? null)
    yield csvLine(cells, { raw: (at) => raw || isAmount(columns[at] ?? '', cells[at]) })
  }

  function isAmount(column: string, cell: Cell | undefined): boolean {
    return amounts.includes(column) && /^-?\d+\.\d\d$/.test(String(cell))
  }
}
