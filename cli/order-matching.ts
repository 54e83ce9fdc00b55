import { readFileSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import { bankFileMost, readBankFile } from '#server/orders/bank-file.ts'
import type { Match, MatchOutcome } from '#server/orders/matching.ts'
import { printedReference } from '#server/orders/reference-number.ts'
import { decimal, euros } from '#shared/money.ts'
import * as options from './options.ts'
import type { Print, Row } from './print.ts'
import { harmless } from './terminal.ts'
import type { UseContext } from './command.ts'

const outcomes: Readonly<Record<MatchOutcome, string>> = {
  paid: 'paid',
  part: 'paid in part',
  over: 'paid too much',
  double: 'paid before: pay it back',
  closed: 'the order is closed: pay it back',
  known: 'recorded before',
  unknown: 'no invoice has this reference',
}

/** `orders match`: pays invoices with a bank statement. */
export function addOrderMatching(orders: Command, useContext: UseContext, print: Print): void {
  orders
    .command('match <file>')
    .description(
      'pay invoices by reference number with a bank statement: camt.053, or the CSV of a Finnish bank',
    )
    .option('--rehearse', 'only tell what would happen')
    .addOption(options.by())
    .addOption(options.json())
    .action(async (file: string, told: { rehearse?: boolean; by: string; json?: boolean }) => {
      if (statSync(file).size > bankFileMost) throw new Error(`${harmless(file)} is too large.`)
      const payments = readBankFile(readFileSync(file))
      const { match } = (await useContext()).features.orders
      const matches = await match(payments, { actor: told.by, rehearse: told.rehearse ?? false })
      if (told.json) {
        print.json(matches.map(fullRow))
        return
      }
      print.listing(matches.map(tableRow), { none: 'No money came in.' })
      const count = (...wanted: MatchOutcome[]) =>
        matches.filter(({ outcome }) => wanted.includes(outcome)).length
      const out = payments.length - matches.length
      print.line(
        `${count('paid', 'over')} paid, ${count('part')} in part, ${count('double', 'closed')} to pay back, ` +
          `${count('known')} recorded before, ${count('unknown')} without an invoice, ${out} paid out` +
          (told.rehearse ? '; nothing was changed' : ''),
      )
    })
}

const tableRow = ({
  line,
  paidOn,
  amount,
  reference,
  payer,
  outcome,
  order,
  invoice,
  open,
}: Match): Row => ({
  line,
  date: paidOn,
  amount: euros(amount),
  reference: reference === null ? '' : printedReference(reference),
  payer,
  invoice,
  order,
  outcome: outcomes[outcome],
  open: open === null ? '' : decimal(open),
})

/** Money in cents. */
const fullRow = ({
  line,
  paidOn,
  amount,
  reference,
  payer,
  outcome,
  order,
  invoice,
  open,
}: Match) => ({
  line,
  date: paidOn,
  amount,
  reference,
  payer,
  outcome,
  order,
  invoice: invoice === null ? null : String(invoice),
  open,
})
