import { InvalidArgumentError, Option, type Command } from 'commander'
import { licenceUses, termsLine, type LicenceUse } from '#shared/shop/licences.ts'
import type { UseContext } from '../common/command.ts'
import * as options from '../common/options.ts'
import type { Print } from '../common/print.ts'
import { productNamed } from './rows.ts'

/** A number, or none; a bare null would become an empty text in commander. */
type Limit = { count: number | null }

type Flags = {
  use?: LicenceUse
  territory?: string
  months?: Limit
  exclusive?: boolean
  printRun?: Limit
  licensee?: string
  by: string
}

/** `products licence`: what a variant's licence allows. */
export function addProductLicences(products: Command, useContext: UseContext, print: Print): void {
  products
    .command('licence <handle> <variant>')
    .description('set what a variant’s licence allows; omitted options stay as they are')
    .addOption(new Option('--use <use>').choices(Object.keys(licenceUses)))
    .option('--territory <where>', 'worldwide, europe, eu, nordics, or a country such as FI')
    .addOption(new Option('--months <count>', 'a number, or "unlimited"').argParser(limit))
    .option('--exclusive', 'exclusive for the term')
    .option('--no-exclusive')
    .addOption(new Option('--print-run <copies>', 'a number, or "unlimited"').argParser(limit))
    .option('--licensee <who>', 'such as "one company, one brand"')
    .addOption(options.by())
    .action(async (given: string, variant: string, flags: Flags) => {
      const { by, months, printRun, ...terms } = flags
      const context = await useContext()
      const { handle } = productNamed(context, given)
      const now = await context.features.shop.acts.licence(
        { handle, variant },
        {
          ...terms,
          ...(months && { months: months.count }),
          ...(printRun && { printRun: printRun.count }),
        },
        by,
      )
      print.line(`${handle} ${variant}: ${now ? termsLine(now) : 'no licence'}`)
    })
}

function limit(text: string): Limit {
  if (text === 'unlimited') return { count: null }
  if (/^[1-9]\d{0,8}$/.test(text)) return { count: Number(text) }
  throw new InvalidArgumentError('Use a whole number, or "unlimited".')
}
