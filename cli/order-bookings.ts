import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Context } from '#server/context.ts'
import { normalReference } from '#server/ids.ts'
import { datesFrom } from '#shared/civil-dates.ts'
import { officeDate } from '#shared/helsinki-time.ts'
import { euros, times } from '#shared/money.ts'
import * as options from './options.ts'
import { cents } from './order-lookup.ts'
import type { Print } from './print.ts'
import { harmless } from './terminal.ts'
import type { UseContext } from './command.ts'

type Told = { amount?: number; deposit?: number; by: string; json?: boolean }

/** Makes a command what turns a confirmed booking into an order with an invoice. */
export function addBookingOrders(verb: Command, useContext: UseContext, print: Print): void {
  verb
    .description(
      'make an order with an invoice of a confirmed booking, and mail it; after a deposit, of the rest',
    )
    .addOption(
      new Option(
        '--amount <euros>',
        'of the whole booking, including VAT; the price of the service for each day unless told otherwise',
      ).argParser(cents),
    )
    .addOption(new Option('--deposit <percent>', 'only a part of it').argParser(percent))
    .addOption(options.by())
    .addOption(options.json())
    .action(async (reference: string, { by, json, ...told }: Told) => {
      const context = await useContext()
      const { bookings, orders } = context.features
      const booking = bookings.actions.bookings.find(normalReference(reference))
      if (!booking) throw new Error(`There is no booking ${harmless(reference)}.`)
      const work = await workOf(context, booking)
      const order = await orders.invoiceBooking(booking, {
        ...work,
        named: told.amount ?? null,
        deposit: told.deposit ?? null,
        actor: by,
      })
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
          `${order.number}: invoice ${invoice.number} over ${euros(order.total)}, due ${officeDate(invoice.dueOn!)}`,
        )
      }
    })
}

/** What the invoice is about, and what all of it costs by the price of the service. */
async function workOf(
  { features }: Pick<Context, 'features'>,
  booking: { service: string; from: string; to: string; place: string },
): Promise<{ title: string; listed: number | null }> {
  const services = await features.services.offered()
  const service = services.find(({ slug }) => slug === booking.service)
  const days = datesFrom(booking.from, booking.to).length
  const when =
    booking.from === booking.to
      ? officeDate(booking.from)
      : `${officeDate(booking.from)} to ${officeDate(booking.to)}`
  return {
    title: `${service?.title ?? booking.service}, ${when}, ${booking.place}`,
    listed: service?.priceFrom ? times(service.priceFrom.gross, days) : null,
  }
}

function percent(text: string): number {
  if (/^\d{1,2}(?:\.\d)?$/.test(text) && Number(text) > 0) return Number(text)
  throw new InvalidArgumentError('Use a number of per cent above 0 and below 100, such as 30.')
}
