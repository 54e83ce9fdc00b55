import {
  margin,
  edge,
  facts,
  pdf,
  soft,
  table,
  width,
  within,
  write,
  type Column,
  type Doc,
  type Parent,
} from './pdf-page.ts'
import { sellerLines, type Seller } from '../invoice-document.ts'

/** What was agreed on with a booking, in words. */
export type AgreementDocument = {
  reference: string
  /** A civil date. */
  date: string
  /** Who books: name, address and contact, a line each. */
  customer: readonly string[]
  /** Each with its name: service, dates, place and so on. */
  facts: readonly (readonly [label: string, value: string])[]
  lines: readonly { text: string; net: string; vat: string; gross: string }[]
  total: { net: string; vat: string; gross: string }
  /** Rules of travel, payment and cancelling, a sentence each. */
  rules: readonly string[]
  /** When it was agreed and by whom, a sentence each. */
  agreed: readonly string[]
}

/** What the crew has to know of a booking on the day, in words; nothing of it is about money. */
export type CallSheetDocument = {
  reference: string
  service: string
  /** Civil date on which it was made. */
  date: string
  facts: readonly (readonly [label: string, value: string])[]
  /** A line for each day of the work. */
  days: readonly (readonly [day: string, hours: string])[]
  crew: readonly (readonly [name: string, phone: string])[]
  notes: readonly (readonly [label: string, text: string])[]
}

const columns = [
  { label: 'What', x: 0, width: width - 240, align: 'left' },
  { label: 'Net', x: width - 235, width: 75, align: 'right' },
  { label: 'VAT', x: width - 155, width: 70, align: 'right' },
  { label: 'Total', x: width - 80, width: 80, align: 'right' },
] as const satisfies readonly Column[]

const halves = [
  { x: 0, width: width / 2 },
  { x: width / 2 + 10, width: width / 2 - 10 },
] as const

/** Points below which no section begins on a page. */
const lastBeginning = 690
/** Points below which no sentence does. */
const lastSentence = 750

/** Draws what was agreed on as a tagged PDF. */
export const agreementPdf = (agreement: AgreementDocument, seller: Seller): Promise<Buffer> =>
  pdf(
    {
      title: `Booking agreement ${agreement.reference}`,
      author: seller.name,
      subject: 'What we’ve agreed',
      date: agreement.date,
    },
    (doc, root) => {
      const { reference, customer, lines, total, rules, agreed } = agreement
      within(doc, root, 'Sect', (part) => {
        begin(doc, part, { seller, title: `Booking agreement ${reference}` })
        parties(doc, part, [
          ['Agency', [seller.name, ...sellerLines(seller)]],
          ['Customer', customer],
        ])
        section(doc, part, 'The booking')
        facts(doc, part, agreement.facts, { x: margin, width })
        section(doc, part, 'Price')
        table(
          doc,
          part,
          columns,
          [...lines, { text: 'Total', ...total }].map(({ text, net, vat, gross }) => [
            text,
            net,
            vat,
            gross,
          ]),
        )
        section(doc, part, 'Terms')
        sentences(doc, part, rules)
        section(doc, part, 'Agreed')
        sentences(doc, part, agreed)
      })
    },
  )

/** Draws a call sheet as a tagged PDF: where, when, whom to reach and who comes. */
export const callSheetPdf = (sheet: CallSheetDocument, seller: Seller): Promise<Buffer> =>
  pdf(
    {
      title: `Call sheet ${sheet.reference}`,
      author: seller.name,
      subject: sheet.service,
      date: sheet.date,
    },
    (doc, root) => {
      const { reference, service, days, crew, notes } = sheet
      within(doc, root, 'Sect', (part) => {
        begin(doc, part, { seller, title: `Call sheet ${reference}` })
        section(doc, part, service)
        facts(doc, part, sheet.facts, { x: margin, width })
        pairs(doc, part, { title: 'Daily times', labels: ['Day', 'Hours'], rows: days })
        pairs(doc, part, { title: 'Crew', labels: ['Name', 'Phone'], rows: crew })
        if (notes.length > 0) {
          section(doc, part, 'Notes')
          for (const [label, text] of notes) {
            // Its text begins below it, not on the next page.
            if (doc.y > lastSentence - 20) doc.addPage()
            write(doc, part, 'H3', label, { font: 'bold', x: margin, width })
            doc.y += 3
            sentences(doc, part, [text])
          }
        }
        const reach = [seller.email, seller.phone].filter(Boolean).join(', ')
        doc.y += 14
        if (reach) sentences(doc, part, [`Questions? ${seller.name}: ${reach}`])
      })
    },
  )

/** The head of a page: who it is from, and what it is. */
function begin(doc: Doc, parent: Parent, { seller, title }: { seller: Seller; title: string }) {
  edge(doc)
  write(doc, parent, 'P', seller.name, { font: 'bold', size: 13, x: margin, y: margin, width: 200 })
  write(doc, parent, 'H1', title, {
    font: 'bold',
    size: 18,
    x: margin + 170,
    y: margin,
    width: width - 170,
    align: 'right',
  })
  doc.y = margin + 40
}

function section(doc: Doc, parent: Parent, title: string): void {
  doc.y += 16
  if (doc.y > lastBeginning) doc.addPage()
  write(doc, parent, 'H2', title, { font: 'bold', size: 12, x: margin, width })
  doc.y += 6
}

/** Two parties beside each other. */
function parties(
  doc: Doc,
  parent: Parent,
  sides: readonly (readonly [title: string, lines: readonly string[]])[],
): void {
  const top = doc.y
  let bottom = top
  for (const [at, [title, lines]] of sides.entries()) {
    const { x, width: half } = halves[at]!
    write(doc, parent, 'H2', title, {
      font: 'bold',
      size: 12,
      x: margin + x,
      y: top,
      width: half,
    })
    doc.y += 4
    write(doc, parent, 'P', lines.join('\n'), {
      x: margin + x,
      width: half,
      colour: soft,
      lineGap: 2,
    })
    bottom = Math.max(bottom, doc.y)
  }
  doc.y = bottom + 4
}

/** A table of two columns under a heading; nothing without rows. */
function pairs(
  doc: Doc,
  parent: Parent,
  {
    title,
    labels,
    rows,
  }: {
    title: string
    labels: readonly [string, string]
    rows: readonly (readonly [string, string])[]
  },
): void {
  if (rows.length === 0) return
  section(doc, parent, title)
  const of = labels.map((label, at): Column => ({ label, ...halves[at]!, align: 'left' }))
  table(doc, parent, of, rows)
}

function sentences(doc: Doc, parent: Parent, texts: readonly string[]): void {
  for (const text of texts) {
    if (doc.y > lastSentence) doc.addPage()
    write(doc, parent, 'P', text, { x: margin, width, lineGap: 2 })
    doc.y += 5
  }
}
