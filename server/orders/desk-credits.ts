import type { DeskAct, DeskField } from '#shared/desk/things.ts'
import { failure } from '#shared/failures.ts'
import type { Entries } from '#shared/forms/form.ts'
import { euros } from '#shared/money.ts'
import type { OrderActions } from './actions.ts'
import { amountOf } from './desk-payments.ts'
import type { CreditRequest } from './documents/credit-note.ts'
import type { Creditable } from './payment/credit-actions.ts'

/** The fields of a line of the invoice; lines are counted from 0. */
const fieldNames = (at: number) => ({
  all: `all-${at}`,
  pieces: `returned-${at}`,
  amount: `reduced-${at}`,
})

const reasonField: DeskField = {
  name: 'reason',
  label: 'Reason',
  kind: 'text',
  required: true,
  hint: 'The buyer and the bookkeeper read it.',
}

/** Asks what of a line is credited: pieces or all of it, or else an amount. */
function lineFields({ at, title, left, pieces }: Creditable): DeskField[] {
  const name = fieldNames(at)
  const row = `${at + 1}. ${title}`
  const whole: DeskField =
    pieces > 1
      ? {
          name: name.pieces,
          label: 'Pieces',
          kind: 'number',
          hint: `${pieces} left, ${euros(left)}.`,
          row,
        }
      : { name: name.all, label: `All that’s left: ${euros(left)}`, kind: 'check', row }
  // A discount that is a line of its own has no amount to take off.
  if (left < 0) return [whole]
  return [whole, { name: name.amount, label: 'Or an amount', kind: 'number', row }]
}

/** What is credited of an order's invoice: lines of it, or an amount. @param left of each line */
export function creditActs(left: readonly Creditable[]): DeskAct[] {
  if (left.length === 0) return []
  const hasGoods = left.some(({ isGoods }) => isGoods)
  const lines: DeskAct = {
    act: 'credit-lines',
    label: 'Credit lines',
    hint: 'Issues a credit note for the lines that you fill in. Amounts include VAT. Any overpayment is refunded.',
    isDanger: true,
    fields: [
      ...left.flatMap(lineFields),
      reasonField,
      ...(hasGoods
        ? [
            {
              name: 'restock',
              label: 'Put the credited pieces back in stock',
              kind: 'check' as const,
            },
          ]
        : []),
    ],
  }
  const amount: DeskAct = {
    act: 'credit',
    label: 'Credit an amount',
    hint: 'Issues a credit note, spread over the lines by value. Any overpayment is refunded.',
    isDanger: true,
    fields: [
      { name: 'amount', label: 'Amount incl. VAT', kind: 'number', required: true },
      reasonField,
    ],
  }
  return [lines, amount]
}

/** Whether an act of an order's page credits something. */
export const isCreditAct = (act: string): boolean => act === 'credit' || act === 'credit-lines'

/** Does an act of {@link creditActs}. @throws invalid for what was entered; else as `credit` */
export async function actOnCredit(
  act: string,
  entries: Entries,
  {
    number,
    left,
    actions,
    by,
  }: {
    number: string
    left: readonly Creditable[]
    actions: Pick<OrderActions, 'credit'>
    by: string
  },
): Promise<void> {
  const wanted =
    act === 'credit' ? { amount: amountOf(entries, 'amount') } : { lines: linesOf(entries, left) }
  const reason = reasonOf(entries)
  await actions.credit(number, wanted, { reason, restock: entries.restock === 'on', actor: by })
}

type Wanted = NonNullable<Exclude<CreditRequest, { all: true }>['lines']>

/** The lines that were filled in. @throws invalid for none, and for pieces beside an amount */
function linesOf(entries: Entries, left: readonly Creditable[]): Wanted {
  const lines = left.flatMap(({ at, pieces }): Wanted[number][] => {
    const name = fieldNames(at)
    const typed = entries[name.pieces]?.trim() ?? ''
    const isAll = entries[name.all] === 'on'
    const hasAmount = (entries[name.amount]?.trim() ?? '') !== ''
    if (hasAmount && (isAll || typed !== '')) {
      throw wrong(name.amount, `Please enter one or the other for line ${at + 1}`)
    }
    if (hasAmount) return [{ line: at, amount: amountOf(entries, name.amount) }]
    if (isAll) return [{ line: at }]
    if (typed === '' || typed === '0') return []
    const quantity = /^\d{1,6}$/.test(typed) ? Number(typed) : 0
    if (quantity > 0 && quantity <= pieces) return [{ line: at, quantity }]
    throw wrong(name.pieces, `Please enter up to ${pieces} pieces for line ${at + 1}`)
  })
  if (lines.length > 0) return lines
  const [first] = left
  const name = first && fieldNames(first.at)
  throw wrong(
    name ? (first.pieces > 1 ? name.pieces : name.all) : 'reason',
    'Please fill in what is credited',
  )
}

function reasonOf(entries: Entries): string {
  const reason = entries.reason?.trim() ?? ''
  if (reason !== '') return reason
  throw wrong('reason', 'Please say why')
}

const wrong = (name: string, message: string) =>
  failure('invalid', { message, errors: { [name]: message } })
