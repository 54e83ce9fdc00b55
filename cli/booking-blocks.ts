import type { Command } from 'commander'
import { dateRange } from '#shared/date-format.ts'
import type { UseContext } from './command.ts'
import * as options from './options.ts'
import { when, type Print } from './print.ts'
import { harmless } from './terminal.ts'

type BlockFlags = { service?: string; reason: string; by: string; json?: boolean }

/** `bookings block`, `blocks` and `unblock`: days on which nothing can be booked. */
export function addBookingBlocks(bookings: Command, useContext: UseContext, print: Print): void {
  addBlocking(bookings, useContext, print)
  addListing(bookings, useContext, print)
  addUnblocking(bookings, useContext, print)
}

function addBlocking(bookings: Command, useContext: UseContext, print: Print): void {
  bookings
    .command('block <from> [to]')
    .description('close days to bookings; what is booked on them already stays, and is listed')
    .option('--service <slug>', 'one service alone')
    .option('--reason <text>', 'why', 'closed')
    .addOption(options.by())
    .addOption(options.json())
    .action(async (first: string, last: string | undefined, flags: BlockFlags) => {
      const { service = null, reason, by, json } = flags
      const [from, to] = [options.civil(first), options.civil(last ?? first)]
      if (to < from) throw new Error('The last day lies before the first.')
      const { commit, features } = await useContext()
      const { days, bookings: store, rules } = features.bookings.actions
      if (service !== null && !rules().services[service]) {
        throw new Error(`There is no service ${harmless(service)} that can be booked.`)
      }
      const id = await commit((tx) => days.block(tx, { from, to, service, reason, author: by }))
      const colliding = store
        .overlapping(from, to, 0)
        .filter((booking) => service === null || booking.service === service)
      if (json) {
        const conflicts = colliding.map(({ reference, state }) => ({ reference, state }))
        print.json({ id, from, to, service, reason, conflicts })
        return
      }
      print.line(`Block ${id}: ${dateRange(from, to)}${service ? `, ${service}` : ''}`)
      for (const { reference, state, from: begins, to: ends, name } of colliding) {
        print.line(
          harmless(`  collides with ${reference}: ${state}, ${dateRange(begins, ends)}, ${name}`),
        )
      }
    })
}

function addListing(bookings: Command, useContext: UseContext, print: Print): void {
  bookings
    .command('blocks')
    .description('days that were closed by hand and are not over')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { features, clock } = await useContext()
      const today = when(clock()).slice(0, 10)
      const rows = features.bookings.actions.days
        .blocks(today, '9999-12-31')
        .map(({ id, from, to, service, reason, author }) => ({
          id,
          from,
          to,
          service,
          reason,
          author,
        }))
      print.listing(rows, { json, none: 'No days are blocked.' })
    })
}

function addUnblocking(bookings: Command, useContext: UseContext, print: Print): void {
  bookings
    .command('unblock <id>')
    .description('open blocked days again')
    .action(async (id: string) => {
      const { commit, features } = await useContext()
      const { days } = features.bookings.actions
      const opened = /^\d{1,15}$/.test(id) && (await commit((tx) => days.unblock(tx, Number(id))))
      if (!opened) throw new Error(`There is no block ${harmless(id)}; see "bookings blocks".`)
      print.line(`Block ${id} is gone.`)
    })
}
