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
  reversed: 'reversal of a booking: skipped',
  zero: 'zero amount: skipped',
  unread: 'can’t be read',
}

/** `orders match`: pays invoices with a bank statement. */
export function addOrderMatching(orders: Command, useContext: UseContext, print: Print): void {
  orders
    .command('match <file>')
    .description(
      'match a bank statement to open invoices: camt.053, camt.054, or the CSV of a Finnish bank',
    )
    .addOption(options.rehearse())
    .addOption(options.by())
    .addOption(options.json())
    .action(async (file: string, flags: { dryRun?: boolean; by: string; json?: boolean }) => {
      const { match, readBankFile, maxBankFileBytes, printedReference } = (await useContext())
        .features.orders
      if (statSync(file).size > maxBankFileBytes) throw new Error(`${harmless(file)} is too large.`)
      const entries = readBankFile(readFileSync(file))
      const matches = await match(entries, { actor: flags.by, rehearse: flags.dryRun ?? false })
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
      const over = count('over')
      const unread = count('unread')
      print.line(
        `${count('paid', 'over')} paid${over > 0 ? ` (${over} overpaid)` : ''}, ${count('part')} partly paid, ${count('double', 'closed')} to refund, ` +
          `${count('known')} already recorded, ${count('unknown')} unmatched, ${count('out')} outgoing, ${count('pending', 'foreign', 'reversed', 'zero')} skipped${unread > 0 ? `, ${unread} that can’t be read: look for these in the file` : ''}`,
      )
      if (flags.dryRun) print.line(options.dryRun('record them', 'without --dry-run'))
    })
}

/** Everything about a match; money in hundredths of the row's currency, null where it can't be read. */
const fullRow = ({ invoice, ...match }: Match) => ({
  line: match.line,
  date: match.paidOn,
  amount: match.outcome === 'unread' ? null : match.amount,
  currency: match.currency,
  reference: match.reference,
  payer: match.payer,
  outcome: match.outcome,
  fault: match.fault,
  order: match.order,
  invoice: invoice === null ? null : String(invoice),
  open: match.open,
  suggested: match.suggested,
})

/** The same as a line for people. */
const tableRow = (match: Match): Row => {
  const { suggested, outcome, fault, amount, currency, open, ...facts } = fullRow(match)
  const maybe = suggested.length > 0 ? `; maybe ${suggested.join(' or ')}` : ''
  return {
    line: facts.line,
    date: facts.date,
    amount:
      amount === null ? '' : euros(amount).replace('€', currency === 'EUR' ? '€' : `${currency} `),
    reference: facts.reference,
    payer: facts.payer,
    invoice: facts.invoice,
    order: facts.order,
    outcome: `${outcomes[outcome]}${maybe}${fault === null ? '' : `: ${fault}`}`,
    open: open === null ? '' : decimal(open),
  }
}
