import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, basename, join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Writable } from 'node:stream'
import { helsinkiIso } from '#shared/helsinki-time.ts'

/** What a cell of a listing may be. */
type Cell = string | number | boolean | null

/** One line of a listing; its keys are the columns. */
export type Row = Readonly<Record<string, Cell>>

/** The formats of exports. */
export const formats = ['csv', 'json', 'ndjson'] as const

/** One of {@link formats}. */
export type Format = (typeof formats)[number]

/** An instant for people and machines: ISO with the Helsinki offset, or null. */
export const when = (at: number | null) => (at === null ? null : helsinkiIso(at))

/** Where a command's answer goes. */
export type Print = ReturnType<typeof createPrint>

/** Prints to a stream; commands know neither the terminal nor the process. */
export function createPrint(out: Writable) {
  const line = (text: string) => void out.write(`${text}\n`)
  return {
    line,
    /** A value as JSON. */
    json: (value: unknown) => line(JSON.stringify(value, null, 2)),
    /** The fields of one thing, a line each. */
    facts(row: Row) {
      for (const [name, value] of Object.entries(row)) line(harmless(`${name}: ${value ?? ''}`))
    },
    /** A listing: a table for people, or JSON for machines. */
    listing(rows: readonly Row[], { json = false, none }: { json?: boolean; none: string }) {
      if (json) line(JSON.stringify(rows, null, 2))
      else line(rows.length === 0 ? none : table(rows))
    },
    /**
     * Writes an export to the output, or to a file that appears only when it is whole.
     * @param rows one at a time, so that any number of them fits; `amounts` are columns with numbers
     *   of two decimals, which stay numbers for a spreadsheet when they are negative
     */
    async export(
      rows: Iterable<Row>,
      {
        columns,
        format,
        out: file,
        raw = false,
        amounts = [],
      }: {
        columns: readonly string[]
        format: Format
        out?: string
        raw?: boolean
        amounts?: readonly string[]
      },
    ): Promise<void> {
      const chunks =
        format === 'csv' ? csv(rows, columns, { raw, amounts }) : jsonLines(rows, format)
      if (file === undefined) return pour(chunks, out)
      const part = join(dirname(file), `.${basename(file)}.${process.pid}.part`)
      const stream = createWriteStream(part, { mode: 0o600, flush: true })
      const written = finished(stream)
      try {
        // A path that cannot be written must surface here and not as an unhandled rejection.
        await Promise.race([pour(chunks, stream), written])
        stream.end()
        await written
        await rename(part, file)
      } catch (error) {
        stream.destroy()
        await written.catch(() => {})
        await rm(part, { force: true })
        throw error
      }
    },
  }
}

async function pour(chunks: Iterable<string>, stream: Writable): Promise<void> {
  for (const chunk of chunks) {
    if (!stream.write(chunk)) await once(stream, 'drain')
  }
}

function* jsonLines(rows: Iterable<Row>, format: 'json' | 'ndjson'): Generator<string> {
  if (format === 'ndjson') {
    for (const row of rows) yield `${JSON.stringify(row)}\n`
    return
  }
  let ahead = '[\n'
  for (const row of rows) {
    yield `${ahead}  ${JSON.stringify(row)}`
    ahead = ',\n'
  }
  yield ahead === '[\n' ? '[]\n' : '\n]\n'
}

function* csv(
  rows: Iterable<Row>,
  columns: readonly string[],
  { raw, amounts }: { raw: boolean; amounts: readonly string[] },
): Generator<string> {
  // Spreadsheets take UTF-8 for granted only with a byte order mark.
  yield `\uFEFF${csvLine(columns.map((column) => csvCell(column, raw)))}`
  for (const row of rows) {
    yield csvLine(
      columns.map((column) => csvCell(row[column] ?? null, raw || isAmount(column, row))),
    )
  }

  function isAmount(column: string, row: Row): boolean {
    return amounts.includes(column) && /^-?\d+\.\d\d$/.test(String(row[column]))
  }
}

/** One line of RFC 4180. */
const csvLine = (cells: readonly string[]) => `${cells.join(',')}\r\n`

function csvCell(cell: Cell, raw: boolean): string {
  let text = cell === null ? '' : String(cell)
  // A spreadsheet would run such a cell as a formula.
  if (!raw && typeof cell === 'string' && /^[=+\-@\t\r]/.test(text)) text = `'${text}`
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Control characters could rewrite the terminal, so they are shown instead of sent. */
export const harmless = (text: string) =>
  text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\uFFFD')

/** At most 60 signs; whole code points, since half of an emoji is no character. */
function shortened(text: string): string {
  const signs = Array.from(text)
  return signs.length > 60 ? `${signs.slice(0, 59).join('')}…` : text
}

function table(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0]!)
  const texts = rows.map((row) =>
    columns.map((column) => {
      return shortened(harmless(String(row[column] ?? '')).replaceAll('\n', ' '))
    }),
  )
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...texts.map((line) => line[index]!.length)),
  )
  return [columns, ...texts]
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
