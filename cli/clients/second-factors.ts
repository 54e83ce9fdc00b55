import type { Command } from 'commander'
import type { UseContext } from '../common/command.ts'
import * as options from '../common/options.ts'
import type { Print } from '../common/print.ts'
import { isInteractive, readLine } from '../common/secret-input.ts'
import { codeOf } from './code-named.ts'

const numberQuestion = 'Number in the app: '

/** `codes totp`: a second factor for a staff code. Its secret and recovery codes are printed once. */
export function addSecondFactors(codes: Command, useContext: UseContext, print: Print): void {
  const totp = codes.command('totp').description('require an authenticator app with a staff code')

  totp
    .command('add <code>', { isDefault: true })
    .description('set up an authenticator app, or replace the current one')
    .option('--confirm', 'switch it on: read the app’s first number from standard input')
    .addOption(options.by())
    .action(async (given: string, { confirm, by }: { confirm?: boolean; by: string }) => {
      const context = await useContext()
      const { factorActs } = context.features.clients
      const code = codeOf(context, given)
      if (!confirm) {
        const { secret, address } = await factorActs.begin(code)
        print.line(context.features.links.qrCode.terminal(address))
        print.line(address)
        print.line(`Secret: ${secret}. Shown only once: scan or type it into the app now.`)
        if (!isInteractive()) {
          print.line(
            `Not on yet. Switch it on within an hour: codes totp ${code.id} --confirm, with the number on standard input.`,
          )
          return
        }
      }
      const recovery = await factorActs.confirm(code, await readLine(numberQuestion), by)
      print.line(`Code ${code.id}: second factor on. Its sessions have ended.\n`)
      print.line('Recovery codes, each good for one sign-in without the app:')
      print.line(recovery.map((each) => `  ${each}`).join('\n'))
      print.line('Shown only once: print them or save them apart from the phone.')
    })

  totp
    .command('off <code>')
    .description('stop requiring the app')
    .addOption(options.by())
    .action(async (given: string, { by }: { by: string }) => {
      const context = await useContext()
      const code = codeOf(context, given)
      await context.features.clients.factorActs.remove(code, by)
      print.line(`Code ${code.id}: second factor off. Its sessions have ended.`)
    })
}
