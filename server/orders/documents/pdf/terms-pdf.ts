import { longDate } from '#shared/dates/date-format.ts'
import { termsSpans, withdrawalFormText, type TermsBlock } from '#shared/legal/terms.ts'
import type { TermsText } from '../../../legal/feature.ts'
import { sellerLines, type Seller } from '../invoice-document.ts'
import {
  accent,
  decoration,
  edge,
  margin,
  pdf,
  soft,
  width,
  within,
  write,
  type Doc,
  type Parent,
} from './pdf-page.ts'

/** Points below which no section begins on a page. */
const lastBeginning = 700

/** Draws a version of the terms of service as a tagged PDF. */
export const termsPdf = (
  seller: Seller,
  { siteUrl, text }: { siteUrl: string; text: TermsText },
): Promise<Buffer> =>
  pdf(
    {
      title: 'Terms of service',
      author: seller.name,
      subject: `Version ${text.version}`,
      date: text.date,
    },
    (doc, root) => {
      edge(doc)
      write(doc, root, 'H1', 'Terms of service', { font: 'bold', size: 22, x: margin, y: margin })
      doc.y += 4
      write(doc, root, 'P', `Version ${text.version}, ${longDate(text.date)}`, {
        colour: soft,
      })
      const plain = (words: string) => plainWords(words, { seller, siteUrl })
      for (const { id, title, blocks } of text.sections) {
        doc.y += 16
        if (doc.y > lastBeginning) doc.addPage()
        write(doc, root, 'H2', title, { font: 'bold', size: 12, x: margin, width })
        doc.y += 5
        if (id === 'parties') paragraph(doc, root, [seller.name, ...sellerLines(seller)].join(', '))
        for (const block of blocks) draw(doc, root, block, plain)
        if (id === 'withdrawal') {
          const to = [seller.name, ...seller.address].join(', ')
          doc.y += 3
          write(doc, root, 'H3', 'Withdrawal form', { font: 'bold', x: margin, width })
          doc.y += 3
          paragraph(doc, root, `To ${to}: ${withdrawalFormText}`)
        }
      }
    },
  )

function draw(doc: Doc, parent: Parent, block: TermsBlock, plain: (text: string) => string): void {
  if (typeof block === 'string') {
    paragraph(doc, parent, plain(block))
    return
  }
  within(doc, parent, 'L', (list) => {
    for (const point of block) {
      decoration(doc, [{ x: margin, y: doc.y + 4.5, width: 6, height: 1.5, colour: accent }])
      write(doc, list, 'LI', plain(point), { x: margin + 14, width: width - 14, lineGap: 2.5 })
      doc.y += 3
    }
  })
  doc.y += 3
}

function paragraph(doc: Doc, parent: Parent, text: string): void {
  write(doc, parent, 'P', text, { x: margin, width, lineGap: 2.5 })
  doc.y += 5
}

/** The words of a paragraph, with the addresses that its links lead to, as on paper. */
const plainWords = (text: string, { seller, siteUrl }: { seller: Seller; siteUrl: string }) =>
  termsSpans(text)
    .map(({ words, href }) => {
      if (words === '{mail}') return seller.email ?? `us (${siteUrl}/#contact)`
      if (href === null) return words
      return href.startsWith('/') ? `${words} (${siteUrl}${href})` : words
    })
    .join('')
