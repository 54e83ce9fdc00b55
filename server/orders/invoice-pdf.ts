import { toBuffer } from 'bwip-js/node'
import { officeDate } from '#shared/helsinki-time.ts'
import { decimal, vatText } from '#shared/money.ts'
import type { InvoiceDocument } from './invoices.ts'
import {
  accent,
  margin,
  pdf,
  row,
  soft,
  width,
  write,
  type Column,
  type Doc,
  type Parent,
} from './pdf-page.ts'
import { printedReference, printedRf } from './reference-number.ts'

/**
 * Draws an invoice or credit note as a tagged PDF with embedded fonts; everything that the VAT Act
 * (209 e) wants, the reference number in both forms, and the virtual barcode as text and Code 128.
 */
export const invoicePdf = (document: InvoiceDocument): Promise<Buffer> =>
  pdf(
    {
      title: titleOf(document),
      author: document.seller.name,
      subject: `Order ${document.order}`,
      date: document.issuedOn,
    },
    async (doc, root) => {
      head(doc, root, document)
      table(doc, root, document)
      totals(doc, root, document)
      await payment(doc, root, document)
    },
  )

/** What a document is called. */
export const titleOf = ({ kind, number }: Pick<InvoiceDocument, 'kind' | 'number'>): string =>
  `${kind === 'credit' ? 'Credit note' : 'Invoice'} ${number}`

function head(doc: Doc, parent: Parent, document: InvoiceDocument): void {
  const { seller, buyer } = document
  write(doc, parent, 'P', seller.name, { font: 'bold', size: 13, x: margin, y: margin })
  write(doc, parent, 'H1', titleOf(document), {
    font: 'bold',
    size: 22,
    x: margin,
    y: margin,
    width,
    align: 'right',
  })
  const facts: [string, string | null][] = [
    ['Date', officeDate(document.issuedOn)],
    [
      'Date of supply',
      document.suppliedOn === document.issuedOn ? null : officeDate(document.suppliedOn),
    ],
    ['Due date', document.dueOn && officeDate(document.dueOn)],
    ['Order', document.order],
    ['Refers to invoice', document.refersTo === null ? null : String(document.refersTo)],
  ]
  const top = margin + 58
  write(
    doc,
    parent,
    'P',
    [
      ...seller.address,
      ...(seller.businessId ? [`Business ID ${seller.businessId}`] : []),
      ...(seller.vatId ? [`VAT ${seller.vatId}`] : []),
      ...[seller.email, seller.phone].filter((line) => line !== null),
    ].join('\n'),
    { x: margin, y: top, width: 200, colour: soft, lineGap: 2 },
  )
  const left = doc.y
  write(
    doc,
    parent,
    'P',
    facts.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : [])).join('\n'),
    {
      x: margin + 250,
      y: top,
      width: width - 250,
      align: 'right',
      lineGap: 2,
    },
  )
  doc.y = Math.max(left, doc.y) + 22
  write(doc, parent, 'H2', 'Bill to', { size: 8.5, colour: accent, font: 'bold', x: margin })
  write(
    doc,
    parent,
    'P',
    [
      ...(buyer.company ? [buyer.company] : []),
      buyer.name,
      ...buyer.address,
      ...(buyer.vatId ? [`VAT ${buyer.vatId}`] : []),
    ].join('\n'),
    { x: margin, width: 300, lineGap: 2 },
  )
  doc.y += 22
}

/** Left edges and widths of the columns. */
const columns = [
  { label: 'Item', x: 0, width: 200, align: 'left' },
  { label: 'Qty', x: 205, width: 30, align: 'right' },
  { label: 'Unit price', x: 240, width: 70, align: 'right' },
  { label: 'VAT', x: 315, width: 45, align: 'right' },
  { label: 'Total', x: 365, width: width - 365, align: 'right' },
] as const satisfies readonly Column[]

function table(doc: Doc, parent: Parent, document: InvoiceDocument): void {
  const element = doc.struct('Table')
  parent.add(element)
  row(doc, element, columns, { cells: columns.map(({ label }) => label), type: 'TH' })
  for (const { title, quantity, unit, rate, total } of document.lines) {
    if (doc.y > 700) doc.addPage()
    row(doc, element, columns, {
      cells: [title, String(quantity), euros(unit), vatText(rate), euros(total)],
      type: 'TD',
    })
  }
  element.end()
  doc.y += 6
}

function totals(doc: Doc, parent: Parent, document: InvoiceDocument): void {
  const lines = document.vat.map(
    ({ rate, net, vat, gross }) =>
      `Net ${euros(net)}   VAT ${vatText(rate)} ${euros(vat)}   Gross ${euros(gross)}`,
  )
  write(doc, parent, 'P', lines.join('\n'), {
    x: margin,
    width,
    align: 'right',
    colour: soft,
    lineGap: 2,
  })
  doc.y += 6
  write(doc, parent, 'P', `Total ${euros(document.total)}`, {
    font: 'bold',
    size: 15,
    x: margin,
    width,
    align: 'right',
  })
  if (document.exemption) {
    doc.y += 6
    write(doc, parent, 'P', document.exemption, { x: margin, width, colour: soft })
  }
  doc.y += 24
}

async function payment(doc: Doc, parent: Parent, document: InvoiceDocument): Promise<void> {
  const { seller, reference, rf, barcode, dueOn } = document
  if (document.paid) {
    const text = document.kind === 'credit' ? 'This amount is credited to you.' : 'Paid. Thank you.'
    write(doc, parent, 'P', text, { font: 'bold', x: margin, width })
    return
  }
  if (doc.y > 620) doc.addPage()
  write(doc, parent, 'H2', 'How to pay', { size: 8.5, colour: accent, font: 'bold', x: margin })
  const facts: [string, string | null][] = [
    ['Recipient', seller.name],
    ['IBAN', seller.iban && seller.iban.replaceAll(/\s/g, '').replaceAll(/(.{4})(?=.)/g, '$1 ')],
    ['BIC', seller.bic],
    ['Reference', printedReference(reference)],
    ['International reference', printedRf(rf)],
    ['Due date', dueOn && officeDate(dueOn)],
    ['Amount', euros(document.total)],
    ['Virtual barcode', barcode],
  ]
  write(
    doc,
    parent,
    'P',
    facts.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : [])).join('\n'),
    {
      x: margin,
      width,
      lineGap: 3,
    },
  )
  if (!barcode) return
  doc.y += 10
  const picture = await barcodePicture(barcode)
  const y = doc.y
  parent.add(
    doc.struct('Figure', { alt: `Code 128 barcode of ${barcode}` }, () => {
      doc.image(picture, margin, y, { width: 300, height: 36 })
    }),
  )
}

/** A virtual barcode as Code 128, which banks' applications read from the page. @returns a PNG */
export const barcodePicture = (digits: string): Promise<Buffer> =>
  toBuffer({ bcid: 'code128', text: digits, scale: 3, height: 12, includetext: false })

const euros = (cents: number): string => `${decimal(cents)} €`
