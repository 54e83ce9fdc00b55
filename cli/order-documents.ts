import type { Command } from 'commander'
import { invoiceHtml } from '#server/orders/invoice-html.ts'
import { dateAt } from '#shared/civil-dates.ts'
import { mustFind } from './order-lookup.ts'
import type { Print } from './print.ts'
import { harmless } from './terminal.ts'
import { writeWhole } from './whole-file.ts'
import type { UseContext } from './command.ts'

/** `orders invoice` and `orders packing`. */
export function addOrderDocuments(orders: Command, useContext: UseContext, print: Print): void {
  orders
    .command('invoice <order>')
    .description('write the invoice of an order: a PDF, or HTML')
    .option('--credit', 'its credit note instead')
    .option('--html', 'HTML, to the output where no file is named')
    .option('--out <file>', 'the file, which appears only when it is whole')
    .action(
      async (
        number: string,
        told: { credit?: boolean; html?: boolean; out?: string },
        verb: Command,
      ) => {
        if (!told.html && told.out === undefined) verb.error('error: a PDF needs --out <file>.')
        const context = await useContext()
        const order = mustFind(context, number)
        const kind = told.credit ? 'credit' : 'invoice'
        const { invoices } = context.features.orders.actions
        const found = invoices.ofOrder(order.id).find((each) => each.kind === kind)
        if (!found) {
          throw new Error(
            `${order.number} has no ${told.credit ? 'credit note' : 'invoice'} (it is ${order.state}).`,
          )
        }
        if (told.html && told.out === undefined) {
          print.line((await invoiceHtml(found.document)).trimEnd())
          return
        }
        const { invoicePdf } = await import('#server/orders/invoice-pdf.ts')
        const content = await (told.html ? invoiceHtml(found.document) : invoicePdf(found.document))
        await writeWhole(told.out!, content)
        print.line(`${found.number} written to ${harmless(told.out!)}`)
      },
    )

  orders
    .command('packing <orders...>')
    .description('write packing slips, a page for each order')
    .requiredOption('--out <file>', 'the PDF, which appears only when it is whole')
    .action(async (numbers: string[], { out }: { out: string }) => {
      const context = await useContext()
      const wanted = numbers.map((number) => mustFind(context, number))
      const nothing = wanted.filter(({ lines }) => lines.every(({ kind }) => kind !== 'physical'))
      if (nothing.length > 0) {
        throw new Error(
          `Nothing has to be sent for ${nothing.map(({ number }) => number).join(', ')}.`,
        )
      }
      const { packingPdf } = await import('#server/orders/packing-pdf.ts')
      const seller = await context.features.orders.seller()
      await writeWhole(out, await packingPdf(wanted, seller, dateAt(context.clock())))
      print.line(`${wanted.length} packing slip(s) written to ${harmless(out)}`)
    })
}
