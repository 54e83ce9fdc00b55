import { Option, type Command } from 'commander'
import type { TicketFilter } from '#server/contact/ticket-queries.ts'
import { ticketStatuses, type TicketStatus } from '#shared/contact.ts'
import * as options from './options.ts'
import { addTicketChanges } from './ticket-changes.ts'
import { tableRow, columns, mustFind, rowsOf, fullRow } from './ticket-views.ts'
import { traceOf } from './trace.ts'
import { when, type ExportTo, type Print } from './print.ts'
import type { UseContext } from './command.ts'
import { harmless } from './terminal.ts'

type Range = { from?: number; to?: number; status?: TicketStatus }

const status = () => new Option('--status <status>', 'only these').choices(ticketStatuses)

/** `tickets`: what visitors wrote, and what became of it. */
export function addTickets(program: Command, useContext: UseContext, print: Print): void {
  const tickets = program.command('tickets').description('messages from the contact form')
  addReading(tickets, useContext, print)
  addTicketChanges(tickets, useContext, print)
  addDue(tickets, useContext, print)
  addExport(tickets, useContext, print)
  addTrace(tickets, useContext, print)
}

function addReading(tickets: Command, useContext: UseContext, print: Print): void {
  tickets
    .command('list')
    .description('the tickets, oldest first')
    .addOption(options.from())
    .addOption(options.to())
    .addOption(status())
    .addOption(options.json())
    .action(async ({ json, ...range }: Range & { json?: boolean }) => {
      const { tickets: store } = (await useContext()).features.contact
      const rows = Array.from(store.list(filter(range)), json ? fullRow : tableRow)
      print.listing(rows, { json, none: 'No tickets.' })
    })

  tickets
    .command('show <ticket>')
    .description('one ticket, with its message and what staff did')
    .addOption(options.json())
    .action(async (ticketId: string, { json }: { json?: boolean }) => {
      const { tickets: store } = (await useContext()).features.contact
      const ticket = mustFind(store.find(ticketId), ticketId)
      const changes = store
        .changes(ticketId)
        .map(({ at, ...change }) => ({ at: when(at), ...change }))
      if (json) print.json({ ...fullRow(ticket), changes })
      else {
        const { message, ...facts } = fullRow(ticket)
        print.facts(facts)
        print.line(`\n${harmless(message)}\n`)
        print.listing(changes, { none: 'Nothing has been done yet.' })
      }
    })
}

function addDue(tickets: Command, useContext: UseContext, print: Print): void {
  tickets
    .command('due')
    .description('tickets whose promised reply is late')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { tickets: store } = (await useContext()).features.contact
      const rows = store.overdue().map(json ? fullRow : tableRow)
      print.listing(rows, { json, none: 'No reply is late.' })
    })
}

function addExport(tickets: Command, useContext: UseContext, print: Print): void {
  tickets
    .command('export')
    .description('every ticket with all its fields, quarantined ones too')
    .addOption(options.format())
    .addOption(options.from())
    .addOption(options.to())
    .addOption(status())
    .addOption(options.out())
    .addOption(options.raw())
    .action(async ({ format, out, raw, ...range }: Range & ExportTo) => {
      const { tickets: store } = (await useContext()).features.contact
      await print.export(rowsOf(store.list(filter(range))), { columns, format, out, raw })
    })
}

function addTrace(tickets: Command, useContext: UseContext, print: Print): void {
  tickets
    .command('trace <ticket>')
    .description('everything that happened to a ticket, in order')
    .addOption(options.json())
    .action(async (ticketId: string, { json }: { json?: boolean }) => {
      const rows = traceOf(await useContext(), ticketId)
      mustFind(rows.length > 0 || null, ticketId)
      print.listing(rows, { json, none: '' })
    })
}

const filter = ({ from, to, status: only }: Range): TicketFilter => ({
  from,
  before: to,
  status: only,
})
