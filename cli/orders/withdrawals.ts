import { InvalidArgumentError, type Command } from 'commander'
import type { WithdrawalCase } from '#server/orders/feature.ts'
import { longDate } from '#shared/dates/date-format.ts'
import { euros } from '#shared/money.ts'
import type { UseContext } from '../common/command.ts'
import * as options from '../common/options.ts'
import { withHints } from '../common/refused.ts'
import { when, type Print } from '../common/print.ts'

/** `orders withdrawals`: the statements, and what becomes of them. */
export function addWithdrawals(orders: Command, useContext: UseContext, print: Print): void {
  const withdrawals = orders.command('withdrawals').description('withdrawals from orders')

  withdrawals
    .command('list', { isDefault: true })
    .description('list withdrawals, oldest first')
    .option('--open', 'only open ones')
    .addOption(options.json())
    .action(async ({ open = false, json }: { open?: boolean; json?: boolean }) => {
      const { actions } = (await useContext()).features.orders
      const rows = actions.withdrawals.cases({ all: !open }).map((each) => ({
        withdrawal: each.withdrawal.id,
        received: when(each.withdrawal.receivedAt),
        stage: each.stage,
        payBy: each.isExempt || !each.isPaid ? null : each.payBy,
        order: each.order?.number ?? null,
        written: each.withdrawal.orderNumber,
        name: each.withdrawal.name,
        email: each.withdrawal.email,
      }))
      print.listing(rows, { json, none: 'No withdrawals found.' })
    })

  withdrawals
    .command('show <withdrawal>', {})
    .description('show a withdrawal with its lines')
    .addOption(options.json())
    .action(async (text: string, { json }: { json?: boolean }) => {
      const { actions } = (await useContext()).features.orders
      const found = actions.withdrawals.case(number(text))
      const { withdrawal, order, booking, lines, stage, payBy, isExempt, isPaid, isOver } = found
      const facts = {
        withdrawal: withdrawal.id,
        stage,
        payBy: isExempt || !isPaid ? null : payBy,
        received: when(withdrawal.receivedAt),
        order: order?.number ?? null,
        written: withdrawal.orderNumber,
        name: withdrawal.name,
        email: withdrawal.email,
        goodsBack: when(withdrawal.backAt),
        proof: when(withdrawal.proofAt),
        settled: when(withdrawal.settledAt),
        credit: withdrawal.credit === null ? null : String(withdrawal.credit),
        note: withdrawal.note,
      }
      const rows = lines.map(({ at, title, quantity, sent, exempt }) => ({
        line: at + 1,
        title,
        quantity,
        sent,
        exempt,
      }))
      if (json) {
        print.json({ ...facts, lines: rows })
        return
      }
      print.facts(facts)
      print.line('')
      print.listing(rows, {
        none:
          booking === null
            ? 'It doesn’t name one of the sender’s orders.'
            : `It’s about booking ${booking}: see bookings show ${booking}.`,
      })
      if (found.work && !isOver) print.line(`\n${found.work}`)
    })

  addSteps(withdrawals, useContext, print)
  addEnds(withdrawals, useContext, print)
}

function addSteps(withdrawals: Command, useContext: UseContext, print: Print): void {
  const steps = {
    back: 'record that the goods came back',
    proof: 'record that the customer has proved sending the goods back',
  } as const
  for (const [step, description] of Object.entries(steps) as [keyof typeof steps, string][]) {
    withdrawals
      .command(`${step} <withdrawal>`)
      .description(description)
      .addOption(options.by())
      .action(async (text: string, { by }: { by: string }) => {
        const { actions } = (await useContext()).features.orders
        const { goodsBack, goodsProven } = actions.withdrawals
        const act = step === 'back' ? goodsBack : goodsProven
        print.line(sentence(await act(number(text), by)))
      })
  }
}

function addEnds(withdrawals: Command, useContext: UseContext, print: Print): void {
  withdrawals
    .command('settle <withdrawal>')
    .description('credit its lines, refund them and tell the customer')
    .option('--restock', 'put returned goods back in stock')
    .option('--early', 'settle before the goods are back')
    .addOption(options.by())
    .action(async (text: string, flags: { restock?: boolean; early?: boolean; by: string }) => {
      const { actions } = (await useContext()).features.orders
      const settled = actions.withdrawals.settle(number(text), {
        actor: flags.by,
        restock: flags.restock ?? false,
        isEarly: flags.early ?? false,
      })
      const done = await withHints(settled, {
        early: 'See orders withdrawals back and proof; --early settles it now.',
      })
      print.line(sentence(done))
      if (done.note) {
        print.line(`Credit note ${done.note.number} over ${euros(-done.note.total)}.`)
      } else if (done.withdrawal.credit !== null) {
        print.line(
          `Credit note ${done.withdrawal.credit} had taken it off already, so there’s no new one.`,
        )
      }
      for (const { id, method, amount } of done.payouts) {
        print.line(
          method === 'stripe'
            ? `${euros(amount)} is refunded through Stripe.`
            : method === 'gift-card'
              ? `${euros(amount)} is back on the gift card.`
              : `Please pay ${euros(amount)} back to the buyer’s account by ${longDate(done.payBy)}, then note it with payouts-done ${id}.`,
        )
      }
    })

  withdrawals
    .command('close <withdrawal>')
    .description('close a withdrawal that was settled another way')
    .addOption(options.reason('why, for the history'))
    .addOption(options.by())
    .action(async (text: string, { reason, by }: { reason: string; by: string }) => {
      const { actions } = (await useContext()).features.orders
      print.line(sentence(await actions.withdrawals.close(number(text), reason, by)))
    })
}

const sentence = ({ withdrawal, order, booking, stage }: WithdrawalCase): string => {
  const from = order?.number ?? booking
  return `Withdrawal ${withdrawal.id}${from === null ? '' : ` from ${from}`}: ${stage}`
}

function number(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Name a withdrawal by its number.')
}
