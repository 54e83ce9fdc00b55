import { extname } from 'node:path'
import type { Platform } from '../../../feature.ts'
import type { Attachment } from '../../../mail/message.ts'
import type { AgreementDocument, CallSheetDocument } from './booking-pdf.ts'
import type { InvoiceDocument, Seller } from '../invoice-document.ts'
import type { TermsText } from '../../../legal/feature.ts'
import type { PackingSlip } from './packing-pdf.ts'
import type { ProductFiles } from '../../order-page/files.ts'
import type { LicenceDocument } from '../licence-document.ts'
import type { LicencePicture } from './licence-pdf.ts'

/** What the thread draws. */
export type PdfTask =
  | { readonly invoice: InvoiceDocument }
  | { readonly ubl: InvoiceDocument; readonly buyerEmail: string }
  | { readonly packing: readonly PackingSlip[]; readonly seller: Seller; readonly today: string }
  | {
      readonly terms: Seller
      readonly siteUrl: string
      readonly text: TermsText
    }
  | { readonly agreement: AgreementDocument; readonly seller: Seller }
  | { readonly callSheet: CallSheetDocument; readonly seller: Seller }
  | {
      readonly licences: readonly LicenceDocument[]
      readonly pictures: readonly (LicencePicture | null)[]
      readonly seller: Seller
    }

/** Documents as PDFs, drawn outside of the event loop. */
export type Pdfs = {
  /** An invoice or credit note. */
  invoice(document: InvoiceDocument): Promise<Buffer>
  /** The same as EN 16931 in UBL; its library is as heavy as that of PDFs. @throws as `ublInvoice` */
  ubl(document: InvoiceDocument, buyerEmail: string): Promise<Buffer>
  /** Packing slips, a page for each parcel. @param today a civil date */
  packing(slips: readonly PackingSlip[], today: string): Promise<Buffer>
  /**
   * The terms of service in a version, for the confirmation of an order: the buyer keeps them as they
   * were, whatever the site says later. Drawn once, and again when the seller's data change.
   */
  terms(text: TermsText): Promise<Attachment>
  /** What was agreed on with a booking. */
  agreement(document: AgreementDocument): Promise<Buffer>
  /** What the crew has to know of a booking. */
  callSheet(document: CallSheetDocument): Promise<Buffer>
  /** Licences, a page for each. */
  licences(licences: readonly LicenceDocument[]): Promise<Buffer>
  close(): Promise<void>
}

/** The script of the thread, which lies beside this file: as a source, or as a part of the bundle. */
const script = (here: string) => new URL(`pdf-worker${extname(here)}`, here)

/** Creates the PDF renderer; its thread starts with the first document. */
export function createPdfs(
  { config, createThread }: Pick<Platform, 'config' | 'createThread'>,
  seller: () => Promise<Seller>,
  files: Pick<ProductFiles, 'path'>,
): Pdfs {
  const thread = createThread<PdfTask, Uint8Array>({ script: script(import.meta.url) })
  const draw = async (task: PdfTask) => {
    const { buffer, byteOffset, byteLength } = await thread.run(task)
    return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
  }
  const terms = new Map<string, { of: string; content: Promise<Buffer> }>()
  return {
    invoice: (document) => draw({ invoice: document }),
    ubl: (document, buyerEmail) => draw({ ubl: document, buyerEmail }),
    agreement: async (document) => draw({ agreement: document, seller: await seller() }),
    callSheet: async (document) => draw({ callSheet: document, seller: await seller() }),
    packing: async (slips, today) => draw({ packing: slips, seller: await seller(), today }),
    async terms(text) {
      const sellerNow = await seller()
      const of = JSON.stringify([sellerNow, text])
      // For each version, since anyone may ask for them by turns, and invoices wait for the same thread.
      let drawn = terms.get(text.version)
      if (drawn?.of !== of) {
        const content = draw({ terms: sellerNow, siteUrl: config.siteUrl, text })
        const made = { of, content }
        drawn = made
        terms.set(text.version, made)
        content.catch(() => {
          if (terms.get(text.version) === made) terms.delete(text.version)
        })
      }
      return {
        filename: `terms-of-service-${text.version}.pdf`,
        contentType: 'application/pdf',
        content: await drawn.content,
      }
    },
    async licences(licences) {
      const pictures = licences.map(({ files: names }) => {
        const name = names.find((each) => /\.(?:jpe?g|png)$/i.test(each))
        const path = name === undefined ? null : files.path(name)
        return path === null ? null : { path }
      })
      return draw({ licences, pictures, seller: await seller() })
    },
    close: () => thread.close(),
  }
}
