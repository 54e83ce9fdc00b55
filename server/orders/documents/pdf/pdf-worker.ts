import { answerTasks } from '../../../concurrency/worker-thread.ts'
import { agreementPdf, callSheetPdf } from './booking-pdf.ts'
import { invoicePdf } from './invoice-pdf.ts'
import { licencePdf } from './licence-pdf.ts'
import { packingPdf } from './packing-pdf.ts'
import type { PdfTask } from './pdfs.ts'
import { termsPdf } from './terms-pdf.ts'
import { ublInvoice } from '../e-invoices/ubl.ts'

// What `pdfs.ts` runs in a thread of its own: a document takes some 50 ms to draw.
answerTasks(async (task: PdfTask): Promise<Buffer> => {
  if ('invoice' in task) return invoicePdf(task.invoice)
  if ('ubl' in task) return Buffer.from(await ublInvoice(task.ubl, task.buyerEmail))
  if ('agreement' in task) return agreementPdf(task.agreement, task.seller)
  if ('callSheet' in task) return callSheetPdf(task.callSheet, task.seller)
  if ('packing' in task) return packingPdf(task.packing, task.seller, task.today)
  if ('licences' in task) return licencePdf(task.licences, task.pictures, task.seller)
  return termsPdf(task.terms, task)
})
