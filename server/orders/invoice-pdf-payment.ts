import { officeDate } from '#shared/helsinki-time.ts'
import { barcodePng } from './barcode-picture.ts'
import type { InvoiceDocument } from './invoice-document.ts'
import {
  accent,
  amount,
  facts,
  margin,
  panel,
  width,
  write,
  type Doc,
  type Parent,
} from './pdf-page.ts'
import { printedIban, printedReference, printedRf } from './reference-number.ts'

/** Points between the edge of the panel and its text. */
const inset = 16

/** Draws how an invoice is paid: account, reference number, virtual barcode as text and picture. */
export async function payment(doc: Doc, parent: Parent, document: InvoiceDocument): Promise<void> {
  const { seller, reference, rf, barcode, dueOn } = document
  if (document.paid) {
    const text = document.kind === 'credit' ? 'This amount is credited to you.' : 'Paid. Thank you.'
    write(doc, parent, 'P', text, { font: 'bold', x: margin, width })
    return
  }
  const height = barcode ? 168 : 106
  if (doc.y + height > doc.page.height - margin) doc.addPage()
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
  facts(doc, parent, account, { x, width: 270 })
  const left = doc.y
  doc.y = first
  const owed: [string, string | null][] = [
    ['Amount', amount(document.total)],
    ['Due date', dueOn && officeDate(dueOn)],
    ['Reference', printedReference(reference)],
  ]
  facts(doc, parent, owed, { x: x + 280, width: width - 280 - 2 * inset })
  doc.y = Math.max(left, doc.y) + 6
  if (!barcode) return
  facts(doc, parent, [['Virtual barcode', barcode]], { x, width: width - 2 * inset })
  const picture = await barcodePng(barcode)
  const y = doc.y + 5
  parent.add(
    doc.struct('Figure', { alt: `Code 128 barcode of ${barcode}` }, () => {
      // Scanners want white around it.
      doc.rect(x, y, width - 2 * inset, 50).fill('#fff')
      doc.image(picture, x + 20, y + 6, { width: width - 2 * inset - 40, height: 38 })
    }),
  )
}
