import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { Argument, InvalidArgumentError, Option, type Command } from 'commander'
import type { Context } from '#server/context.ts'
import type { Ticket, TicketFilter } from '#server/contact/schema.ts'
import { ticketStatuses, type ContactField, type TicketStatus } from '#shared/contact/contact.ts'
import { replyFileLimits, type StaffTicketMessage } from '#shared/contact/tickets.ts'
import { helsinkiIso } from '#shared/dates/helsinki-time.ts'
import type { UseContext } from './common/command.ts'
import { printFound, searchOptions, type SearchFlags } from './common/list.ts'
import { findByName } from './common/named.ts'
import * as options from './common/options.ts'
import { minute, when, type ExportTo, type Print, type Row } from './common/print.ts'
import { harmless } from './common/terminal.ts'
import { addBlocks, addEmails } from './ticket-emails.ts'

type Range = { from?: number; to?: number; status?: TicketStatus }

const status = () =>
  new Option('--status <status>', 'only rows with this status').choices(ticketStatuses)

type ReplyOptions = { text?: string; block?: string; attach?: string[]; by: string }

type ListOptions = Range & SearchFlags & { email?: string }

/** `tickets`: what visitors wrote, and what became of it. */
export function addTickets(tickets: Command, useContext: UseContext, print: Print): void {
  const contact = async () => (await useContext()).features.contact

  searchOptions(tickets.command('list'))
    .description('list tickets, newest first')
    .addOption(options.from())
    .addOption(options.to())
    .addOption(status())
    .addOption(options.email())
    .action(async (flags: ListOptions) => {
      const { tickets: store } = await contact()
      const wanted = { ...filter(flags), from: flags.since ?? flags.from, email: flags.email }
      printFound(print, store.listed(wanted), flags, {
        textsOf,
        what: 'tickets',
        none: 'No tickets found.',
        row: tableRow,
        full: fullRow,
        ...(flags.search === undefined && { total: () => store.count(wanted) }),
      })
    })

  tickets
    .command('show <ticket>')
    .description('show a ticket with everything that was written, and its history')
    .addOption(options.json())
    .action(async (given: string, { json }: { json?: boolean }) => {
      const { tickets: store, history, views } = await contact()
      const ticket = ticketOf(store, given)
      const { ticketId } = ticket
      const { assignee, messages } = views.staff({ ticket, name: null })
      const changes = history
        .changes(ticketId)
        .map(({ at, ...change }) => ({ at: when(at), ...change }))
      if (json)
        print.json({ ...fullRow(ticket), assignee, messages: messages.map(fullMessage), changes })
      else {
        const { message, ...facts } = fullRow(ticket)
        print.facts({ ...facts, assignee })
        print.line(`\n${harmless(message)}\n`)
        for (const each of messages) print.line(`${harmless(messageText(each))}\n`)
        print.listing(changes, { none: 'No changes yet.' })
      }
    })

  tickets
    .command('set <ticket>')
    .alias('edit')
    .description('set a ticket’s status (leaving quarantine sends both emails)')
    .addArgument(new Argument('<status>').choices(ticketStatuses))
    .addOption(options.by())
    .action(async (given: string, after: TicketStatus, { by }: { by: string }) => {
      const { tickets: store, actions } = await contact()
      const { ticketId } = ticketOf(store, given)
      const before = await actions.setStatus(ticketId, after, by)
      print.line(`${ticketId}: ${before.status} → ${after}`)
    })

  tickets
    .command('undo <ticket>')
    .description('undo its last status change')
    .addOption(options.by())
    .action(async (given: string, { by }: { by: string }) => {
      const { tickets: store, actions } = await contact()
      const { ticketId } = ticketOf(store, given)
      const { before, status: after } = await actions.undoStatus(ticketId, by)
      print.line(`${ticketId}: ${before.status} → ${after}`)
    })

  tickets
    .command('note <ticket> <text...>')
    .description('add a note')
    .addOption(options.by())
    .action(async (given: string, words: string[], { by }: { by: string }) => {
      const { tickets: store, actions } = await contact()
      const { ticketId } = ticketOf(store, given)
      await actions.note(ticketId, words.join(' '), by)
      print.line(`${ticketId}: noted`)
    })

  tickets
    .command('reply <ticket>')
    .description('reply to the visitor by email (text from --text, --block or standard input)')
    .option('--text <text>', 'the reply; signature and quoted message are added')
    .addOption(
      new Option('--block <title>', 'a text block as the reply; see tickets blocks').conflicts(
        'text',
      ),
    )
    .option('--attach <file...>', 'files to attach, 10 MB in all')
    .addOption(options.by())
    .action(async (given: string, flags: ReplyOptions) => {
      const { block, attach = [], by } = flags
      const { tickets: store, actions, blocks } = await contact()
      const ticket = ticketOf(store, given)
      const { ticketId, email } = ticket
      const text = block === undefined ? flags.text : blocks.filledOf(block, ticket)
      const written = (text ?? (await textFromInput())).trim()
      const attached = await Promise.all(attach.map(fileAt))
      await actions.reply(
        ticketId,
        { text: written, attached, state: null },
        { name: by, actor: by },
      )
      const files =
        attach.length === 0 ? '' : ` with ${attach.map((path) => basename(path)).join(', ')}`
      print.line(`${ticketId}: answered, email${files} queued to ${email}`)
    })

  tickets
    .command('assign <ticket> [name]')
    .description('assign a ticket (to you, without a name)')
    .option('--nobody', 'unassign it')
    .addOption(options.by())
    .action(
      async (
        given: string,
        name: string | undefined,
        { nobody, by }: { nobody?: boolean; by: string },
      ) => {
        if (nobody && name !== undefined) {
          throw new InvalidArgumentError('Give a name or --nobody, not both.')
        }
        const { tickets: store, actions } = await contact()
        const { ticketId } = ticketOf(store, given)
        const assignee = nobody ? null : (name ?? by)
        await actions.assign(ticketId, { assignee, state: null }, by)
        print.line(`${ticketId}: ${assignee ? `assigned to ${assignee}` : 'unassigned'}`)
      },
    )

  tickets
    .command('due')
    .description('list overdue tickets')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { clock, features } = await useContext()
      const rows = features.contact.tickets.overdue(clock()).map(json ? fullRow : tableRow)
      print.listing(rows, { json, none: 'No overdue tickets.' })
    })

  addBlocks(tickets, useContext, print)
  addEmails(tickets, useContext, print)

  tickets
    .command('export')
    .description('export tickets with all fields, including quarantined ones')
    .addOption(options.format())
    .addOption(options.from())
    .addOption(options.to())
    .addOption(status())
    .addOption(options.out())
    .addOption(options.raw())
    .action(async ({ format, out, raw, ...range }: Range & ExportTo) => {
      const { tickets: store } = await contact()
      const rows = store.list(filter(range)).map(fullRow)
      await print.export(rows, { columns, format, out, raw })
    })

  tickets
    .command('trace <ticket>')
    .description('show everything that happened to a ticket, in order')
    .addOption(options.json())
    .action(async (given: string, { json }: { json?: boolean }) => {
      const { tickets: store, history } = await contact()
      // What happened to an erased ticket is known by its id alone.
      const named = history.trace(given)
      const events = named.length > 0 ? named : history.trace(ticketOf(store, given).ticketId)
      const rows = events.map(({ at, what, detail }) => ({ at: when(at), what, detail }))
      print.listing(rows, { json, none: '' })
    })
}

/** A file of this machine. @throws when there is none, or it is larger than a reply can carry */
async function fileAt(path: string): Promise<{ name: string; content: Buffer }> {
  const { maxBytes } = replyFileLimits
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw new Error(`File not found: ${path}.`)
  if (found.size > maxBytes) {
    throw new Error(`${path} is larger than the ${maxBytes / 1024 ** 2} MB that a reply can carry.`)
  }
  return { name: basename(path), content: await readFile(path) }
}

/** What is piped into the command. @throws when someone is at the keyboard instead */
async function textFromInput(): Promise<string> {
  if (process.stdin.isTTY) throw new Error('Write the reply with --text, or pipe it in.')
  return textOf(process.stdin)
}

/**
 * A ticket by its number, or by the name or address of its sender.
 * @throws when there is none; AmbiguousName when there are several
 */
const ticketOf = (
  store: Pick<Context['features']['contact']['tickets'], 'find' | 'listed'>,
  given: string,
): Ticket =>
  store.find(given.toLowerCase()) ??
  findByName('Ticket', given, [...store.listed({})], {
    namesOf: ({ name, email }) => [name, email],
    about: ({ ticketId, status: is, receivedAt, name, email, subject }) =>
      [ticketId, is, minute(receivedAt), name, email, subject].join('  '),
  })

const filter = ({ from, to, status: only }: Range): TicketFilter => ({
  from,
  before: to,
  status: only,
})

/** What people know a ticket by. */
const textsOf = ({ ticketId, name, email: address, subject, message }: Ticket) => [
  ticketId,
  name,
  address,
  subject,
  message,
]

/** A ticket as tables show it. */
const tableRow = (ticket: Ticket): Row => ({
  ticket: ticket.ticketId,
  status: ticket.status,
  received: minute(ticket.receivedAt),
  due: minute(ticket.dueAt),
  name: ticket.name,
  email: ticket.email,
  subject: ticket.subject,
})

/** All fields, as exports have them. */
const fullRow = ({ date, receivedAt, dueAt, ...ticket }: Ticket) => ({
  ...ticket,
  date: helsinkiIso(Date.parse(date)),
  receivedAt: helsinkiIso(receivedAt),
  dueAt: helsinkiIso(dueAt),
})

/** A later message for scripts. */
const fullMessage = ({ at, ...message }: StaffTicketMessage) => ({
  ...message,
  at: helsinkiIso(Date.parse(at)),
})

/** A later message for people: who wrote when, the text, and what became of its email. */
function messageText({ name, at, text, delivery, email, files }: StaffTicketMessage): string {
  const received = email?.attachments ?? []
  const lines = [
    `${name}, ${minute(Date.parse(at))}`,
    '',
    text,
    delivery && `\nEmail: ${delivery.text}`,
    files.length > 0 && `\nAttached: ${files.map((file) => file.name).join(', ')}`,
    received.length > 0 && `\nIn your mailbox: ${received.join(', ')}`,
  ]
  return lines.filter((line) => line !== null && line !== false).join('\n')
}

/** The columns of a CSV export, in their order. */
const columns = Object.keys({
  ticketId: true,
  status: true,
  name: true,
  email: true,
  subject: true,
  message: true,
  date: true,
  receivedAt: true,
  dueAt: true,
  proven: true,
} satisfies Record<keyof Ticket | ContactField, true>)
