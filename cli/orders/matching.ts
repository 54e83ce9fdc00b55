import { readFileSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import type { Match, MatchOutcome } from '#server/orders/feature.ts'
import { decimal, euros } from '#shared/money.ts'
import * as options from '../common/options.ts'
import type { Print, Row } from '../common/print.ts'
import { harmless } from '../common/terminal.ts'
import type { UseContext } from '../common/command.ts'

const outcomes: Readonly<Record<MatchOutcome, string>> = {
  paid: 'paid',
  part: 'partly paid',
  over: 'overpaid',
  double: 'already paid: refund it',
  closed: 'order closed: refund it',
  known: 'already recorded',
  unknown: 'no invoice has this reference',
  pending: 'not booked yet: skipped',
  foreign: 'other currency: skipped',
  out: 'outgoing: skipped',
  zero: 'zero amount: skipped',
}

/** `orders match`: pays invoices with a bank statement. */
export function addOrderMatching(orders: Command, useContext: UseContext, print: Print): void {
  orders
    .command('match <file>')
    .description('match a bank statement to open invoices: camt.053, or the CSV of a Finnish bank')
    .option('--rehearse', 'validate only')
    .addOption(options.by())
    .addOption(options.json())
    .action(async (file: string, flags: { rehearse?: boolean; by: string; json?: boolean }) => {
      const { match, readBankFile, maxBankFileBytes, printedReference } = (await useContext())
        .features.orders
      if (statSync(file).size > maxBankFileBytes) throw new Error(`${harmless(file)} is too large.`)
      const entries = readBankFile(readFileSync(file))
      const matches = await match(entries, { actor: flags.by, rehearse: flags.rehearse ?? false })
      if (flags.json) {
        print.json(matches.map(fullRow))
        return
      }
      print.listing(
        matches.map((each) => ({
          ...tableRow(each),
          reference: each.reference === null ? '' : printedReference(each.reference),
        })),
        { none: 'The statement is empty.' },
      )
      const count = (...wanted: MatchOutcome[]) =>
        matches.filter(({ outcome }) => wanted.includes(outcome)).length
      print.line(
        `${count('paid', 'over')} paid, ${count('part')} partly paid, ${count('double', 'closed')} to refund, ` +
          `${count('known')} already recorded, ${count('unknown')} unmatched, ${count('out')} outgoing, ${count('pending', 'foreign', 'zero')} skipped` +
          (flags.rehearse ? '; nothing was changed' : ''),
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
  suggested,
}: Match): Row => ({
  line,
  date: paidOn,
  amount: euros(amount),
  reference,
  payer,
  invoice,
  order,
  outcome:
    suggested.length > 0
      ? `${outcomes[outcome]}; maybe ${suggested.join(' or ')}`
      : outcomes[outcome],
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
  suggested,
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
  suggested,
})
