import { InvalidArgumentError, Option, type Command } from 'commander'
import type { CreditRequest } from '#server/orders/feature.ts'
import { counted } from '#shared/text/counted.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { euros } from '#shared/money.ts'
import type { UseContext } from '../common/command.ts'
import * as options from '../common/options.ts'
import { when, type Print } from '../common/print.ts'
import { harmless } from '../common/terminal.ts'
import { writeWhole } from '../common/whole-file.ts'
import { cents, day, mustFind } from './lookup.ts'

type Line = NonNullable<Exclude<CreditRequest, { all: true }>['lines']>[number]

/** `orders credit`, `pay-back`, `payouts` and `payouts-done`: what goes back of an order. */
export function addOrderCredits(orders: Command, useContext: UseContext, print: Print): void {
  orders
    .command('credit <order>')
    .description('credit lines or an amount; any overpayment is refunded')
    .addOption(
      new Option(
        '--line <line...>',
        'invoice line, from 1: 2 (all that is left), 2x3 (three pieces) or 2=12.50 (an amount)',
      ).argParser(lines),
    )
    .addOption(
      new Option('--amount <euros>', 'spread over the remaining lines by value').argParser(cents),
    )
    .addOption(options.reason('reason, for the buyer and the books'))
    .option('--restock', 'put returned pieces back in stock')
    .addOption(options.by())
    .action(
      async (
        number: string,
        flags: {
          line?: Line[]
          amount?: number
          reason: string
          restock?: boolean
          by: string
        },
        verb: Command,
      ) => {
        if (!flags.line && flags.amount === undefined) {
          verb.error('error: use --line, --amount or both', { exitCode: 2 })
        }
        const context = await useContext()
        const { actions } = context.features.orders
        const { order, credit, payouts } = await actions.credit(
          mustFind(context, number).number,
          { lines: flags.line, amount: flags.amount },
          { reason: flags.reason, restock: flags.restock ?? false, actor: flags.by },
        )
        print.line(
          `${order.number}: credit note ${credit.number} over ${euros(-credit.total)}; ${order.state}`,
        )
        for (const payout of payouts) print.line(payoutInWords(payout))
        const { open } = actions.balanceOf(order)
        if (open > 0) print.line(`${euros(open)} outstanding.`)
      },
    )

  orders
    .command('pay-back <order>')
    .description('refund an overpayment or double payment')
    .addOption(options.by())
    .action(async (number: string, { by }: { by: string }) => {
      const context = await useContext()
      const { actions } = context.features.orders
      const made = await actions.payBackExcess(mustFind(context, number).number, by)
      for (const payout of made) print.line(payoutInWords(payout))
    })

  addPayouts(orders, useContext, print)
}

/** `orders payouts` with `account` and `export`, and `payouts-done`. */
function addPayouts(orders: Command, useContext: UseContext, print: Print): void {
  const payouts = orders
    .command('payouts')
    .description('list refunds due: those to pay at the bank, and those through Stripe')
    .option('--all', 'include paid refunds')
    .addOption(options.json())
    .action(async ({ all = false, json }: { all?: boolean; json?: boolean }) => {
      const { actions } = (await useContext()).features.orders
      const rows = actions.payouts({ all }).map((payout) => {
        const order = actions.orders.findId(payout.order)!
        const account = payout.method === 'bank' ? actions.accountOf(payout) : null
        return {
          payout: payout.id,
          order: order.number,
          method: payout.method,
          amount: json ? payout.amount : euros(payout.amount),
          to: account?.name ?? order.company ?? order.name,
          account: account?.iban ?? null,
          file: payout.batch,
          credit: payout.credit === null ? null : String(payout.credit),
          reason: payout.reason,
          since: when(payout.madeAt),
          sent: when(payout.sentAt),
          failed: payout.failed === 0 ? null : json ? payout.failed : euros(payout.failed),
        }
      })
      print.listing(rows, { json, none: 'No refunds due.' })
    })

  payouts
    .command('account <payout> <iban>')
    .description('set the account a payout goes to')
    .option('--name <name>', 'account holder')
    .addOption(options.by())
    .action(async (given: string, iban: string, { name, by }: { name?: string; by: string }) => {
      const { actions } = (await useContext()).features.orders
      const account = { iban, name: name ?? null, actor: by }
      const { id } = await actions.toAccount(payoutNumber(given), account)
      print.line(`Payout ${id} goes to ${iban}.`)
    })

  payouts
    .command('export')
    .description('write a bank file with the payouts that aren’t in one yet')
    .addOption(new Option('--format <format>', 'ISO 20022').choices(['pain001']).default('pain001'))
    .addOption(new Option('--on <date>', 'execution date (default: today)').argParser(day))
    .addOption(
      new Option('--again <file>', 'write an earlier file again, unchanged').argParser(
        payoutNumber,
      ),
    )
    .requiredOption('--out <file>', 'file to write (it appears once complete)')
    .addOption(options.by())
    .action(async (flags: { on?: string; again?: number; out: string; by: string }) => {
      const context = await useContext()
      const { actions } = context.features.orders
      const made =
        flags.again === undefined
          ? await actions.exportPayouts({
              executeOn: flags.on ?? dateAt(context.clock()),
              actor: flags.by,
            })
          : { ...(await actions.payoutFile(flags.again)), without: [] }
      try {
        await writeWhole(flags.out, made.xml)
      } catch (cause) {
        const again = `payouts export --again ${made.batch}`
        throw new Error(`File ${made.batch} couldn’t be written; write it with ${again}.`, {
          cause,
        })
      }
      const total = made.transfers.reduce((sum, { cents: amount }) => sum + amount, 0)
      print.line(
        `File ${made.batch}: ${counted(made.transfers.length, 'transfer')}, ${euros(total)}, written to ${harmless(flags.out)}`,
      )
      for (const { id, amount } of made.without) {
        print.line(`Payout ${id} (${euros(amount)}) has no account: enter it with payouts account.`)
      }
      print.line(`Once the bank has paid it: orders payouts-done --file ${made.batch}`)
    })

  orders
    .command('payouts-done [payouts...]')
    .description('mark payouts as paid at the bank and tell the buyers')
    .addOption(new Option('--file <file>', 'all payouts in this bank file').argParser(payoutNumber))
    .addOption(options.by())
    .action(async (given: string[], { file, by }: { file?: number; by: string }, verb: Command) => {
      if (given.length === 0 && file === undefined) {
        verb.error('error: name payouts by their numbers, or a file with --file.', { exitCode: 2 })
      }
      const { actions } = (await useContext()).features.orders
      const ids = [
        ...given.map(payoutNumber),
        ...(file === undefined ? [] : actions.ofBatch(file).map(({ id }) => id)),
      ]
      const done = await actions.paidAtBank(ids, by)
      print.line(`${done.length} marked as paid.`)
    })
}

function payoutNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Name it by its number.')
}

/** What staff read of money on its way back: what goes by itself, and what they have to pay. */
export const payoutInWords = ({
  id,
  method,
  amount,
}: {
  id: number
  method: string
  amount: number
}): string =>
  method === 'stripe'
    ? `${euros(amount)} is refunded through Stripe.`
    : method === 'gift-card'
      ? `${euros(amount)} is back on the gift card.`
      : `Refund ${euros(amount)} to the buyer’s account, then run payouts-done ${id}.`

/** Reads `2`, `2x3` and `2=12.50`, one after the other. */
function lines(text: string, before: Line[] = []): Line[] {
  const [, line = '', pieces, amount] = /^([1-9]\d?)(?:x([1-9]\d?)|=(.+))?$/.exec(text) ?? []
  if (!line) {
    throw new InvalidArgumentError(
      'Use a line such as 2, pieces such as 2x3, or an amount such as 2=12.50.',
    )
  }
  return [
    ...before,
    {
      line: Number(line) - 1,
      ...(pieces !== undefined && { quantity: Number(pieces) }),
      ...(amount !== undefined && { amount: cents(amount) }),
    },
  ]
}
