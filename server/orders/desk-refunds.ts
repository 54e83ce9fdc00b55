import { longDate } from '#shared/dates/date-format.ts'
import type { DeskLine } from '#shared/desk/lines.ts'
import type { DeskAct } from '#shared/desk/things.ts'
import { failure } from '#shared/failures.ts'
import type { Entries } from '#shared/forms/form.ts'
import { euros } from '#shared/money.ts'
import { isoOf } from '../contributions/desk-source.ts'
import type { OrderActions } from './actions.ts'
import type { Payout } from './schema.ts'

/** By which way money goes back. */
const refundWays: Readonly<Record<Payout['method'], string>> = {
  stripe: 'By card',
  bank: 'At the bank',
  'gift-card': 'Onto the gift card',
}

/** Money on its way back, and whether it has gone, or has come back to the payment service. */
export function refundLine({
  id,
  method,
  amount,
  reason,
  sentAt,
  failed,
  replaces,
}: Payout): DeskLine {
  const state =
    failed > 0
      ? `${euros(failed)} failed at Stripe`
      : sentAt !== null
        ? 'sent'
        : method === 'stripe'
          ? 'goes through Stripe'
          : 'to pay at the bank'
  return {
    label: refundWays[method],
    title: `Payout ${id}: ${euros(amount)}`,
    detail: [reason, replaces !== null && `instead of payout ${replaces}`, state]
      .filter(Boolean)
      .join(' · '),
    urgent: failed > 0 || (replaces !== null && sentAt === null),
    at: sentAt === null ? null : isoOf(sentAt),
    href: null,
  }
}

/** What staff read of money on its way back. @param payBy the last day for it */
export const refundInWords = ({ method, amount }: Payout, payBy: string): string =>
  method === 'stripe'
    ? `${euros(amount)} is refunded through Stripe.`
    : method === 'gift-card'
      ? `${euros(amount)} is back on the gift card.`
      : `Please pay ${euros(amount)} back to the buyer’s account by ${longDate(payBy)}.`

/** Refunds of an order that staff pay at the bank, and that aren't paid yet. */
const toPay = (payouts: readonly Payout[]): Payout[] =>
  payouts.filter(({ method, sentAt }) => method === 'bank' && sentAt === null)

/** Whether an act of an order's page is about its refunds. */
export const isRefundAct = (act: string): boolean =>
  act === 'refund-paid' || act === 'refund-account'

/** What is done with refunds at the bank: to whose account they go, and that they're paid. */
export function refundActs(
  payouts: readonly Payout[],
  accountOf: OrderActions['accountOf'],
): DeskAct[] {
  const paid = toPay(payouts)
  // What is in a file for the bank goes to the account that the file has.
  const open = paid.filter(({ batch }) => batch === null)
  const choice = (list: readonly Payout[]): DeskAct['fields'] =>
    list.length < 2
      ? []
      : [
          {
            name: 'payout',
            label: 'Refund',
            kind: 'select',
            required: true,
            options: list.map(({ id, amount }) => ({
              value: String(id),
              label: `Payout ${id}: ${euros(amount)}`,
            })),
          },
        ]
  const known = open.length === 1 ? accountOf(open[0]!) : null
  const account: DeskAct = {
    act: 'refund-account',
    label: 'Enter the account for the refund',
    hint: 'Where the buyer wants the money.',
    isForDesk: true,
    fields: [
      ...choice(open),
      { name: 'iban', label: 'IBAN', kind: 'text', required: true, value: known?.iban ?? '' },
      { name: 'name', label: 'Account holder', kind: 'text', value: known?.name ?? '' },
    ],
  }
  const done: DeskAct = {
    act: 'refund-paid',
    label: 'Mark the refund as paid',
    hint: 'For a refund that has left the bank account. The buyer gets an email.',
    isForDesk: true,
    fields: choice(paid),
  }
  return [...(open.length > 0 ? [account] : []), ...(paid.length > 0 ? [done] : [])]
}

/** Does an act of {@link refundActs}. @throws invalid without a choice or for a wrong IBAN; wrong-state */
export async function actOnRefund(
  act: string,
  entries: Entries,
  {
    payouts,
    actions,
    by,
  }: {
    payouts: readonly Payout[]
    actions: Pick<OrderActions, 'toAccount' | 'paidAtBank'>
    by: string
  },
): Promise<void> {
  const offered = toPay(payouts).filter(({ batch }) => act === 'refund-paid' || batch === null)
  const chosen =
    offered.length === 1 ? offered[0] : offered.find(({ id }) => String(id) === entries.payout)
  if (!chosen) {
    const message = 'Please choose a refund'
    throw failure('invalid', { message, errors: { payout: message } })
  }
  if (act === 'refund-paid') {
    await actions.paidAtBank([chosen.id], by)
    return
  }
  const name = entries.name?.trim() || null
  await actions.toAccount(chosen.id, { iban: entries.iban?.trim() ?? '', name, actor: by })
}
