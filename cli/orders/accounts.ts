import { InvalidArgumentError, type Command } from 'commander'
import { emailAddress } from '#shared/forms/fields.ts'
import type { UseContext } from '../common/command.ts'
import * as options from '../common/options.ts'
import { when, type Print } from '../common/print.ts'

/** `orders accounts`: companies that may pay after delivery. */
export function addCreditAccounts(orders: Command, useContext: UseContext, print: Print): void {
  const accounts = orders
    .command('accounts')
    .description('companies that can pay within 14 days of invoice; everyone else pays first')

  accounts
    .command('list', { isDefault: true })
    .description('list companies')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { actions } = (await useContext()).features.orders
      const rows = actions.accounts.list().map(({ email, company, allowedAt, allowedBy }) => ({
        email,
        company,
        since: when(allowedAt),
        by: allowedBy,
      }))
      print.listing(rows, { json, none: 'Everyone pays before delivery.' })
    })

  accounts
    .command('allow <email>')
    .description('let a company pay after delivery when it orders signed in as a client')
    .requiredOption('--company <name>', 'company name (consumers always pay first)')
    .addOption(options.by())
    .action(async (email: string, { company, by }: { company: string; by: string }) => {
      const { actions } = (await useContext()).features.orders
      await actions.accounts.allow(address(email), company, by)
      print.line(`${company} (${email}): invoice, 14 days`)
    })

  accounts
    .command('disallow <email>')
    .description('make a company pay before delivery again')
    .addOption(options.by())
    .action(async (email: string, { by }: { by: string }) => {
      const { actions } = (await useContext()).features.orders
      await actions.accounts.disallow(address(email), by)
      print.line(`${email}: payment before delivery`)
    })
}

function address(text: string): string {
  const parsed = emailAddress.safeParse(text)
  if (parsed.success) return parsed.data
  throw new InvalidArgumentError('Use an email address.')
}
