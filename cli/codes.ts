import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Code } from '#server/clients/codes.ts'
import type { Context } from '#server/context.ts'
import { normalCode, scopes, type Scope } from '#shared/secret-code.ts'
import { clientOf } from './clients.ts'
import * as options from './options.ts'
import { when, type Print } from './print.ts'
import { readSecret } from './secret-input.ts'
import type { UseContext } from './command.ts'

/**
 * A custom code shorter than this can be guessed, so it needs to be insisted upon
 * (docs/contract.md, Clients and panels).
 */
const shortCode = 8
const shortestCode = 3

type CodeFlags = {
  scopes: readonly Scope[]
  label: string
  expires?: options.Limit
  maxUses?: number
  custom?: boolean
  force?: boolean
  json?: boolean | undefined
}

/** `codes`: secret codes. Each is printed once, when it is made, and cannot be looked up later. */
export function addCodes(program: Command, useContext: UseContext, print: Print): void {
  const codes = program.command('codes').description('secret codes of clients and staff')

  /** Prints a new code for the only time; one that staff chose is known to them. */
  const tell = (made: { id: number; code: string }, { json, custom }: Partial<CodeFlags>) => {
    const { id, code } = made
    if (json) print.json(custom ? { id } : { id, code })
    else if (custom) print.line(`Code ${id}: made`)
    else print.line(`${code}\nCode ${id}. It is shown this once; keep it or send it now.`)
  }

  codes
    .command('create <client>')
    .alias('add')
    .description('make a code of 10 random characters, or take one from the input')
    .addOption(
      new Option('--scopes <scopes>', `what it opens, of ${scopes.join(', ')}`)
        .argParser(readScopes)
        .default(['view', 'download', 'select'], 'view,download,select'),
    )
    .option('--label <label>', 'who has it, or what it is for', '')
    .addOption(options.expires())
    .option('--max-uses <count>', 'sign-ins it is good for', options.count)
    .option('--custom', 'read the code from the terminal or the standard input')
    .option('--force', `take a custom code of under ${shortCode} characters; needs --expires`)
    .addOption(options.json())
    .addHelpText('after', scopeHelp)
    .action(async (given: string, flags: CodeFlags, command: Command) => {
      const context = await useContext()
      const client = clientOf(context, given)
      const chosen = flags.custom ? await readSecret('Code: ') : undefined
      if (chosen !== undefined) checkLength(chosen, flags, command)
      const rules = {
        label: flags.label,
        scopes: flags.scopes,
        expiresAt: flags.expires?.at ?? null,
        maxUses: flags.maxUses ?? null,
      }
      const { codes: store } = context.features.clients
      tell(await context.commit((tx) => store.add(tx, client.id, rules, chosen)), flags)
    })

  codes
    .command('list [client]')
    .description('the codes of one client, or all')
    .addOption(options.json())
    .action(async (given: string | undefined, { json }: { json?: boolean }) => {
      const context = await useContext()
      const client = given === undefined ? null : clientOf(context, given)
      const rows = context.features.clients.codes
        .list(client?.id ?? null)
        .map((code) => (json ? fullRow(code, context) : tableRow(code, context)))
      print.listing(rows, { json, none: 'No codes.' })
    })

  codes
    .command('revoke <code>')
    .alias('disable')
    .description('end a code by its number, and every session that began with it')
    .action(async (id: string) => {
      const context = await useContext()
      const code = codeOf(context, id)
      await context.commit((tx) => context.features.clients.codes.revoke(tx, code.id))
      print.line(`${code.id}: revoked`)
    })

  codes
    .command('rotate <code>')
    .description('another code with the same rules; the old one ends')
    .addOption(options.json())
    .action(async (id: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const code = codeOf(context, id)
      if (code.revokedAt !== null) throw new Error(`Code ${code.id} is revoked; make a new one.`)
      tell(await context.commit((tx) => context.features.clients.codes.rotate(tx, code)), { json })
    })

  codes
    .command('extend <code>')
    .description('give a code another end')
    .addOption(options.expires().makeOptionMandatory())
    .action(async (id: string, { expires: { at } }: { expires: options.Limit }) => {
      const context = await useContext()
      const code = codeOf(context, id)
      if (code.revokedAt !== null) throw new Error(`Code ${code.id} is revoked; make a new one.`)
      await context.commit((tx) => context.features.clients.codes.extend(tx, code.id, at))
      print.line(`${code.id}: ${at === null ? 'never ends' : `ends ${when(at)}`}`)
    })
}

/** What each scope opens. */
const opens: Readonly<Record<Scope, string>> = {
  view: 'the panel, and the folders in it to look at',
  web: 'of folders: pictures in web size, films and documents, but neither originals nor ZIPs',
  download: 'everything as it was delivered: originals, whole folders as ZIP, files of the panel',
  select: 'favourites and comments in folders',
  links: 'staff: making short links at /links',
  ops: "staff: the server's log at /debug/logs",
}

const scopeHelp = `\nScopes:\n${scopes.map((scope) => `  ${scope.padEnd(8)}  ${opens[scope]}`).join('\n')}`

function readScopes(text: string): Scope[] {
  const given = text.split(/[\s,]+/).filter(Boolean)
  const unknown = given.filter((scope) => !scopes.some((known) => known === scope))
  if (unknown.length > 0 || given.length === 0) {
    throw new InvalidArgumentError(`Use some of ${scopes.join(', ')}, with commas between them.`)
  }
  return scopes.filter((scope) => given.includes(scope))
}

function checkLength(chosen: string, { force, expires }: CodeFlags, command: Command): void {
  const { length } = Array.from(normalCode(chosen))
  if (length < shortestCode) command.error(`error: a code has at least ${shortestCode} characters`)
  if (length >= shortCode) return
  if (!force || typeof expires?.at !== 'number') {
    command.error(
      `error: a code of under ${shortCode} characters can be guessed; it needs --force and --expires`,
    )
  }
}

function codeOf({ features: { clients } }: Context, id: string): Code {
  const found = /^\d{1,9}$/.test(id) ? clients.codes.find(Number(id)) : null
  if (!found) throw new Error('There is no code with this number; see codes list.')
  return found
}

/** Why a code opens nothing, or that it does. */
function stateOf(code: Code, { clock, features: { clients } }: Context): string {
  if (code.revokedAt !== null) return 'revoked'
  if (code.expiresAt !== null && code.expiresAt <= clock()) return 'expired'
  if (code.maxUses !== null && code.uses >= code.maxUses) return 'used up'
  return clients.find(code.clientId)?.disabledAt ? 'client disabled' : 'good'
}

const fullRow = (code: Code, context: Context) => ({
  code: code.id,
  client: context.features.clients.find(code.clientId)!.panel,
  label: code.label,
  state: stateOf(code, context),
  scopes: code.scopes.join(','),
  created: when(code.createdAt),
  expires: when(code.expiresAt),
  uses: code.uses,
  maxUses: code.maxUses,
  lastUsed: when(code.lastUsedAt),
  revoked: when(code.revokedAt),
})

function tableRow(code: Code, context: Context) {
  const {
    created: _,
    revoked: __,
    lastUsed,
    expires,
    uses,
    maxUses,
    ...row
  } = fullRow(code, context)
  return {
    ...row,
    expires: expires?.slice(0, 10) ?? 'never',
    uses: maxUses === null ? String(uses) : `${uses} of ${maxUses}`,
    'last used': lastUsed?.slice(0, 16).replace('T', ' ') ?? 'never',
  }
}
