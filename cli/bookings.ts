import { Option, type Command } from 'commander'
import type { BookingFilter } from '#server/bookings/booking-queries.ts'
import { bookingStates, type BookingState } from '#shared/bookings.ts'
import { addBookingBlocks } from './booking-blocks.ts'
import { addBookingDecisions } from './booking-decisions.ts'
import { tableRow, columns, mustFind, rowsOf, fullRow } from './booking-views.ts'
import type { UseContext } from './command.ts'
import { historyOf } from './history.ts'
import * as options from './options.ts'
import { addBookingOrders } from './order-bookings.ts'
import type { ExportTo, Print } from './print.ts'
import { harmless } from './terminal.ts'

type Range = { from?: string; to?: string; state?: BookingState }

/** `bookings`: requests for dates, and what is decided about them. */
export function addBookings(program: Command, useContext: UseContext, print: Print): void {
  const bookings = program.command('bookings').description('requests for dates, and their answers')
  addReading(bookings, useContext, print)
  addBookingDecisions(bookings, useContext, print)
  addBookingBlocks(bookings, useContext, print)
  addBookingOrders(bookings.command('invoice <reference>'), useContext, print)

  bookings
    .command('feed')
    .description('the secret address of a calendar with all bookings, for staff')
    .option('--renew', 'make a new address; the old one opens nothing any more')
    .action(async ({ renew }: { renew?: boolean }) => {
      const { feed } = (await useContext()).features.bookings
      print.line(renew ? await feed.renew() : feed.address())
    })
}

function addReading(bookings: Command, useContext: UseContext, print: Print): void {
  ranged(bookings.command('list'))
    .description('the bookings with a day in a range, the earliest first')
    .addOption(options.json())
    .action(async ({ json, ...filter }: Range & { json?: boolean }) => {
      const { actions } = (await useContext()).features.bookings
      const rows = Array.from(actions.bookings.list(filter satisfies BookingFilter), (booking) =>
        json ? fullRow(booking) : tableRow(booking),
      )
      print.listing(rows, { json, none: 'No bookings.' })
    })

  bookings
    .command('show <reference>')
    .description('one booking, what collides with it, and what was done')
    .addOption(options.json())
    .action(async (reference: string, { json }: { json?: boolean }) => {
      const { features, timeline } = await useContext()
      const { actions } = features.bookings
      const booking = mustFind(actions, reference)
      const conflicts = actions.conflicts(booking)
      const history = historyOf(timeline, 'booking', booking.reference)
      if (json) {
        print.json({ ...fullRow(booking), url: actions.visitorUrl(booking), conflicts, history })
        return
      }
      const { message, ...facts } = fullRow(booking)
      print.facts({ ...facts, url: actions.visitorUrl(booking) })
      if (message) print.line(`\n${harmless(message)}`)
      print.line(conflicts.length > 0 ? '\nWhat collides:' : '\nNothing collides.')
      for (const conflict of conflicts) print.line(`  ${harmless(conflict)}`)
      print.line('')
      print.listing(history, { none: 'Nothing has been done yet.' })
    })

  ranged(bookings.command('export'))
    .description('every booking with all its fields, quarantined ones too')
    .addOption(options.format())
    .addOption(options.out())
    .addOption(options.raw())
    .action(async ({ format, out, raw, ...filter }: Range & ExportTo) => {
      const { actions } = (await useContext()).features.bookings
      const rows = rowsOf(actions.bookings.list(filter satisfies BookingFilter))
      await print.export(rows, { columns, format, out, raw })
    })
}

const ranged = (command: Command) =>
  command
    .addOption(new Option('--from <date>', 'first day, YYYY-MM-DD').argParser(options.civil))
    .addOption(new Option('--to <date>', 'last day, inclusive').argParser(options.civil))
    .addOption(new Option('--state <state>', 'only these').choices(bookingStates))
    .addOption(new Option('--status <state>', 'the same').choices(bookingStates).hideHelp())
    .hook('preAction', (_, acting) => {
      const { status } = acting.opts<{ status?: string }>()
      if (status !== undefined) acting.setOptionValue('state', status)
    })
