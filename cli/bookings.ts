import { Option, type Command } from 'commander'
import type { BookingActions } from '#server/bookings/actions.ts'
import type { Booking, BookingFilter } from '#server/bookings/store.ts'
import type { Context } from '#server/context.ts'
import { bookingStates, type BookingState } from '#shared/bookings.ts'
import { dateRange } from '#shared/date-format.ts'
import { isFailure } from '#shared/failures.ts'
import { addBookingBlocks } from './booking-blocks.ts'
import type { UseContext } from './command.ts'
import { historyOf } from './history.ts'
import * as options from './options.ts'
import { addBookingOrders } from './order-bookings.ts'
import { minute, when, type ExportTo, type Print, type Row } from './print.ts'
import { harmless } from './terminal.ts'

type Range = { from?: string; to?: string; state?: BookingState }
type Answer = { text?: string; by: string; json?: boolean }

/** `bookings`: requests for dates, and what is decided about them. */
export function addBookings(program: Command, useContext: UseContext, print: Print): void {
  const bookings = program.command('bookings').description('requests for dates, and their answers')
  addReading(bookings, useContext, print)
  addDeciding(bookings, useContext, print)
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
        json ? whole(booking) : brief(booking),
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
      const booking = known(actions, reference)
      const conflicts = actions.conflicts(booking)
      const history = historyOf(timeline, 'booking', booking.reference)
      if (json) {
        print.json({ ...whole(booking), url: actions.visitorUrl(booking), conflicts, history })
        return
      }
      const { message, ...facts } = whole(booking)
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

function addDeciding(bookings: Command, useContext: UseContext, print: Print): void {
  const done = (booking: Booking, json: boolean | undefined) => {
    if (json) print.json(whole(booking))
    else
      print.line(`${booking.reference}: ${booking.state}, ${dateRange(booking.from, booking.to)}`)
  }
  const verbs = [
    ['confirm', 'take a booking; its days are checked once more'],
    ['decline', 'refuse a request, which frees its days'],
    ['cancel', 'cancel a booking, which frees its days'],
  ] as const
  for (const [verb, description] of verbs) {
    bookings
      .command(`${verb} <reference>`)
      .description(`${description}; the visitor gets a mail`)
      .option('--text <text>', 'for the visitor, in the mail')
      .addOption(options.by())
      .addOption(options.json())
      .action(async (reference: string, { text, by, json }: Answer) => {
        const context = await useContext()
        const { actions } = context.features.bookings
        const { reference: found } = known(actions, reference)
        const change = actions[verb](found, { name: by, isVisitor: false }, text?.trim() || null)
        done(await explained(context, found, change), json)
      })
  }

  bookings
    .command('move <reference> <from> [to]')
    .description('move a booking to other days, which are then to be confirmed')
    .addOption(options.by())
    .addOption(options.json())
    .action(
      async (
        reference: string,
        from: string,
        to: string | undefined,
        { by, json }: { by: string; json?: boolean },
      ) => {
        const range = { from: options.civil(from), to: options.civil(to ?? from) }
        const context = await useContext()
        const { actions } = context.features.bookings
        const { reference: found } = known(actions, reference)
        const change = actions.move(found, { name: by, isVisitor: false }, range)
        done(await explained(context, found, change), json)
      },
    )
}

/** A refused change with everything that a person needs to know: fields, collisions, free dates. */
async function explained<Value>(
  { features }: Context,
  reference: string,
  change: Promise<Value>,
): Promise<Value> {
  try {
    return await change
  } catch (error) {
    if (!isFailure(error)) throw error
    const { actions } = features.bookings
    const lines: string[] = Object.values(error.errors ?? {})
    if (error.failure === 'taken') {
      lines.push(...actions.conflicts(known(actions, reference)))
      const nearest = error.details?.nearest as { from: string; to: string }[]
      if (nearest.length > 0) {
        lines.push(`Free instead: ${nearest.map(({ from, to }) => dateRange(from, to)).join('; ')}`)
      }
    }
    const said = lines.length > 0 && error.failure === 'invalid' ? lines : [error.message, ...lines]
    throw new Error(harmless(said.join('\n  ')), { cause: error })
  }
}

/** References are read out over the phone, so either case will do. */
function known({ bookings }: BookingActions, reference: string): Booking {
  const booking = bookings.find(reference.trim().toUpperCase())
  if (!booking) throw new Error(`There is no booking ${harmless(reference)}.`)
  return booking
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

const brief = ({
  reference,
  state,
  service,
  from,
  to,
  place,
  name,
  email,
  heldUntil,
}: Booking): Row => ({
  reference,
  state,
  service,
  from,
  to,
  place,
  name,
  email,
  held: state === 'requested' && heldUntil !== null ? minute(heldUntil) : '',
})

/** All fields, as exports have them. */
const whole = (booking: Booking) => ({
  reference: booking.reference,
  state: booking.state,
  service: booking.service,
  from: booking.from,
  to: booking.to,
  start: booking.start,
  end: booking.end,
  place: booking.place,
  event: booking.eventTitle,
  name: booking.name,
  email: booking.email,
  phone: booking.phone,
  company: booking.company,
  message: booking.message,
  answer: booking.answer,
  heldUntil: when(booking.heldUntil),
  requestedAt: when(booking.requestedAt),
  changedAt: when(booking.changedAt),
  sequence: booking.sequence,
  proven: booking.proven,
})

const columns = [
  'reference',
  'state',
  'service',
  'from',
  'to',
  'start',
  'end',
  'place',
  'event',
  'name',
  'email',
  'phone',
  'company',
  'message',
  'answer',
  'heldUntil',
  'requestedAt',
  'changedAt',
  'sequence',
  'proven',
] as const satisfies (keyof ReturnType<typeof whole>)[]

function* rowsOf(bookings: Iterable<Booking>): Generator<Row> {
  for (const booking of bookings) yield whole(booking)
}
