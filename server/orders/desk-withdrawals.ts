import { deskPersonPath } from '#shared/desk/people.ts'
import type { DeskLine } from '#shared/desk/lines.ts'
import type { DeskAct, DeskField } from '#shared/desk/things.ts'
import { failure } from '#shared/failures.ts'
import type { Entries } from '#shared/forms/form.ts'
import { euros } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import { isoOf } from '../contributions/desk-source.ts'
import type { OrderActions } from './actions.ts'
import { refundInWords } from './desk-refunds.ts'
import { todoOf, type WithdrawalCase } from './withdrawal/withdrawal-cases.ts'

/** A withdrawal in a list; it leads to its order, and to its sender where it's from none of theirs. */
export function withdrawalLine(found: WithdrawalCase): DeskLine {
  const { order, booking, stage, isOver } = found
  const { id, orderNumber, name, email, receivedAt } = found.withdrawal
  return {
    label: 'Withdrawal',
    title: `${id}: ${booking === null ? 'order' : 'booking'} ${order?.number ?? orderNumber}`,
    detail: [name, email, stage, !isOver && todoOf(found)].filter(Boolean).join(' · '),
    urgent: false,
    at: isoOf(receivedAt),
    href: order
      ? paths.deskThing('orders', order.number)
      : booking === null
        ? deskPersonPath(email)
        : paths.deskThing('bookings', booking),
  }
}

/** What an order's page says of its withdrawals: the pieces, how far each is, and what deals with it. */
export const withdrawalParts = (cases: readonly WithdrawalCase[]): DeskLine[] =>
  cases.map((found) => ({
    label: 'Withdrawal',
    title: found.lines.map(({ quantity, title }) => `${quantity} × ${title}`).join(', '),
    detail: [found.stage, !found.isOver && todoOf(found), !found.isOver && found.work]
      .filter(Boolean)
      .join(' · '),
    urgent: !found.isOver,
    at: isoOf(found.withdrawal.receivedAt),
    href: null,
  }))

type Withdrawals = Pick<
  OrderActions['withdrawals'],
  'goodsBack' | 'goodsProven' | 'settle' | 'close'
>

const isAwaited = ({ stage }: WithdrawalCase): boolean => stage === 'goods awaited'

/** What staff can do with a withdrawal, and with which of them. */
const steps: Readonly<Record<string, (each: WithdrawalCase) => boolean>> = {
  'withdrawal-back': isAwaited,
  'withdrawal-proof': (each) => isAwaited(each) && each.withdrawal.proofAt === null,
  'withdrawal-settle': (each) => isUndecided(each) && !each.isExempt,
  'withdrawal-close': isUndecided,
}

/** Whether staff still have to decide; what is to be paid back is among the refunds. */
function isUndecided({ isOver, stage }: WithdrawalCase): boolean {
  return !isOver && stage !== 'to be paid'
}

/** What staff read of a withdrawal whose lines had nothing left to credit. */
const settledBefore = (credit: number): string =>
  `Credit note ${credit} had taken it off already, so there’s no new one.`

/** Whether an act of an order's page is about its withdrawals. */
export const isWithdrawalAct = (act: string): boolean => Object.hasOwn(steps, act)

/** What can be done with the withdrawals from an order, each as far as it has come. */
export function withdrawalActs(cases: readonly WithdrawalCase[]): DeskAct[] {
  const act = (
    name: string,
    texts: Pick<DeskAct, 'label' | 'hint' | 'isDanger'>,
    fieldsFor: (chosen: readonly WithdrawalCase[]) => DeskField[] = () => [],
  ): DeskAct[] => {
    const chosen = cases.filter(steps[name]!)
    if (chosen.length === 0) return []
    return [{ act: name, ...texts, fields: [...choiceOf(chosen), ...fieldsFor(chosen)] }]
  }
  return [
    ...act('withdrawal-back', {
      label: 'The goods are back',
      hint: 'Notes that what the buyer has withdrawn from has come back.',
    }),
    ...act('withdrawal-proof', {
      label: 'The goods are on their way back',
      hint: 'Notes that the buyer has shown that they’re sent; the refund then doesn’t wait for them.',
    }),
    ...act(
      'withdrawal-settle',
      {
        label: 'Settle the withdrawal',
        hint: 'Issues a credit note for what the buyer has withdrawn from, refunds what was paid for it and emails the buyer.',
        isDanger: true,
      },
      (chosen) => [
        ...(chosen.some(({ lines }) => lines.some(({ sent }) => sent > 0))
          ? [
              {
                name: 'restock',
                label: 'Put the returned goods back in stock',
                kind: 'check' as const,
              },
            ]
          : []),
        ...(chosen.some((each) => steps['withdrawal-proof']!(each))
          ? [
              {
                name: 'early',
                label: 'Settle it early',
                kind: 'check' as const,
                hint: 'The goods aren’t back yet.',
              },
            ]
          : []),
      ],
    ),
    ...act(
      'withdrawal-close',
      {
        label: 'Close the withdrawal',
        hint: 'For one that was settled another way: no credit note, no refund, no email.',
        isDanger: true,
      },
      () => [{ name: 'reason', label: 'Reason', kind: 'text', required: true }],
    ),
  ]
}

/** Asks which withdrawal is meant where there are several. */
const choiceOf = (cases: readonly WithdrawalCase[]): DeskField[] =>
  cases.length < 2
    ? []
    : [
        {
          name: 'withdrawal',
          label: 'Withdrawal',
          kind: 'select',
          required: true,
          options: cases.map(({ withdrawal, lines }) => ({
            value: String(withdrawal.id),
            label: `${withdrawal.id}: ${lines.map(({ quantity, title }) => `${quantity} × ${title}`).join(', ')}`,
          })),
        },
      ]

/**
 * Does an act of {@link withdrawalActs}.
 * @returns what staff are told of it, where there is something
 * @throws invalid without a choice or a reason; else as the acts in `withdrawal-desk.ts`
 */
export async function actOnWithdrawal(
  act: string,
  entries: Entries,
  {
    cases,
    withdrawals,
    by,
  }: { cases: readonly WithdrawalCase[]; withdrawals: Withdrawals; by: string },
): Promise<string | undefined> {
  const offered = cases.filter(steps[act]!)
  const chosen =
    offered.length === 1
      ? offered[0]
      : offered.find(({ withdrawal }) => String(withdrawal.id) === entries.withdrawal)
  if (!chosen) {
    const message = 'Please choose a withdrawal'
    throw failure('invalid', { message, errors: { withdrawal: message } })
  }
  const { id } = chosen.withdrawal
  let notice: string | undefined
  if (act === 'withdrawal-back') {
    await withdrawals.goodsBack(id, by)
  } else if (act === 'withdrawal-proof') {
    await withdrawals.goodsProven(id, by)
  } else if (act === 'withdrawal-close') {
    const reason = entries.reason?.trim() ?? ''
    if (reason === '') {
      throw failure('invalid', { message: 'Please say why', errors: { reason: 'Please say why' } })
    }
    await withdrawals.close(id, reason, by)
  } else {
    const { note, payouts, payBy, withdrawal } = await withdrawals.settle(id, {
      actor: by,
      restock: entries.restock === 'on',
      isEarly: entries.early === 'on',
    })
    notice = [
      note && `Credit note ${note.number} over ${euros(-note.total)}.`,
      !note && withdrawal.credit !== null && settledBefore(withdrawal.credit),
      ...payouts.map((payout) => refundInWords(payout, payBy)),
    ]
      .filter(Boolean)
      .join(' ')
  }
  return notice
}
