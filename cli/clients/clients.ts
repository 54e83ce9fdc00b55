import { Option, type Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import type { Context } from '#server/context.ts'
import type { Client } from '#server/clients/schema.ts'
import { paths } from '#shared/paths.ts'
import { printFound, searchOptions, type SearchFlags } from '../common/list.ts'
import { findByName, type Naming } from '../common/named.ts'
import * as options from '../common/options.ts'
import { when, type Print } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'
import { harmless } from '../common/terminal.ts'

type ClientFlags = {
  name?: string
  panel?: string
  season?: string
  email?: string[]
  by: string
}

type ListedClients = SearchFlags & { status?: 'active' | 'disabled'; email?: string }

/** `clients`: whom the agency works for; staff with codes of their own are clients, too. */
export function addClients(clients: Command, useContext: UseContext, print: Print): void {
  addCreation(clients, useContext, print)
  addReading(clients, useContext, print)
  addEditing(clients, useContext, print)
  addSwitches(clients, useContext, print)
  addRemoval(clients, useContext, print)
}

function addCreation(clients: Command, useContext: UseContext, print: Print): void {
  about(clients.command('add <name>'))
    .description('add a client (then make a code with codes create)')
    .addOption(options.json())
    .action(async (name: string, { json, ...flags }: ClientFlags & { json?: boolean }) => {
      const context = await useContext()
      // Throws where the address of the site is not known, before anything is added.
      const { siteUrl } = context.config
      const { panel, season, email: emails, by } = flags
      const made = await context.features.clients.acts.add({ name, panel, season, emails }, by)
      if (json) print.json({ ...fullRow(made, context), emails: made.emails })
      else print.line(`${made.panel}: added. ${siteUrl}${paths.panel(made.panel)}`)
    })
}

function addReading(clients: Command, useContext: UseContext, print: Print): void {
  searchOptions(clients.command('list'))
    .description('list clients, newest first')
    .addOption(
      new Option('--status <status>', 'only rows with this status').choices(['active', 'disabled']),
    )
    .addOption(options.email())
    .action(async (flags: ListedClients) => {
      const { json, limit, since = 0, status, email: of } = flags
      const { clients: all } = (await useContext()).features
      const isAsked = ({ createdAt, disabledAt, emails }: Client) =>
        createdAt >= since &&
        (status === undefined || (disabledAt !== null) === (status === 'disabled')) &&
        (of === undefined || emails.some((each) => each.toLowerCase() === of.toLowerCase()))
      const byName = all.list().filter(isAsked)
      const found =
        json && limit === undefined
          ? byName
          : byName.toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id)
      printFound(print, found, flags, {
        textsOf: namesOf,
        what: 'clients',
        none: 'No clients.',
        row: tableRow,
        full: listedRow,
      })
    })

  clients
    .command('show <client>')
    .description('show a client and its activity')
    .addOption(options.json())
    .action(async (given: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const client = clientOf(context, given)
      const activity = context.features.clients
        .activity(client.id, 50)
        .map(({ at, ...line }) => ({ at: when(at), ...line }))
      const about = fullRow(client, context)
      if (json) print.json({ ...about, emails: client.emails, activity })
      else {
        print.facts(about)
        print.line('')
        print.listing(activity, { none: 'No activity yet.' })
      }
    })
}

function addEditing(clients: Command, useContext: UseContext, print: Print): void {
  about(clients.command('edit <client>'))
    .description('change a client; --email replaces all addresses')
    .option('--name <name>', 'name shown in the panel')
    .action(async (given: string, flags: ClientFlags, verb: Command) => {
      options.mustChangeSomething(verb)
      const { name, panel, season, email, by } = flags
      const context = await useContext()
      // An empty --email takes the last address away.
      const entry = { name, panel, season, emails: email?.filter(Boolean) }
      const { acts } = context.features.clients
      const changed = await acts.edit(clientOf(context, given), entry, by)
      print.line(`${changed.panel}: changed`)
    })
}

function addRemoval(clients: Command, useContext: UseContext, print: Print): void {
  clients
    .command('rename <client> <name>')
    .description('change the name shown in the panel; --panel changes its address, too')
    .option('--panel <code>', 'last part of the panel’s address: a-z, 0-9 and hyphens')
    .addOption(options.by())
    .action(async (given: string, name: string, { panel, by }: ClientFlags) => {
      const context = await useContext()
      const client = clientOf(context, given)
      const changed = await context.features.clients.acts.edit(client, { name, panel }, by)
      print.line(`${harmless(client.name)} → ${harmless(changed.name)}`)
      if (changed.panel !== client.panel) {
        print.line(`The panel moved to ${context.config.siteUrl}${paths.panel(changed.panel)}`)
      }
    })

  clients
    .command('remove <client>')
    .description('remove a client with its codes, panel and activity; bookings and orders stay')
    .addOption(options.yes())
    .addOption(options.by())
    .action(async (given: string, { yes, by }: { yes?: boolean; by: string }) => {
      const context = await useContext()
      const { features } = context
      const client = clientOf(context, given, { exactly: true })
      const { codes, blocks, files } = await features.clients.acts.remove(client, by, {
        rehearse: !yes,
      })
      const what = `${client.panel}, ${harmless(client.name)}: ${counted(codes, 'code')}, ${counted(blocks, 'block')}, ${counted(files, 'file')}`
      print.line(yes ? `${what}: removed` : what)
      if (!yes) print.line(options.dryRun('remove it'))
    })
}

function addSwitches(clients: Command, useContext: UseContext, print: Print): void {
  const change = async (given: string, disabled: boolean, by: string) => {
    const context = await useContext()
    const client = clientOf(context, given)
    await context.features.clients.acts.setDisabled(client, disabled, by)
    print.line(`${client.panel}: ${disabled ? 'disabled' : 'active'}`)
  }
  clients
    .command('disable <client>')
    .description(
      'disable a client: everyone is signed out, and codes stop working until it is enabled',
    )
    .option('--undo', 'same as enable')
    .addOption(options.by())
    .action((given: string, { undo = false, by }: { undo?: boolean; by: string }) =>
      change(given, !undo, by),
    )
  clients
    .command('enable <client>')
    .description('re-enable a client')
    .addOption(options.by())
    .action((given: string, { by }: { by: string }) => change(given, false, by))
}

const about = (command: Command) =>
  command
    .option('--panel <code>', 'last part of the panel’s address: a-z, 0-9 and hyphens')
    .option('--season <season>', 'shown in the panel, such as 2027')
    .option('--email <address...>', 'email addresses whose tickets the panel lists')
    .addOption(options.by())

/**
 * A client by the code of its panel or its number, by its name or an address, or by words of these.
 * @throws when there is none; AmbiguousName when there are several
 */
export function clientOf({ features: { clients } }: Context, given: string, how?: Naming): Client {
  return (
    clients.findPanel(given) ??
    (/^\d{1,9}$/.test(given) ? clients.find(Number(given)) : null) ??
    findByName('Client', given, clients.list(), { namesOf, ownNamesOf, about: candidate }, how)
  )
}

const namesOf = ({ panel, name, emails }: Client) => [panel, name, ...emails]

const ownNamesOf = ({ panel, name }: Client) => [panel, name]

const candidate = ({ panel, name, season, emails }: Client): string =>
  [panel, name, season, ...emails].filter(Boolean).join('  ')

const facts = (client: Client) => ({
  id: client.id,
  panel: client.panel,
  name: client.name,
  season: client.season,
  emails: client.emails.join(', '),
  created: when(client.createdAt),
  disabled: when(client.disabledAt),
})

/** A line of a table. */
function tableRow(client: Client) {
  const { created: _, disabled, ...row } = facts(client)
  return { ...row, state: disabled ? 'disabled' : 'active' }
}

/** As lists have it as JSON. */
function listedRow(client: Client) {
  const { created, disabled, ...row } = facts(client)
  return { ...row, emails: client.emails, created, disabled }
}

const fullRow = (client: Client, { config }: Context) => ({
  ...facts(client),
  address: config.siteUrl + paths.panel(client.panel),
})
