import { longDate } from '#shared/dates/date-format.ts'
import { vatText } from '#shared/money.ts'
import {
  discountOf,
  discountText,
  sellerLines,
  supplyText,
  type InvoiceDocument,
} from '../invoice-document.ts'
import { payment } from './invoice-pdf-payment.ts'
import { lineAmounts, netUnitInEuros } from '../line-amounts.ts'
import {
  accent,
  amount,
  edge,
  facts,
  margin,
  pdf,
  soft,
  table,
  width,
  write,
  type Column,
  type Doc,
  type Parent,
} from './pdf-page.ts'

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
    (doc, root) => {
      head(doc, root, document)
      lines(doc, root, document)
      totals(doc, root, document)
      payment(doc, root, document)
    },
  )

/** What a document is called. */
export const titleOf = ({ kind, number }: Pick<InvoiceDocument, 'kind' | 'number'>): string =>
  `${kind === 'credit' ? 'Credit note' : 'Invoice'} ${number}`

function head(doc: Doc, parent: Parent, document: InvoiceDocument): void {
  const { seller, buyer } = document
  edge(doc)
  write(doc, parent, 'P', seller.name, { font: 'bold', size: 13, x: margin, y: margin })
  write(doc, parent, 'H1', titleOf(document), {
    font: 'bold',
    size: 22,
    x: margin,
    y: margin,
    width,
    align: 'right',
  })
  const about: [string, string | null][] = [
    ['Date', longDate(document.issuedOn)],
    ['Date of supply', supplyText(document)],
    ['Due date', document.dueOn && longDate(document.dueOn)],
    ['Order', document.order],
    ['Refers to invoice', document.refersTo === null ? null : String(document.refersTo)],
    ['Reason', document.remark],
  ]
  const top = margin + 58
  write(doc, parent, 'P', sellerLines(seller).join('\n'), {
    x: margin,
    y: top,
    width: 200,
    colour: soft,
    lineGap: 2,
  })
  const left = doc.y
  doc.y = top
  facts(doc, parent, about, { x: margin + 320, width: width - 320 })
  doc.y = Math.max(left, doc.y) + 22
  write(doc, parent, 'H2', 'Bill to', { size: 8.5, colour: accent, font: 'bold', x: margin })
  doc.y += 3
  write(
    doc,
    parent,
    'P',
    [
      ...(buyer.company ? [buyer.company] : []),
      buyer.name,
      ...buyer.address,
      ...(buyer.vatId ? [`VAT ID ${buyer.vatId}`] : []),
    ].join('\n'),
    { x: margin, width: 300, lineGap: 2 },
  )
  doc.y += 22
}

/** Left edges and widths of the columns. */
const columns = [
  { label: 'Item', x: 0, width: 190, align: 'left' },
  { label: 'Qty', x: 192, width: 28, align: 'right' },
  { label: 'Unit, net', x: 224, width: 66, align: 'right' },
  { label: 'Net', x: 294, width: 66, align: 'right' },
  { label: 'VAT', x: 364, width: 44, align: 'right' },
  { label: 'Total', x: 412, width: width - 412, align: 'right' },
] as const satisfies readonly Column[]

function lines(doc: Doc, parent: Parent, document: InvoiceDocument): void {
  const amounts = lineAmounts(document)
  const rows = document.lines.map((line, at) => {
    const { title, note, reason, quantity, rate, total } = line
    const { net } = amounts[at]!
    return [
      [title, note, discountText(line, document), reason].filter(Boolean).join('\n'),
      String(quantity),
      netUnitInEuros(net, quantity),
      amount(net),
      vatText(rate),
      amount(total),
    ]
  })
  table(doc, parent, columns, rows)
  doc.y += 6
}

/** Left edges and widths of the columns of the VAT. */
const vatColumns = [
  { label: 'VAT rate', x: 205, width: 60, align: 'right' },
  { label: 'Net', x: 270, width: 70, align: 'right' },
  { label: 'VAT', x: 345, width: 65, align: 'right' },
  { label: 'Gross', x: 415, width: width - 415, align: 'right' },
] as const satisfies readonly Column[]

function totals(doc: Doc, parent: Parent, document: InvoiceDocument): void {
  if (doc.y > 640) doc.addPage()
  doc.y += 10
  const rows = document.vat.map(({ rate, net, vat, gross }) => [
    vatText(rate),
    amount(net),
    amount(vat),
    amount(gross),
  ])
  table(doc, parent, vatColumns, rows)
  doc.y += 8
  const discount = discountOf(document)
  if (discount > 0) {
    const text = `Discount code ${document.discountCode}: ${amount(-discount)}, taken off the lines above`
    write(doc, parent, 'P', text, { x: margin, width, align: 'right', colour: soft })
    doc.y += 4
  }
  write(doc, parent, 'P', `Total ${amount(document.total)}`, {
    font: 'bold',
    size: 18,
    x: margin,
    width,
    align: 'right',
  })
  if (document.exemption) {
    doc.y += 6
    write(doc, parent, 'P', document.exemption, { x: margin, width, colour: soft })
  }
  doc.y += 14
}
