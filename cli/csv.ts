/**
 * Reads a CSV file: RFC 4180, with a comma or semicolon, with or without a byte order mark.
 * @returns the records by the names of the first line, in lower case, with their line numbers
 * @throws an Error when a quote is never closed or a line is longer than the first
 */
export function parseCsv(text: string): { line: number; fields: Record<string, string> }[] {
  const source = text.replace(/^\uFEFF/, '')
  const [first = ''] = source.split(/\r?\n/, 1)
  const separator = first.includes(';') && !first.includes(',') ? ';' : ','
  const rows = [...rowsOf(source, separator)].filter(({ cells }) => cells.some(Boolean))
  const names = rows.shift()?.cells.map((name) => name.trim().toLowerCase()) ?? []
  return rows.map(({ line, cells }) => {
    if (cells.length > names.length) throw new Error(`Line ${line} has more cells than the first.`)
    const fields = Object.fromEntries(names.map((name, at) => [name, plain(cells[at] ?? '')]))
    return { line, fields }
  })
}

/** Exports put a quote before what a spreadsheet would run as a formula. */
const plain = (cell: string) => cell.trim().replace(/^'(?=[=+\-@])/, '')

function* rowsOf(source: string, separator: string): Generator<{ line: number; cells: string[] }> {
  let line = 1
  let startedAt = 1
  let cells: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at]!
    if (sign === '\n') line += 1
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (source[at + 1] === '"') cell += source[(at += 1)]!
      else quoted = false
    } else if (sign === '"' && cell === '') quoted = true
    else if (sign === separator) {
      cells.push(cell)
      cell = ''
    } else if (sign === '\n') {
      yield { line: startedAt, cells: [...cells, cell.replace(/\r$/, '')] }
      cells = []
      cell = ''
      startedAt = line
    } else cell += sign
  }
  if (quoted) throw new Error(`The quote in line ${startedAt} is never closed.`)
  yield { line: startedAt, cells: [...cells, cell] }
}
