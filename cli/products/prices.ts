import type { Command } from 'commander'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { longDate } from '#shared/dates/date-format.ts'
import { euros as inWords } from '#shared/money.ts'
import type { UseContext } from '../common/command.ts'
import * as options from '../common/options.ts'
import type { Print } from '../common/print.ts'
import { cents, pieces } from './options.ts'
import { productNamed } from './rows.ts'

/** `products price` and `products stock`. */
export function addProductPrices(products: Command, useContext: UseContext, print: Print): void {
  products
    .command('price <handle> <variant> <euros>')
    .description('set a price from now on, or a sale price ending at --to')
    .addOption(options.from())
    .addOption(options.to())
    .addOption(options.by())
    .action(
      async (
        given: string,
        variant: string,
        euros: string,
        { from, to, by }: { from?: number; to?: number; by: string },
      ) => {
        const amount = cents(euros)
        const context = await useContext()
        const { handle } = productNamed(context, given)
        const begin = await context.features.shop.acts.price(
          { handle, variant },
          { cents: amount, fromAt: from, untilAt: to ?? null },
          by,
        )
        const until = to === undefined ? '' : ` to ${longDate(dateAt(to - 1))}`
        print.line(
          `${handle} ${variant}: ${inWords(amount)} from ${longDate(dateAt(begin))}${until}`,
        )
      },
    )

  products
    .command('stock <handle> <variant> <pieces>')
    .description('set stock: a number, +5 for a delivery, or "unlimited"')
    .addOption(options.by())
    .action(async (given: string, variant: string, text: string, { by }: { by: string }) => {
      const wanted = pieces(text)
      const context = await useContext()
      const { handle } = productNamed(context, given)
      const now = await context.features.shop.acts.stock({ handle, variant }, wanted, by)
      print.line(`${handle} ${variant}: ${now ?? 'unlimited'}`)
    })
}
