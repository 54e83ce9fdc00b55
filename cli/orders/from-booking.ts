import { InvalidArgumentError, Option, type Command } from 'commander'
import { priceInWords } from '#shared/bookings/price.ts'
import { creditedAgain } from '#shared/bookings/invoice-parts.ts'
import { longDate } from '#shared/dates/date-format.ts'
import { euros } from '#shared/money.ts'
import { bookingOf } from '../bookings/named.ts'
import * as options from '../common/options.ts'
import { cents } from './lookup.ts'
import type { Print } from '../common/print.ts'
import { harmless } from '../common/terminal.ts'
import type { UseContext } from '../common/command.ts'

type Flags = {
  amount?: number
  deposit?: number
  lines?: number[]
  send?: boolean
  by: string
  json?: boolean
}

/** Makes a command what previews the next invoice of a confirmed booking, and with --send issues it. */
export function addBookingOrders(verb: Command, useContext: UseContext, print: Print): void {
  verb
    .description(
      'preview the next invoice of a confirmed booking: all of it, a deposit, chosen lines or the balance; --send issues and emails it',
    )
    .addOption(
      new Option(
        '--amount <euros>',
        'price of the whole booking including VAT, if not the agreed one',
      ).argParser(cents),
    )
    .addOption(
      new Option('--deposit <percent>', 'invoice this percentage first').argParser(percent),
    )
    .addOption(
      new Option('--lines <numbers>', 'invoice only these lines, such as 1,3').argParser(places),
    )
    .option('--send', 'issue the invoice and email it')
    .addOption(options.by())
    .addOption(options.json())
    .action(async (reference: string, { by, json, send, ...flags }: Flags) => {
      const context = await useContext()
      const { actions } = context.features.bookings
      const { orders } = context.features
      const booking = bookingOf(context, reference)
      const asked = {
        whole: flags.amount ?? null,
        deposit: flags.deposit ?? null,
        lines: flags.lines ?? null,
      }
      const draft = actions.billing.preview(booking, asked)
      if (!send) {
        if (json) {
          const { lines, total, whole, part, credited, missing, dueOn } = draft
          print.json({
            preview: true,
            booking: booking.reference,
            part,
            lines,
            total,
            whole,
            credited,
            missing,
            dueOn,
          })
          return
        }
        print.line(`Invoice for booking ${booking.reference}, due ${longDate(draft.dueOn)}:`)
        for (const line of draft.lines)
          print.line(harmless(`  ${line.title}: ${euros(line.total)}`))
        print.line(`  Total: ${priceInWords(draft.total)}`)
        for (const line of creditedInWords(draft)) print.line(line)
        if (draft.missing.length > 0) print.line(`Missing: ${draft.missing.join(', ')}`)
        print.line(options.dryRun(booking.email ? 'issue and email it' : 'issue it', '--send'))
        if (!booking.email) print.line('Without an email address it’s yours to hand over.')
        return
      }
      const read = () => actions.find(booking.reference)
      const order = await actions.billing.invoice(read, { ...asked, actor: by })
      const invoice = orders.actions.invoiceOf(order)!
      if (json) {
        print.json({
          order: order.number,
          state: order.state,
          total: order.total,
          invoice: String(invoice.number),
          reference: invoice.reference,
          booking: booking.reference,
        })
      } else {
        print.line(
          `${order.number}: invoice ${invoice.number} over ${euros(order.total)}, due ${longDate(invoice.dueOn!)}`,
        )
        if (!booking.email) {
          print.line(
            `Not emailed, as there’s no address. The PDF: pitlane orders invoice ${order.number} --out <file>`,
          )
        }
      }
    })
}

/** What credit notes took off earlier invoices and a balance asks for again, and how to leave it out. */
function creditedInWords({
  credited,
  wholeWithoutCredited: whole,
}: {
  credited: number
  wholeWithoutCredited: number | null
}): string[] {
  if (credited === 0) return []
  const told = creditedAgain(credited)
  return [whole === null ? told : `${told} To leave it out: --amount ${(whole / 100).toFixed(2)}`]
}

function percent(text: string): number {
  if (/^\d{1,2}(?:\.\d)?$/.test(text) && Number(text) > 0) return Number(text)
  throw new InvalidArgumentError('Use a percentage above 0 and below 100, such as 30.')
}

function places(text: string): number[] {
  if (/^[1-9]\d?(?:,[1-9]\d?)*$/.test(text)) return text.split(',').map(Number)
  throw new InvalidArgumentError('Use line numbers, such as 1,3.')
}
