import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { helsinkiIso } from '#shared/dates/helsinki-time.ts'
import { counted } from '#shared/text/counted.ts'
import { createScreen } from './screen.ts'
import { pickFields, type Shape } from './shape.ts'
import type { Row } from './table.ts'
import { harmless, harmlessJson } from './terminal.ts'

export type { Row } from './table.ts'

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

/** Wrong lines of an import that are shown; a wrong column makes each of thousands one. */
const maxProblems = 50

/** Prints what is wrong with the lines of an import: the first of them, and how many there are besides. */
export function printProblems(problems: readonly string[], print: Pick<Print, 'line'>): void {
  for (const problem of problems.slice(0, maxProblems)) print.line(problem)
  const more = problems.length - maxProblems
  if (more > 0) print.line(`and ${counted(more, 'more invalid line')}`)
}

/** The last day in Helsinki of what ends at an instant, null where it doesn't: midnight is the end of a day. */
export const lastDay = (end: number | null): string | null =>
  end === null ? null : dateAt(end - 1)

/** An end for people: the last day where it's midnight in Helsinki, else the minute; empty for none. */
export const end = (at: number | null): string => {
  if (at === null) return ''
  const shown = minute(at)
  return shown.endsWith(' 00:00') ? lastDay(at)! : shown
}

/** Rows of a table without `--limit`. */
export const defaultRows = 30

/** How a list shows its things. */
export type ListView<Thing> = {
  json?: boolean | undefined
  /** Rows at most; 30 for a table and all for JSON unless it is said. */
  limit?: number | undefined
  /** What the things are called, in plural, such as `orders`. */
  what: string
  /** Said where there are none. */
  none: string
  /** Its line in a table, or several. */
  row(thing: Thing): Row | readonly Row[]
  /** A thing as JSON has it. */
  full(thing: Thing): object
  /**
   * Whether JSON of all has them the other way round, in the order in which they came, as exports have
   * them and as programs of staff have always read them.
   */
  isJsonOldestFirst?: boolean
  /** How many there are, where that is known without looking at all of them. */
  total?: () => number
}

/** Where answers go, and where notes about them. */
export type Streams = { out: Writable; err: Writable; env: NodeJS.ProcessEnv }

/** Where a command's answer goes. */
export type Print = ReturnType<typeof createPrint>

/** Prints to a stream; commands know neither the terminal nor the process. */
export function createPrint({ out, err, env }: Streams) {
  const screen = createScreen(out, env)
  let shape: Shape = {}
  /** What `--jq` still has to answer. */
  let asked: unknown[] = []
  const notes: string[] = []

  const line = (text: string) => screen.write(`${harmless(text)}\n`)
  const json = (value: unknown) => {
    const shaped = pickFields(value, shape)
    if (shape.jq === undefined) screen.page(`${harmlessJson(shaped, 2)}\n`)
    else asked.push(shaped)
  }
  const rowsOf = (rows: Iterable<object>) => {
    if (shape.jq !== undefined) json([...rows])
    else for (const chunk of jsonRows(rows, shape)) screen.page(chunk)
  }

  return {
    /** Says what `--json` and `--jq` of the command ask for. */
    shapeAs: (wanted: Shape): void => void (shape = wanted),

    /** A line or several, made harmless for a terminal. */
    line,
    /** Says something on stderr, after the output. */
    note: (text: string): void => void notes.push(harmless(text)),
    /** A heading above a listing. */
    heading: (text: string): void => screen.page(`${screen.style('bold', harmless(text))}\n`),
    /** A value as JSON. */
    json,
    /** The fields of one thing, a line each; the further lines of a text are indented. */
    facts(row: Row) {
      for (const [name, value] of Object.entries(row)) {
        screen.page(`${harmless(`${name}: ${value ?? ''}`).replaceAll('\n', '\n    ')}\n`)
      }
    },
    /** A listing: a table for people, or JSON for machines. All rows are shown. */
    listing(rows: readonly Row[], { json: isJson, none }: { json?: boolean; none: string }) {
      if (isJson) rowsOf(rows)
      else if (rows.length === 0) line(none)
      else screen.table(rows)
    },
    /**
     * A list of a noun, such as `orders list`: a table of its first rows for people, or JSON of all.
     * Says on stderr what a table leaves off.
     * @param things in their order; taken one at a time, so that any number of them fits
     */
    list<Thing>(things: Iterable<Thing>, view: ListView<Thing>): void {
      const { json: isJson, limit = isJson ? Infinity : defaultRows, what, none, total } = view
      const isTurned = isJson && limit === Infinity && view.isJsonOldestFirst
      const ordered = isTurned ? [...things].toReversed() : things
      let all = 0
      const first = function* () {
        for (const thing of ordered) {
          all += 1
          if (all <= limit) yield thing
          else if (total) return
        }
      }
      if (isJson) rowsOf(mapped(first(), view.full))
      else {
        const rows = Array.from(first(), view.row).flat()
        if (rows.length === 0) line(none)
        else screen.table(rows)
      }
      // Who limits JSON has asked for it, and a program takes what is on stderr for a fault.
      if (all <= limit || isJson) return
      const count = (total?.() ?? all).toLocaleString('en')
      notes.push(`Showing ${limit.toLocaleString('en')} of ${count} ${what}. More with --limit.`)
    },
    /**
     * Writes an export to the output, or to a file that appears only when it is whole.
     * @param rows one at a time, so any number of them fits; `amounts` are columns with numbers
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
      }: ExportTo & { columns: readonly string[]; amounts?: readonly string[] },
    ): Promise<void> {
      if (format !== 'csv') return write(jsonLines(rows, format), file)
      const { csvLines } = await import('./csv.ts')
      return write(csvLines(rows, columns, { raw, amounts }), file)
    },

    /** Writes records with parts of their own as {@link Print.export} does; those do not fit into CSV. */
    exportJson: (
      records: Iterable<object>,
      { format, out: file }: { format: 'json' | 'ndjson'; out?: string },
    ): Promise<void> => write(jsonLines(records, format), file),

    /** Answers `--jq`, shows what waits for the pager, and says what was left off. */
    async finish(): Promise<void> {
      const values = asked
      asked = []
      try {
        for (const value of values) {
          const { filtered } = await import('./jq.ts')
          const answer = await filtered(value, shape.jq ?? '.')
          screen.page(screen.isTerminal ? harmless(answer) : answer)
        }
      } finally {
        await screen.finish()
        for (const note of notes.splice(0)) err.write(`${note}\n`)
      }
    },
  }

  async function write(chunks: Iterable<string>, file: string | undefined): Promise<void> {
    // As in other programs, a dash is the output itself.
    if (file !== undefined && file !== '-') {
      const { intoFile } = await import('./whole-file.ts')
      return intoFile((stream) => pour(chunks, stream), file)
    }
    // In a file every letter stays; a terminal would obey some.
    return pour(screen.isTerminal ? mapped(chunks, harmless) : chunks, out)
  }
}

function* mapped<From, To>(things: Iterable<From>, map: (thing: From) => To): Generator<To> {
  for (const thing of things) yield map(thing)
}

async function pour(chunks: Iterable<string>, stream: Writable): Promise<void> {
  for (const chunk of chunks) {
    if (!stream.write(chunk)) await once(stream, 'drain')
  }
}

/** Rows as indented JSON, one at a time, since no text can be as long as all of them may be. */
function* jsonRows(rows: Iterable<object>, shape: Shape): Generator<string> {
  let ahead = '[\n'
  for (const row of rows) {
    yield `${ahead}  ${harmlessJson(pickFields(row, shape), 2).replaceAll('\n', '\n  ')}`
    ahead = ',\n'
  }
  yield ahead === '[\n' ? '[]\n' : '\n]\n'
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
