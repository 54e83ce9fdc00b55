import type { compile } from 'html-to-text'
import { library } from '../library.ts'

const converter = library('html-to-text')

/** Reads our own HTML emails; made with the first of them, since that takes a while. */
let ownText: ReturnType<typeof compile> | undefined

const makeOwnText = () =>
  converter().compile({
    wordwrap: false,
    selectors: [
      { selector: '.skip', format: 'skip' },
      { selector: 'img', format: 'skip' },
      { selector: 'h1', options: { uppercase: false } },
      { selector: 'h2', options: { uppercase: false } },
      { selector: 'h3', options: { uppercase: false } },
      { selector: 'ul', options: { itemPrefix: '- ' } },
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
        format: 'dataTable',
        options: { uppercaseHeaderCells: false, maxColumnWidth: 56, colSpacing: 2 },
      },
      // Words and three columns of numbers in the 76 letters of a line of mail.
      {
        selector: 'table.columns',
        format: 'dataTable',
        options: { uppercaseHeaderCells: false, maxColumnWidth: 40, colSpacing: 2 },
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
