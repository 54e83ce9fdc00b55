import { longDate } from '#shared/date-format.ts'
import { deskPersonPath } from '#shared/desk-people.ts'
import type { DeskLine } from '#shared/desk-lines.ts'
import { paths } from '#shared/paths.ts'
import { isoOf } from '../desk-source.ts'
import type { WithdrawalCase } from './withdrawal/withdrawal-cases.ts'

/** A withdrawal in a list; it leads to its order, and to its sender where it's from none of theirs. */
export const withdrawalLine = ({
  withdrawal: { id, orderNumber, name, email, receivedAt },
  order,
  stage,
  payBy,
  isOver,
}: WithdrawalCase): DeskLine => ({
  label: 'Withdrawal',
  title: `${id}: order ${order?.number ?? orderNumber}`,
  detail: [name, email, stage, !isOver && `pay back by ${longDate(payBy)}`]
    .filter(Boolean)
    .join(' · '),
  urgent: false,
  at: isoOf(receivedAt),
  href: order ? paths.deskThing('orders', order.number) : deskPersonPath(email),
})

/** What an order's page says of its withdrawals: the pieces, how far each is, and what deals with it. */
export const withdrawalParts = (cases: readonly WithdrawalCase[]): DeskLine[] =>
  cases.map(({ withdrawal, lines, stage, payBy, isOver }) => ({
    label: 'Withdrawal',
    title: lines.map(({ quantity, title }) => `${quantity} × ${title}`).join(', '),
    detail: [
      stage,
      ...(isOver
        ? []
        : [`pay back by ${longDate(payBy)}`, `pitlane orders withdrawals show ${withdrawal.id}`]),
    ].join(' · '),
    urgent: !isOver,
    at: isoOf(withdrawal.receivedAt),
    href: null,
  }))
