import type { Command } from 'commander'
import type { Context } from '#server/context.ts'
import type { Client } from '#server/clients/store.ts'
import { emailAddress } from '#shared/fields.ts'
import { paths } from '#shared/paths.ts'
import { slugOf } from '#shared/slug.ts'
import { oneLine } from '#shared/text.ts'
import * as options from './options.ts'
import { when, type Print } from './print.ts'
import type { UseContext } from './command.ts'
import { harmless } from './terminal.ts'

type About = { name?: string; panel?: string; season?: string; email?: string[] }

/** `clients`: whom the agency works for; staff with codes of their own are clients, too. */
export function addClients(program: Command, useContext: UseContext, print: Print): void {
  const clients = program.command('clients').description('clients, and staff with secret codes')
  addCreation(clients, useContext, print)
  addReading(clients, useContext, print)
  addEditing(clients, useContext, print)
  addSwitches(clients, useContext, print)
}

function addCreation(clients: Command, useContext: UseContext, print: Print): void {
  about(clients.command('add <name>'))
    .description('add a client; a code for the panel is made by codes create')
    .addOption(options.json())
    .action(async (name: string, { json, ...told }: About & { json?: boolean }) => {
      const context = await useContext()
      const {
        commit,
        features: { clients: store },
      } = context
      const panel = panelCode(told.panel ?? slugOf(name))
      const url = context.config.siteUrl + paths.panel(panel)
      const made = await commit((tx) =>
        store.add(tx, {
          name: nameOf(name),
          panel,
          season: told.season ? oneLine(told.season) : null,
          emails: (told.email ?? []).map(address),
        }),
      )
      if (json) print.json(fullRow(made, context))
      else print.line(`${panel}: added. ${url}`)
    })
}

function addReading(clients: Command, useContext: UseContext, print: Print): void {
  clients
    .command('list')
    .description('the clients by name')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const context = await useContext()
      const rows = context.features.clients.list().map((client) => {
        const { created, disabled, emails, ...row } = facts(client)
        return json
          ? { ...row, emails: client.emails.join(' '), created, disabled }
          : { ...row, emails, state: disabled ? 'disabled' : 'active' }
      })
      print.listing(rows, { json, none: 'No clients.' })
    })

  clients
    .command('show <client>')
    .description('one client, with what happened in its name')
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
        print.listing(activity, { none: 'Nothing has happened yet.' })
      }
    })
}

function addEditing(clients: Command, useContext: UseContext, print: Print): void {
  about(clients.command('edit <client>'))
    .description('change what is given; --email replaces all addresses')
    .option('--name <name>', 'as the panel greets it')
    .action(async (given: string, { name, panel, season, email }: About) => {
      const context = await useContext()
      const client = clientOf(context, given)
      await context.commit((tx) =>
        context.features.clients.change(tx, {
          ...client,
          ...(name !== undefined && { name: nameOf(name) }),
          ...(panel !== undefined && { panel: panelCode(panel) }),
          ...(season !== undefined && { season: oneLine(season) || null }),
          ...(email !== undefined && { emails: email.filter(Boolean).map(address) }),
        }),
      )
      print.line(`${panel ?? client.panel}: changed`)
    })
}

function addSwitches(clients: Command, useContext: UseContext, print: Print): void {
  const change = async (given: string, disabled: boolean) => {
    const context = await useContext()
    const client = clientOf(context, given)
    const disabledAt = disabled ? (client.disabledAt ?? context.clock()) : null
    await context.commit((tx) => context.features.clients.change(tx, { ...client, disabledAt }))
    print.line(`${client.panel}: ${disabled ? 'disabled' : 'active'}`)
  }
  clients
    .command('disable <client>')
    .description('let none of its codes and sessions open anything, at once')
    .option('--undo', 'the same as enable')
    .action((given: string, { undo = false }: { undo?: boolean }) => change(given, !undo))
  clients
    .command('enable <client>')
    .description('let its codes and sessions open again what they did')
    .action((given: string) => change(given, false))
}

const about = (command: Command) =>
  command
    .option('--panel <code>', "last part of the panel's address: a-z, 0-9 and hyphens")
    .option('--season <season>', 'shown in the panel, such as 2027')
    .option('--email <address...>', 'addresses whose tickets the panel lists')

/** A client by the code of its panel, or by its number. @throws when there is none */
export function clientOf({ features: { clients } }: Context, given: string): Client {
  const found =
    clients.findPanel(given) ?? (/^\d{1,9}$/.test(given) ? clients.find(Number(given)) : null)
  if (!found) throw new Error(`There is no client ${harmless(given)}.`)
  return found
}

const facts = (client: Client) => ({
  id: client.id,
  panel: client.panel,
  name: client.name,
  season: client.season,
  emails: client.emails.join(', '),
  created: when(client.createdAt),
  disabled: when(client.disabledAt),
})

const fullRow = (client: Client, { config }: Context) => ({
  ...facts(client),
  address: config.siteUrl + paths.panel(client.panel),
})

function panelCode(text: string): string {
  if (/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/.test(text)) return text
  throw new Error(
    `${harmless(text)} cannot stand in an address. Give --panel with a-z, 0-9 and hyphens.`,
  )
}

function address(text: string): string {
  const parsed = emailAddress.safeParse(text)
  if (!parsed.success) throw new Error(`${harmless(text)} is not an e-mail address.`)
  return parsed.data
}

/** The name of a client. @throws when nothing is left of it */
function nameOf(text: string): string {
  const name = oneLine(text)
  if (name === '') throw new Error('A client needs a name.')
  return name
}
