import { Option, type Command } from 'commander'
import { euros } from '#shared/money.ts'
import * as options from '../common/options.ts'
import { payoutInWords } from './credits.ts'
import { cents, day, mustFind } from './lookup.ts'
import { tableRow } from './views.ts'
import type { Print } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'

/** `orders paid`, `correct-payment`, `accept`, `refund` and `cancel`. */
export function addOrderActs(orders: Command, useContext: UseContext, print: Print): void {
  orders
    .command('paid <order>')
    .description('record a payment (default: the balance due)')
    .addOption(new Option('--amount <euros>', 'amount received').argParser(cents))
    .addOption(new Option('--on <date>', 'the day (YYYY-MM-DD)').argParser(day))
    .option('--note <text>', 'payment reference; the same one counts only once')
    .addOption(options.by())
    .action(
      async (
        number: string,
        flags: { amount?: number; on?: string; note?: string; by: string },
      ) => {
        const context = await useContext()
        const { actions } = context.features.orders
        const after = await actions.paid(mustFind(context, number).number, {
          amount: flags.amount,
          paidOn: flags.on,
          note: flags.note,
          actor: flags.by,
        })
        const { open: rest, charges } = actions.balanceOf(after)
        print.line(
          `${after.number}: ${after.state}${charges > 0 ? `, ${euros(charges)} of charges open` : ''}${rest > 0 ? `, ${euros(rest)} outstanding` : ''}${rest < 0 ? `, ${euros(-rest)} overpaid` : ''}`,
        )
      },
    )

  orders
    .command('correct-payment <order>')
    .description('take back a transfer recorded by mistake, or move it to the right order')
    .option('--to <order>', 'the order it was for (default: none, no money came in)')
    .addOption(
      new Option(
        '--payment <number>',
        'which one, if there are several; `orders show` lists them',
      ).argParser(options.count),
    )
    .addOption(
      new Option(
        '--amount <euros>',
        'how much of it moves, if it paid for both orders (default: all)',
      ).argParser(cents),
    )
    .addOption(options.reason('reason, for the history'))
    .addOption(options.by())
    .action(
      async (
        number: string,
        flags: { to?: string; payment?: number; amount?: number; reason: string; by: string },
      ) => {
        const context = await useContext()
        const { actions } = context.features.orders
        const { amount, order, to } = await actions.correctPayment(
          mustFind(context, number).number,
          {
            payment: flags.payment ?? null,
            to: flags.to === undefined ? null : mustFind(context, flags.to).number,
            amount: flags.amount ?? null,
            reason: flags.reason,
            actor: flags.by,
          },
        )
        print.line(
          to === null ? `${euros(amount)} taken back.` : `${euros(amount)} moved to ${to.number}.`,
        )
        for (const each of [order, ...(to === null ? [] : [to])]) {
          const { open } = actions.balanceOf(each)
          print.line(
            `${each.number}: ${each.state}${open > 0 ? `, ${euros(open)} outstanding` : ''}${open < 0 ? `, ${euros(-open)} overpaid` : ''}`,
          )
        }
      },
    )

  const acts = {
    accept: 'release an order on hold: reserve stock and issue its invoice',
    refund: 'refund and issue a credit note (through Stripe if paid there)',
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
        const sent = actions.payoutsOf(before).length
        const after = await actions[act](before.number, by)
        print.line(`${after.number}: ${before.state} → ${after.state}`)
        for (const payout of actions.payoutsOf(after).slice(sent)) print.line(payoutInWords(payout))
      })
  }

  orders
    .command('cancel [orders...]')
    .description('cancel an unpaid order, restock and issue a credit note')
    .addOption(options.like('<order>', 'every unpaid order'))
    .addOption(options.yes())
    .addOption(options.by())
    .action(
      async (
        given: string[],
        { like, yes, by }: { like?: string; yes?: boolean; by: string },
        command: Command,
      ) => {
        const context = await useContext()
        const { actions } = context.features.orders
        const found = like
          ? actions.like(mustFind(context, like).number)
          : options.several(command, given).map((number) => mustFind(context, number))
        if (like && !yes) {
          const rows = found.map((order) => tableRow(context, order))
          print.listing(rows, { none: 'No such orders.' })
          if (rows.length > 0) print.line(options.dryRun(options.toAll('end', rows.length)))
          return
        }
        for (const before of found) {
          const sent = actions.payoutsOf(before).length
          const after = await actions.cancel(before.number, by)
          print.line(`${after.number}: ${before.state} → ${after.state}`)
          for (const payout of actions.payoutsOf(after).slice(sent))
            print.line(payoutInWords(payout))
        }
      },
    )
}
