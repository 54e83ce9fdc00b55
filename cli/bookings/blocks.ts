import type { Command } from 'commander'
import { dateRange } from '#shared/dates/date-format.ts'
import type { UseContext } from '../common/command.ts'
import * as options from '../common/options.ts'
import type { Print } from '../common/print.ts'
import { harmless } from '../common/terminal.ts'
import { said } from './decisions.ts'

type BlockFlags = {
  service?: string
  crew?: string
  places?: number
  reason: string
  by: string
  json?: boolean
}

/** `bookings block`, `blocks` and `unblock`: days on which nothing can be booked. */
export function addBookingBlocks(bookings: Command, useContext: UseContext, print: Print): void {
  addBlocking(bookings, useContext, print)
  addListing(bookings, useContext, print)
  addUnblocking(bookings, useContext, print)
}

function addBlocking(bookings: Command, useContext: UseContext, print: Print): void {
  bookings
    .command('block <from> [to]')
    .description('block dates (existing bookings are kept and listed)')
    .option('--service <slug>', 'only this service')
    .option('--crew <name>', 'only this crew member')
    .option('--places <number>', 'only this many slots of the service', options.count)
    .option('--reason <text>', 'why', 'closed')
    .addOption(options.by())
    .addOption(options.json())
    .action(async (first: string, last: string | undefined, flags: BlockFlags) => {
      const { service = null, crew: person = null, places = null, reason, by, json } = flags
      const [from, to] = [options.civil(first), options.civil(last ?? first)]
      const { features } = await useContext()
      const block = { from, to, service, person, places, reason, author: by }
      const { id, colliding } = await said(features.bookings.actions.block(block))
      if (json) {
        const conflicts = colliding.map(({ reference, state }) => ({ reference, state }))
        print.json({ id, from, to, service, person, places, reason, conflicts })
        return
      }
      const what = [service, person, places && `${places} of its slots`].filter(Boolean)
      print.line([`Block ${id}: ${dateRange(from, to)}`, ...what].join(', '))
      for (const { reference, state, from: begins, to: ends, name } of colliding) {
        print.line(
          harmless(`   conflicts with ${reference}: ${state}, ${dateRange(begins, ends)}, ${name}`),
        )
      }
    })
}

function addListing(bookings: Command, useContext: UseContext, print: Print): void {
  bookings
    .command('blocks')
    .description('list current and upcoming blocks')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { features } = await useContext()
      const rows = features.bookings.actions
        .blocks()
        .map(({ id, from, to, service, person, places, reason, author }) => ({
          id,
          from,
          to,
          service,
          person,
          places,
          reason,
          author,
        }))
      print.listing(rows, { json, none: 'No blocks.' })
    })
}

function addUnblocking(bookings: Command, useContext: UseContext, print: Print): void {
  bookings
    .command('unblock <id>')
    .description('unblock dates')
    .addOption(options.by())
    .action(async (id: string, { by }: { by: string }) => {
      const { features } = await useContext()
      const opened =
        /^\d{1,15}$/.test(id) && (await features.bookings.actions.unblock(Number(id), by))
      if (!opened) throw new Error(`Block not found: ${harmless(id)}; see "bookings blocks".`)
      print.line(`Block ${id} removed.`)
    })
}
