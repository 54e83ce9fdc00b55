import { InvalidArgumentError, Option, type Command } from 'commander'
import { civilDate } from '#shared/civil-dates.ts'
import { euros } from '#shared/money.ts'
import * as options from './options.ts'
import { cents, mustFind } from './order-lookup.ts'
import type { Print } from './print.ts'
import type { UseContext } from './command.ts'

/** `orders paid`, `ship`, `cancel` and `refund`. */
export function addOrderActs(orders: Command, useContext: UseContext, print: Print): void {
  orders
    .command('paid <order>')
    .description('record money that came in for an invoice; the rest of it unless told otherwise')
    .addOption(new Option('--amount <euros>', 'what came in').argParser(cents))
    .addOption(new Option('--on <date>', 'the day (YYYY-MM-DD)').argParser(day))
    .option('--note <text>', 'what tells this payment from others; the same one counts once')
    .addOption(options.by())
    .action(
      async (number: string, told: { amount?: number; on?: string; note?: string; by: string }) => {
        const context = await useContext()
        const { actions } = context.features.orders
        const order = mustFind(context, number)
        const open = order.total - actions.orders.paid(order.id)
        if (!['open', 'shipped', 'paid'].includes(order.state)) {
          throw new Error(`${order.number} is ${order.state}; only invoices can be marked as paid.`)
        }
        if (told.amount === undefined && open <= 0)
          throw new Error(`${order.number} is paid already.`)
        const { recorded, order: after } = await actions.paid(order.number, {
          source: `staff/${order.number}/${told.note ?? actions.orders.paid(order.id)}`,
          amount: told.amount ?? open,
          ...(told.on !== undefined && { paidOn: told.on }),
          actor: told.by,
        })
        if (!recorded) throw new Error('This payment was recorded before.')
        const rest = after.total - actions.orders.paid(after.id)
        print.line(
          `${after.number}: ${after.state}${rest > 0 ? `, ${euros(rest)} still open` : ''}${rest < 0 ? `, ${euros(-rest)} too much` : ''}`,
        )
      },
    )

  const acts = {
    ship: 'note that an order was sent, and mail its buyer',
    cancel: 'cancel what is not paid: pieces go back, a credit note is issued',
    refund: 'pay back and issue a credit note; Stripe is called for orders that were paid there',
  } as const
  for (const [act, description] of Object.entries(acts) as [keyof typeof acts, string][]) {
    orders
      .command(`${act} <order>`)
      .description(description)
      .addOption(options.by())
      .action(async (number: string, { by }: { by: string }) => {
        const context = await useContext()
        const { actions } = context.features.orders
        const before = mustFind(context, number)
        const paid = actions.orders.paid(before.id)
        const after = await actions[act](before.number, by)
        print.line(`${after.number}: ${before.state} → ${after.state}`)
        if (act !== 'ship' && after.payment === 'invoice' && paid > 0) {
          print.line(`Please pay ${euros(paid)} back to the buyer's account.`)
        }
      })
  }
}

function day(text: string): string {
  const date = civilDate(text)
  if (date) return date
  throw new InvalidArgumentError('Use YYYY-MM-DD.')
}
