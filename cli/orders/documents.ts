import { InvalidArgumentError, Option, type Command } from 'commander'
import { euros } from '#shared/money.ts'
import { documentFormats, type DocumentFormat } from '#shared/shop/orders.ts'
import * as options from '../common/options.ts'
import { mustFind } from './lookup.ts'
import type { Print } from '../common/print.ts'
import { harmless } from '../common/terminal.ts'
import { writeWhole } from '../common/whole-file.ts'
import type { UseContext } from '../common/command.ts'

/** `orders invoice`, `documents` and `licence`. */
export function addOrderDocuments(orders: Command, useContext: UseContext, print: Print): void {
  orders
    .command('invoice <order>')
    .description('write an order’s invoice as PDF or HTML')
    .option('--credit', 'write the credit note instead')
    .option('--html', 'HTML, to standard output without --out')
    .option('--out <file>', 'file to write (it appears once complete)')
    .action(
      async (
        number: string,
        flags: { credit?: boolean; html?: boolean; out?: string },
        verb: Command,
      ) => {
        if (!flags.html && flags.out === undefined) verb.error('error: a PDF needs --out <file>.')
        const context = await useContext()
        const order = mustFind(context, number)
        const kind = flags.credit ? 'credit' : 'invoice'
        const { actions, documents } = context.features.orders
        const { invoices } = actions
        const found = invoices.ofOrder(order.id).find((each) => each.kind === kind)
        if (!found) {
          throw new Error(
            `${order.number} has no ${flags.credit ? 'credit note' : 'invoice'} (it is ${order.state}).`,
          )
        }
        const { content } = await documents.write(found, order, flags.html ? 'html' : 'pdf')
        if (flags.out === undefined) {
          print.line(String(content).trimEnd())
          return
        }
        await writeWhole(flags.out, content)
        print.line(`${found.number} written to ${harmless(flags.out)}`)
      },
    )

  orders
    .command('documents <order>')
    .description('list an order’s invoices and credit notes, or write one to a file')
    .addOption(
      new Option('--number <number>', 'which one (default: the invoice)').argParser(documentNumber),
    )
    .addOption(
      new Option(
        '--format <format>',
        'PDF and HTML for people, Finvoice 3.0 and UBL (EN 16931) for programs',
      )
        .choices(documentFormats)
        .default('pdf'),
    )
    .option('--out <file>', 'file to write (it appears once complete)')
    .addOption(options.json())
    .action(
      async (
        given: string,
        flags: { number?: number; format: DocumentFormat; out?: string; json?: boolean },
        command: Command,
      ) => {
        const isChosen =
          flags.number !== undefined || command.getOptionValueSource('format') === 'cli'
        if (flags.out === undefined && isChosen) {
          command.error('error: --number and --format are for a file: say which, by --out.')
        }
        const context = await useContext()
        const order = mustFind(context, given)
        const { actions, documents } = context.features.orders
        const all = actions.invoices.ofOrder(order.id)
        if (flags.out === undefined) {
          const rows = all.map(({ number, kind, issuedOn, dueOn, total, refersTo }) => ({
            number: String(number),
            kind: kind === 'credit' ? 'credit note' : 'invoice',
            date: issuedOn,
            due: dueOn,
            total: flags.json ? total : euros(total),
            refersTo: refersTo === null ? null : String(refersTo),
          }))
          print.listing(rows, { json: flags.json, none: 'No documents yet.' })
          return
        }
        const found = all.find(({ number, kind }) =>
          flags.number === undefined ? kind === 'invoice' : number === flags.number,
        )
        if (!found) {
          throw new Error(
            `${order.number} has no ${flags.number ? `document ${flags.number}` : 'invoice'}.`,
          )
        }
        const { content } = await documents.write(found, order, flags.format)
        await writeWhole(flags.out, content)
        print.line(`${found.number} written to ${harmless(flags.out)}`)
      },
    )

  orders
    .command('licence <order>')
    .description('write a paid order’s licences, one page each')
    .requiredOption('--out <file>', 'PDF to write (it appears once complete)')
    .action(async (number: string, { out }: { out: string }) => {
      const context = await useContext()
      const { actions, pdfs } = context.features.orders
      const order = mustFind(context, number)
      const licences = actions.licencesOf(order)
      if (licences.length === 0) {
        throw new Error(`${order.number} has no licences yet (it is ${order.state}).`)
      }
      await writeWhole(out, await pdfs.licences(licences))
      print.line(`${licences.map((each) => each.number).join(', ')} written to ${harmless(out)}`)
    })
}

function documentNumber(text: string): number {
  if (/^[1-9]\d{3,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Use the number of a document, such as 1001.')
}
