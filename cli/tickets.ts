import { Argument, Option, type Command } from 'commander'
import type { Ticket } from '#server/contact/ticket.ts'
import type { TicketFilter } from '#server/contact/ticket-queries.ts'
import { queueTicketMails } from '#server/contact/ticket-mails.ts'
import { ticketStatuses, type TicketStatus } from '#shared/contact.ts'
import { helsinkiIso } from '#shared/helsinki-time.ts'
import * as options from './options.ts'
import { traceOf } from './trace.ts'
import { minute, when, type ExportTo, type Print, type Row } from './print.ts'
import type { UseContext } from './command.ts'
import { harmless } from './terminal.ts'

type Range = { from?: number; to?: number; status?: TicketStatus }

const status = () => new Option('--status <status>', 'only these').choices(ticketStatuses)

/** `tickets`: what visitors wrote, and what became of it. */
export function addTickets(program: Command, useContext: UseContext, print: Print): void {
  const tickets = program.command('tickets').description('messages from the contact form')

  tickets
    .command('list')
    .description('the tickets, oldest first')
    .addOption(options.from())
    .addOption(options.to())
    .addOption(status())
    .addOption(options.json())
    .action(async ({ json, ...range }: Range & { json?: boolean }) => {
      const {
        features: {
          contact: { tickets: store },
        },
      } = await useContext()
      const rows = Array.from(store.list(filter(range)), json ? whole : brief)
      print.listing(rows, { json, none: 'No tickets.' })
    })

  tickets
    .command('show <ticket>')
    .description('one ticket, with its message and what staff did')
    .addOption(options.json())
    .action(async (ticketId: string, { json }: { json?: boolean }) => {
      const {
        features: {
          contact: { tickets: store },
        },
      } = await useContext()
      const ticket = known(store.find(ticketId), ticketId)
      const changes = store
        .changes(ticketId)
        .map(({ at, ...change }) => ({ at: when(at), ...change }))
      if (json) print.json({ ...whole(ticket), changes })
      else {
        const { message, ...facts } = whole(ticket)
        print.facts(facts)
        print.line(`\n${harmless(message)}\n`)
        print.listing(changes, { none: 'Nothing has been done yet.' })
      }
    })

  tickets
    .command('set <ticket>')
    .alias('edit')
    .description('give a ticket another status; out of quarantine, its two mails go out')
    .addArgument(new Argument('<status>').choices(ticketStatuses))
    .addOption(options.by())
    .action(async (ticketId: string, after: TicketStatus, { by }: { by: string }) => {
      const {
        mails,
        commit,
        clock,
        features: {
          contact: { tickets: store },
        },
      } = await useContext()
      const before = await commit((tx) => {
        const ticket = store.setStatus(tx, ticketId, after, by)
        if (ticket?.status === 'quarantined' && (after === 'new' || after === 'open')) {
          queueTicketMails(tx, mails, ticket, clock())
        }
        return ticket
      })
      print.line(`${ticketId}: ${known(before, ticketId).status} → ${after}`)
    })

  tickets
    .command('note <ticket> <text...>')
    .description('write something down about a ticket')
    .addOption(options.by())
    .action(async (ticketId: string, words: string[], { by }: { by: string }) => {
      const {
        commit,
        features: {
          contact: { tickets: store },
        },
      } = await useContext()
      const noted = await commit((tx) => store.note(tx, ticketId, words.join(' '), by))
      known(noted || null, ticketId)
      print.line(`${ticketId}: noted`)
    })

  tickets
    .command('due')
    .description('tickets whose promised reply is late')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const {
        features: {
          contact: { tickets: store },
        },
      } = await useContext()
      const rows = store.overdue().map(json ? whole : brief)
      print.listing(rows, { json, none: 'No reply is late.' })
    })

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
      const {
        features: {
          contact: { tickets: store },
        },
      } = await useContext()
      await print.export(rowsOf(store.list(filter(range))), { columns, format, out, raw })
    })

  tickets
    .command('trace <ticket>')
    .description('everything that happened to a ticket, in order')
    .addOption(options.json())
    .action(async (ticketId: string, { json }: { json?: boolean }) => {
      const rows = traceOf(await useContext(), ticketId)
      known(rows.length > 0 || null, ticketId)
      print.listing(rows, { json, none: '' })
    })
}

const filter = ({ from, to, status: only }: Range): TicketFilter => ({
  from,
  before: to,
  status: only,
})

function known<Value>(value: Value | null, ticketId: string): Value {
  if (value === null) throw new Error(`There is no ticket ${harmless(ticketId)}.`)
  return value
}

/** The columns of a table. */
const brief = ({
  ticketId,
  status: now,
  receivedAt,
  dueAt,
  name,
  email,
  subject,
}: Ticket): Row => ({
  ticket: ticketId,
  status: now,
  received: minute(receivedAt),
  due: minute(dueAt),
  name,
  email,
  subject,
})

/** All fields, as exports have them. */
const whole = ({ date, receivedAt, dueAt, ...ticket }: Ticket) => ({
  ...ticket,
  date: helsinkiIso(Date.parse(date)),
  receivedAt: helsinkiIso(receivedAt),
  dueAt: helsinkiIso(dueAt),
})

/** The columns of a CSV export. */
const columns = [
  'ticketId',
  'status',
  'name',
  'email',
  'subject',
  'message',
  'date',
  'receivedAt',
  'dueAt',
  'proven',
] as const satisfies (keyof Ticket)[]

function* rowsOf(tickets: Iterable<Ticket>): Generator<Row> {
  for (const ticket of tickets) yield whole(ticket)
}
