import type { Command } from 'commander'
import type { Booking } from '#server/bookings/booking.ts'
import type { Context } from '#server/context.ts'
import { dateRange } from '#shared/date-format.ts'
import { isFailure } from '#shared/failures.ts'
import { mustFind, fullRow } from './booking-views.ts'
import type { UseContext } from './command.ts'
import * as options from './options.ts'
import type { Print } from './print.ts'
import { harmless } from './terminal.ts'

type Answer = { text?: string; by: string; json?: boolean }

/** `bookings confirm`, `decline`, `cancel` and `move`; the visitor gets a mail about each. */
export function addBookingDecisions(bookings: Command, useContext: UseContext, print: Print): void {
  const done = (booking: Booking, json: boolean | undefined) => {
    if (json) print.json(fullRow(booking))
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
        const { reference: found } = mustFind(actions, reference)
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
        const { reference: found } = mustFind(actions, reference)
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
      lines.push(...actions.conflicts(mustFind(actions, reference)))
      const nearest = error.details?.nearest as { from: string; to: string }[]
      if (nearest.length > 0) {
        lines.push(`Free instead: ${nearest.map(({ from, to }) => dateRange(from, to)).join('; ')}`)
      }
    }
    const said = lines.length > 0 && error.failure === 'invalid' ? lines : [error.message, ...lines]
    throw new Error(harmless(said.join('\n  ')), { cause: error })
  }
}
