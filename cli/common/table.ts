import { harmless } from './terminal.ts'

/** What a cell of a table or a CSV file may be. */
export type Cell = string | number | boolean | null

/** One line of a listing; its keys are the columns. */
export type Row = Readonly<Record<string, Cell>>

/** A way to show a text on a terminal. */
export type Style = 'bold' | 'red' | 'yellow'

/** Between two columns. */
const gap = '  '

/** Signs of a cell where nothing says how wide a line may be, as in a pipe. */
const widestCell = 60

/** A column that was cut shows at least as much. */
const narrowest = 7

/** A day or minute as lists show it. Where there's no room for a minute, its day is shown: half a day says nothing. */
const timeCell = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d)?$/
const dayWidth = 10

/** Letters and signs that take one place each, as most rows have them alone. */
const onePlaceEach = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u024f\u2010-\u2027\u20ac\u2212]*$/

/** A text that was set apart from what follows it in its line; a cell has nothing after it. */
const setApart = /\u2068([^\u2066-\u2069]*)\u2069/g

/** How many places a text takes on a terminal. */
type Width = (text: string) => number

/**
 * Rows as a table. On a terminal it is as wide as that: the widest columns are cut first. Width is
 * counted as terminals do, where letters of some scripts and emoji take two places.
 * @param rows at least one
 */
export async function table(
  rows: readonly Row[],
  {
    columns: room,
    isTerminal,
    style,
  }: { columns: number; isTerminal: boolean; style: (style: Style, text: string) => string },
): Promise<string> {
  const names = Object.keys(rows[0]!)
  const texts = rows.map((row) =>
    names.map((name) => {
      const value = String(row[name] ?? '').replaceAll(setApart, '$1')
      const text = harmless(value).replaceAll(/[\n\t]/g, ' ')
      return isTerminal ? text : shortened(text)
    }),
  )
  const widthOf: Width = texts.flat().every((text) => onePlaceEach.test(text))
    ? (text) => text.length
    : // Its tables of scripts and emoji take longer to load than most lists to print.
      (await import('string-width')).default
  const wanted = names.map((name, at) =>
    texts.reduce((widest, line) => Math.max(widest, widthOf(line[at]!)), widthOf(name)),
  )
  const areTimes = names.map((_, at) =>
    texts.every((line) => line[at] === '' || timeCell.test(line[at]!)),
  )
  const widths = isTerminal ? fitted(wanted, areTimes, room) : wanted
  const shownIn = (text: string, at: number) => {
    if (!isTerminal || widthOf(text) <= widths[at]!) return text
    return timeCell.test(text) && areTimes[at]
      ? text.slice(0, dayWidth)
      : cut(text, widths[at]!, widthOf)
  }
  const cell = (text: string, at: number) => {
    const shown = shownIn(text, at)
    return shown + ' '.repeat(widths[at]! - widthOf(shown))
  }
  const line = (cells: readonly string[], styleOf: (text: string, at: number) => Style | null) => {
    // Without trailing spaces, which a narrower window would wrap.
    const last = cells.findLastIndex((text) => text !== '')
    return cells
      .slice(0, last + 1)
      .map((text, at) => {
        const shown = at === last ? shownIn(text, at) : cell(text, at)
        const found = styleOf(text, at)
        return found ? style(found, shown) : shown
      })
      .join(gap)
  }
  return [
    line(names, () => 'bold'),
    ...texts.map((cells) => line(cells, (text, at) => styleOfState(names[at]!, text))),
  ].join('\n')
}

/** States that need someone, and those in which all is well. */
const urgent = /^(?:failed|fail|error|attention|overdue|late|quarantined|revoked|expired|disabled)$/
const waiting = /^(?:new|requested|waiting|queued|pending|offered|warn|held|scheduled|used-up)$/

function styleOfState(column: string, text: string): Style | null {
  if (column !== 'state' && column !== 'status') return null
  return urgent.test(text) ? 'red' : waiting.test(text) ? 'yellow' : null
}

/**
 * The widths of columns that together fit into a line: the widest give way first. The first one stays
 * whole up to half of the line, since it's what the next command is given.
 * @param areTimes which columns have nothing but days or minutes; minutes become days at once
 */
function fitted(wanted: readonly number[], areTimes: readonly boolean[], room: number): number[] {
  const widths = [...wanted]
  const leastOf = (at: number) => {
    if (areTimes[at]) return dayWidth
    return at === 0 ? Math.max(narrowest, Math.floor(room / 2)) : narrowest
  }
  const least = wanted.map((width, at) => Math.min(width, leastOf(at)))
  let excess =
    widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1) - room
  while (excess > 0) {
    const shrinkable = widths.map((width, at) => (width > least[at]! ? width : 0))
    const widest = Math.max(...shrinkable)
    if (widest === 0) break
    const at = shrinkable.indexOf(widest)
    const less = areTimes[at] ? widest - least[at]! : 1
    widths[at]! -= less
    excess -= less
  }
  return widths
}

/** A text of {@link widestCell} signs at most. */
function shortened(text: string): string {
  const signs = Array.from(text)
  return signs.length > widestCell ? `${signs.slice(0, widestCell - 1).join('')}…` : text
}

/** A text of a width at most; whole characters, since half of an emoji is none. */
function cut(text: string, width: number, widthOf: Width): string {
  if (widthOf(text) <= width) return text
  if (onePlaceEach.test(text)) return `${text.slice(0, width - 1)}…`
  let shown = ''
  let taken = 0
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    const more = widthOf(segment)
    if (taken + more > width - 1) break
    shown += segment
    taken += more
  }
  return `${shown}…`
}
