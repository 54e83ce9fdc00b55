import { Option, type Command } from 'commander'
import type { Booking, BookingFilter } from '#server/bookings/schema.ts'
import { lineInWords, priceInWords, totalInWords } from '#shared/bookings/price.ts'
import { cancelReasons } from '#shared/bookings/staff-page.ts'
import { bookingStates, type BookingState } from '#shared/bookings/bookings.ts'
import { addBookingStaffWork } from './staff-work.ts'
import { addBookingBlocks } from './blocks.ts'
import { addBookingDecisions } from './decisions.ts'
import { bookingOf } from './named.ts'
import { cellsOf, columns, fullRow, rowsOf, sheetCellsOf, tableRow } from './views.ts'
import type { UseContext } from '../common/command.ts'
import { historyOf } from '../history.ts'
import { searchOptions, searched, type SearchFlags } from '../common/list.ts'
import * as options from '../common/options.ts'
import { addBookingOrders } from '../orders/from-booking.ts'
import { end, type ExportTo, type Print } from '../common/print.ts'
import { helsinkiIso, officeTime } from '#shared/dates/helsinki-time.ts'
import { euros } from '#shared/money.ts'
import { harmless } from '../common/terminal.ts'

type Range = { from?: string; to?: string; state?: BookingState }

type ListedBookings = Range &
  SearchFlags & { status?: BookingState; email?: string; service?: string; event?: string }

/** `bookings`: requests for dates, and what is decided about them. */
export function addBookings(bookings: Command, useContext: UseContext, print: Print): void {
  addReading(bookings, useContext, print)
  addBookingDecisions(bookings, useContext, print)
  addBookingStaffWork(bookings, useContext, print)
  addBookingBlocks(bookings, useContext, print)
  addBookingOrders(bookings.command('invoice <reference>'), useContext, print)

  bookings
    .command('feed')
    .description('show the secret URL of the staff calendar of all bookings')
    .option('--renew', 'create a new URL; the old ones stop working, the crew’s too')
    .option('--crew <name>', 'only the bookings of this crew member')
    .addOption(options.by())
    .action(async ({ renew, crew, by }: { renew?: boolean; crew?: string; by: string }) => {
      const { feed, actions } = (await useContext()).features.bookings
      const person = crew === undefined ? undefined : actions.personOf(crew)
      if (renew) await feed.renew(by)
      print.line(feed.address(person))
    })
}

function addReading(bookings: Command, useContext: UseContext, print: Print): void {
  ranged(searchOptions(bookings.command('list')))
    .description('list bookings, newest request first (by date with --from or --to)')
    .addOption(options.email())
    .option('--service <slug>', 'only bookings of this service')
    .option('--event <id>', 'only bookings for this event')
    .action(async ({ json, limit, search, from, to, ...filter }: ListedBookings) => {
      const { bookings: store } = (await useContext()).features.bookings.actions
      // JSON of all is in order of days, as programs of staff have always read it.
      const isAll = json === true && limit === undefined
      const isByDays = isAll || from !== undefined || to !== undefined
      const found = isByDays
        ? withDays(store.list({ from, to, state: filter.state }), filter)
        : store.newest(filter)
      print.list(searched(found, search, textsOf), {
        json,
        limit,
        what: 'bookings',
        none: 'No bookings.',
        row: tableRow,
        full: fullRow,
        ...(!isByDays && search === undefined && { total: () => store.count(filter) }),
      })
    })

  bookings
    .command('show <reference>')
    .description('show a booking, its conflicts and history')
    .addOption(options.json())
    .action(async (reference: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const { features, timeline } = context
      const { actions } = features.bookings
      const booking = bookingOf(context, reference)
      const conflicts = actions.conflicts(booking)
      const documents = actions.billing.of(booking.reference)
      const withdrawals = actions.billing.withdrawalsOf(booking)
      const history = historyOf(timeline, 'booking', booking.reference)
      if (json) {
        print.json({
          ...fullRow(booking),
          crew: actions.crewOf(booking),
          documents,
          withdrawals: withdrawals.map(({ id, receivedAt, order, stage }) => ({
            withdrawal: id,
            receivedAt: helsinkiIso(receivedAt),
            order,
            stage,
          })),
          url: actions.visitorUrl(booking),
          conflicts,
          history,
        })
        return
      }
      const { message, total: _, ...facts } = cellsOf(booking)
      const vies = actions.viesInWords(booking)
      const crew = actions.crewOf(booking).join(', ')
      print.facts({
        ...facts,
        heldUntil: end(booking.heldUntil),
        ...(vies && { VIES: vies }),
        crew,
        url: actions.visitorUrl(booking),
      })
      if (message) print.line(`\n${harmless(message)}`)
      printLines(print, booking)
      if (documents.length > 0) print.line('')
      for (const { order, part, isTravel, invoice, total: sum, paid, paidBy, state } of documents) {
        // Money that went back, or to the fee, is none of this invoice any more.
        const how = paid > 0 && paidBy ? ` by ${paidBy}` : ''
        print.line(
          `  ${isTravel ? 'travel' : part}: order ${order}, ${invoice === null ? 'no invoice' : `invoice ${invoice}`}, ${euros(sum)}, ${euros(paid)} paid${how}, ${state}`,
        )
      }
      for (const { id, receivedAt, order, stage } of withdrawals) {
        const named = order === null ? '' : `, order ${order}`
        print.line(`\nWithdrawal ${id}: ${officeTime(receivedAt)}${named}, ${stage}`)
      }
      if (booking.state === 'confirmed') {
        print.line('\nIf cancelled now:')
        for (const because of cancelReasons) {
          const settled = actions.consequence(booking, because).join(' ')
          print.line(`  --because ${because}: ${settled}`)
        }
      }
      // A cancelled booking wants no days that could be taken.
      if (booking.state !== 'cancelled') {
        print.line(conflicts.length > 0 ? '\nConflicts:' : '\nNo conflicts.')
        for (const conflict of conflicts) print.line(`  ${harmless(conflict)}`)
      }
      print.line('')
      print.listing(history, { none: 'No history yet.' })
    })

  ranged(bookings.command('export'))
    .description('export bookings with all fields, including quarantined ones')
    .addOption(options.format())
    .addOption(options.out())
    .addOption(options.raw())
    .action(async ({ format, out, raw, ...filter }: Range & ExportTo) => {
      const { actions } = (await useContext()).features.bookings
      const found = actions.bookings.list(filter satisfies BookingFilter)
      await (format === 'csv'
        ? print.export(rowsOf(found, sheetCellsOf), {
            columns,
            amounts: ['total'],
            format,
            out,
            raw,
          })
        : print.exportJson(rowsOf(found, fullRow), { format, out }))
    })
}

/** Bookings of a range of days that the other filters let through. */
function* withDays(
  bookings: Iterable<Booking>,
  { email: address, service, event, since = 0 }: ListedBookings,
): Generator<Booking> {
  for (const booking of bookings) {
    const isAsked =
      (address === undefined || booking.email.toLowerCase() === address.toLowerCase()) &&
      (service === undefined || booking.service === service) &&
      (event === undefined || booking.eventId === event) &&
      booking.requestedAt >= since
    if (isAsked) yield booking
  }
}

/** What people know a booking by. */
const textsOf = (booking: Booking) => [
  booking.reference,
  booking.name,
  booking.company,
  booking.email,
  booking.phone,
  booking.place,
  booking.eventTitle,
  booking.service,
  booking.message,
]

/** What a booking costs, a line each, and the total; and what cancelling it cost, until that is invoiced. */
function printLines(print: Print, booking: Booking): void {
  const { lines, fee } = booking
  if (lines.length === 0) return
  print.line('')
  for (const line of lines) print.line(harmless(`  ${lineInWords(line)}`))
  print.line(`  Total: ${totalInWords(booking)}`)
  if (fee)
    print.line(
      `  ${fee.isTravel ? 'Travel costs' : 'Cancellation fee'}: ${priceInWords(fee)}, not invoiced yet`,
    )
}

const ranged = (command: Command) =>
  command
    .addOption(new Option('--from <date>', 'first day, YYYY-MM-DD').argParser(options.civil))
    .addOption(new Option('--to <date>', 'last day, inclusive').argParser(options.civil))
    .addOption(new Option('--status <state>', 'only rows with this status').choices(bookingStates))
    .addOption(new Option('--state <state>', 'as --status').choices(bookingStates).hideHelp())
    .hook('preAction', (_, acting) => {
      const { status } = acting.opts<{ status?: string }>()
      if (status !== undefined) acting.setOptionValue('state', status)
    })
