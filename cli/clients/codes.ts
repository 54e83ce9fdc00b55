import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Client, Code } from '#server/clients/schema.ts'
import type { Context } from '#server/context.ts'
import { isFailure } from '#shared/failures.ts'
import { scopes, type Scope } from '#shared/clients/secret-code.ts'
import { clientOf } from './clients.ts'
import { codeOf, namesOf } from './code-named.ts'
import { addSecondFactors } from './second-factors.ts'
import { addSessions } from './sessions.ts'
import { searchOptions, searched, type SearchFlags } from '../common/list.ts'
import * as options from '../common/options.ts'
import { end, lastDay, when, type Print } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'
import { readSecret } from '../common/secret-input.ts'

const codeStates = ['good', 'revoked', 'expired', 'used-up', 'client-disabled']

type ListedCodes = SearchFlags & { status?: string }

/** `codes`: secret codes. Each is printed once, when it is made, and cannot be looked up later. */
export function addCodes(codes: Command, useContext: UseContext, print: Print): void {
  addCodeCreation(codes, useContext, print)
  addSecondFactors(codes, useContext, print)
  addSessions(codes, useContext, print)

  searchOptions(codes.command('list [client]'))
    .description('list all codes, or those of one client, newest first')
    .addOption(new Option('--status <state>', 'only rows with this status').choices(codeStates))
    .action(async (given: string | undefined, flags: ListedCodes) => {
      const { json, limit, search, since = 0, status } = flags
      const context = await useContext()
      const { clients } = context.features
      const client = given === undefined ? null : clientOf(context, given)
      const found = clients.codes
        .list(client?.id ?? null)
        .filter(
          (code) =>
            code.createdAt >= since &&
            (status === undefined || clients.acts.codeState(code).replace(' ', '-') === status),
        )
        .toReversed()
      print.list(searched(found, search, namesOf(context)), {
        json,
        limit,
        what: 'codes',
        isJsonOldestFirst: true,
        none: 'No codes.',
        row: (code) => tableRow(code, context),
        full: (code) => fullRow(code, context),
      })
    })

  codes
    .command('revoke <code>')
    .alias('disable')
    .description('revoke a code and its sessions')
    .addOption(options.by())
    .action(async (id: string, { by }: { by: string }) => {
      const context = await useContext()
      const code = codeOf(context, id)
      await context.features.clients.acts.revokeCode(code, by)
      print.line(`${code.id}: revoked`)
    })

  codes
    .command('rotate <code>')
    .description('replace a code, keeping its settings')
    .addOption(options.by())
    .addOption(options.json())
    .action(async (id: string, { by, json }: { by: string; json?: boolean }) => {
      const context = await useContext()
      const before = codeOf(context, id)
      const made = await context.features.clients.acts.rotateCode(before, by)
      printCode(print, made, { json })
      const client = context.features.clients.find(before.clientId)
      if (!json && client) printInvitation(context, { client, made, rules: before }, print)
    })

  codes
    .command('extend <code>')
    .description('change a code’s expiry')
    .addOption(options.expires().makeOptionMandatory())
    .addOption(options.by())
    .action(async (id: string, { expires: { at }, by }: { expires: options.Limit; by: string }) => {
      const context = await useContext()
      const code = codeOf(context, id)
      await context.features.clients.acts.extendCode(code, at, by)
      print.line(`${code.id}: ${at === null ? 'no expiry' : `expires ${end(at)}`}`)
    })
}

const fullRow = (code: Code, context: Context) => ({
  code: code.id,
  client: context.features.clients.find(code.clientId)!.panel,
  label: code.label,
  state: context.features.clients.acts.codeState(code),
  scopes: code.scopes.join(','),
  created: when(code.createdAt),
  expires: when(code.expiresAt),
  uses: code.uses,
  maxUses: code.maxUses,
  lastUsed: when(code.lastUsedAt),
  revoked: when(code.revokedAt),
  totp: context.features.clients.factors.isOn(code.id) ? 'on' : 'off',
})

function tableRow(code: Code, context: Context) {
  const {
    created: _,
    revoked: __,
    lastUsed,
    expires: ___,
    uses,
    maxUses,
    totp,
    ...row
  } = fullRow(code, context)
  return {
    ...row,
    expires: lastDay(code.expiresAt) ?? 'never',
    uses: maxUses === null ? String(uses) : `${uses} of ${maxUses}`,
    'last used': lastUsed?.slice(0, 16).replace('T', ' ') ?? 'never',
    totp,
  }
}

type CodeFlags = {
  scopes: readonly Scope[]
  label: string
  expires?: options.Limit
  maxUses?: number
  custom?: boolean
  force?: boolean
  by: string
  json?: boolean | undefined
}

/** `codes create`. */
function addCodeCreation(codes: Command, useContext: UseContext, print: Print): void {
  codes
    .command('create <client>')
    .alias('add')
    .description('create a random 10-character code, or read one from the input')
    .addOption(
      new Option('--scopes <scopes>', `scopes: ${scopes.join(', ')}`)
        .argParser(readScopes)
        .default(['view', 'download', 'select'], 'view,download,select'),
    )
    .option('--label <label>', 'who has it or what it is for', '')
    .addOption(options.expires())
    .option('--max-uses <count>', 'maximum sign-ins', options.count)
    .option('--custom', 'read the code from the terminal or standard input')
    .option('--force', 'accept a custom code that is short enough to guess; needs --expires')
    .addOption(options.by())
    .addOption(options.json())
    .addHelpText('after', scopeHelp)
    .action(async (given: string, flags: CodeFlags, command: Command) => {
      const context = await useContext()
      const client = clientOf(context, given)
      const chosen = flags.custom ? await readSecret('Code: ') : undefined
      const rules = {
        label: flags.label,
        scopes: flags.scopes,
        expiresAt: flags.expires?.at ?? null,
        maxUses: flags.maxUses ?? null,
      }
      const custom =
        chosen === undefined ? null : { code: chosen, isShortAllowed: flags.force ?? false }
      const made = await context.features.clients.acts
        .createCode(client, rules, custom, flags.by)
        .catch((error: unknown) => {
          if (!isFailure(error) || error.failure !== 'invalid') throw error
          return command.error(`error: ${error.message}`)
        })
      printCode(print, made, flags)
      if (!flags.json && !flags.custom) printInvitation(context, { client, made, rules }, print)
    })
}

/** Prints a new code for the only time; one that staff chose is known to them. */
function printCode(
  print: Print,
  { id, code }: { id: number; code: string },
  { json, custom }: Partial<CodeFlags>,
): void {
  if (json) print.json(custom ? { id } : { id, code })
  else if (custom) print.line(`Code ${id}: created`)
  else print.line(`${code}\nCode ${id}. Shown only once: save it or send it now.`)
}

/** Prints where the code is entered, and a text to send; nothing where the address isn't known yet. */
function printInvitation(
  context: Context,
  {
    client,
    made,
    rules,
  }: {
    client: Client
    made: { code: string }
    rules: { scopes: readonly Scope[]; expiresAt: number | null; maxUses: number | null }
  },
  print: Print,
): void {
  const siteUrl = addressOf(context)
  if (siteUrl === null) return
  const about = { ...rules, code: made.code }
  const { address, text } = context.features.clients.acts.invitation(client, about, siteUrl)
  print.line(`\nIt opens ${address}\nTo send:\n`)
  print.line(`${text}\n`)
  if (client.disabledAt !== null) {
    print.line(`${client.panel} is disabled: the code opens nothing until clients enable.`)
  }
}

/** The site's address, or null before a server has run. */
function addressOf({ config }: Context): string | null {
  try {
    return config.siteUrl
  } catch {
    return null
  }
}

/** What each scope opens. */
const opens: Readonly<Record<Scope, string>> = {
  view: 'see the panel and its galleries',
  web: 'download web-size photos, films and documents, but no originals',
  download: 'download originals, ZIPs and panel files',
  select: 'mark favourites and comment in galleries',
  manage: 'cancel and move the client’s bookings; see its orders, invoices and files',
  links: 'staff: create short links at /links',
  desk: 'staff: look after tickets, bookings, orders, clients, their codes and folders at /desk',
  ops: 'staff: read the server log at /debug/logs',
}

const scopeHelp = `\nScopes:\n${scopes.map((scope) => `  ${scope.padEnd(8)}  ${opens[scope]}`).join('\n')}\n\nweb, download, select and manage need view, too.`

function readScopes(text: string): Scope[] {
  const given = text.split(/[\s,]+/).filter(Boolean)
  const unknown = given.filter((scope) => !scopes.some((known) => known === scope))
  if (unknown.length > 0 || given.length === 0) {
    throw new InvalidArgumentError(`Use a comma-separated list of ${scopes.join(', ')}.`)
  }
  return scopes.filter((scope) => given.includes(scope))
}
