import type { DocumentFormat } from '#shared/shop/orders.ts'
import type { Order } from '../order.ts'
import type { Invoice } from '../schema.ts'
import { finvoice } from './e-invoices/finvoice.ts'
import { asPrinted } from './invoice-document.ts'
import { invoiceHtml } from './invoice-html.ts'
import type { Pdfs } from './pdf/pdfs.ts'
import { electronicSeller } from './e-invoices/ubl.ts'

/** A document as a file. */
export type DocumentFile = {
  readonly name: string
  readonly contentType: string
  readonly content: Buffer | string
}

const xml = 'application/xml; charset=utf-8'

/** Writes documents as files. */
export type DocumentFiles = ReturnType<typeof createDocumentFiles>

/** Creates the writers of an order's documents, one per format. */
export function createDocumentFiles(pdfs: Pick<Pdfs, 'invoice' | 'ubl'>) {
  return {
    /**
     * A document as a file: `pdf` and `html` for people, `finvoice` (3.0) and `ubl` (EN 16931) for
     * programs.
     * @throws wrong-state where the seller's settings lack what a format demands
     */
    async write(
      { kind, number, document: issued }: Pick<Invoice, 'kind' | 'number' | 'document'>,
      order: Pick<Order, 'shippedAt' | 'email'>,
      format: DocumentFormat,
    ): Promise<DocumentFile> {
      const document = asPrinted(issued, order)
      const name = `${kind === 'credit' ? 'credit-note' : 'invoice'}-${number}`
      if (format === 'pdf') {
        const content = await pdfs.invoice(document)
        return { name: `${name}.pdf`, contentType: 'application/pdf', content }
      }
      if (format === 'html') {
        const content = invoiceHtml(document)
        return { name: `${name}.html`, contentType: 'text/html; charset=utf-8', content }
      }
      if (format === 'finvoice') {
        return { name: `${name}.finvoice.xml`, contentType: xml, content: finvoice(document) }
      }
      // Ahead of the thread, which would lose the sentence.
      electronicSeller(document.seller)
      const content = await pdfs.ubl(document, order.email)
      return { name: `${name}.ubl.xml`, contentType: xml, content }
    },
  }
}
