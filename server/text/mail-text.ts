import type { compile, DomNode, FormatCallback } from 'html-to-text'
import { library } from '../library.ts'

const converter = library('html-to-text')

/** Reads our own HTML emails; made with the first of them, since that takes a while. */
let ownText: ReturnType<typeof compile> | undefined

/** The letters of a line of mail, and of the gap between two columns. */
const lineWidth = 76
const gap = 2

const wordsOf = (node: DomNode): string =>
  node.type === 'text' ? (node.data ?? '') : (node.children ?? []).map(wordsOf).join('')

/** The rows of a table, wherever in it they are. */
const rowsOf = (node: DomNode): DomNode[] =>
  node.name === 'tr' ? [node] : (node.children ?? []).flatMap(rowsOf)

/**
 * How wide the columns of a table are, so that it fits into a line of mail: as wide as their texts, and
 * where that is too much, the widest are narrowed, though not so far that a word would stand out.
 * @param max letters of a column, however long its words are
 */
function columnWidths(table: DomNode, max: number): number[] {
  const columns: { text: number; word: number }[] = []
  for (const row of rowsOf(table)) {
    const cells = (row.children ?? []).filter(({ name }) => name === 'th' || name === 'td')
    for (const [at, cell] of cells.entries()) {
      // A space that doesn't break keeps a day in one word.
      const words = wordsOf(cell)
        .trim()
        .split(/[ \t\r\n\f]+/)
      const { text, word } = columns[at] ?? { text: 0, word: 0 }
      columns[at] = {
        text: Math.max(text, words.join(' ').length),
        word: Math.max(word, ...words.map(({ length }) => length)),
      }
    }
  }
  const room = lineWidth - gap * (columns.length - 1)
  for (let cap = max; ; cap -= 1) {
    const widths = columns.map(({ text, word }) =>
      Math.max(Math.min(word, max), Math.min(text, cap)),
    )
    if (cap <= 1 || widths.reduce((sum, width) => sum + width, 0) <= room) return widths
  }
}

/**
 * The library's table, which has but one width for all columns, with a width for each, and below its
 * caption, which the library leaves out.
 */
const fittedTable: FormatCallback = (table, walk, builder, options) => {
  const caption = table.children?.find(({ name }) => name === 'caption')
  if (caption) {
    builder.openBlock({ leadingLineBreaks: 2 })
    walk(caption.children, builder)
    builder.closeBlock({ trailingLineBreaks: 2 })
  }
  const widths = columnWidths(table, options.maxColumnWidth ?? lineWidth)
  const { openTableRow, openTableCell } = builder
  let at = 0
  builder.openTableRow = () => {
    at = 0
    openTableRow.call(builder)
  }
  builder.openTableCell = () => {
    openTableCell.call(builder, { maxColumnWidth: widths[at] })
    at += 1
  }
  builder.options.formatters.dataTable!(table, walk, builder, options)
  Object.assign(builder, { openTableRow, openTableCell })
}

const makeOwnText = () =>
  converter().compile({
    wordwrap: false,
    formatters: { fittedTable },
    selectors: [
      { selector: '.skip', format: 'skip' },
      { selector: 'img', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      { selector: 'ul', options: { itemPrefix: '- ' } },
      // Left to itself, the library writes these and what follows them as one word.
      ...['dt', 'dd', 'summary'].map((selector) => ({
        selector,
        format: 'block',
        options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
      })),
      ...['dl', 'details'].map((selector) => ({
        selector,
        format: 'block',
        options: { leadingLineBreaks: 2, trailingLineBreaks: 2 },
      })),
      {
        selector: 'a',
        // Without brackets: programs that look for addresses take one at the end with them.
        options: { hideLinkHrefIfSameAsText: true, linkBrackets: false, noAnchorUrl: true },
      },
      // Things in a list: each a paragraph, with its address on a line of its own.
      {
        selector: 'tr.thing',
        format: 'block',
        options: { leadingLineBreaks: 2, trailingLineBreaks: 2 },
      },
      {
        selector: 'td.thing',
        format: 'block',
        options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
      },
      {
        selector: 'table.data',
        format: 'fittedTable',
        options: { uppercaseHeaderCells: false, maxColumnWidth: 56, colSpacing: gap },
      },
      // Words beside columns of numbers.
      {
        selector: 'table.columns',
        format: 'fittedTable',
        options: { uppercaseHeaderCells: false, maxColumnWidth: 40, colSpacing: gap },
      },
    ],
  })

/** Reads HTML of others; what is hidden deep inside is left out. */
let foreignText: ReturnType<typeof compile> | undefined

const makeForeignText = () =>
  converter().compile({
    wordwrap: false,
    limits: { maxInputLength: 64 * 1024, maxDepth: 40, maxChildNodes: 2_000 },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { ignoreHref: true } },
      // Left to itself, the library writes the cells of a table as one word.
      { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
    formatters: {
      cell(element, walk, builder) {
        builder.addInline(' ')
        walk(element.children, builder)
        builder.addInline(' ')
      },
    },
  })

/** The text of one of our own emails, whose markup is known to be sound. */
export const textOfMail = (markup: string): string =>
  `${(ownText ??= makeOwnText())(markup)
    .replaceAll(/\n{3,}/g, '\n\n')
    // What kept a day in one line has done so.
    .replaceAll(/(?<=\d)\u00a0(?=[A-Z][a-z]{2})|(?<=[a-z]{2})\u00a0(?=\d{4})/g, ' ')
    .trim()}\n`

/** The words of HTML from outside, with line breaks where its blocks end. */
export const textOfForeignHtml = (markup: string): string =>
  (foreignText ??= makeForeignText())(markup).trim()
