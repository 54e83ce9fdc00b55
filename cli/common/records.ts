import { parseCsv, parseCsvRows, type CsvRecord } from './csv.ts'

/** Whether an export was written as JSON or NDJSON. */
const isJson = (text: string): boolean => /^\uFEFF?\s*[[{]/.test(text)

/**
 * Reads what `export` has written in any of its formats: JSON, NDJSON or CSV. Values of JSON become the
 * cells that a CSV would have.
 * @returns as {@link parseCsvRows}
 * @throws an Error for what is none of them
 */
export const parseRecordRows = (text: string): CsvRecord[] =>
  isJson(text) ? jsonRecords(text) : parseCsvRows(text)

/**
 * {@link parseRecordRows} for a verb that takes no CSV with lines longer than the first.
 * @returns as {@link parseCsv}
 */
export const parseRecords = (text: string): ReturnType<typeof parseCsv> =>
  isJson(text) ? jsonRecords(text) : parseCsv(text)

/** Numbered by their lines, which in an array are those of an export: its bracket has the first. */
function jsonRecords(text: string): CsvRecord[] {
  const plain = text.replace(/^\uFEFF/, '').trim()
  if (plain.startsWith('[')) {
    const rows = parsed(plain, 'The file isn’t valid JSON.')
    return (rows as unknown[]).map((row, at) => recordOf(row, at + 2))
  }
  return text
    .split('\n')
    .map((line, at) => ({ line: line.replace(/^\uFEFF/, '').trim(), number: at + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => recordOf(parsed(line, `Line ${number} isn’t valid JSON.`), number))
}

function parsed(text: string, problem: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(problem, { cause })
  }
}

function recordOf(row: unknown, line: number): CsvRecord {
  if (row === null || typeof row !== 'object' || Array.isArray(row)) {
    throw new Error(`Line ${line} isn’t an object.`)
  }
  const cells = Object.entries(row as Record<string, unknown>)
  const nested = cells.find(([, value]) => value !== null && typeof value === 'object')
  if (nested) throw new Error(`Line ${line} has a list or an object as its ${nested[0]}.`)
  const names = cells.map(([name]) => name.toLowerCase())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  // One of them would be lost, such as `status` to the `Status` of a file of the content service.
  if (twice !== undefined) throw new Error(`Line ${line} has ${twice} twice.`)
  return {
    line,
    fields: Object.fromEntries(cells.map(([, value], at) => [names[at]!, cellOf(value)])),
  }
}

function cellOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return value === null ? '' : JSON.stringify(value)
}
