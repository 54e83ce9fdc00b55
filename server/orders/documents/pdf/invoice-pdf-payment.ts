import { longDate } from '#shared/dates/date-format.ts'
import type { QrCode } from '../../../images/qr-code.ts'
import { encodeBarcode } from './barcode.ts'
import { coveredBy, paidText, type InvoiceDocument } from '../invoice-document.ts'
import { paymentCode } from './payment-qr.ts'
import {
  accent,
  amount,
  facts,
  figure,
  margin,
  panel,
  soft,
  width,
  write,
  type Doc,
  type Parent,
} from './pdf-page.ts'
import { printedIban, printedReference, printedRf } from '../reference-number.ts'

/** Points between the edge of the panel and its text. */
const inset = 16

/** Points of the sides of the payment code, half as much again as the guidelines ask for. */
const codeSide = 84

/** Draws how an invoice is paid: account, reference number, payment code, virtual barcode as text and picture. */
export function payment(doc: Doc, parent: Parent, document: InvoiceDocument): void {
  const { seller, reference, rf, barcode, dueOn } = document
  if (document.paid) {
    const text = document.kind === 'credit' ? 'This amount is credited to you.' : paidText(document)
    write(doc, parent, 'P', text, { font: 'bold', x: margin, width })
    return
  }
  const code = paymentCode(document)
  const height = (code ? 116 : 106) + (barcode ? 70 : 0)
  // The panel may reach below the text, as far as printers do.
  if (doc.y + height > doc.height - 30) doc.addPage()
  const top = doc.y
  const x = margin + inset
  panel(doc, top, height)
  write(doc, parent, 'H2', 'How to pay', {
    size: 8.5,
    colour: accent,
    font: 'bold',
    x,
    y: top + inset - 2,
  })
  const first = doc.y + 4
  doc.y = first
  const account: [string, string | null][] = [
    ['Recipient', seller.name],
    ['IBAN', seller.iban && printedIban(seller.iban)],
    ['BIC', seller.bic],
    ['International reference', printedRf(rf)],
  ]
  const second = code ? 196 : 280
  facts(doc, parent, account, { x, width: second - 10 })
  const left = doc.y
  doc.y = first
  const owed: [string, string | null][] = [
    [coveredBy(document), document.covered > 0 ? amount(document.covered) : null],
    ['Amount', amount(document.total - document.covered)],
    ['Due date', dueOn && longDate(dueOn)],
    ['Reference', printedReference(reference)],
  ]
  const across = width - 2 * inset
  facts(doc, parent, owed, {
    x: x + second,
    width: across - second - (code ? codeSide + 12 : 0),
  })
  const right = doc.y
  if (code) {
    const corner = { x: x + across - codeSide, y: top + inset - 4 }
    drawCode(doc, parent, code, corner)
    doc.y = corner.y + codeSide + 2
    write(doc, parent, 'P', 'Scan with your bank’s app', {
      size: 7.5,
      colour: soft,
      x: corner.x - 10,
      width: codeSide + 20,
      align: 'center',
    })
  }
  doc.y = Math.max(left, right, doc.y) + 6
  if (!barcode) return
  facts(doc, parent, [['Virtual barcode', barcode]], { x, width: width - 2 * inset })
  const y = doc.y + 5
  const { width: modules, bars } = encodeBarcode(barcode)
  const module = (width - 2 * inset) / modules
  figure(doc, parent, {
    alt: `Code 128 barcode of ${barcode}`,
    // Scanners want white around it.
    ground: { x, y, width: width - 2 * inset, height: 50 },
    shapes: bars.map((bar) => ({
      x: x + bar.at * module,
      y: y + 6,
      width: bar.width * module,
      height: 38,
    })),
  })
}

function drawCode(
  doc: Doc,
  parent: Parent,
  { size, runs }: QrCode,
  { x, y }: { x: number; y: number },
): void {
  const module = codeSide / size
  figure(doc, parent, {
    alt: 'SEPA payment code to scan with a bank’s app',
    ground: { x, y, width: codeSide, height: codeSide },
    shapes: runs.map((run) => ({
      x: x + run.x * module,
      y: y + run.y * module,
      width: run.length * module,
      height: module,
    })),
  })
}
