import styles from '../lists/data-table.module.css'

/**
 * Gives the tables of safe HTML a frame: one with a plain head of columns becomes a list of its
 * rows where it is narrow, as `data-table.tsx` does it; any other scrolls, by keyboard too.
 * @param html as the sanitizer writes it, where every element that is opened is closed
 */
export function frameTables(html: string): string {
  const parts: string[] = []
  let [from, depth, start] = [0, 0, 0]
  for (const { 0: tag, index } of html.matchAll(/<table\b|<\/table>/g)) {
    if (tag === '</table>') {
      depth -= 1
      if (depth !== 0) continue
      const end = index + tag.length
      parts.push(html.slice(from, start), frame(html.slice(start, end)))
      from = end
    } else {
      if (depth === 0) start = index
      depth += 1
    }
  }
  return [...parts, html.slice(from)].join('')
}

function frame(table: string): string {
  const classed = table.replace('<table', `<table class="${styles.table}"`)
  const stacked = labelled(classed)
  return stacked === null
    ? `<div class="${styles.scroll}" tabindex="0" role="group" aria-label="Table">${classed}</div>`
    : `<div class="${styles.frame}">${stacked}</div>`
}

/** A table whose cells know their columns; null where a row isn't a plain list of cells. */
function labelled(table: string): string | null {
  const [before = '', head = '', ...rows] = table.split(/(?=<tr\b)/)
  const labels = head.split(/<th\b[^<>]*>/).slice(1)
  const plain =
    before.includes('<thead') &&
    !/<td\b/.test(head) &&
    !/\s(?:col|row)span=/.test(table) &&
    table.lastIndexOf('<table') === 0 &&
    rows.every((row) => [...row.matchAll(cell)].length === labels.length)
  if (!plain || labels.length < 2) return null
  const names = labels.map((label) =>
    label
      .slice(0, label.indexOf('</th>'))
      .replace(/<[^<>]*>/g, '')
      .trim()
      .replaceAll('"', '&quot;'),
  )
  const body = rows.map((row) => {
    let column = -1
    return row.replace(cell, (open) => {
      column += 1
      return column === 0 ? open : `${open} data-label="${names[column] ?? ''}"`
    })
  })
  return [before, head, ...body].join('')
}

const cell = /<t[dh]\b/g
