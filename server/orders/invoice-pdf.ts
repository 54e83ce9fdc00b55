import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import bwip from 'bwip-js/node'
import PDFDocument from 'pdfkit'
import { officeDate } from '#shared/helsinki-time.ts'
import { decimal, vatText } from '#shared/money.ts'
import type { InvoiceDocument } from './invoices.ts'
import { printedReference, printedRf } from './reference-number.ts'

type Doc = PDFKit.PDFDocument

const packageFile = (name: string, file: string) =>
  join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file)

/** The face of documents, and one that knows the scripts that it lacks. */
const fonts = {
  text: packageFile('@expo-google-fonts/archivo', '400Regular/Archivo_400Regular.ttf'),
  bold: packageFile('@expo-google-fonts/archivo', '700Bold/Archivo_700Bold.ttf'),
  wide: packageFile('dejavu-fonts-ttf', 'ttf/DejaVuSans.ttf'),
}

const margin = 48
const width = 595.28 - 2 * margin
const ink = '#12151a'
const soft = '#565c65'
const accent = '#b3200b'

/** What Archivo has: Latin letters and common signs. */
const common = /^[\u0000-\u024f\u1e80-\u1ef9\u2010-\u2026\u20ac\u2122\u2212]*$/

/**
 * Draws an invoice or credit note as a tagged PDF with embedded fonts; everything that the VAT Act
 * (209 e) wants, the reference number in both forms, and the virtual barcode as text and Code 128.
 */
export async function invoicePdf(document: InvoiceDocument): Promise<Buffer> {
  const doc = new PDFDocument({
    size: 'A4',
    margin,
    tagged: true,
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    info: {
      Title: titleOf(document),
      Author: document.seller.name,
      Subject: `Order ${document.order}`,
      CreationDate: new Date(`${document.issuedOn}T12:00:00Z`),
    },
  })
  doc.registerFont('text', fonts.text)
  doc.registerFont('bold', fonts.bold)
  doc.registerFont('wide', fonts.wide)
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => void chunks.push(chunk))
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  const root = doc.struct('Document')
  doc.addStructure(root)
  head(doc, root, document)
  table(doc, root, document)
  totals(doc, root, document)
  await payment(doc, root, document)
  root.end()
  doc.end()
  return done
}

/** What a document is called. */
export const titleOf = ({ kind, number }: Pick<InvoiceDocument, 'kind' | 'number'>): string =>
  `${kind === 'credit' ? 'Credit note' : 'Invoice'} ${number}`

type Parent = PDFKit.PDFStructureElement

/** Text as a structure element of its own, in a face that has its letters. */
function write(
  doc: Doc,
  parent: Parent,
  type: string,
  text: string,
  {
    font = 'text',
    size = 9.5,
    colour = ink,
    ...options
  }: {
    font?: 'text' | 'bold'
    size?: number
    colour?: string
    x?: number
    y?: number
  } & PDFKit.Mixins.TextOptions = {},
): void {
  const { x = doc.x, y = doc.y, ...rest } = options
  parent.add(
    doc.struct(type, {}, () => {
      doc
        .font(common.test(text) ? font : 'wide')
        .fontSize(size)
        .fillColor(colour)
        .text(text, x, y, rest)
    }),
  )
}

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
] as const

function table(doc: Doc, parent: Parent, document: InvoiceDocument): void {
  const element = doc.struct('Table')
  parent.add(element)
  row(
    doc,
    element,
    columns.map(({ label }) => label),
    'TH',
  )
  for (const { title, quantity, unit, rate, total } of document.lines) {
    if (doc.y > 700) doc.addPage()
    row(doc, element, [title, String(quantity), euros(unit), vatText(rate), euros(total)], 'TD')
  }
  element.end()
  doc.y += 6
}

function row(doc: Doc, parent: Parent, cells: readonly string[], type: 'TH' | 'TD'): void {
  const element = doc.struct('TR')
  parent.add(element)
  const top = doc.y
  let bottom = top
  for (const [at, text] of cells.entries()) {
    const { x, width: cell, align } = columns[at]!
    write(doc, element, type, text, {
      font: type === 'TH' ? 'bold' : 'text',
      size: type === 'TH' ? 8.5 : 9.5,
      colour: type === 'TH' ? soft : ink,
      x: margin + x,
      y: top,
      width: cell,
      align,
    })
    bottom = Math.max(bottom, doc.y)
  }
  element.end()
  doc.y = bottom + 5
  decoration(doc, () =>
    doc
      .moveTo(margin, doc.y)
      .lineTo(margin + width, doc.y)
      .lineWidth(0.5)
      .strokeColor('#dcd9d2')
      .stroke(),
  )
  doc.y += 6
}

/** What readers of the page need not hear. */
function decoration(doc: Doc, draw: () => void): void {
  doc.markContent('Artifact', { type: 'Layout' })
  draw()
  doc.endMarkedContent()
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
  bwip.toBuffer({ bcid: 'code128', text: digits, scale: 3, height: 12, includetext: false })

const euros = (cents: number): string => `${decimal(cents)} €`
