import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, basename, join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Writable } from 'node:stream'
import { helsinkiIso } from '#shared/helsinki-time.ts'
import { csvLine, type CsvCell } from './csv.ts'
import { harmless, harmlessJson } from './terminal.ts'

/** One line of a listing; its keys are the columns. */
export type Row = Readonly<Record<string, CsvCell>>

/** The formats of exports. */
export const formats = ['csv', 'json', 'ndjson'] as const

/** One of {@link formats}. */
export type Format = (typeof formats)[number]

/** Where an export goes, and how; `raw` leaves cells that look like formulas as they are. */
export type ExportTo = { format: Format; out?: string; raw?: boolean }

/** An instant for people and machines: ISO with the Helsinki offset, or null. */
export function when(at: number): string
export function when(at: number | null): string | null
export function when(at: number | null): string | null {
  return at === null ? null : helsinkiIso(at)
}

/** An instant for people, to the minute in Helsinki: `2026-11-20 14:00`. */
export const minute = (at: number): string => helsinkiIso(at).slice(0, 16).replace('T', ' ')

/** Where a command's answer goes. */
export type Print = ReturnType<typeof createPrint>

/** Prints to a stream; commands know neither the terminal nor the process. */
export function createPrint(out: Writable) {
  const line = (text: string) => void out.write(`${harmless(text)}\n`)
  const json = (value: unknown) => void out.write(`${harmlessJson(value, 2)}\n`)
  const write = (chunks: Iterable<string>, file: string | undefined): Promise<void> => {
    if (file !== undefined) return intoFile(chunks, file)
    // In a file every letter stays; a terminal would obey some.
    return pour(isTerminal(out) ? shown(chunks) : chunks, out)
  }
  return {
    /** A line or several, made harmless for a terminal. */
    line,
    /** A value as JSON. */
    json,
    /** The fields of one thing, a line each; the further lines of a text are indented. */
    facts(row: Row) {
      for (const [name, value] of Object.entries(row)) {
        line(harmless(`${name}: ${value ?? ''}`).replaceAll('\n', '\n    '))
      }
    },
    /** A listing: a table for people, or JSON for machines. */
    listing(rows: readonly Row[], told: { json?: boolean; none: string }) {
      if (told.json) json(rows)
      else line(rows.length === 0 ? told.none : table(rows))
    },
    /**
     * Writes an export to the output, or to a file that appears only when it is whole.
     * @param rows one at a time, so that any number of them fits; `amounts` are columns with numbers
     *   of two decimals, which stay numbers for a spreadsheet when they are negative
     */
    export: (
      rows: Iterable<Row>,
      {
        columns,
        format,
        out: file,
        raw = false,
        amounts = [],
      }: ExportTo & { columns: readonly string[]; amounts?: readonly string[] },
    ): Promise<void> =>
      write(
        format === 'csv' ? csvLines(rows, columns, { raw, amounts }) : jsonLines(rows, format),
        file,
      ),

    /** Writes records with parts of their own as {@link Print.export} does; those do not fit into CSV. */
    exportJson: (
      records: Iterable<object>,
      { format, out: file }: { format: 'json' | 'ndjson'; out?: string },
    ): Promise<void> => write(jsonLines(records, format), file),
  }
}

const isTerminal = (stream: Writable) => 'isTTY' in stream && stream.isTTY === true

function* shown(chunks: Iterable<string>): Generator<string> {
  for (const chunk of chunks) yield harmless(chunk)
}

async function pour(chunks: Iterable<string>, stream: Writable): Promise<void> {
  for (const chunk of chunks) {
    if (!stream.write(chunk)) await once(stream, 'drain')
  }
}

/** Writes a file that appears only when it is whole. */
async function intoFile(chunks: Iterable<string>, file: string): Promise<void> {
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
}

function* jsonLines(rows: Iterable<object>, format: 'json' | 'ndjson'): Generator<string> {
  if (format === 'ndjson') {
    for (const row of rows) yield `${harmlessJson(row)}\n`
    return
  }
  let ahead = '[\n'
  for (const row of rows) {
    yield `${ahead}  ${harmlessJson(row)}`
    ahead = ',\n'
  }
  yield ahead === '[\n' ? '[]\n' : '\n]\n'
}

function* csvLines(
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

  function isAmount(column: string, cell: CsvCell | undefined): boolean {
    return amounts.includes(column) && /^-?\d+\.\d\d$/.test(String(cell))
  }
}

/** At most 60 signs; whole code points, since half of an emoji is no character. */
function shortened(text: string): string {
  const signs = Array.from(text)
  return signs.length > 60 ? `${signs.slice(0, 59).join('')}…` : text
}

function table(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0]!)
  const texts = rows.map((row) =>
    columns.map((column) => {
      return shortened(harmless(String(row[column] ?? '')).replaceAll(/[\n\t]/g, ' '))
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
