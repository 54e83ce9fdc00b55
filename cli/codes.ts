import type { Command } from 'commander'
import type { Code } from '#server/clients/codes.ts'
import type { Context } from '#server/context.ts'
import { clientOf } from './clients.ts'
import { addCodeCreation, tellCode } from './code-creation.ts'
import * as options from './options.ts'
import { when, type Print } from './print.ts'
import type { UseContext } from './command.ts'

/** `codes`: secret codes. Each is printed once, when it is made, and cannot be looked up later. */
export function addCodes(program: Command, useContext: UseContext, print: Print): void {
  const codes = program.command('codes').description('secret codes of clients and staff')

  addCodeCreation(codes, useContext, print)

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
      const made = await context.commit((tx) => context.features.clients.codes.rotate(tx, code))
      tellCode(print, made, { json })
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
