import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Booking } from '#server/bookings/schema.ts'
import type { Context } from '#server/context.ts'
import { daysInWords } from '#shared/bookings/dates-in-words.ts'
import {
  cancelReasons,
  offerEntries,
  type CancelReason,
  type OfferEntries,
} from '#shared/bookings/staff-page.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import { isFailure } from '#shared/failures.ts'
import { bookingOf } from './named.ts'
import { parsed } from './parsed.ts'
import { fullRow, tableRow } from './views.ts'
import type { UseContext } from '../common/command.ts'
import * as options from '../common/options.ts'
import { cents } from '../products/options.ts'
import type { Print } from '../common/print.ts'
import { harmless } from '../common/terminal.ts'

type Answer = {
  text?: string
  by: string
  json?: boolean
  like?: string
  yes?: boolean
  byPhone?: boolean
  keepLines?: boolean
  because?: CancelReason
  travel?: number
}

/** `bookings confirm`, `offer`, `decline`, `cancel` and `move`; the visitor gets an email about each. */
export function addBookingDecisions(bookings: Command, useContext: UseContext, print: Print): void {
  const done = (booking: Booking, json: boolean | undefined) => {
    if (json) print.json(fullRow(booking))
    else print.line(`${booking.reference}: ${booking.state}, ${daysInWords(booking)}`)
  }
  const staff = (by: string) => ({ name: by, isVisitor: false })
  bookings
    .command('confirm <reference>')
    .description('confirm a booking at its price and email the client (availability is re-checked)')
    .option('--text <text>', 'message to the client, added to the email')
    .option('--by-phone', 'the client agreed by phone; recorded in the history')
    .addOption(keepLines())
    .addOption(options.by())
    .addOption(options.json())
    .action(async (reference: string, { text, by, json, byPhone, keepLines: keeps }: Answer) => {
      const context = await useContext()
      const { actions } = context.features.bookings
      const { reference: found } = bookingOf(context, reference)
      const isByPhone = byPhone === true
      const change = actions.confirm(found, staff(by), text?.trim() || null, {
        isByPhone,
        keepLines: keeps === true,
      })
      done(await explained(context, found, change), json)
    })
  addOffer(bookings, useContext, done)

  const endings = [
    ['decline', 'decline requests and release their dates'],
    ['cancel', 'cancel bookings and release their dates'],
  ] as const
  for (const [verb, description] of endings) {
    bookings
      .command(`${verb} [references...]`)
      .description(`${description}; the clients get an email`)
      .option('--text <text>', 'message to the client, added to the email')
      .addOption(options.like('<reference>', 'every unanswered request'))
      .addOption(options.yes())
      .addOption(options.by())
      .addOption(options.json())
      .addOption(
        new Option(
          '--because <whose>',
          'who cancels, which decides what is due (see bookings show; default: us)',
        )
          .choices(cancelReasons)
          .hideHelp(verb === 'decline'),
      )
      .addOption(
        new Option(
          '--travel <euros>',
          'net travel costs we can’t get back, if the organiser cancels (default: all agreed)',
        )
          .argParser(cents)
          .hideHelp(verb === 'decline'),
      )
      .action(async (given: string[], flags: Answer, command: Command) => {
        const context = await useContext()
        const { actions } = context.features.bookings
        const found = flags.like
          ? actions.like(bookingOf(context, flags.like).reference, verb)
          : options.several(command, given).map((each) => bookingOf(context, each))
        if (flags.like && !flags.yes) {
          if (flags.json) print.json(found.map(fullRow))
          else print.listing(found.map(tableRow), { none: 'No such bookings.' })
          if (!flags.json && found.length > 0)
            print.line(options.dryRun(options.toAll('end', found.length)))
          return
        }
        const ended: Booking[] = []
        for (const { reference } of found) {
          const [actor, text] = [staff(flags.by), flags.text?.trim() || null]
          const change =
            verb === 'decline'
              ? actions.decline(reference, actor, text)
              : actions.cancel(reference, actor, text, flags.because, flags.travel)
          const booking = await explained(context, reference, change)
          ended.push(booking)
          if (!flags.json) done(booking, false)
        }
        if (flags.json) print.json(ended.length === 1 ? fullRow(ended[0]!) : ended.map(fullRow))
      })
  }

  bookings
    .command('move <reference> <from> [to]')
    .description('move a booking to other dates; a confirmed one stays confirmed')
    .addOption(workLine('those it has'))
    .addOption(keepLines())
    .addOption(options.by())
    .addOption(options.json())
    .action(
      async (
        reference: string,
        from: string,
        to: string | undefined,
        { by, json, line, keepLines: keeps }: Moved,
      ) => {
        const range = { from: options.civil(from), to: options.civil(to ?? from) }
        const given = parsed(offerEntries, { lines: line })
        const context = await useContext()
        const { actions } = context.features.bookings
        const { reference: found } = bookingOf(context, reference)
        const change = actions.move(found, staff(by), range, {
          lines: given.lines,
          keepLines: keeps,
        })
        done(await explained(context, found, change), json)
      },
    )
}

type Moved = { by: string; json?: boolean; line: OfferEntries['lines']; keepLines?: boolean }

const keepLines = () =>
  new Option(
    '--keep-lines',
    'keep the price of lines entered by hand, although the number of days changes',
  )

/** @param what what the lines are for where none is given */
/** @param kept what the price is without one */
const workLine = (kept: string) =>
  new Option(
    '--line <text=euros>',
    `a line with its net price, such as "Second photographer=650.00" or "Photography=3x890.00"; repeatable`,
  )
    .argParser(offeredLine)
    .default([], kept)

type Offered = {
  line: OfferEntries['lines']
  keepLines?: boolean
  travel?: number
  discount?: number
  from?: string
  to?: string
  until?: string
  text?: string
  by: string
  json?: boolean
}

/** `bookings offer`: lines of our own, maybe on other dates, which the visitor accepts or turns down. */
function addOffer(
  bookings: Command,
  useContext: UseContext,
  done: (booking: Booking, json: boolean | undefined) => void,
): void {
  bookings
    .command('offer <reference>')
    .description('make an offer, which the client accepts or declines by a link in the email')
    .addOption(workLine('the price shown so far'))
    .addOption(keepLines())
    .addOption(new Option('--travel <euros>', 'net price of travel').argParser(cents))
    .addOption(new Option('--discount <euros>', 'net discount').argParser(cents))
    .addOption(new Option('--from <date>', 'new first day').argParser(options.civil))
    .addOption(new Option('--to <date>', 'new last day').argParser(options.civil))
    .addOption(new Option('--until <date>', 'last day to accept it').argParser(options.civil))
    .option('--text <text>', 'a note to the client')
    .addOption(options.by())
    .addOption(options.json())
    .action(async (reference: string, { line, until, text, by, json, ...entries }: Offered) => {
      const context = await useContext()
      const { actions } = context.features.bookings
      const { reference: found } = bookingOf(context, reference)
      const offer = parsed(offerEntries, { ...entries, lines: line, validUntil: until })
      const change = actions.offer(
        found,
        { name: by, isVisitor: false },
        text?.trim() || null,
        offer,
      )
      done(await explained(context, found, change), json)
    })
}

/** Collects lines of an offer: `<text>=<euros>` or `<text>=<count>x<euros>`. */
function offeredLine(given: string, before: OfferEntries['lines']): OfferEntries['lines'] {
  const [, text, count = '1', price] = /^(.+)=(?:(\d{1,3})x)?([^=x]+)$/.exec(given) ?? []
  if (!text || price === undefined) {
    throw new InvalidArgumentError('Use a text and a price, such as "Second photographer=650.00".')
  }
  return [...(before ?? []), { text: text.trim(), quantity: Number(count), price: cents(price) }]
}

/** Says what is wrong with each field where an act was refused for its input. */
export async function said<Value>(act: Promise<Value>): Promise<Value> {
  try {
    return await act
  } catch (error) {
    if (!isFailure(error) || error.failure !== 'invalid') throw error
    const lines = Object.values(error.errors ?? {})
    throw new Error(harmless((lines.length > 0 ? lines : [error.message]).join('\n  ')), {
      cause: error,
    })
  }
}

/** A refused change with everything that a person needs to know: fields, collisions, free dates. */
export async function explained<Value>(
  { features }: Context,
  reference: string | null,
  change: Promise<Value>,
): Promise<Value> {
  try {
    return await said(change)
  } catch (error) {
    if (!isFailure(error) || error.failure !== 'taken') throw error
    const { actions } = features.bookings
    const against = reference === null ? [] : actions.conflicts(actions.find(reference))
    const lines = [error.message, ...against]
    const nearest = error.details?.nearest as { from: string; to: string }[]
    if (nearest.length > 0) {
      lines.push(
        `Available instead: ${nearest.map(({ from, to }) => dateRange(from, to)).join('; ')}`,
      )
    }
    throw new Error(harmless(lines.join('\n  ')), { cause: error })
  }
}
