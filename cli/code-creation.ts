import { InvalidArgumentError, Option, type Command } from 'commander'
import { normalCode, scopes, type Scope } from '#shared/secret-code.ts'
import { clientOf } from './clients.ts'
import * as options from './options.ts'
import type { Print } from './print.ts'
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

/** `codes create`. */
export function addCodeCreation(codes: Command, useContext: UseContext, print: Print): void {
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
      const made = await context.commit((tx) => store.add(tx, client.id, rules, chosen))
      tellCode(print, made, flags)
    })
}

/** Prints a new code for the only time; one that staff chose is known to them. */
export function tellCode(
  print: Print,
  { id, code }: { id: number; code: string },
  { json, custom }: Partial<CodeFlags>,
): void {
  if (json) print.json(custom ? { id } : { id, code })
  else if (custom) print.line(`Code ${id}: made`)
  else print.line(`${code}\nCode ${id}. It is shown this once; keep it or send it now.`)
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
