import type { compile, SelectorDefinition } from 'html-to-text'
import { library } from '../library.ts'
import { limitTags } from './html-size.ts'

const converter = library('html-to-text')

/** Elements whose text is never shown; pages leave them out too. */
const unseen = [
  'script',
  'style',
  'iframe',
  'object',
  'embed',
  'template',
  'noscript',
  'textarea',
  'svg',
  'math',
  'title',
  'img',
].map((selector): SelectorDefinition => ({ selector, format: 'skip' }))

/** What has no full stop at its end. */
const parts = [
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'li',
  'dt',
  'dd',
  'td',
  'th',
  'caption',
  'figcaption',
]

/** Made with the first text: it takes as long as a hundred of them. */
let line: ReturnType<typeof compile> | undefined

const makeLine = () =>
  converter().compile({
    wordwrap: false,
    // Real texts are less deep; one that is deeper is cut there.
    limits: { maxDepth: 100, maxInputLength: 4 * 1024 * 1024 },
    formatters: {
      part(element, walk, builder) {
        builder.openBlock({ leadingLineBreaks: 1 })
        walk(element.children, builder)
        builder.addInline(' ·')
        builder.closeBlock({ trailingLineBreaks: 1 })
      },
    },
    selectors: [
      ...unseen,
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'hr', format: 'block' },
      { selector: 'blockquote', format: 'block' },
      ...['ul', 'ol', 'table', 'tr'].map((selector) => ({ selector, format: 'block' })),
      ...parts.map((selector) => ({ selector, format: 'part' })),
    ],
  })

/**
 * The words of HTML as they are read, all in one line: no tags, entities decoded, with a middle dot
 * after what has no full stop, such as a heading or a cell. The result is plain text; what shows it
 * escapes it.
 */
export function htmlToText(html: string): string {
  return tidy((line ??= makeLine())(limitTags(html)).replaceAll('\u00ad', ''))
    .replaceAll(/ ·(?: ·)+/g, ' ·')
    .replace(/ ·$/, '')
    .replace(/^· /, '')
}

/** One space between words, composed letters, no control characters. */
export const tidy = (text: string): string =>
  text
    .replaceAll(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .normalize('NFC')
